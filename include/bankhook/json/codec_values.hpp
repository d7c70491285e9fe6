// SPDX-License-Identifier: MIT
// Numbers, booleans, null and absence, and arrays: `std::span<const T>` of elements that lie in the arena.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/codec.hpp>
#include <bankhook/json/parse_context.hpp>
#include <bankhook/json/tokens.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/number.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

template <>
struct Codec<Decimal> {
  static constexpr char opener = '\0';
  static constexpr Errc expected = Errc::expected_number;

  BANKHOOK_INLINE static const char* read(ParseContext& in, const char* p, const char*, Decimal& out, RememberedLength&) {
    const text::Scan number = text::scan_decimal(p, in.end, out);
    if (number.error != Errc::none) [[unlikely]]
      return in.fail_or_end(number.error, number.next);
    in.has_other_form |= number.has_other_form;
    return number.next;
  }
  static constexpr std::size_t fixed = Decimal::max_printed;
  template <FixedString before>
  BANKHOOK_INLINE static bool write(Sink& out, const Decimal& value, std::size_t) {
    return out.printed<before>([&](char* to) { return value.print(to); });
  }
};

template <text::Integer T>
struct Codec<T> {
  static constexpr char opener = '\0';
  static constexpr Errc expected = std::unsigned_integral<T> ? Errc::expected_count : Errc::expected_integer;

  BANKHOOK_INLINE static const char* read(ParseContext& in, const char* p, const char*, T& out, RememberedLength&) {
    const text::Scan number = text::scan_integer(p, in.end, out);
    in.has_other_form |= number.has_other_form;
    if (number.error == Errc::none) [[likely]]
      return number.next;
    return in.fail_or_end(number.error == Errc::expected_number ? expected : number.error, number.next);
  }
  static constexpr std::size_t fixed = static_cast<std::size_t>(std::numeric_limits<T>::digits10 + 2);
  template <FixedString before>
  BANKHOOK_INLINE static bool write(Sink& out, T value, std::size_t) {
    return out.printed<before>([&](char* to) { return text::print_integer(value, to); });
  }
};

template <>
struct Codec<bool> {
  static constexpr char opener = '\0';
  static constexpr Errc expected = Errc::expected_boolean;

  static const char* read(ParseContext& in, const char* p, const char*, bool& out, RememberedLength&) {
    out = word_at<FixedString("true")>(in, p);
    if (out) return p + 4;
    return word_at<FixedString("false")>(in, p) ? p + 5 : in.fail_or_end(expected, p);
  }
  static constexpr std::size_t fixed = 5;
  template <FixedString before>
  static bool write(Sink& out, bool value, std::size_t) {
    return value ? out.literal<join_literals(before, FixedString("true"))>()
                 : out.literal<join_literals(before, FixedString("false"))>();
  }
};

/// Null or a value.
template <class T>
struct Codec<nullable<T>> {
  static constexpr char opener = '\0';
  static constexpr Errc expected = Codec<T>::expected;

  BANKHOOK_INLINE static const char* read(ParseContext& in, const char* p, const char* window, nullable<T>& out,
                                          RememberedLength& length) {
    if constexpr (Codec<T>::opener != '\0') {
      if (*window == Codec<T>::opener) return Codec<T>::read(in, p + 1, window + 1, out.emplace(), length);
    }
    if (simd::begins_with<FixedString("null")>(window)) {  // `p` is beyond the end then, if that lies inside of it
      out.reset();
      return p + 4;
    }
    return read_other(in, p, out, length);
  }
  static constexpr std::size_t fixed = std::max<std::size_t>(4, Codec<T>::fixed);
  template <FixedString before>
  BANKHOOK_INLINE static bool write(Sink& out, const nullable<T>& value, std::size_t room) {
    if (value) return Codec<T>::template write<before>(out, *value, room);
    return out.literal<join_literals(before, FixedString("null"))>();
  }

 private:
  /// Shared by all fields of this type where a glance shows neither null nor the value.
  BANKHOOK_NOINLINE static const char* read_other(ParseContext& in, const char* p, nullable<T>& out,
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

/// A value wherever its field stands at all.
template <class T>
struct Codec<maybe_absent<T>> : Codec<T> {
  BANKHOOK_INLINE static const char* read(ParseContext& in, const char* p, const char* window, maybe_absent<T>& out,
                                          RememberedLength& length) {
    return Codec<T>::read(in, p, window, out.emplace(), length);
  }
  /// Only for a value that is there: the object leaves absent fields out.
  template <FixedString before>
  BANKHOOK_INLINE static bool write(Sink& out, const maybe_absent<T>& value, std::size_t room) {
    return Codec<T>::template write<before>(out, *value, room);
  }
};

template <class T>
struct Codec<std::span<const T>> {
  static constexpr char opener = '[';
  static constexpr Errc expected = Errc::expected_array;

  /// Shared by all fields of this type: an array is long beside a call.
  BANKHOOK_NOINLINE static const char* read(ParseContext& in, const char* p, const char*, std::span<const T>& out,
                                            RememberedLength& length) {
    if (in.depth >= max_depth) [[unlikely]]
      return in.fail(Errc::nested_too_deeply, p - 1);
    p = skip_space(in, p);
    if (in.peek(p) == ']') {
      out = {};
      return p + 1;
    }
    ArrayBuilder<T> array(in.arena, length.likely_count());
    in.depth += is_container<T>;
    if constexpr (requires { Codec<T>::varies(in); })
      in.looks_ahead = length.likely_count() >= many && Codec<T>::varies(in);
    for (;; ++p) {
      T* const element = array.add();
      if (element == nullptr) return in.fail(Errc::out_of_memory, p);
      p = read_element(in, p, *element);
      if (p == nullptr) [[unlikely]]
        return p;
      if (in.peek(p) == ',') continue;
      p = skip_space(in, p);
      if (in.peek(p) == ']') break;
      if (in.peek(p) != ',') [[unlikely]]
        return in.fail_or_end(Errc::expected_comma_or_bracket, p);
    }
    in.depth -= is_container<T>;
    in.looks_ahead = false;
    out = array.finish();
    length.remember_count(out.size());
    return p + 1;
  }

  static constexpr std::size_t fixed = 2;
  template <FixedString before>
  BANKHOOK_INLINE static bool write(Sink& out, std::span<const T> value, std::size_t room) {
    out.literal<join_literals(before, FixedString("["))>();
    for (const T& element : value) {
      if (Codec<T>::fixed > 0 && !out.has_room(Codec<T>::fixed + room + 2)) return false;  // others ask themselves
      if (!Codec<T>::template write<FixedString("")>(out, element, room + 2)) return false;
      out.literal<FixedString(",")>();  // after the last one, the bracket takes its place
    }
    if (!value.empty()) out.step_back();
    return out.literal<FixedString("]")>();
  }

 private:
  /// From how many elements on it pays to look ahead: some 1000 bytes.
  static constexpr std::size_t many = 8;

  BANKHOOK_INLINE static const char* read_element(ParseContext& in, const char* p, T& out) {
    if constexpr (requires { Codec<T>::template first_key<FixedString("")>(); }) {
      constexpr auto predicted = Codec<T>::template first_key<FixedString("")>();
      constexpr auto spaced = join_literals(FixedString(" "), Codec<T>::template first_key<FixedString(" ")>());
      const char* window = in.window(p);
      if (!simd::begins_with<predicted>(window) || in.depth >= max_depth) [[unlikely]] {
        if (!simd::begins_with<spaced>(window) || in.depth >= max_depth) return read_unpredicted(in, p, out);
        in.has_other_form = true;
        p += spaced.size() - predicted.size();
        window += spaced.size() - predicted.size();
      }
      return Codec<T>::follow_from_first_value(in, p + 1, window + 1, out);
    } else {
      RememberedLength unshared;
      return read_value(in, skip_space(in, p), out, unshared);
    }
  }

  /// An object that begins with another key, or with other white space.
  BANKHOOK_NOINLINE static const char* read_unpredicted(ParseContext& in, const char* p, T& out) {
    if constexpr (Codec<T>::has_other_order) {
      constexpr auto predicted = Codec<T>::template first_key<FixedString(""), true>();
      constexpr auto spaced = join_literals(FixedString(" "), Codec<T>::template first_key<FixedString(" "), true>());
      const char* const window = in.window(p);
      if (in.depth < max_depth) {
        if (simd::begins_with<predicted>(window)) return Codec<T>::follow_other(in, p + 1, out);
        if (simd::begins_with<spaced>(window))
          return Codec<T>::follow_other(in, p + 1 + (spaced.size() - predicted.size()), out);
      }
    }
    RememberedLength unshared;
    return read_value_outlined(in, skip_space(in, p), out, unshared);
  }
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
