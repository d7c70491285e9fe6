// SPDX-License-Identifier: MIT
// What columns of a fixed scale and a fixed unit hold: exact values, or nothing where one does not fit.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/columns/options.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace bankhook::inline BANKHOOK_ABI::columns {

inline constexpr int decimal_precision = 38;

/// The 128 bits of a decimal128 in two's complement: the lower half first, as on every machine that is little-endian.
using Decimal128 = std::array<std::uint64_t, 2>;

/// `value` times ten; false if that has more than 38 digits.
[[nodiscard]] constexpr bool multiply_by_ten(Decimal128& value) {
  constexpr Decimal128 tenth_of_limit{0x00F436A0'00000000, 0x0785EE10'D5DA46D9};  // 10^37
  if (value[1] > tenth_of_limit[1] || (value[1] == tenth_of_limit[1] && value[0] >= tenth_of_limit[0])) return false;
  const std::uint64_t low = (value[0] & 0xFFFFFFFF) * 10;
  const std::uint64_t high = (value[0] >> 32) * 10 + (low >> 32);
  value = {high << 32 | (low & 0xFFFFFFFF), value[1] * 10 + (high >> 32)};
  return true;
}

/// `amount` in units of 10^-scale, if it is whole in these and has at most 38 digits.
[[nodiscard]] constexpr std::optional<Decimal128> scaled(const Decimal& amount, int scale) {
  Decimal exact = amount;
  if (exact.scale() > scale) exact = exact.reduced();
  if (exact.scale() > scale) return std::nullopt;
  Decimal128 value{text::magnitude_of(exact.unscaled()), 0};
  if (value[0] == 0) return value;
  const std::int64_t places = std::int64_t{scale} - exact.scale();
  if (places >= decimal_precision) return std::nullopt;
  for (std::int64_t i = 0; i < places; ++i) {
    if (!multiply_by_ten(value)) return std::nullopt;
  }
  if (exact.unscaled() < 0) value = {0 - value[0], ~value[1] + (value[0] == 0)};
  return value;
}

/// The moment in units since 1970, if it is whole in these and 64 bits hold it.
[[nodiscard]] constexpr std::optional<std::int64_t> counted(std::chrono::seconds since_1970,
                                                            std::chrono::nanoseconds subsecond, TimeUnit unit) {
  const std::int64_t seconds = since_1970.count(), nanoseconds = subsecond.count();
  if (unit == TimeUnit::microseconds) {
    if (nanoseconds % 1000 != 0) return std::nullopt;
    return seconds * 1'000'000 + nanoseconds / 1000;
  }
  constexpr std::int64_t most = 9'223'372'035;  // seconds whose nanoseconds fit for certain
  if (seconds > most || seconds < -most) return std::nullopt;
  return seconds * 1'000'000'000 + nanoseconds;
}
[[nodiscard]] constexpr std::optional<std::int64_t> counted(const LocalTimestamp& time, TimeUnit unit) {
  return counted(time.local().time_since_epoch(), time.subsecond(), unit);
}
/// The instant, or what the clock shows if no offset is written.
[[nodiscard]] constexpr std::optional<std::int64_t> counted(const Timestamp& time, TimeUnit unit) {
  return counted(time.local().time_since_epoch() - time.offset(), time.subsecond(), unit);
}

}  // namespace bankhook::inline BANKHOOK_ABI::columns
