// SPDX-License-Identifier: MIT
// LocalTimestamp (spec 2.2 consentExpiresAt) and Timestamp (spec 2.4 date): as they were written, compared by time.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/format.hpp>
#include <bankhook/text/date_time.hpp>

#include <chrono>
#include <cstddef>
#include <expected>
#include <functional>
#include <optional>

namespace bankhook::inline BANKHOOK_ABI {

/// 2.2: `YYYY-MM-DD HH:MM:SS.ffff`. No zone is given and none is added: two of them can be compared with each other, not
/// with an instant. The form has four fraction digits; whether there may be others is not stated, so 1 to 9 are read; how
/// many there were is kept. Equal and ordered by its time (`.10` equals `.1`). Rejected: no fraction, a `T`, a second 60,
/// 24:00, the year 0000.
class LocalTimestamp : public text::WrittenDateTime<LocalTimestamp, ' '> {
 public:
  static constexpr std::size_t max_printed = text::date_time_size + 1 + text::max_fraction_digits;
  static constexpr Errc form_error = Errc::expected_local_timestamp;
  static constexpr int spelled_digits = 4;  ///< of the fraction, as the form has them: `ffff`

  /// 1970-01-01 00:00:00.0
  constexpr LocalTimestamp() { value_.fraction_digits = 1; }

  /// `expected_local_timestamp` unless the date exists in years 1 to 9999, the time lies inside a day and its fraction
  /// is whole in `fraction_digits` digits, 1 to 9: nothing is rounded.
  [[nodiscard]] static constexpr std::expected<LocalTimestamp, Errc> make(std::chrono::year_month_day date,
                                                                          std::chrono::nanoseconds time_of_day,
                                                                          int fraction_digits) {
    return put_together(date, time_of_day, fraction_digits, {}, OffsetForm::none);
  }
};

/// 2.4: an ISO 8601 date-time, which here is `YYYY-MM-DDTHH:MM:SS`, optionally followed by a point and a fraction of 1 to 9
/// digits, and optionally by the offset from UTC: `Z`, `±HH:MM`, `±HHMM` or `±HH`, up to 23:59. Fraction digits and
/// the spelling of the offset are kept, even `-00:00`. Equal and ordered by its instant: `10:00:00Z` equals
/// `12:00:00.0+02:00`. One without an offset names no instant, so it equals none that has one; it is ordered as if its
/// clock showed UTC, just before the instant of that time. Rejected (which forms of ISO 8601 a `date` may have is not
/// shown): a second 60 (std::chrono's clock has none), 24:00 (the next day's 00:00 is the same), lower-case `t` and `z`, a
/// comma before the fraction, the year 0000.
class Timestamp : public text::WrittenDateTime<Timestamp, 'T'> {
 public:
  static constexpr std::size_t max_printed = text::date_time_size + 1 + text::max_fraction_digits + 6;
  static constexpr Errc form_error = Errc::expected_timestamp;

  /// 1970-01-01T00:00:00Z
  constexpr Timestamp() = default;

  /// `date` and `time_of_day` are those of a clock that is ahead of UTC by `offset`. `expected_timestamp` unless the
  /// date exists in years 1 to 9999, the time lies inside a day, its fraction is whole in `fraction_digits` digits,
  /// 0 to 9, and the offset is at most 23:59 and can be spelled in `form`: `z` and `none` spell 0 only.
  [[nodiscard]] static constexpr std::expected<Timestamp, Errc> make(std::chrono::year_month_day date,
                                                                     std::chrono::nanoseconds time_of_day,
                                                                     int fraction_digits, std::chrono::minutes offset,
                                                                     OffsetForm form = OffsetForm::hours_colon_minutes) {
    return put_together(date, time_of_day, fraction_digits, offset, form);
  }

  /// 0 if none is written.
  [[nodiscard]] constexpr std::chrono::minutes offset() const { return std::chrono::minutes(offset_minutes_); }
  [[nodiscard]] constexpr bool has_offset() const { return form_ != OffsetForm::none; }
  [[nodiscard]] constexpr OffsetForm offset_form() const { return form_; }
  /// Whether the offset is written with a minus: for `-00:00`, its minutes do not say so.
  [[nodiscard]] constexpr bool has_minus() const { return minus_; }
  /// The whole seconds of the instant, if an offset is written; `subsecond` is the rest.
  [[nodiscard]] constexpr std::optional<std::chrono::sys_seconds> utc() const {
    return has_offset() ? std::optional(instant()) : std::nullopt;
  }
};

static_assert(sizeof(LocalTimestamp) <= 16 && sizeof(Timestamp) <= 16);

}  // namespace bankhook::inline BANKHOOK_ABI

template <>
struct std::hash<bankhook::LocalTimestamp> {
  [[nodiscard]] std::size_t operator()(const bankhook::LocalTimestamp& value) const noexcept { return value.hash(); }
};
template <>
struct std::hash<bankhook::Timestamp> {
  [[nodiscard]] std::size_t operator()(const bankhook::Timestamp& value) const noexcept { return value.hash(); }
};
