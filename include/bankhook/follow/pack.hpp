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
#include <string_view>
#include <type_traits>

namespace bankhook::follow {

/// Only counts: how long something is when it is packed.
struct Count {
  std::size_t size = 0;

  BANKHOOK_INLINE void byte(std::uint8_t) { ++size; }
  BANKHOOK_INLINE void bytes(const char*, std::size_t count) { size += count; }
};

/// Writes to memory that is large enough, which `Count` tells.
struct Pen {
  char* out;

  BANKHOOK_INLINE void byte(std::uint8_t value) { *out++ = static_cast<char>(value); }
  BANKHOOK_INLINE void bytes(const char* from, std::size_t count) {
    if (count != 0) std::memcpy(out, from, count);
    out += count;
  }
};

/// Appends `value` to `sink`, a `Count` or a `Pen`. Small numbers take one byte, a text its length and its bytes, a member
/// that is null or absent one byte; dates and times keep their spelling. Equal bytes say the same, spelling included.
template <class T, class Sink>
constexpr void pack(const T& value, Sink& sink);

}  // namespace bankhook::follow

namespace bankhook::follow::detail {

/// Seven bits a byte, the lowest first; the high bit says that more follow.
template <class Sink>
BANKHOOK_INLINE constexpr void pack_number(std::uint64_t value, Sink& sink) {
  for (; value >= 0x80; value >>= 7) sink.byte(static_cast<std::uint8_t>(value | 0x80));
  sink.byte(static_cast<std::uint8_t>(value));
}

/// Small magnitudes of either sign become small numbers.
[[nodiscard]] constexpr std::uint64_t fold_sign(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

template <class Sink>
BANKHOOK_INLINE constexpr void pack_text(std::string_view text, Sink& sink) {
  pack_number(text.size(), sink);
  sink.bytes(text.data(), text.size());
}

template <class Sink>
constexpr void pack_date(std::chrono::year_month_day date, Sink& sink) {
  const auto year = static_cast<std::uint16_t>(static_cast<int>(date.year()));
  sink.byte(static_cast<std::uint8_t>(year & 0xFF));
  sink.byte(static_cast<std::uint8_t>(year >> 8));
  sink.byte(static_cast<std::uint8_t>(static_cast<unsigned>(date.month())));
  sink.byte(static_cast<std::uint8_t>(static_cast<unsigned>(date.day())));
}

/// The clock and the fraction of a date-time: seconds, digits, and the fraction in units of its last digit.
template <class T, class Sink>
constexpr void pack_moment(const T& value, Sink& sink) {
  pack_date(value.date(), sink);
  const auto time = static_cast<std::uint64_t>(value.time_of_day().count());
  const auto digits = static_cast<std::size_t>(value.fraction_digits());
  pack_number(time / 1'000'000'000, sink);
  sink.byte(static_cast<std::uint8_t>(digits));
  if (digits != 0) pack_number(time % 1'000'000'000 / text::powers_of_ten[text::most_fraction_digits - digits], sink);
}

/// Added to the number of an offset's form for `-00:00` in that form. `Z` has no such form, so this number alone means that
/// there is no offset.
inline constexpr std::uint8_t minus_zero = 4;
static_assert(static_cast<int>(OffsetForm::z) == 0 && static_cast<int>(OffsetForm::none) == minus_zero);

[[nodiscard]] constexpr std::uint8_t offset_spelling(const Timestamp& value) {
  const auto form = static_cast<std::uint8_t>(value.offset_form());
  return value.has_minus() && value.offset().count() == 0 ? form + minus_zero : form;
}

template <class E, class Sink>
constexpr void pack_enum(const OpenEnum<E>& value, Sink& sink) {
  const auto known = value.known();
  pack_number(known ? static_cast<std::uint64_t>(*known) + 1 : 0, sink);
  if (!known) pack_text(value.text(), sink);
}

/// A text that may not be there: its length and one, or zero.
template <class Optional, class Sink>
constexpr void pack_optional(const Optional& value, Sink& sink) {
  if constexpr (std::same_as<typename Optional::value_type, std::string_view>) {
    pack_number(value ? std::uint64_t{value->size()} + 1 : 0, sink);
    if (value) sink.bytes(value->data(), value->size());
  } else {
    sink.byte(value.has_value() ? 1 : 0);
    if (value) pack(*value, sink);
  }
}

}  // namespace bankhook::follow::detail

namespace bankhook::follow {

template <class T, class Sink>
constexpr void pack(const T& value, Sink& sink) {
  if constexpr (std::same_as<T, std::string_view>) detail::pack_text(value, sink);
  else if constexpr (is_nullable<T> || is_maybe_absent<T>) detail::pack_optional(value, sink);
  else if constexpr (is_open_enum<T>) detail::pack_enum(value, sink);
  else if constexpr (is_type_tag<T>) return;
  else if constexpr (std::is_enum_v<T>) detail::pack_number(static_cast<std::uint64_t>(value), sink);
  else if constexpr (std::unsigned_integral<T>) detail::pack_number(value, sink);  // false and true are 0 and 1
  else if constexpr (std::same_as<T, Decimal>) {
    detail::pack_number(detail::fold_sign(value.unscaled()), sink);
    detail::pack_number(detail::fold_sign(value.scale()), sink);
  } else if constexpr (std::same_as<T, std::chrono::year_month_day>) detail::pack_date(value, sink);
  else if constexpr (std::same_as<T, LocalTimestamp>) detail::pack_moment(value, sink);
  else if constexpr (std::same_as<T, Timestamp>) {
    detail::pack_moment(value, sink);
    sink.byte(detail::offset_spelling(value));
    if (value.offset_form() != OffsetForm::z) detail::pack_number(detail::fold_sign(value.offset().count()), sink);
  } else if constexpr (reflect::detail::is_span<T>) {
    detail::pack_number(value.size(), sink);
    for (const auto& item : value) pack(item, sink);
  } else {
    static_assert(reflect::Aggregate<T>, "only_values_of_the_kit_and_structs_of_them_are_packed");
    reflect::for_each_member<T>([&]<std::size_t I>() {
      pack(reflect::member<I>(value), sink);
      return true;
    });
  }
}

/// How many bytes `value` takes when it is packed.
template <class T>
[[nodiscard]] constexpr std::size_t packed_size(const T& value) {
  Count count;
  pack(value, count);
  return count.size;
}

}  // namespace bankhook::follow
