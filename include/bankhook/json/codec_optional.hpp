// SPDX-License-Identifier: MIT
// Null and absence: `nullable` is null or a value; `maybe_absent` is a value wherever its member stands at all.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/sink.hpp>

#include <cstdint>

namespace bankhook::json {

template <class T>
struct Codec<nullable<T>> {
  static constexpr char opener = '\0';
  static constexpr Errc expected = Codec<T>::expected;

  template <class In>
  BANKHOOK_INLINE static constexpr const char* read(In& in, const char* p, const char* window, nullable<T>& out,
                                                    std::uint32_t& length) {
    if !consteval {
      if constexpr (Codec<T>::opener != '\0') {
        if (*window == Codec<T>::opener) return Codec<T>::read(in, p + 1, window + 1, out.emplace(), length);
      }
      if (simd::begins_with<FixedString("null")>(window) && in.end - p >= 4) {  // the end may lie inside of it
        out.reset();
        return p + 4;
      }
    }
    if constexpr (Codec<T>::opener == '\0') return read_other(in, p, out, length);
    else return read_other_apart(in, p, out, length);
  }
  template <class Out>
  BANKHOOK_INLINE static constexpr void write(Out& out, const nullable<T>& value) {
    if (value) Codec<T>::write(out, *value);
    else out.template literal<FixedString("null")>();
  }

 private:
  /// Shared by all members of this type where a glance shows neither null nor the value.
  template <class In>
  BANKHOOK_NOINLINE static constexpr const char* read_other_apart(In& in, const char* p, nullable<T>& out,
                                                                  std::uint32_t& length) {
    return read_other(in, p, out, length);
  }

  template <class In>
  BANKHOOK_INLINE static constexpr const char* read_other(In& in, const char* p, nullable<T>& out, std::uint32_t& length) {
    if (null_at(in, p)) {
      out.reset();
      return p + 4;
    }
    const char* const next = read_value(in, p, out.emplace(), length);
    if (next == nullptr) [[unlikely]] {
      in.error.or_null = in.error.code == expected && in.error.offset == in.offset(p);
      if (ends_in_null(in, p)) in.error = {.code = Errc::truncated, .offset = in.offset(in.end)};
    }
    return next;
  }
};

template <class T>
struct Codec<maybe_absent<T>> {
  static constexpr char opener = Codec<T>::opener;
  static constexpr Errc expected = Codec<T>::expected;

  template <class In>
  BANKHOOK_INLINE static constexpr const char* read(In& in, const char* p, const char* window, maybe_absent<T>& out,
                                                    std::uint32_t& length) {
    return Codec<T>::read(in, p, window, out.emplace(), length);
  }
  /// Only for a value that is there: the object leaves absent members out.
  template <class Out>
  BANKHOOK_INLINE static constexpr void write(Out& out, const maybe_absent<T>& value) {
    Codec<T>::write(out, *value);
  }
};

}  // namespace bankhook::json
