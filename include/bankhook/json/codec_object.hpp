// SPDX-License-Identifier: MIT
// Objects: every plain aggregate. Fields are first tried in the struct's order, then read in any order.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/codec_text.hpp>
#include <bankhook/json/codec_values.hpp>
#include <bankhook/json/object_slow_path.hpp>
#include <bankhook/reflect/wire_names.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

template <reflect::Aggregate T>
struct Codec<T> {
  static constexpr char opener = '{';
  static constexpr Errc expected = Errc::expected_object;

  static constexpr bool has_other_order = json::has_other_order<T>;

  /// Predicts each field's key, with its punctuation, in the struct's order or in the other one that its first key belongs
  /// to; a field that does not come as predicted is looked for past white space and unlisted fields, and if another one
  /// comes, the complete reader reads all that is left.
  /// Small structs are inlined into what reads them. Of larger ones only the first field is; the rest is one function that
  /// all share, because a struct may hold itself.
  BANKHOOK_INLINE static const char* read(ParseContext& in, const char* p, const char*, T& out, RememberedLength&) {
    if (in.depth >= max_depth) [[unlikely]]
      return in.fail(Errc::nested_too_deeply, p - 1);
    if constexpr (reflect::field_count<T> > 0) {
      constexpr std::size_t first = order<T, false>[0], other = order<T, has_other_order>[0];
      const char* window = in.window(p);
      if (!comes_next<0, "">(in, p, window) && !comes_next<0, " ">(in, p, window)) [[unlikely]] {
        if constexpr (has_other_order) {
          if (comes_next<0, "", true>(in, p, window) || comes_next<0, " ", true>(in, p, window))
            return follow_other(in, p, out);
        }
        const char* value = find_first(in, p, keys<T>.all[first], Field<first>::opener);
        if (value != nullptr) {
          p = value - predicted_size<0>;
        } else {
          if constexpr (has_other_order) {
            value = find_first(in, p, keys<T>.all[other], Field<other>::opener);
            if (value != nullptr) return follow_other(in, value - predicted_size<0, true>, out);
          }
          return json::collect_fields(in, p, &out, 0, {names<T>.none()}, names<T>).p;
        }
        window = in.window(p);
      }
      return follow_from_first_value(in, p, window, out);
    } else {
      return json::collect_fields(in, p, &out, 0, {0}, names<T>).p;  // named in full: `T` may have one in its namespace
    }
  }

  /// From after the value of the struct's first field, which was read already.
  BANKHOOK_NOINLINE static const char* follow_after_first(ParseContext& in, const char* p, T& out) {
    return follow<1>(in, p, out, 0);
  }

  /// How an element of an array is predicted: with its first key.
  template <FixedString blank, bool other = false>
  static consteval auto first_key()
    requires(reflect::field_count<T> > 0)
  {
    return join_literals(FixedString("{"), predicted_text<0, blank, other>());
  }

  /// From the first key of the other order.
  BANKHOOK_NOINLINE static const char* follow_other(ParseContext& in, const char* p, T& out) {
    constexpr std::size_t first = order<T, true>[0], before = predicted_size<0, true>;
    in.has_other_form = true;
    p = read_predicted<first>(in, p + before, in.window(p) + before, out);
    if (p == nullptr) [[unlikely]]
      return in.failed_in(reflect::wire_names<T>[first]);
    return follow<1, true>(in, p, out, 0);
  }

  /// From the first key, which is the predicted one.
  BANKHOOK_INLINE static const char* follow_from_first_value(ParseContext& in, const char* p, const char* window, T& out) {
    p = read_predicted<0>(in, p + predicted_size<0>, window + predicted_size<0>, out);
    if (p == nullptr) [[unlikely]]
      return in.failed_in(reflect::wire_names<T>[0]);
    if constexpr (is_small) return follow<1>(in, p, out, 0);
    else return follow_after_first(in, p, out);
  }

  /// Whether it is small, and lengths in it are not predicted: where many lie in an array, their texts are close.
  static bool varies(const ParseContext& in) {
    const auto is_predicted = [&]<std::size_t At>() { return in.length<T, At>().expected_size() != 0; };
    return is_small && !reflect::for_each_field<T>(is_predicted);
  }

  static constexpr std::size_t fixed = 0;

  /// Room for all but the texts of a struct is asked for at once.
  template <FixedString before>
  BANKHOOK_INLINE static bool write(Sink& out, const T& value, std::size_t room) {
    if (!out.has_room(before.size() + written + room)) [[unlikely]]
      return false;
    if constexpr (is_small) {
      return write_from<0, before>(out, value, room, true);
    } else {
      out.literal<before>();
      return write_outlined(out, value, room);
    }
  }

 private:
  template <std::size_t At>
  using Field = Codec<reflect::FieldType<T, At>>;

  /// Becomes part of what reads and writes it: without arrays, in one of which it could hold itself.
  static constexpr bool is_small = []<std::size_t... At>(std::index_sequence<At...>) {
    return sizeof...(At) <= 2 && (... && (Field<At>::expected != Errc::expected_array));
  }(std::make_index_sequence<reflect::field_count<T>>());

  template <std::size_t At>
  static constexpr auto key = join_literals(FixedString("\""), reflect::wire_name<T, At>, FixedString("\":"));

  template <std::size_t At>
  static constexpr std::size_t openers = Field<At>::opener == '\0' ? 0 : 1;

  /// What stands before the value at a place of the order, where it follows the fields before it with `blank` after comma
  /// and colon.
  template <std::size_t Place, FixedString blank, bool other = false>
  static consteval auto predicted_text() {
    constexpr std::size_t At = order<T, other>[Place];
    constexpr FixedString<openers<At>> opening{std::string_view(&Field<At>::opener, openers<At>)};
    constexpr auto rest = join_literals(key<At>, blank, opening);
    // It is read with 65 bytes of its value, and an element's first key with the brace before it.
    static_assert(rest.size() + 2 + sizeof(simd::Block64) < window_size, "give the field a shorter name");
    if constexpr (Place == 0) return rest;
    else return join_literals(FixedString(","), blank, rest);
  }

  /// How many bytes that are without blanks, where the compiler knows the name.
  template <std::size_t Place, bool other = false>
  static constexpr std::size_t predicted_size = [] {
    if constexpr (reflect::has_fixed_name<T, order<T, other>[Place]>) return predicted_text<Place, "", other>().size();
    else return std::size_t{0};
  }();

  /// Whether it stands at `p` and its window. Then both move so far that the value lies `predicted_size` after them: by a
  /// constant, after a branch, so that the processor goes on before it has compared.
  template <std::size_t Place, FixedString blank, bool other = false>
  BANKHOOK_INLINE static bool comes_next(ParseContext& in, const char*& p, const char*& window) {
    if constexpr (reflect::has_fixed_name<T, order<T, other>[Place]>) {
      constexpr auto predicted = predicted_text<Place, blank, other>();
      if (!simd::begins_with<predicted>(window)) return false;
      if constexpr (blank.size() > 0) in.has_other_form = true;
      p += predicted.size() - predicted_size<Place, other>;
      window += predicted.size() - predicted_size<Place, other>;
      return true;
    } else {  // it is found by its name later
      static_assert(Place > 0 && base::is_maybe_absent<reflect::FieldType<T, order<T, other>[Place]>>,
                    "a field that is named at run time may be absent, and is not the first");
      return false;
    }
  }

  /// The value of field `At` at `p`, after its opener.
  template <std::size_t At>
  BANKHOOK_INLINE static const char* read_predicted(ParseContext& in, const char* p, const char* window, T& out) {
    using Value = reflect::FieldType<T, At>;
    RememberedLength& length = in.length<T, At>();
    if constexpr (Field<At>::opener == '\0' && !base::is_nullable<Value>) {
      if (*window <= ' ' || (base::is_maybe_absent<Value> && *window == 'n')) [[unlikely]]
        return read_value_outlined(in, skip_space(in, p), reflect::field<At>(out), length);
    }
    in.depth += is_container<Value>;
    p = Field<At>::read(in, p, window, reflect::field<At>(out), length);
    in.depth -= is_container<Value>;
    return p;
  }

  /// Bytes of its braces, keys with quotes, colon and comma, and values but for what those ask for themselves.
  static constexpr std::size_t written = []<std::size_t... At>(std::index_sequence<At...>) {
    return ((reflect::wire_name<T, At>.max_size + 4 + Field<At>::fixed) + ... + 2);
  }(std::make_index_sequence<reflect::field_count<T>>());

  /// The sink's position is kept in registers while a struct is written: through a reference, each character that is
  /// stored could be a part of the sink for all the compiler knows.
  BANKHOOK_NOINLINE static bool write_outlined(Sink& out, const T& value, std::size_t room) {
    Sink local(out);
    const bool fits = write_from<0, FixedString("")>(local, value, room, true);
    out = local;
    return fits;
  }

  /// `first`: no field was written yet; read only where all that come before may be absent.
  template <std::size_t At, FixedString before>
  BANKHOOK_INLINE static bool write_from(Sink& out, const T& value, std::size_t room, bool first) {
    if constexpr (At == reflect::field_count<T>) {
      return first ? out.literal<join_literals(before, FixedString("{}"))>() : out.literal<FixedString("}")>();
    } else {
      const auto& held = reflect::field<At>(value);
      bool is_there = true;
      if constexpr (base::is_maybe_absent<reflect::FieldType<T, At>>) is_there = held.has_value();
      if (is_there) {
        if (!write_field<At, before>(out, held, room, first)) [[unlikely]]
          return false;
        first = false;
      }
      return write_from<At + 1, before>(out, value, room, first);
    }
  }

  /// Whether all fields before field `At` may be absent.
  template <std::size_t At>
  static constexpr bool may_be_first = []<std::size_t... Before>(std::index_sequence<Before...>) {
    return (base::is_maybe_absent<reflect::FieldType<T, Before>> && ...);
  }(std::make_index_sequence<At>());

  template <std::size_t At, FixedString before>
  BANKHOOK_INLINE static bool write_field(Sink& out, const reflect::FieldType<T, At>& held, std::size_t room, bool first) {
    constexpr FixedString comma(",");
    constexpr auto opening = join_literals(before, FixedString("{"));
    if constexpr (At == 0) return write_named<At, opening>(out, held, room);
    else if constexpr (may_be_first<At>)
      return first ? write_named<At, opening>(out, held, room) : write_named<At, comma>(out, held, room);
    else return write_named<At, comma>(out, held, room);
  }
  template <std::size_t At, FixedString before>
  BANKHOOK_INLINE static bool write_named(Sink& out, const reflect::FieldType<T, At>& held, std::size_t room) {
    if constexpr (reflect::has_fixed_name<T, At>) {
      return Field<At>::template write<join_literals(before, key<At>)>(out, held, written + room);
    } else {
      out.printed<join_literals(before, FixedString("\""))>(
          [](char* to) { return std::ranges::copy(reflect::wire_name<T, At>.view(), to).out; });
      out.literal<FixedString("\":")>();
      return Field<At>::template write<FixedString("")>(out, held, written + room);
    }
  }

  /// From after a field to the end, with the one at this place of the order as the next that is expected; `absent` are
  /// those before it that did not come.
  template <std::size_t Place, bool other = false>
  BANKHOOK_INLINE static const char* follow(ParseContext& in, const char* p, T& out, FieldMask absent) {
    const char* window = in.window(p);
    if constexpr (Place == reflect::field_count<T>) {
      if (*window == '}') [[likely]]
        return p + 1;
      return json::find_end(in, p, &out, mask_before<T, Place, other> & ~absent, names<T>);
    } else {
      constexpr std::size_t At = order<T, other>[Place];
      constexpr std::size_t before = predicted_size<Place, other>;
      bool is_there = true;
      if (!comes_next<Place, "", other>(in, p, window)) [[unlikely]] {
        const char* value = nullptr;
        if constexpr (base::is_maybe_absent<reflect::FieldType<T, At>>) {
          // Where no white space is, or one blank, what stands there is the next field or the end.
          is_there = window[0] != '}' && window[1] != '"';
          if (is_there && !comes_next<Place, " ", other>(in, p, window)) {
            if (window[1] != ' ' || window[2] != '"')
              value = find_indented_field(in, p, keys<T>.all[At], Field<At>::opener);
            is_there = value != nullptr;
          }
        } else if (!comes_next<Place, " ", other>(in, p, window)) {
          if (window[1] != '"') value = find_indented_field(in, p, keys<T>.all[At], Field<At>::opener);
          if (value == nullptr) {
            constexpr Awaited awaited{At, mask_before<T, Place, other>};
            const Listed found = json::collect_fields(in, p, &out, awaited.before & ~absent, awaited, names<T>);
            if (found.index != At) return found.p;
            absent &= ~found.seen;
            value = found.p;
          }
        }
        if (value != nullptr) {
          p = value - before;
          window = in.window(p);
        }
      }
      if (!is_there) absent |= FieldMask{1} << At;
      else if (p = read_predicted<At>(in, p + before, window + before, out); p == nullptr) [[unlikely]]
        return in.failed_in(reflect::wire_names<T>[At]);
      return follow<Place + 1, other>(in, p, out, absent);
    }
  }
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
