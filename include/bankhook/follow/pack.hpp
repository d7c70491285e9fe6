// SPDX-License-Identifier: MIT
// Any value of the kit as few bytes, derived from its members; `unpack` gives back exactly what was written.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/reflect/type_tag.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace bankhook::follow {

/// Writes to memory that is large enough: see `pack_into`.
struct Pen {
  char* out;

  BANKHOOK_INLINE void byte(std::uint8_t value) { *out++ = static_cast<char>(value); }
  BANKHOOK_INLINE void bytes(const char* from, std::size_t count) {
    if (count != 0) std::memcpy(out, from, count);
    out += count;
  }
};

/// Appends `value` to `pen`. Small numbers take one byte, a text its length and its bytes, a field that is null or absent
/// one byte; dates and times keep their spelling. Equal bytes say the same, spelling included.
template <class T>
void pack(const T& value, Pen& pen);

}  // namespace bankhook::follow

namespace bankhook::follow::detail {

/// Seven bits a byte, the lowest first; the high bit says that more follow.
BANKHOOK_INLINE void pack_number(std::uint64_t value, Pen& pen) {
  for (; value >= 0x80; value >>= 7) pen.byte(static_cast<std::uint8_t>(value | 0x80));
  pen.byte(static_cast<std::uint8_t>(value));
}

/// Small magnitudes of either sign become small numbers.
[[nodiscard]] constexpr std::uint64_t fold_sign(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

BANKHOOK_INLINE void pack_text(std::string_view text, Pen& pen) {
  pack_number(text.size(), pen);
  pen.bytes(text.data(), text.size());
}

inline void pack_date(std::chrono::year_month_day date, Pen& pen) {
  const auto year = static_cast<std::uint16_t>(static_cast<int>(date.year()));
  pen.byte(static_cast<std::uint8_t>(year & 0xFF));
  pen.byte(static_cast<std::uint8_t>(year >> 8));
  pen.byte(static_cast<std::uint8_t>(static_cast<unsigned>(date.month())));
  pen.byte(static_cast<std::uint8_t>(static_cast<unsigned>(date.day())));
}

/// The clock and the fraction of a date-time: seconds, digits, and the fraction in units of its last digit.
template <class T>
void pack_moment(const T& value, Pen& pen) {
  pack_date(value.date(), pen);
  const auto time = static_cast<std::uint64_t>(value.time_of_day().count());
  const auto digits = static_cast<std::size_t>(value.fraction_digits());
  pack_number(time / 1'000'000'000, pen);
  pen.byte(static_cast<std::uint8_t>(digits));
  if (digits != 0) pack_number(time % 1'000'000'000 / text::powers_of_ten[text::most_fraction_digits - digits], pen);
}

/// Added to the number of an offset's form for `-00:00` in that form. `Z` has no such form, so this number alone means that
/// there is no offset.
inline constexpr std::uint8_t minus_zero = 4;
static_assert(static_cast<int>(OffsetForm::z) == 0 && static_cast<int>(OffsetForm::none) == minus_zero);

[[nodiscard]] constexpr std::uint8_t offset_spelling(const Timestamp& value) {
  const auto form = static_cast<std::uint8_t>(value.offset_form());
  return value.has_minus() && value.offset().count() == 0 ? form + minus_zero : form;
}

template <class E>
void pack_enum(const OpenEnum<E>& value, Pen& pen) {
  const auto known = value.known();
  pack_number(known ? static_cast<std::uint64_t>(*known) + 1 : 0, pen);
  if (!known) pack_text(value.text(), pen);
}

/// A text that may not be there: its length and one, or zero.
template <class Optional>
void pack_optional(const Optional& value, Pen& pen) {
  if constexpr (std::same_as<typename Optional::value_type, std::string_view>) {
    pack_number(value ? std::uint64_t{value->size()} + 1 : 0, pen);
    if (value) pen.bytes(value->data(), value->size());
  } else {
    pen.byte(value.has_value() ? 1 : 0);
    if (value) pack(*value, pen);
  }
}

/// A number takes ten bytes at most, a date four, and a date-time three numbers and some bytes.
inline constexpr std::size_t most_of_number = 10;
inline constexpr std::size_t most_of_moment = 4 + 3 * most_of_number;

/// A bound of the bytes that `value` takes when it is packed: quicker to know than their number.
template <class T>
[[nodiscard]] BANKHOOK_INLINE constexpr std::size_t most_packed(const T& value) {
  if constexpr (std::same_as<T, std::string_view>) return most_of_number + value.size();
  else if constexpr (is_nullable<T> || is_maybe_absent<T>) return 1 + (value ? most_packed(*value) : 0);
  else if constexpr (is_open_enum<T>) return 2 * most_of_number + (value.known() ? 0 : value.text().size());
  else if constexpr (reflect::detail::is_span<T>) {
    std::size_t most = most_of_number;
    for (const auto& item : value) most += most_packed(item);
    return most;
  } else if constexpr (reflect::Aggregate<T> && !is_type_tag<T>) {
    std::size_t most = 0;
    reflect::for_each_member<T>([&]<std::size_t I>() {
      most += most_packed(reflect::member<I>(value));
      return true;
    });
    return most;
  } else return most_of_moment;
}

}  // namespace bankhook::follow::detail

namespace bankhook::follow {

template <class T>
void pack(const T& value, Pen& pen) {
  if constexpr (std::same_as<T, std::string_view>) detail::pack_text(value, pen);
  else if constexpr (is_nullable<T> || is_maybe_absent<T>) detail::pack_optional(value, pen);
  else if constexpr (is_open_enum<T>) detail::pack_enum(value, pen);
  else if constexpr (is_type_tag<T>) return;
  else if constexpr (std::is_enum_v<T>) detail::pack_number(static_cast<std::uint64_t>(value), pen);
  else if constexpr (std::unsigned_integral<T>) detail::pack_number(value, pen);  // false and true are 0 and 1
  else if constexpr (std::same_as<T, Decimal>) {
    detail::pack_number(detail::fold_sign(value.unscaled()), pen);
    detail::pack_number(detail::fold_sign(value.scale()), pen);
  } else if constexpr (std::same_as<T, std::chrono::year_month_day>) detail::pack_date(value, pen);
  else if constexpr (std::same_as<T, LocalTimestamp>) detail::pack_moment(value, pen);
  else if constexpr (std::same_as<T, Timestamp>) {
    detail::pack_moment(value, pen);
    pen.byte(detail::offset_spelling(value));
    if (value.offset_form() != OffsetForm::z) detail::pack_number(detail::fold_sign(value.offset().count()), pen);
  } else if constexpr (reflect::detail::is_span<T>) {
    detail::pack_number(value.size(), pen);
    for (const auto& item : value) pack(item, pen);
  } else {
    static_assert(reflect::Aggregate<T>, "only_values_of_the_kit_and_structs_of_them_are_packed");
    reflect::for_each_member<T>([&]<std::size_t I>() {
      pack(reflect::member<I>(value), pen);
      return true;
    });
  }
}

/// The packed bytes of `value`. They lie in `memory`, which grows if need be, until it changes.
template <class T>
[[nodiscard]] std::string_view pack_into(std::string& memory, const T& value) {
  if (const std::size_t most = detail::most_packed(value); memory.size() < most) memory.resize(most);
  Pen pen{memory.data()};
  pack(value, pen);
  return {memory.data(), pen.out};
}

}  // namespace bankhook::follow
