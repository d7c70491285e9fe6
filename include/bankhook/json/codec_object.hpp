// SPDX-License-Identifier: MIT
// Objects: every plain aggregate. Fields are first tried in the struct's order, then read in any order.
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
#include <bankhook/json/read/late_name.hpp>
#include <bankhook/json/read/object_slow_path.hpp>
#include <bankhook/json/read/white_space_policy.hpp>
#include <bankhook/json/write/sink.hpp>
#include <bankhook/reflect/fields.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace bankhook::json {

template <reflect::Aggregate T>
struct Codec<T> {
  static constexpr char opener = '{';
  static constexpr Errc expected = Errc::expected_object;

  /// Predicts each field's key, with its punctuation, in the struct's order; at a surprise the complete reader takes over
  /// where the prediction stopped.
  /// Small structs become part of their readers, larger ones are shared between them but for the first field; what
  /// reads itself has to be.
  template <class Context>
  BANKHOOK_INLINE static constexpr const char* read(Context& in, const char* p, const char*, T& out, RememberedLength&) {
    if (in.depth >= max_depth) [[unlikely]]
      return in.fail(Errc::nested_too_deeply, p - 1);
    if consteval {
      return read_in_any_order(in, p, out);
    }
    if constexpr (reflect::field_count<T> > 0) {
      const char* const window = in.window(p);
      constexpr auto predicted = predicted_text<0>();
      if (simd::begins_with<predicted>(window)) [[likely]]
        return read_from_first_value(in, p, window, out);
      return read_spaced(in, p, out);
    }
    return read_in_any_order(in, p, out);
  }

  /// From after the value of the first field, which was read already. Not for constant expressions.
  template <class Context>
  BANKHOOK_NOINLINE static const char* read_after_first(Context& in, const char* p, T& out) {
    return read_from<1>(in, p, out, 1, Minified());
  }

  /// Where the next element of an array is predicted, with its first key.
  static consteval auto next_element()
    requires(reflect::field_count<T> > 0)
  {
    return join_literals(FixedString(",{"), predicted_text<0>());
  }

  template <class Context>
  BANKHOOK_INLINE static const char* read_next_element(Context& in, const char* p, const char* window, T& out) {
    return read_from_first_value(in, p + 2, window + 2, out);
  }

  static constexpr std::size_t fixed = 0;

  /// Room for all but the texts of a struct is asked for at once.
  template <FixedString before, class Out>
  BANKHOOK_INLINE static constexpr bool write(Out& out, const T& value, std::size_t room) {
    if (!out.has_room(before.size() + written + room)) [[unlikely]]
      return false;
    if constexpr (reflect::field_count<T> <= 2 && !detail::is_recursive<T>) {
      return write_from<0, before>(out, value, room, true);
    } else {
      out.template literal<before>();
      return write_outlined(out, value, room);
    }
  }

 private:
  template <std::size_t I>
  using Field = Codec<reflect::FieldType<T, I>>;

  template <std::size_t I>
  static constexpr auto key = join_literals(FixedString("\""), reflect::wire_name<T, I>, FixedString("\":"));

  template <std::size_t I>
  static constexpr std::size_t openers = Field<I>::opener == '\0' ? 0 : 1;

  /// What stands before the value of field `I` where it follows the fields before it without white space.
  template <std::size_t I, class Layout = Minified>
  static consteval auto predicted_text() {
    constexpr FixedString<openers<I>> opening{std::string_view(&Field<I>::opener, openers<I>)};
    constexpr auto rest =
        join_literals(FixedString("\""), reflect::wire_name<T, I>, FixedString("\""), Layout::after_name, opening);
    // An element's first key is predicted with the comma and the brace before it, and read with 64 bytes of its value.
    static_assert(rest.size() + 2 + sizeof(simd::Block64) < window_size, "a_field_name_is_too_long_for_a_window");
    if constexpr (I == 0) return rest;
    else return join_literals(Layout::before_name, rest);
  }

  template <class Context>
  BANKHOOK_INLINE static const char* read_from_first_value(Context& in, const char* p, const char* window, T& out) {
    if (has_leading_space<0>(window + predicted_text<0>().size())) [[unlikely]]
      return read_in_any_order(in, p, out);
    p = read_value_of<0>(in, p, window, out);
    if (p == nullptr) [[unlikely]]
      return p;
    if constexpr (reflect::field_count<T> <= 2 && !detail::is_recursive<T>) return read_from<1>(in, p, out, 1, Minified());
    else return read_after_first(in, p, out);
  }

  /// Whether the value of field `I` is one that no key predicts and white space stands before it.
  template <std::size_t I>
  BANKHOOK_INLINE static bool has_leading_space(const char* value) {
    return Field<I>::opener == '\0' && *value <= ' ';
  }

  /// The value of field `I`, whose key stands at `p`. In spaced text it is read by a function of its type's own: half as
  /// much code, for a tenth of the time.
  template <std::size_t I, class Layout = Minified, class Context>
  BANKHOOK_INLINE static const char* read_value_of(Context& in, const char* p, const char* window, T& out) {
    constexpr std::size_t size = predicted_text<I, Layout>().size();
    auto& field = reflect::field<I>(out);
    RememberedLength& length = remembered_length<T, I>(in);
    enter_part<reflect::FieldType<T, I>>(in);
    if constexpr (std::is_same_v<Layout, Minified>) p = Field<I>::read(in, p + size, window + size, field, length);
    else p = detail::read_value_outlined(in, p + size - openers<I>, field, length);
    leave_part<reflect::FieldType<T, I>>(in);
    return p;
  }

  template <std::size_t I>
  static consteval std::size_t size_of_key() {
    if constexpr (reflect::has_fixed_name<T, I>) return key<I>.size();
    else return reflect::wire_name<T, I>.max_size + 3;
  }

  /// Bytes of its braces, keys and values but for what those ask for themselves.
  static constexpr std::size_t written = [] {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return ((size_of_key<I>() + 1 + Field<I>::fixed) + ... + 2);
    }(std::make_index_sequence<reflect::field_count<T>>());
  }();

  /// The sink's position is kept in registers while a struct is written: through a reference, each character that is
  /// stored could be a part of the sink for all the compiler knows.
  template <class Out>
  BANKHOOK_NOINLINE static constexpr bool write_outlined(Out& out, const T& value, std::size_t room) {
    Out local(out);
    const bool fits = write_from<0, FixedString("")>(local, value, room, true);
    out = local;
    return fits;
  }

  /// `first`: no field was written yet; the compiler mostly knows.
  template <std::size_t I, FixedString before, class Out>
  BANKHOOK_INLINE static constexpr bool write_from(Out& out, const T& value, std::size_t room, bool first) {
    if constexpr (I == reflect::field_count<T>) {
      if (first) out.template literal<join_literals(before, FixedString("{}"))>();
      else out.template literal<FixedString("}")>();
      return true;
    } else {
      const auto& held = reflect::field<I>(value);
      bool is_there = true;
      if constexpr (base::is_maybe_absent<reflect::FieldType<T, I>>) is_there = held.has_value();
      if (is_there) {
        if (!write_field<I, before>(out, held, room, first)) [[unlikely]]
          return false;
        first = false;
      }
      return write_from<I + 1, before>(out, value, room, first);
    }
  }

  template <std::size_t I, FixedString before, class Out>
  BANKHOOK_INLINE static constexpr bool write_field(Out& out, const reflect::FieldType<T, I>& held, std::size_t room,
                                                    bool first) {
    if constexpr (reflect::has_fixed_name<T, I>) {
      return first ? Field<I>::template write<join_literals(before, FixedString("{"), key<I>)>(out, held, written + room)
                   : Field<I>::template write<join_literals(FixedString(","), key<I>)>(out, held, written + room);
    } else {
      if (first) detail::write_key<join_literals(before, FixedString("{"))>(out, reflect::wire_name<T, I>.view());
      else detail::write_key<FixedString(",")>(out, reflect::wire_name<T, I>.view());
      return Field<I>::template write<FixedString("")>(out, held, written + room);
    }
  }

  /// As `read` where white space stands between the tokens, or nothing is as predicted.
  template <class Context>
  BANKHOOK_NOINLINE static const char* read_spaced(Context& in, const char* p, T& out) {
    const PrettyPrinted layout(in.window(p));
    const char* const name = p + layout.leading();
    const char* const window = in.window(name);
    constexpr auto predicted = predicted_text<0, PrettyPrinted>();
    if (!simd::begins_with<predicted>(window) || has_leading_space<0>(window + predicted.size()))
      return read_in_any_order(in, p, out);
    in.has_space = true;
    p = read_value_of<0, PrettyPrinted>(in, name, window, out);
    return p == nullptr ? p : read_from<1>(in, p, out, 1, layout);
  }

  /// From after a field to after field `I`, whose name is known only at run time, if it comes next.
  template <std::size_t I, class Context, class Layout>
  BANKHOOK_INLINE static const char* read_if_it_is_next(Context& in, const char* p, T& out, FieldMask& seen,
                                                        const Layout& layout) {
    static_assert(base::is_maybe_absent<reflect::FieldType<T, I>>, "a_field_named_while_the_program_runs_may_be_absent");
    constexpr char start = Field<I>::opener;
    static_assert(start != '\0', "a_field_named_while_the_program_runs_has_one_kind_of_value");
    const char* at = p;
    if (!layout.skip_gap(in, at)) return p;
    const char* const window = in.window(at);
    const std::size_t size = detail::size_of_key<Layout>(window, reflect::wire_name<T, I>.view(), start);
    if (size == 0) return p;
    seen |= FieldMask{1} << I;
    return Field<I>::read(in, at + size, window + size, reflect::field<I>(out), remembered_length<T, I>(in));
  }

  /// From after a field to the end, with field `I` as the next one that is expected. Unlisted fields are skipped, and
  /// the prediction goes on after them.
  template <std::size_t I, class Context, class Layout>
  BANKHOOK_INLINE static const char* read_from(Context& in, const char* p, T& out, FieldMask seen, const Layout& layout) {
    for (;;) {
      if constexpr (I == reflect::field_count<T>) {
        if (layout.template skip_close<'}'>(in, p)) [[likely]]
          return p;
      } else if constexpr (!reflect::has_fixed_name<T, I>) {
        p = read_if_it_is_next<I>(in, p, out, seen, layout);
        if (p == nullptr) [[unlikely]]
          return p;
        break;
      } else {
        constexpr auto predicted = predicted_text<I, Layout>();
        const char* at = p;
        const bool has_expected_leading_space = layout.skip_gap(in, at);
        const char* const window = in.window(at);
        if (has_expected_leading_space && simd::begins_with<predicted>(window) &&
            !has_leading_space<I>(window + predicted.size())) [[likely]] {
          p = read_value_of<I, Layout>(in, at, window, out);
          if (p == nullptr) [[unlikely]]
            return p;
          seen |= FieldMask{1} << I;
          break;
        }
        if constexpr (base::is_maybe_absent<reflect::FieldType<T, I>>) break;
      }
      const auto [next, is_read] = read_mispredicted(in, p, out, seen);
      if (is_read) return next;
      p = next;
    }
    if constexpr (I < reflect::field_count<T>) return read_from<I + 1>(in, p, out, seen, layout);
  }
};

}  // namespace bankhook::json
