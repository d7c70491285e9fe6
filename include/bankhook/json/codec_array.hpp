// SPDX-License-Identifier: MIT
// Arrays: `std::span<const T>` of elements that lie in the store.
#pragma once

#include <bankhook/json/codec.hpp>
#include <bankhook/json/read/object_slow_path.hpp>
#include <bankhook/json/write/sink.hpp>
#include <bankhook/reflect/fields.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::json {

template <class T>
struct Codec<std::span<const T>> {
  static constexpr char opener = '[';
  static constexpr Errc expected = Errc::expected_array;

  template <class Context>
  BANKHOOK_INLINE static constexpr const char* read(Context& in, const char* p, const char*, std::span<const T>& out,
                                                    RememberedLength& length) {
    if (in.peek(p) == ']' && in.depth < max_depth) {
      out = {};
      return p + 1;
    }
    return read_elements_outlined(in, p, out, length);
  }

  static constexpr std::size_t fixed = 2;
  template <FixedString before, class Out>
  BANKHOOK_INLINE static constexpr bool write(Out& out, std::span<const T> value, std::size_t room) {
    out.template literal<join_literals(before, FixedString("["))>();
    for (const T& element : value) {
      if (Codec<T>::fixed > 0 && !out.has_room(Codec<T>::fixed + room + 2)) return false;  // others ask themselves
      if (!Codec<T>::template write<FixedString("")>(out, element, room + 2)) return false;
      out.template literal<FixedString(",")>();  // after the last one, the bracket takes its place
    }
    if (!value.empty()) out.step_back();
    out.template literal<FixedString("]")>();
    return true;
  }

 private:
  /// Shared by all fields of this type: an array is long beside a call.
  template <class Context>
  BANKHOOK_NOINLINE static constexpr const char* read_elements_outlined(Context& in, const char* p, std::span<const T>& out,
                                                                        RememberedLength& length) {
    if (in.depth >= max_depth) [[unlikely]]
      return in.fail(Errc::nested_too_deeply, p - 1);
    p = skip_space(in, p);
    if (in.peek(p) == ']') {
      out = {};
      return p + 1;
    }
    auto array = in.store.template array<T>(length.likely_count());
    enter_part<T>(in);
    p = read_elements(in, p, array);
    leave_part<T>(in);
    if (p == nullptr) return p;
    out = array.finish();
    length.remember_count(out.size());
    return p;
  }

  template <class Context, class Array>
  BANKHOOK_INLINE static constexpr const char* read_elements(Context& in, const char* p, Array& array) {
    for (;;) {
      T* const element = array.add();
      if (element == nullptr) return in.fail(Errc::out_of_memory, p);
      p = read_element(in, p, *element);
      if (p == nullptr) [[unlikely]]
        return p;
      if (in.peek(p) != ',') {
        p = skip_space(in, p);
        if (in.peek(p) == ']') return p + 1;
        if (in.peek(p) != ',') [[unlikely]]
          return in.fail_or_end(Errc::expected_comma_or_bracket, p);
      }
      ++p;
    }
  }

  template <class Context>
  BANKHOOK_INLINE static constexpr const char* read_element(Context& in, const char* p, T& out) {
    RememberedLength unshared;
    if !consteval {
      if constexpr (requires { Codec<T>::first_key(); }) {
        constexpr auto predicted = Codec<T>::first_key();
        const char* const window = in.window(p);
        if (simd::begins_with<predicted>(window) && in.depth < max_depth) [[likely]]
          return Codec<T>::read_from_first_value(in, p + 1, window + 1, out);
        return detail::read_value_outlined(in, skip_space(in, p), out, unshared);
      }
    }
    return read_value(in, skip_space(in, p), out, unshared);
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::json
