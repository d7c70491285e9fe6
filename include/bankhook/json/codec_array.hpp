// SPDX-License-Identifier: MIT
// Arrays: `std::span<const T>` of elements that lie in the store.
#pragma once

#include <bankhook/json/codec.hpp>
#include <bankhook/json/read/object_slow_path.hpp>
#include <bankhook/json/read/white_space_policy.hpp>
#include <bankhook/json/write/sink.hpp>
#include <bankhook/reflect/fields.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace bankhook::json {

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
  template <class Context>
  BANKHOOK_INLINE static constexpr const char* to_token(Context& in, const char* p) {
    return is_space(in.peek(p)) ? skip_space(in, p) : p;
  }

  /// Shared by all fields of this type: an array is long beside a call.
  template <class Context>
  BANKHOOK_NOINLINE static constexpr const char* read_elements_outlined(Context& in, const char* p, std::span<const T>& out,
                                                                        RememberedLength& length) {
    if (in.depth >= max_depth) [[unlikely]]
      return in.fail(Errc::nested_too_deeply, p - 1);
    if (is_space(in.peek(p))) return read_spaced(in, p, out, length);
    return read_array(in, p, out, length, Minified());
  }

  /// As before where white space stands after the opening bracket.
  template <class Context>
  BANKHOOK_NOINLINE static constexpr const char* read_spaced(Context& in, const char* p, std::span<const T>& out,
                                                             RememberedLength& length) {
    const char* const first = skip_space(in, p);
    if (in.peek(first) == ']') {
      out = {};
      return first + 1;
    }
    if !consteval {
      return read_array(in, first, out, length, PrettyPrinted(in.window(p)));
    }
    return read_array(in, first, out, length, Minified());
  }

  template <class Context, class Layout>
  BANKHOOK_INLINE static constexpr const char* read_array(Context& in, const char* p, std::span<const T>& out,
                                                          RememberedLength& length, const Layout& layout) {
    auto array = in.store.template array<T>(length.likely_count());
    enter_part<T>(in);
    p = read_elements(in, p, array, layout);
    leave_part<T>(in);
    if (p == nullptr) return p;
    out = array.finish();
    length.remember_count(out.size());
    return p;
  }

  template <class Context, class Array, class Layout>
  BANKHOOK_INLINE static constexpr const char* read_elements(Context& in, const char* p, Array& array,
                                                             const Layout& layout) {
    RememberedLength unshared;
    for (;;) {
      T* const element = array.add();
      if (element == nullptr) return in.fail(Errc::out_of_memory, p);
      if constexpr (std::is_same_v<Layout, PrettyPrinted>) p = detail::read_value_outlined(in, p, *element, unshared);
      else p = read_value(in, p, *element, unshared);
      if (p == nullptr) [[unlikely]]
        return p;
      if !consteval {
        if constexpr (std::is_same_v<Layout, PrettyPrinted>) {
          if (layout.skip_gap(in, p)) continue;
          if (layout.template skip_close<']'>(in, p)) return p;
        } else if constexpr (requires { Codec<T>::next_element(); }) {
          constexpr auto next = Codec<T>::next_element();
          const char* window = in.window(p);
          while (simd::begins_with<next>(window)) {
            T* const another = array.add();
            if (another == nullptr) return in.fail(Errc::out_of_memory, p);
            p = Codec<T>::read_next_element(in, p, window, *another);
            if (p == nullptr) [[unlikely]]
              return p;
            window = in.window(p);
          }
        }
      }
      p = to_token(in, p);
      const char c = in.peek(p);
      if (c == ']') return p + 1;
      if (c != ',') [[unlikely]]
        return in.fail_or_end(Errc::expected_comma_or_bracket, p);
      p = to_token(in, p + 1);
    }
  }
};

}  // namespace bankhook::json
