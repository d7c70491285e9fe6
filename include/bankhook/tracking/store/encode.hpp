// SPDX-License-Identifier: MIT
// Any value of the library as few bytes, derived from its members; `decode` gives back exactly what was written.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/members.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/reflect/type_tag.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/quoted_form.hpp>
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

namespace bankhook::tracking {

/// Writes to memory that is large enough: see `encode_into`.
struct ByteWriter {
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
void encode(const T& value, ByteWriter& pen);

}  // namespace bankhook::tracking

namespace bankhook::tracking::detail {

/// Seven bits a byte, the lowest first; the high bit says that more follow.
BANKHOOK_INLINE void encode_number(std::uint64_t value, ByteWriter& pen) {
  for (; value >= 0x80; value >>= 7) pen.byte(static_cast<std::uint8_t>(value | 0x80));
  pen.byte(static_cast<std::uint8_t>(value));
}

/// Small magnitudes of either sign become small numbers.
[[nodiscard]] constexpr std::uint64_t fold_sign(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

BANKHOOK_INLINE void encode_text(std::string_view text, ByteWriter& pen) {
  encode_number(text.size(), pen);
  pen.bytes(text.data(), text.size());
}

inline void encode_date(std::chrono::year_month_day date, ByteWriter& pen) {
  const auto year = static_cast<std::uint16_t>(static_cast<int>(date.year()));
  pen.byte(static_cast<std::uint8_t>(year & 0xFF));
  pen.byte(static_cast<std::uint8_t>(year >> 8));
  pen.byte(static_cast<std::uint8_t>(static_cast<unsigned>(date.month())));
  pen.byte(static_cast<std::uint8_t>(static_cast<unsigned>(date.day())));
}

/// The clock and the fraction of a date-time: seconds, digits, and the fraction in units of its last digit.
template <class T>
void encode_moment(const T& value, ByteWriter& pen) {
  encode_date(value.date(), pen);
  const auto time = static_cast<std::uint64_t>(value.time_of_day().count());
  const auto digits = static_cast<std::size_t>(value.fraction_digits());
  encode_number(time / 1'000'000'000, pen);
  pen.byte(static_cast<std::uint8_t>(digits));
  if (digits != 0) encode_number(time % 1'000'000'000 / text::powers_of_ten[text::max_fraction_digits - digits], pen);
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
void encode_enum(const OpenEnum<E>& value, ByteWriter& pen) {
  const auto known = value.known();
  encode_number(known ? static_cast<std::uint64_t>(*known) + 1 : 0, pen);
  if (!known) encode_text(value.text(), pen);
}

/// A text that may not be there: its length and one, or zero.
template <class Optional>
void encode_optional(const Optional& value, ByteWriter& pen) {
  if constexpr (std::same_as<typename Optional::value_type, std::string_view>) {
    encode_number(value ? std::uint64_t{value->size()} + 1 : 0, pen);
    if (value) pen.bytes(value->data(), value->size());
  } else {
    pen.byte(value.has_value() ? 1 : 0);
    if (value) encode(*value, pen);
  }
}

/// A value type that is encoded as it is written: any with a form of its own but those that take fewer bytes otherwise.
template <class T>
concept PackedAsText = QuotedForm<T> && !std::same_as<T, LocalTimestamp> && !std::same_as<T, Timestamp>;

/// Calls `use` with the text of a value.
template <PackedAsText T, class Use>
constexpr auto with_text(const T& value, Use use) {
  char buffer[T::max_printed]{};
  return use(std::string_view(buffer, value.print(buffer)));
}

/// A number takes ten bytes at most, a date four, and a date-time three numbers and some bytes.
inline constexpr std::size_t max_number_size = 10;
inline constexpr std::size_t max_moment_size = 4 + 3 * max_number_size;

/// A bound of the bytes that `value` takes when it is encoded: quicker to know than their number.
template <class T>
[[nodiscard]] BANKHOOK_INLINE constexpr std::size_t max_encoded_size(const T& value) {
  if constexpr (std::same_as<T, std::string_view>) return max_number_size + value.size();
  else if constexpr (base::is_nullable<T> || base::is_maybe_absent<T>) return 1 + (value ? max_encoded_size(*value) : 0);
  else if constexpr (reflect::is_open_enum<T>) return 2 * max_number_size + (value.known() ? 0 : value.text().size());
  else if constexpr (reflect::detail::is_span<T>) {
    std::size_t most = max_number_size;
    for (const auto& item : value) most += max_encoded_size(item);
    return most;
  } else if constexpr (reflect::Aggregate<T> && !reflect::is_type_tag<T>) {
    std::size_t most = 0;
    reflect::for_each_member<T>([&]<std::size_t I>() {
      most += max_encoded_size(reflect::member<I>(value));
      return true;
    });
    return most;
  } else if constexpr (PackedAsText<T>) return max_number_size + T::max_printed;
  else return max_moment_size;
}

}  // namespace bankhook::tracking::detail

namespace bankhook::tracking {

template <class T>
void encode(const T& value, ByteWriter& pen) {
  if constexpr (std::same_as<T, std::string_view>) detail::encode_text(value, pen);
  else if constexpr (base::is_nullable<T> || base::is_maybe_absent<T>) detail::encode_optional(value, pen);
  else if constexpr (reflect::is_open_enum<T>) detail::encode_enum(value, pen);
  else if constexpr (reflect::is_type_tag<T>) return;
  else if constexpr (std::is_enum_v<T>) detail::encode_number(static_cast<std::uint64_t>(value), pen);
  else if constexpr (std::unsigned_integral<T>) detail::encode_number(value, pen);  // false and true are 0 and 1
  else if constexpr (std::same_as<T, Decimal>) {
    detail::encode_number(detail::fold_sign(value.unscaled()), pen);
    detail::encode_number(detail::fold_sign(value.scale()), pen);
  } else if constexpr (std::same_as<T, std::chrono::year_month_day>) detail::encode_date(value, pen);
  else if constexpr (std::same_as<T, LocalTimestamp>) detail::encode_moment(value, pen);
  else if constexpr (std::same_as<T, Timestamp>) {
    detail::encode_moment(value, pen);
    pen.byte(detail::offset_spelling(value));
    if (value.offset_form() != OffsetForm::z) detail::encode_number(detail::fold_sign(value.offset().count()), pen);
  } else if constexpr (detail::PackedAsText<T>) {
    detail::with_text(value, [&](std::string_view text) { detail::encode_text(text, pen); });
  } else if constexpr (reflect::detail::is_span<T>) {
    detail::encode_number(value.size(), pen);
    for (const auto& item : value) encode(item, pen);
  } else {
    static_assert(reflect::Aggregate<T>, "only_values_of_the_kit_and_structs_of_them_are_packed");
    reflect::for_each_member<T>([&]<std::size_t I>() {
      encode(reflect::member<I>(value), pen);
      return true;
    });
  }
}

/// The encoded bytes of `value`. They lie in `memory`, which grows if need be, until it changes.
template <class T>
[[nodiscard]] std::string_view encode_into(std::string& memory, const T& value) {
  if (const std::size_t most = detail::max_encoded_size(value); memory.size() < most) memory.resize(most);
  ByteWriter pen{memory.data()};
  encode(value, pen);
  return {memory.data(), pen.out};
}

}  // namespace bankhook::tracking
