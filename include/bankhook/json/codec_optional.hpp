// SPDX-License-Identifier: MIT
// Null and absence: `nullable` is null or a value; `maybe_absent` is a value wherever its field stands at all.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/write/sink.hpp>

#include <algorithm>
#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::json {

template <class T>
struct Codec<nullable<T>> {
  static constexpr char opener = '\0';
  static constexpr Errc expected = Codec<T>::expected;

  template <class Context>
  BANKHOOK_INLINE static constexpr const char* read(Context& in, const char* p, const char* window, nullable<T>& out,
                                                    RememberedLength& length) {
    if !consteval {
      if constexpr (Codec<T>::opener != '\0') {
        if (*window == Codec<T>::opener) return Codec<T>::read(in, p + 1, window + 1, out.emplace(), length);
      }
      if (simd::begins_with<FixedString("null")>(window)) {  // `p` is beyond the end then, if that lies inside of it
        out.reset();
        return p + 4;
      }
    }
    if constexpr (Codec<T>::opener == '\0') return read_other(in, p, out, length);
    else return read_other_outlined(in, p, out, length);
  }
  static constexpr std::size_t fixed = std::max<std::size_t>(4, Codec<T>::fixed);
  template <FixedString before, class Out>
  BANKHOOK_INLINE static constexpr bool write(Out& out, const nullable<T>& value, std::size_t room) {
    if (value) return Codec<T>::template write<before>(out, *value, room);
    out.template literal<join_literals(before, FixedString("null"))>();
    return true;
  }

 private:
  /// Shared by all fields of this type where a glance shows neither null nor the value.
  template <class Context>
  BANKHOOK_NOINLINE static constexpr const char* read_other_outlined(Context& in, const char* p, nullable<T>& out,
                                                                     RememberedLength& length) {
    return read_other(in, p, out, length);
  }

  template <class Context>
  BANKHOOK_INLINE static constexpr const char* read_other(Context& in, const char* p, nullable<T>& out,
                                                          RememberedLength& length) {
    p = skip_space(in, p);
    if (null_at(in, p)) {
      out.reset();
      return p + 4;
    }
    const char* const next = read_value(in, p, out.emplace(), length);
    if (next == nullptr) [[unlikely]] {
      in.error.or_null |= in.error.code == expected && in.error.offset == in.offset(p);
      if (ends_in_null(in, p)) in.error = {.code = Errc::truncated, .offset = in.offset(in.end)};
    }
    return next;
  }
};

template <class T>
struct Codec<maybe_absent<T>> {
  static constexpr char opener = Codec<T>::opener;
  static constexpr Errc expected = Codec<T>::expected;

  template <class Context>
  BANKHOOK_INLINE static constexpr const char* read(Context& in, const char* p, const char* window, maybe_absent<T>& out,
                                                    RememberedLength& length) {
    return Codec<T>::read(in, p, window, out.emplace(), length);
  }
  static constexpr std::size_t fixed = Codec<T>::fixed;
  /// Only for a value that is there: the object leaves absent fields out.
  template <FixedString before, class Out>
  BANKHOOK_INLINE static constexpr bool write(Out& out, const maybe_absent<T>& value, std::size_t room) {
    return Codec<T>::template write<before>(out, *value, room);
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::json
