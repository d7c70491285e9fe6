// SPDX-License-Identifier: MIT
// LocalTimestamp (spec 2.2 consentExpiresAt) and Timestamp (spec 2.4 date): as they were written, compared by time.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/format.hpp>
#include <bankhook/text/date_time.hpp>

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// 2.2: `YYYY-MM-DD HH:MM:SS.ffff`. No zone is given and none is added: two of them can be compared with each other, not
/// with an instant. The form has four fraction digits; whether there may be others is not stated, so 1 to 9 are read; how
/// many there were is kept. Equal and ordered by its time (`.10` equals `.1`). Rejected: no fraction, a `T`, a second 60,
/// 24:00, the year 0000.
class LocalTimestamp {
 public:
  static constexpr std::size_t max_printed = text::date_time_size + 1 + text::max_fraction_digits;
  static constexpr std::size_t fast_size = text::fast_date_time_size;
  static constexpr Errc form_error = Errc::expected_local_timestamp;
  static constexpr int spelled_digits = 4;  ///< of the fraction, as the form has them: `ffff`

  /// 1970-01-01 00:00:00.0
  constexpr LocalTimestamp() { value_.fraction_digits = 1; }

  /// `expected_local_timestamp` unless the date exists in years 1 to 9999, the time lies inside a day and its fraction
  /// is whole in `fraction_digits` digits, 1 to 9: nothing is rounded.
  [[nodiscard]] static constexpr std::expected<LocalTimestamp, Errc> make(std::chrono::year_month_day date,
                                                                          std::chrono::nanoseconds time_of_day,
                                                                          int fraction_digits) {
    LocalTimestamp made;
    if (fraction_digits == 0 || !text::make_date_time(date, time_of_day, fraction_digits, made.value_)) {
      return std::unexpected(form_error);
    }
    return made;
  }
  /// Exactly the form above, else what `fault_of` says.
  [[nodiscard]] BANKHOOK_INLINE static constexpr std::expected<LocalTimestamp, Errc> parse(std::string_view text) {
    LocalTimestamp parsed;
    if (!scan(text, parsed)) [[unlikely]]
      return std::unexpected(fault_of(text));
    return parsed;
  }
  /// The usual form, with four fraction digits, from its 24 bytes at `p`; false where `scan` has to look. `out` means
  /// nothing where the result is false.
  [[nodiscard]] BANKHOOK_INLINE static constexpr bool scan_usual(const char* p, LocalTimestamp& out) {
    return text::scan_fast_date_time<' ', ":59.9999">(p, out.value_);
  }
  /// As `parse`, in place; `out` means nothing where the result is false.
  [[nodiscard]] BANKHOOK_INLINE static constexpr bool scan(std::string_view text, LocalTimestamp& out) {
    out.value_.fraction_digits = 0;
    const char* const end = text.data() + text.size();
    const char* const next = text::scan_date_time(text.data(), end, ' ', out.value_);
    return next == end && next != nullptr && out.value_.fraction_digits != 0;
  }
  /// Why `scan` rejects `text`: `nonexistent_date_time` or `fraction_out_of_range` if it has the form, maybe with more than
  /// 9 fraction digits; else `expected_local_timestamp`.
  [[nodiscard]] BANKHOOK_COLD static constexpr Errc fault_of(std::string_view text) {
    constexpr std::string_view form = "9999-99-99 99:99:99";
    if (!text::begins_with_form(text, form)) return form_error;
    const std::string_view rest = text.substr(form.size());
    if (rest.size() < 2 || rest[0] != '.' || rest.find_first_not_of("0123456789", 1) != rest.npos) return form_error;
    text::DateTime whole;
    const char* const end = text.data() + form.size();
    return text::scan_date_time(text.data(), end, ' ', whole) == end ? Errc::fraction_out_of_range
                                                                     : Errc::nonexistent_date_time;
  }

  /// Writes it as it was written and returns the position after. `out` has room for `max_printed` bytes; those after
  /// the text may be written, too.
  BANKHOOK_INLINE constexpr char* print(char* out) const { return text::print_date_time(value_, ' ', out); }
  [[nodiscard]] friend constexpr std::string to_string(const LocalTimestamp& value) {
    char buffer[max_printed]{};
    return {buffer, value.print(buffer)};
  }

  [[nodiscard]] constexpr std::chrono::year_month_day date() const { return value_.date; }
  /// Since midnight, with the fraction.
  [[nodiscard]] constexpr std::chrono::nanoseconds time_of_day() const { return value_.time_of_day(); }
  [[nodiscard]] constexpr int fraction_digits() const { return value_.fraction_digits; }
  /// All of it as it was read, without arithmetic: year to nanosecond.
  [[nodiscard]] constexpr const text::DateTime& fields() const { return value_; }
  /// The whole seconds; `subsecond` is the rest. Their sum is in nanoseconds, whose 64 bits hold the years 1678 to 2261.
  [[nodiscard]] constexpr std::chrono::local_seconds local() const {
    return std::chrono::local_seconds(value_.since_1970());
  }
  [[nodiscard]] constexpr std::chrono::nanoseconds subsecond() const { return std::chrono::nanoseconds(value_.nanosecond); }

  friend constexpr bool operator==(const LocalTimestamp&, const LocalTimestamp&) = default;
  friend constexpr std::weak_ordering operator<=>(const LocalTimestamp&, const LocalTimestamp&) = default;

 private:
  text::DateTime value_;
};

/// How an offset from UTC is spelled.
enum class OffsetForm : std::uint8_t {
  z,                    ///< `Z`
  hours_colon_minutes,  ///< `+02:00`
  hours_minutes,        ///< `+0200`
  hours,                ///< `+02`
  none,                 ///< no offset is written: no instant is named
};

/// 2.4: an ISO 8601 date-time, which here is `YYYY-MM-DDTHH:MM:SS`, optionally followed by a point and a fraction of 1 to 9
/// digits, and optionally by the offset from UTC: `Z`, `±HH:MM`, `±HHMM` or `±HH`, up to 23:59. Fraction digits and
/// the spelling of the offset are kept, even `-00:00`. Equal and ordered by its instant: `10:00:00Z` equals
/// `12:00:00.0+02:00`. One without an offset names no instant, so it equals none that has one; it is ordered as if its
/// clock showed UTC, just before the instant of that time. Rejected (which forms of ISO 8601 a `date` may have is not
/// shown): a second 60 (std::chrono's clock has none), 24:00 (the next day's 00:00 is the same), lower-case `t` and `z`, a
/// comma before the fraction, the year 0000.
class Timestamp {
 public:
  static constexpr std::size_t max_printed = text::date_time_size + 1 + text::max_fraction_digits + 6;
  static constexpr std::size_t fast_size = text::fast_date_time_size;
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
    Timestamp made;
    const bool in_range = offset > -std::chrono::days(1) && offset < std::chrono::days(1);
    const bool has_no_digits = form == OffsetForm::z || form == OffsetForm::none;
    const bool spellable = has_no_digits               ? offset.count() == 0
                           : form == OffsetForm::hours ? offset.count() % 60 == 0
                                                       : true;
    if (!in_range || !spellable || !text::make_date_time(date, time_of_day, fraction_digits, made.value_)) {
      return std::unexpected(form_error);
    }
    made.offset_minutes_ = static_cast<std::int16_t>(offset.count());
    made.form_ = form;
    made.minus_ = offset.count() < 0;
    return made;
  }
  /// Exactly the form above, else what `fault_of` says.
  [[nodiscard]] BANKHOOK_INLINE static constexpr std::expected<Timestamp, Errc> parse(std::string_view text) {
    Timestamp parsed;
    if (!scan(text, parsed)) [[unlikely]]
      return std::unexpected(fault_of(text));
    return parsed;
  }
  /// The usual form, with milliseconds and `Z`, from its 24 bytes at `p`; false where `scan` has to look. `out` is a new
  /// one and means nothing where the result is false.
  [[nodiscard]] BANKHOOK_INLINE static constexpr bool scan_usual(const char* p, Timestamp& out) {
    return text::scan_fast_date_time<'T', ":59.999Z">(p, out.value_);
  }
  /// As `parse`, in place; `out` is a new one and means nothing where the result is false.
  [[nodiscard]] BANKHOOK_INLINE static constexpr bool scan(std::string_view text, Timestamp& out) {
    const char* const end = text.data() + text.size();
    const char* const next = text::scan_date_time(text.data(), end, 'T', out.value_);
    return next != nullptr && out.scan_offset(next, end);
  }
  /// Why `scan` rejects `text`: `nonexistent_date_time` if it has the form; else `expected_timestamp`.
  [[nodiscard]] BANKHOOK_COLD static constexpr Errc fault_of(std::string_view text) {
    constexpr std::string_view form = "9999-99-99T99:99:99";
    if (!text::begins_with_form(text, form)) return form_error;
    const char* const end = text.data() + text.size();
    const char* rest = text.data() + form.size();
    Timestamp after;
    if (rest < end && *rest == '.') rest = text::detail::scan_fraction(rest + 1, end, after.value_);
    return rest != nullptr && after.scan_offset(rest, end) ? Errc::nonexistent_date_time : form_error;
  }

  /// Writes it as it was written and returns the position after. `out` has room for `max_printed` bytes; those after
  /// the text may be written, too.
  BANKHOOK_INLINE constexpr char* print(char* out) const {
    out = text::print_date_time(value_, 'T', out);
    if (form_ == OffsetForm::z) {
      *out++ = 'Z';
      return out;
    }
    if (form_ == OffsetForm::none) return out;
    const auto minutes = static_cast<unsigned>(minus_ ? -offset_minutes_ : offset_minutes_);
    *out++ = minus_ ? '-' : '+';
    out = text::print_pair(minutes / 60, out);
    if (form_ == OffsetForm::hours) return out;
    if (form_ == OffsetForm::hours_colon_minutes) *out++ = ':';
    return text::print_pair(minutes % 60, out);
  }
  [[nodiscard]] friend constexpr std::string to_string(const Timestamp& value) {
    char buffer[max_printed]{};
    return {buffer, value.print(buffer)};
  }

  /// On the clock that the text shows, not on that of UTC; so is `time_of_day`, since midnight with the fraction.
  [[nodiscard]] constexpr std::chrono::year_month_day date() const { return value_.date; }
  [[nodiscard]] constexpr std::chrono::nanoseconds time_of_day() const { return value_.time_of_day(); }
  [[nodiscard]] constexpr int fraction_digits() const { return value_.fraction_digits; }
  /// All of it as it was read, without arithmetic: year to nanosecond.
  [[nodiscard]] constexpr const text::DateTime& fields() const { return value_; }
  /// 0 if none is written.
  [[nodiscard]] constexpr std::chrono::minutes offset() const { return std::chrono::minutes(offset_minutes_); }
  [[nodiscard]] constexpr bool has_offset() const { return form_ != OffsetForm::none; }
  [[nodiscard]] constexpr OffsetForm offset_form() const { return form_; }
  /// Whether the offset is written with a minus: for `-00:00`, its minutes do not say so.
  [[nodiscard]] constexpr bool has_minus() const { return minus_; }
  /// The same instant with an offset of 0, if it is spelled in digits, written as `-00:00`. Any other is unchanged.
  [[nodiscard]] constexpr Timestamp with_minus_zero() const {
    Timestamp changed = *this;
    changed.minus_ = minus_ || (offset_minutes_ == 0 && form_ != OffsetForm::z && has_offset());
    return changed;
  }
  /// The whole seconds of the instant, if an offset is written; `subsecond` is the rest, never negative. Their sum is in
  /// nanoseconds, whose 64 bits hold the years 1678 to 2261.
  [[nodiscard]] constexpr std::optional<std::chrono::sys_seconds> utc() const {
    if (!has_offset()) return std::nullopt;
    return std::chrono::sys_seconds(value_.since_1970() - offset());
  }
  /// The whole seconds on the clock that the text shows.
  [[nodiscard]] constexpr std::chrono::local_seconds local() const {
    return std::chrono::local_seconds(value_.since_1970());
  }
  [[nodiscard]] constexpr std::chrono::nanoseconds subsecond() const { return std::chrono::nanoseconds(value_.nanosecond); }

  friend constexpr bool operator==(const Timestamp& left, const Timestamp& right) { return (left <=> right) == 0; }
  friend constexpr std::weak_ordering operator<=>(const Timestamp& left, const Timestamp& right) {
    if (left.offset_minutes_ == right.offset_minutes_) {
      if (const auto by_clock = left.value_ <=> right.value_; by_clock != 0) return by_clock;
    } else {
      if (const auto by_second = left.local() - left.offset() <=> right.local() - right.offset(); by_second != 0)
        return by_second;
      if (const auto by_rest = left.subsecond() <=> right.subsecond(); by_rest != 0) return by_rest;
    }
    return left.has_offset() <=> right.has_offset();
  }

 private:
  /// The offset is everything between `p` and `end`; if that is empty, no offset is written.
  [[nodiscard]] BANKHOOK_INLINE constexpr bool scan_offset(const char* p, const char* end) {
    const std::ptrdiff_t size = end - p;
    if (size == 1) return *p == 'Z';
    if (size == 0) {
      form_ = OffsetForm::none;
      return true;
    }
    if ((size != 3 && size != 5 && size != 6) || (*p != '+' && *p != '-')) return false;
    form_ = size == 3 ? OffsetForm::hours : size == 5 ? OffsetForm::hours_minutes : OffsetForm::hours_colon_minutes;
    minus_ = *p == '-';
    if (!text::is_digit(p[1]) || !text::is_digit(p[2])) return false;
    const int hours = (p[1] - '0') * 10 + (p[2] - '0');
    int minutes = 0;
    if (size > 3) {
      if ((size == 6 && p[3] != ':') || !text::is_digit(end[-2]) || !text::is_digit(end[-1])) return false;
      minutes = (end[-2] - '0') * 10 + (end[-1] - '0');
    }
    const int offset = hours * 60 + minutes;
    offset_minutes_ = static_cast<std::int16_t>(minus_ ? -offset : offset);
    return hours < 24 && minutes < 60;
  }

  text::DateTime value_;
  std::int16_t offset_minutes_ = 0;
  OffsetForm form_ = OffsetForm::z;
  bool minus_ = false;  ///< of its own, because `-00:00` has one, too
};

static_assert(sizeof(LocalTimestamp) <= 16 && sizeof(Timestamp) <= 16);

}  // namespace bankhook::inline BANKHOOK_ABI

/// By its time, as `==`.
template <>
struct std::hash<bankhook::LocalTimestamp> {
  [[nodiscard]] std::size_t operator()(const bankhook::LocalTimestamp& value) const noexcept {
    return bankhook::text::hash_of(value.local().time_since_epoch(), value.subsecond());
  }
};

/// Hashes its instant, as `==` compares it, or its clock if it names no instant.
template <>
struct std::hash<bankhook::Timestamp> {
  [[nodiscard]] std::size_t operator()(const bankhook::Timestamp& value) const noexcept {
    return bankhook::text::hash_of((value.local() - value.offset()).time_since_epoch(), value.subsecond());
  }
};
