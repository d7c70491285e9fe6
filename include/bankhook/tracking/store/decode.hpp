// SPDX-License-Identifier: MIT
// Packed bytes become values again; bytes that nobody encoded are refused, whatever they are.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/enumerators.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/utf8.hpp>
#include <bankhook/tracking/store/encode.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

namespace bankhook::tracking {

/// Takes from encoded bytes and never goes beyond their end. If it is `Checked`, it also refuses what no payload has: a
/// text that is not UTF-8, a date that does not exist.
template <bool Checked>
struct BasicReader {
  static constexpr bool is_checked = Checked;

  const char* next;
  const char* end;

  explicit constexpr BasicReader(std::string_view bytes) : next(bytes.data()), end(bytes.data() + bytes.size()) {}

  [[nodiscard]] constexpr std::size_t rest() const { return static_cast<std::size_t>(end - next); }
  [[nodiscard]] BANKHOOK_INLINE constexpr bool byte(std::uint8_t& out) {
    if (next == end) return false;
    out = static_cast<std::uint8_t>(*next++);
    return true;
  }
};
using Reader = BasicReader<false>;
using CheckedReader = BasicReader<true>;

/// Reads what `encode` wrote. Texts view the encoded bytes; arrays go to `arena`, which a type without arrays never uses
/// (nullptr will do). False where the bytes are none that `encode` writes, or without memory; `out` then means nothing.
template <class In, class T>
[[nodiscard]] constexpr bool decode(In& in, T& out, Arena* arena);

}  // namespace bankhook::tracking

namespace bankhook::tracking::detail {

template <class In>
[[nodiscard]] BANKHOOK_INLINE constexpr bool decode_number(In& in, std::uint64_t& out) {
  out = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    std::uint8_t byte = 0;
    if (!in.byte(byte)) return false;
    const std::uint64_t bits = byte & 0x7F;
    if (shift == 63 && bits > 1) return false;
    out |= bits << shift;
    if (byte < 0x80) return byte != 0 || shift == 0;  // one number, one spelling
  }
  return false;
}

[[nodiscard]] constexpr std::int64_t unfold_sign(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
}

template <class In, std::integral T>
[[nodiscard]] constexpr bool decode_signed(In& in, T& out) {
  std::uint64_t folded = 0;
  if (!decode_number(in, folded)) return false;
  const std::int64_t value = unfold_sign(folded);
  if (value < std::numeric_limits<T>::min() || value > std::numeric_limits<T>::max()) return false;
  out = static_cast<T>(value);
  return true;
}

template <class In, std::unsigned_integral T>
[[nodiscard]] constexpr bool decode_unsigned(In& in, T& out) {
  std::uint64_t value = 0;
  if (!decode_number(in, value) || value > std::numeric_limits<T>::max()) return false;
  out = static_cast<T>(value);
  return true;
}

/// Most texts are ASCII, which is seen at once.
[[nodiscard]] BANKHOOK_INLINE constexpr bool is_utf8(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  std::uint64_t all = 0;
  for (; end - p >= 8; p += 8) all |= text::load8(p);
  if (p != end) all |= text::load_up_to_8(p, end);
  return (all & text::high_bits) == 0 || text::find_invalid_utf8(text.data(), end) == end;
}

template <class In>
[[nodiscard]] BANKHOOK_INLINE constexpr bool decode_bytes(In& in, std::uint64_t size, std::string_view& out) {
  if (size > in.rest()) return false;
  out = {in.next, static_cast<std::size_t>(size)};
  in.next += size;
  if constexpr (In::is_checked) return is_utf8(out);
  else return true;
}

template <class In>
[[nodiscard]] BANKHOOK_INLINE constexpr bool decode_text(In& in, std::string_view& out) {
  std::uint64_t size = 0;
  return decode_number(in, size) && decode_bytes(in, size, out);
}

/// Any four bytes are a date as `encode` takes it.
template <class In>
[[nodiscard]] constexpr bool decode_date(In& in, std::chrono::year_month_day& out) {
  if (in.rest() < 4) return false;
  const auto at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(in.next[i])); };
  const auto year = static_cast<std::int16_t>(static_cast<std::uint16_t>(at(0) | at(1) << 8));
  out = {std::chrono::year(year), std::chrono::month(at(2)), std::chrono::day(at(3))};
  in.next += 4;
  return !In::is_checked || text::is_writable_date(out);
}

struct Moment {
  std::chrono::year_month_day date{};
  std::chrono::nanoseconds time_of_day{};
  int fraction_digits = 0;
};

template <class In>
[[nodiscard]] constexpr bool decode_moment(In& in, Moment& out) {
  std::uint64_t seconds = 0;
  std::uint64_t fraction = 0;
  std::uint8_t digits = 0;
  if (!decode_date(in, out.date) || !decode_number(in, seconds) || seconds >= 86400 || !in.byte(digits)) return false;
  if (digits > text::max_fraction_digits || (digits != 0 && !decode_number(in, fraction))) return false;
  if (fraction >= text::powers_of_ten[digits]) return false;
  fraction *= text::powers_of_ten[static_cast<std::size_t>(text::max_fraction_digits) - digits];
  out.time_of_day = std::chrono::nanoseconds(static_cast<std::int64_t>(seconds * 1'000'000'000 + fraction));
  out.fraction_digits = digits;
  return true;
}

template <class In>
[[nodiscard]] constexpr bool decode_local(In& in, LocalTimestamp& out) {
  Moment moment;
  if (!decode_moment(in, moment)) return false;
  const auto made = LocalTimestamp::make(moment.date, moment.time_of_day, moment.fraction_digits);
  if (made) out = *made;
  return made.has_value();
}

template <class In>
[[nodiscard]] constexpr bool decode_timestamp(In& in, Timestamp& out) {
  Moment moment;
  std::uint8_t spelling = 0;
  std::int64_t offset = 0;
  if (!decode_moment(in, moment) || !in.byte(spelling) || spelling >= 2 * minus_zero) return false;
  const bool is_minus_zero = spelling > minus_zero;
  const auto form = static_cast<OffsetForm>(is_minus_zero ? spelling - minus_zero : spelling);
  if (static_cast<std::size_t>(form) >= enumerator_count<OffsetForm>) return false;
  if (form != OffsetForm::z && !decode_signed(in, offset)) return false;
  if (offset <= -1440 || offset >= 1440 || (is_minus_zero && offset != 0)) return false;
  const auto made =
      Timestamp::make(moment.date, moment.time_of_day, moment.fraction_digits, std::chrono::minutes(offset), form);
  if (made) out = is_minus_zero ? made->with_minus_zero() : *made;
  return made.has_value();
}

template <class In, PackedAsText T>
[[nodiscard]] constexpr bool decode_form(In& in, T& out) {
  std::string_view text;
  out = T();
  return decode_text(in, text) && T::scan(text, out);
}

template <class In, class E>
[[nodiscard]] constexpr bool decode_enum(In& in, OpenEnum<E>& out) {
  std::uint64_t known = 0;
  std::string_view text;
  if (!decode_number(in, known) || known > enumerator_count<E>) return false;
  if (known != 0) {
    out = static_cast<E>(known - 1);
    return true;
  }
  if (!decode_text(in, text)) return false;
  out = OpenEnum<E>::of(text);
  return !out.is_known();  // one value, one spelling
}

template <class In, class Optional>
[[nodiscard]] constexpr bool decode_optional(In& in, Optional& out, Arena* arena) {
  out.reset();
  if constexpr (std::same_as<typename Optional::value_type, std::string_view>) {
    std::uint64_t size = 0;
    if (!decode_number(in, size)) return false;
    return size == 0 || decode_bytes(in, size - 1, out.emplace());
  } else {
    std::uint8_t is_there = 0;
    if (!in.byte(is_there) || is_there > 1) return false;
    return is_there == 0 || decode(in, out.emplace(), arena);
  }
}

/// Each item takes a byte at least, so a count that the bytes cannot hold asks for no memory.
template <class In, class T>
[[nodiscard]] constexpr bool decode_array(In& in, std::span<const T>& out, Arena& arena) {
  std::uint64_t count = 0;
  out = {};
  if (!decode_number(in, count) || count > in.rest()) return false;
  if (count == 0) return true;
  auto* const items = static_cast<T*>(arena.allocate(static_cast<std::size_t>(count) * sizeof(T), alignof(T)));
  if (items == nullptr) return false;
  std::uninitialized_value_construct_n(items, count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!decode(in, items[i], &arena)) return false;
  }
  out = {items, static_cast<std::size_t>(count)};
  return true;
}

template <class In, class E>
[[nodiscard]] constexpr bool decode_enumerator(In& in, E& out) {
  std::uint64_t value = 0;
  if (!decode_number(in, value) || value >= enumerator_count<E>) return false;
  out = static_cast<E>(value);
  return true;
}

}  // namespace bankhook::tracking::detail

namespace bankhook::tracking {

template <class In, class T>
constexpr bool decode(In& in, T& out, Arena* arena) {
  if constexpr (std::same_as<T, std::string_view>) return detail::decode_text(in, out);
  else if constexpr (base::is_nullable<T> || base::is_maybe_absent<T>) return detail::decode_optional(in, out, arena);
  else if constexpr (reflect::is_open_enum<T>) return detail::decode_enum(in, out);
  else if constexpr (reflect::is_type_tag<T>) return true;
  else if constexpr (std::is_enum_v<T>) return detail::decode_enumerator(in, out);
  else if constexpr (std::unsigned_integral<T>) return detail::decode_unsigned(in, out);
  else if constexpr (std::same_as<T, Decimal>) {
    std::int64_t unscaled = 0;
    int scale = 0;
    if (!detail::decode_signed(in, unscaled) || !detail::decode_signed(in, scale)) return false;
    out = Decimal(unscaled, scale);
    return true;
  } else if constexpr (std::same_as<T, std::chrono::year_month_day>) return detail::decode_date(in, out);
  else if constexpr (std::same_as<T, LocalTimestamp>) return detail::decode_local(in, out);
  else if constexpr (std::same_as<T, Timestamp>) return detail::decode_timestamp(in, out);
  else if constexpr (detail::PackedAsText<T>) return detail::decode_form(in, out);
  else if constexpr (reflect::detail::is_span<T>) return detail::decode_array(in, out, *arena);
  else {
    static_assert(reflect::Aggregate<T>, "only_values_of_the_kit_and_structs_of_them_are_packed");
    return reflect::for_each_member<T>([&]<std::size_t I>() {
      using Field = reflect::MemberType<T, I>;
      if constexpr (std::same_as<Field, std::string_view>) return detail::decode_text(in, reflect::member<I>(out));
      else return decode(in, reflect::member<I>(out), arena);
    });
  }
}

}  // namespace bankhook::tracking
