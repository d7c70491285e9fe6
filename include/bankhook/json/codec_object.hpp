// SPDX-License-Identifier: MIT
// Objects: every plain aggregate. Members are first tried in the struct's order, then read in any order.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/codec_array.hpp>
#include <bankhook/json/codec_number.hpp>
#include <bankhook/json/codec_optional.hpp>
#include <bankhook/json/codec_text.hpp>
#include <bankhook/json/element_types.hpp>
#include <bankhook/json/object_rest.hpp>
#include <bankhook/json/sink.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <cstdint>

namespace bankhook::json {

template <reflect::Aggregate T>
struct Codec<T> {
  static constexpr char opener = '{';
  static constexpr Errc expected = Errc::expected_object;

  /// Predicts each member's key, with its punctuation, in the struct's order; at the first surprise the complete
  /// reader takes over where the prediction stopped.
  /// Small structs become part of their readers, larger ones are shared between them; what reads itself has to be.
  template <class In>
  BANKHOOK_INLINE static constexpr const char* read(In& in, const char* p, T& out, std::uint32_t&) {
    if consteval {
      return read_rest(in, p, out, 0);
    }
    if constexpr (reflect::member_count<T> <= 2 && !detail::is_recursive<T>) return read_from<0>(in, p, out, 0);
    else return read_apart(in, p, out);
  }

  template <class Out>
  static constexpr void write(Out& out, const T& value) {
    bool first = true;
    reflect::for_each_member<T>([&]<std::size_t I>() {
      const auto& held = reflect::member<I>(value);
      if constexpr (is_maybe_absent<reflect::MemberType<T, I>>) {
        if (!held) return true;
      }
      if (first) out.template literal<join(FixedString("{"), key<I>)>();
      else out.template literal<join(FixedString(","), key<I>)>();
      first = false;
      Codec<reflect::MemberType<T, I>>::write(out, held);
      return true;
    });
    if (first) out.template literal<FixedString("{")>();
    out.template literal<FixedString("}")>();
  }

 private:
  template <std::size_t I>
  using Member = Codec<reflect::MemberType<T, I>>;

  template <std::size_t I>
  static constexpr auto key = join(FixedString("\""), reflect::wire_name<T, I>, FixedString("\":"));

  /// What stands before the value of member `I` where it follows the members before it without white space.
  template <std::size_t I>
  static consteval auto predicted_text() {
    constexpr auto opening = FixedString < Member<I>::opener != '\0' > (std::string_view(&Member<I>::opener, 1));
    if constexpr (I == 0) return join(key<I>, opening);
    else return join(FixedString(","), key<I>, opening);
  }

  template <class In>
  BANKHOOK_NOINLINE static const char* read_apart(In& in, const char* p, T& out) {
    return read_from<0>(in, p, out, 0);
  }

  template <std::size_t I, class In>
  BANKHOOK_INLINE static const char* read_from(In& in, const char* p, T& out, MemberMask seen) {
    if constexpr (I == reflect::member_count<T>) {
      return *in.window(p) == '}' ? p + 1 : read_rest(in, p, out, seen);
    } else {
      constexpr auto predicted = predicted_text<I>();
      static_assert(predicted.size() + sizeof(simd::Block32) <= window_size, "a_member_name_is_too_long_for_a_window");
      const char* const window = in.window(p);
      if (simd::begins_with<predicted>(window)) [[likely]] {
        if constexpr (Member<I>::opener == '\0') {  // the value was not predicted: white space may stand before it
          if (window[predicted.size()] <= ' ') [[unlikely]]
            return read_rest(in, p, out, seen);
        }
        p = Member<I>::read(in, p + predicted.size(), reflect::member<I>(out), remembered_length<T, I>(in));
        if (p == nullptr) [[unlikely]]
          return p;
        seen |= MemberMask{1} << I;
      } else if constexpr (I == 0 || !is_maybe_absent<reflect::MemberType<T, I>>) {  // no comma before the first one
        return read_rest(in, p, out, seen);
      }
      return read_from<I + 1>(in, p, out, seen);
    }
  }
};

}  // namespace bankhook::json
