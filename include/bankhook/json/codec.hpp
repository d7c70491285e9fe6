// SPDX-License-Identifier: MIT
// How a type is read and written: one specialisation of Codec a type, reading and writing side by side.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/json/read/parse_context.hpp>
#include <bankhook/json/read/remembered_length.hpp>
#include <bankhook/json/read/skip.hpp>

#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::json {

/// A type that JSON can hold gives a specialisation with
/// - `static constexpr char opener`: the character that its value begins with (`"`, `[`, `{`), or 0 if that varies;
/// - `static constexpr Errc expected`: the error where another kind of value stands;
/// - `read(in, p, out, length)`: reads the value at `p`, after the opener if there is one; `length` is what the reader
///   remembers for the field; the result is the position after the value, or nullptr after `in.fail`;
/// - `fixed`: bytes that `write` needs at most beside those for which it asks the Sink itself;
/// - `write<before>(out, value, room)`: appends the literal `before` and the value to a Sink, which has room for the
///   literal and for `fixed` bytes; false if it does not fit, or `room` more bytes after it do not.
template <class T>
struct Codec;

/// Whether the values of this type, null aside, are objects or arrays.
template <class T>
inline constexpr bool is_container =
    Codec<T>::expected == Errc::expected_object || Codec<T>::expected == Errc::expected_array;

/// Counts one more open bracket while a nested value of type `T` is read. It costs no more than this for each object or
/// array, and nothing for texts and numbers.
template <class T, class Context>
BANKHOOK_INLINE constexpr void enter_part(Context& in) {
  if constexpr (is_container<T>) ++in.depth;
}
template <class T, class Context>
BANKHOOK_INLINE constexpr void leave_part(Context& in) {
  if constexpr (is_container<T>) --in.depth;
}

/// Reads the value of any kind at `p` into a `T`; the complete way, without a guess about what stands there.
template <class T, class Context>
BANKHOOK_INLINE constexpr const char* read_value(Context& in, const char* p, T& out, RememberedLength& length) {
  if constexpr (base::is_maybe_absent<T>) {
    constexpr bool keeps_null = base::is_nullable<typename T::value_type>;
    if (!keeps_null && null_at(in, p)) {  // null for a field that may be absent: read as absent
      in.has_notes = true;
      out.reset();
      return p + 4;
    }
  }
  if constexpr (Codec<T>::opener != '\0') {
    if (in.peek(p) != Codec<T>::opener) {
      in.fail_or_end(Codec<T>::expected, p);
      return nullptr;
    }
    ++p;
  }
  const char* window = p;
  if !consteval {
    window = in.window(p);
  }
  return Codec<T>::read(in, p, window, out, length);
}

}  // namespace bankhook::inline BANKHOOK_ABI::json

namespace bankhook::inline BANKHOOK_ABI::json::detail {

/// As `read_value`, once a type: what is read here is rare or was a surprise.
template <class T, class Context>
BANKHOOK_NOINLINE constexpr const char* read_value_outlined(Context& in, const char* p, T& out, RememberedLength& length) {
  return read_value(in, p, out, length);
}

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail
