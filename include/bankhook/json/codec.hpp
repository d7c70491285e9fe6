// SPDX-License-Identifier: MIT
// The buffer that is written; how a type is read and written, one specialisation of Codec a type; what JSON can hold.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/parse_context.hpp>
#include <bankhook/json/tokens.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

/// The longest form, as of `\u0001`.
inline constexpr std::ptrdiff_t longest_escape = 6;

inline char* escape(char c, char* to) {
  constexpr std::string_view escaped = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt", digits = "0123456789abcdef";
  *to++ = '\\';
  const std::size_t which = escaped.find(c);
  if (which != escaped.npos) {
    *to++ = letters[which];
  } else {
    to = std::copy_n("u00", 3, to);
    *to++ = digits[static_cast<unsigned char>(c) >> 4];
    *to++ = digits[static_cast<unsigned char>(c) & 15];
  }
  return to;
}

/// The whole string after its opening quote, and the closing one. nullptr if that and `room` more bytes do not fit.
/// Takes no sink: one that is known to others cannot stay in registers.
BANKHOOK_NOINLINE inline char* write_escaped(std::string_view value, char* to, const char* end, std::size_t room) {
  for (std::size_t i = 0; i < value.size();) {
    if (end - to < std::max<std::ptrdiff_t>(longest_escape, sizeof(simd::Block16))) return nullptr;
    if (value.size() - i >= sizeof(simd::Block16)) {
      const auto block = simd::Block16::load(value.data() + i);
      block.store(to);
      const auto plain = static_cast<std::size_t>(
          (std::min)(std::countr_zero(simd::escapes(block).high()), static_cast<int>(sizeof(simd::Block16))));
      to += plain;
      i += plain;
      if (plain == sizeof(simd::Block16)) continue;
      if (end - to < longest_escape) return nullptr;
    }
    const char c = value[i++];
    if (simd::needs_escape(c)) to = escape(c, to);
    else *to++ = c;
  }
  if (static_cast<std::size_t>(end - to) < 1 + room) return nullptr;
  *to++ = '"';
  return to;
}

/// Writes into a fixed range. Room is reserved for a struct's keys, punctuation and numbers at once, and for each text;
/// what does not fit makes the writing end with false, and the owner makes room and begins again.
class Sink {
 public:
  Sink(char* begin, char* end) : next_(begin), end_(end) {}

  /// After the last byte that was written.
  [[nodiscard]] char* position() const { return next_; }

  /// Whether `bytes` more fit.
  [[nodiscard]] BANKHOOK_INLINE bool has_room(std::size_t bytes) const {
    return bytes <= static_cast<std::size_t>(end_ - next_);
  }

  /// A text that is known at compile time: keys with their punctuation. There is room for it, so it is true that it fits.
  template <FixedString characters>
  BANKHOOK_INLINE bool literal() {
    next_ = std::copy_n(characters.characters, characters.size(), next_);
    return true;
  }

  /// Takes the last byte back.
  BANKHOOK_INLINE void step_back() { --next_; }

  /// `before` and what `print(char*)` writes, which returns the position after. There is room for both, as for a literal.
  template <FixedString before, class Print>
  BANKHOOK_INLINE bool printed(Print&& print) {
    literal<before>();
    next_ = print(next_);
    return true;
  }

  /// `before` and a string in quotes, escaped where RFC 8259 asks for it: quote, backslash and control characters, nothing
  /// else. False if that and `room` more bytes do not fit.
  template <FixedString before>
  [[nodiscard]] BANKHOOK_INLINE bool text(std::string_view value, std::size_t room) {
    constexpr auto head = join_literals(before, FixedString("\""));
    if (!has_room(head.size() + value.size() + 1 + room)) [[unlikely]]
      return false;
    literal<head>();
    base::prefetch(value.data(), 2048);  // most texts of an event lie one after the other, in its payload
    if (simd::copy_text(value, next_)) [[likely]] {
      next_ += value.size();
      *next_++ = '"';
      return true;
    }
    char* const after = write_escaped(value, next_, end_, room);
    if (after == nullptr) return false;
    next_ = after;
    return true;
  }

  /// JSON text as it stands, but for the white space between its tokens. False if it does not fit.
  [[nodiscard]] bool minified(std::string_view json) {
    if (!has_room(json.size())) return false;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const char c = json[i];
      if (!in_string && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) continue;
      *next_++ = c;
      if (c == '"') in_string = !in_string;
      else if (c == '\\' && i + 1 < json.size()) *next_++ = json[++i];
    }
    return true;
  }

 private:
  char* next_;
  char* end_;
};

/// Appends what `write(Sink&)` writes to `out`, a std::string; it returns false where that did not fit. Reallocates only
/// where the capacity does not suffice. `write` may be called again from the start, so it has no side effect.
void append(std::string& out, auto&& write) {
  const std::size_t old_size = out.size();
  bool complete = false;
  while (!complete) {
    out.resize_and_overwrite(out.capacity(), [&](char* data, std::size_t capacity) {
      Sink sink(data + old_size, data + capacity);
      complete = write(sink);
      return complete ? static_cast<std::size_t>(sink.position() - data) : old_size;
    });
    if (!complete) out.reserve(std::max<std::size_t>(2 * out.capacity(), old_size + 512));
  }
}

/// What the type is specialised for that JSON can hold; CodecOf says what a specialisation has.
template <class T>
struct Codec;

/// - `opener` is the character that each value begins with (`"`, `[`, `{`), or 0 if that varies;
/// - `expected` is the error where another kind of value stands;
/// - `read(in, p, window, out, length)` reads the value at `p`, after the opener if there is one, of which `window` has the
///   same bytes with `window_size` that can be read; `length` is what the reader remembers for the field; the result is the
///   position after the value, or nullptr after `in.fail`;
/// - `fixed` are the bytes that `write` needs at most beside those for which it asks the Sink itself;
/// - `write<before>(out, value, room)` appends the literal `before` and the value to a Sink, which has room for the
///   literal and for `fixed` bytes; false if it does not fit, or `room` more bytes after it do not.
template <class C, class T>
concept CodecOf =
    requires(ParseContext& in, const char* p, T& out, RememberedLength& length, Sink& sink, std::size_t room) {
      { C::opener } -> std::convertible_to<char>;
      { C::expected } -> std::convertible_to<Errc>;
      { C::read(in, p, p, out, length) } -> std::same_as<const char*>;
      { C::fixed } -> std::convertible_to<std::size_t>;
      { C::template write<FixedString("")>(sink, out, room) } -> std::same_as<bool>;
    };

/// 1 if the values of this type, null aside, are objects or arrays, else 0: by how much each of them is nested deeper.
template <class T>
inline constexpr std::size_t is_container =
    Codec<T>::expected == Errc::expected_object || Codec<T>::expected == Errc::expected_array;

/// Reads the value of any kind at `p` into a `T`; the complete way, without a guess about what stands there.
template <class T>
BANKHOOK_INLINE const char* read_value(ParseContext& in, const char* p, T& out, RememberedLength& length) {
  static_assert(CodecOf<Codec<T>, T>);
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
  return Codec<T>::read(in, p, in.window(p), out, length);
}

/// As `read_value`, once a type: what is read here is rare or was a surprise.
BANKHOOK_NOINLINE const char* read_value_outlined(ParseContext& in, const char* p, auto& out, RememberedLength& length) {
  return read_value(in, p, out, length);
}

/// Whether nothing but white space follows `p`, where a reader stopped; false, with `in.error` set, also if it failed.
inline bool expect_end(ParseContext& in, const char* p) {
  if (p == nullptr) return false;
  if (p > in.end) in.fail(Errc::truncated, in.end);
  else if (p = skip_space(in, p); p != in.end) in.fail(Errc::trailing_text, p);
  return in.error.code == Errc::none;
}

/// Appends `value` to `sink` as minified JSON; false if it does not fit.
template <class T>
[[nodiscard]] bool write(const T& value, Sink& sink) {
  return sink.has_room(Codec<T>::fixed) && Codec<T>::template write<FixedString("")>(sink, value, 0);
}

/// Appends `value` to `out`, which grows where it has to.
BANKHOOK_ENTRY void write(const auto& value, std::string& out) {
  append(out, [&](Sink& sink) { return write(value, sink); });
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
