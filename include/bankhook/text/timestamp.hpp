// SPDX-License-Identifier: MIT
// LocalTimestamp (spec 2.2 consentExpiresAt) and Timestamp (spec 2.4 date): as they were written, compared by time.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/text/calendar.hpp>
#include <bankhook/text/number.hpp>

#include <algorithm>
#include <chrono>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// How an offset from UTC is spelled.
enum class OffsetForm : std::uint8_t {
  z,                    ///< `Z`
  hours_colon_minutes,  ///< `+02:00`
  hours_minutes,        ///< `+0200`
  hours,                ///< `+02`
  none,                 ///< no offset is written: no instant is named
};

}}  // namespace bankhook::BANKHOOK_STRUCTS

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace text {

/// What both date-times are: a date, the separator, the time of day, a fraction as it was written and, in a Timestamp, an
/// offset from UTC.
template <class Self, char separator>
class WrittenDateTime {
 public:
  static constexpr std::size_t fast_size = 24;  ///< of both usual forms, with `.ffff` and with `.fffZ`

  /// Exactly the form of the type, else what `fault_of` says.
  [[nodiscard]] BANKHOOK_INLINE static constexpr std::expected<Self, Errc> parse(std::string_view text) {
    Self parsed;
    if (scan(text, parsed)) return parsed;
    return std::unexpected(fault_of(text));
  }
  /// As `parse`, in place; `out` is a new one and means nothing where the result is false.
  [[nodiscard]] BANKHOOK_INLINE static constexpr bool scan(std::string_view text, Self& out) {
    const char* const p = text.data();
    if (text.size() < date_time_size || !out.scan_to_minute(p) || !begins_with_form(text.substr(16), ":99")) return false;
    out.value_.second = static_cast<std::uint8_t>((p[17] - '0') * 10 + (p[18] - '0'));
    return out.value_.second < 60 && out.scan_rest(p + date_time_size, p + text.size());
  }
  /// The usual form, from its 24 bytes at `p`: three words of digits in fixed places. False where `scan` has to look.
  /// `out` is a new one and means nothing where the result is false.
  [[nodiscard]] BANKHOOK_INLINE static constexpr bool scan_usual(const char* p, Self& out) {
    constexpr FixedString tail(is_local ? ":59.9999" : ":59.999Z");
    DigitPairs pairs = 0;
    if (!out.scan_to_minute(p) || !scan_form<tail>(p + 16, pairs)) return false;
    out.value_.second = static_cast<std::uint8_t>(pair_at(pairs, 1));
    out.value_.fraction_digits = is_local ? 4 : 3;
    out.value_.nanosecond = pair_at(pairs, 4) * 10'000'000 + pair_at(pairs, 6) * 100'000;
    return true;
  }
  /// Why `scan` rejects `text`: `nonexistent_date_time` if it has the form; `fraction_out_of_range` for a LocalTimestamp
  /// with more than 9 fraction digits; else the `form_error`.
  [[nodiscard]] BANKHOOK_COLD static constexpr Errc fault_of(std::string_view text) {
    if (!begins_with_form(text, is_local ? "9999-99-99 99:99:99" : "9999-99-99T99:99:99")) return Self::form_error;
    Self after;
    if (after.scan_rest(text.data() + date_time_size, text.data() + text.size())) return Errc::nonexistent_date_time;
    constexpr std::size_t longest = date_time_size + 1 + max_fraction_digits;
    const bool has_many_digits = text.size() > longest && std::all_of(text.begin() + longest, text.end(), is_digit) &&
                                 after.scan_rest(text.data() + date_time_size, text.data() + longest);
    if (!is_local || !has_many_digits) return Self::form_error;
    return scan(text.substr(0, longest), after) ? Errc::fraction_out_of_range : Errc::nonexistent_date_time;
  }

  /// Writes it as it was written and returns the position after. `out` has room for `max_printed` bytes; those after
  /// the text may be written, too.
  BANKHOOK_INLINE constexpr char* print(char* out) const {
    out = print_date(value_.date, out);
    *out++ = separator;
    out = print_pair(value_.hour, out);
    *out++ = ':';
    out = print_pair(value_.minute, out);
    *out++ = ':';
    out = print_pair(value_.second, out);
    if (value_.fraction_digits != 0) {
      *out++ = '.';
      store8(eight_digits_of(value_.nanosecond / 10) | every_byte * '0', out);
      out[8] = static_cast<char>('0' + value_.nanosecond % 10);
      out += value_.fraction_digits;
    }
    return is_local ? out : print_offset(out);
  }
  [[nodiscard]] friend constexpr std::string to_string(const Self& value) {
    char buffer[Self::max_printed]{};
    return {buffer, value.print(buffer)};
  }

  /// On the clock that the text shows, not on that of UTC; so is `time_of_day`, since midnight with the fraction.
  [[nodiscard]] constexpr std::chrono::year_month_day date() const { return value_.date; }
  [[nodiscard]] constexpr std::chrono::nanoseconds time_of_day() const { return value_.whole_seconds() + subsecond(); }
  [[nodiscard]] constexpr int fraction_digits() const { return value_.fraction_digits; }
  /// All of it as it was read, without arithmetic: year to nanosecond.
  [[nodiscard]] constexpr const DateTime& fields() const { return value_; }
  /// The whole seconds on the clock that the text shows; `subsecond` is the rest, never negative. Their sum is in
  /// nanoseconds, whose 64 bits hold the years 1678 to 2261.
  [[nodiscard]] constexpr std::chrono::local_seconds local() const {
    return std::chrono::local_days(value_.date) + value_.whole_seconds();
  }
  [[nodiscard]] constexpr std::chrono::nanoseconds subsecond() const { return std::chrono::nanoseconds(value_.nanosecond); }

  friend constexpr bool operator==(const Self& left, const Self& right) { return (left <=> right) == 0; }
  friend constexpr std::weak_ordering operator<=>(const Self& left, const Self& right) {
    if (const auto by_second = left.instant() <=> right.instant(); by_second != 0) return by_second;
    if (const auto by_rest = left.subsecond() <=> right.subsecond(); by_rest != 0) return by_rest;
    return (left.form_ != OffsetForm::none) <=> (right.form_ != OffsetForm::none);
  }
  /// Hashes its instant, as `==` compares it, or its clock if it names no instant.
  [[nodiscard]] std::size_t hash() const noexcept {
    auto bits = static_cast<std::uint64_t>(instant().time_since_epoch().count()) * 1'000'000'000 + value_.nanosecond;
    bits = (bits ^ bits >> 32) * 0x9E3779B97F4A7C15;  // moments differ in few bits, tables may look at the low ones
    return std::hash<std::uint64_t>{}(bits ^ bits >> 32);
  }

 protected:
  static constexpr bool is_local = separator == ' ';

  /// The parts put together. `form_error` if the form cannot hold them exactly: no such date, a year beyond four digits, a
  /// time that is not inside a day, a fraction with more digits than `fraction_digits`, an offset that is not inside a day
  /// or has another spelling.
  [[nodiscard]] static constexpr std::expected<Self, Errc> put_together(std::chrono::year_month_day date,
                                                                        std::chrono::nanoseconds time_of_day,
                                                                        int fraction_digits, std::chrono::minutes offset,
                                                                        OffsetForm form) {
    using namespace std::chrono;
    const bool is_zero = form == OffsetForm::z || form == OffsetForm::none;
    const minutes spelled = is_zero ? minutes(0) : form == OffsetForm::hours ? floor<hours>(offset) : offset;
    const bool fits = offset == spelled && offset > -days(1) && offset < days(1) && is_writable_date(date) &&
                      time_of_day >= nanoseconds(0) && time_of_day < days(1) && fraction_digits >= (is_local ? 1 : 0) &&
                      fraction_digits <= 9;
    if (!fits) return std::unexpected(Self::form_error);
    const hh_mm_ss clock(time_of_day);
    const auto nanosecond = static_cast<std::uint32_t>(clock.subseconds().count());
    if (nanosecond % powers_of_ten[max_fraction_digits - static_cast<std::size_t>(fraction_digits)] != 0)
      return std::unexpected(Self::form_error);
    const auto byte = [](auto part) { return static_cast<std::uint8_t>(part.count()); };
    Self made;
    made.value_ = {date, byte(clock.hours()), byte(clock.minutes()), byte(clock.seconds()), 0, nanosecond};
    made.value_.fraction_digits = static_cast<std::uint8_t>(fraction_digits);
    made.offset_minutes_ = static_cast<std::int16_t>(offset.count());
    made.form_ = form;
    made.minus_ = offset.count() < 0;
    return made;
  }

  /// The whole seconds at UTC, or on the clock that the text shows if no offset is written.
  [[nodiscard]] constexpr std::chrono::sys_seconds instant() const {
    return std::chrono::sys_seconds((local() - std::chrono::minutes(offset_minutes_)).time_since_epoch());
  }

  DateTime value_;
  std::int16_t offset_minutes_ = 0;
  OffsetForm form_ = is_local ? OffsetForm::none : OffsetForm::z;
  bool minus_ = false;  ///< of its own, because `-00:00` has one, too

 private:
  /// The 16 bytes `YYYY-MM-DDTHH:MM` at `p`: two words of digits in fixed places. A day has no hour 24 here.
  [[nodiscard]] BANKHOOK_INLINE constexpr bool scan_to_minute(const char* p) {
    constexpr FixedString day_and_clock(is_local ? "39 29:59" : "39T29:59");
    DigitPairs date = 0, clock = 0;
    if (!scan_form<"9999-19-">(p, date) || !scan_form<day_and_clock>(p + 8, clock)) return false;
    value_.hour = static_cast<std::uint8_t>(pair_at(clock, 3));
    value_.minute = static_cast<std::uint8_t>(pair_at(clock, 6));
    return make_date(date, pair_at(clock, 0), value_.date) && value_.hour < 24;
  }
  /// The fraction and the offset, everything from `p` to `end`.
  [[nodiscard]] BANKHOOK_INLINE constexpr bool scan_rest(const char* p, const char* end) {
    value_.fraction_digits = 0;
    if (p < end && *p == '.') p = scan_fraction(p + 1, end);
    if (p == nullptr) return false;
    return is_local ? p == end && value_.fraction_digits != 0 : scan_offset(p, end);
  }
  /// The 1 to 9 digits after the point; nullptr without any. A tenth digit is left: no form has a digit there, so the
  /// caller rejects the text.
  [[nodiscard]] constexpr const char* scan_fraction(const char* p, const char* end) {
    std::size_t count = 0;
    std::uint64_t fraction = 0;
    for (; p < end && is_digit(*p) && count < max_fraction_digits; ++p, ++count)
      fraction = fraction * 10 + static_cast<std::uint64_t>(*p - '0');
    value_.fraction_digits = static_cast<std::uint8_t>(count);
    value_.nanosecond = static_cast<std::uint32_t>(fraction * powers_of_ten[max_fraction_digits - count]);
    return count == 0 ? nullptr : p;
  }
  /// The offset is everything between `p` and `end`; if that is empty, no offset is written.
  [[nodiscard]] BANKHOOK_INLINE constexpr bool scan_offset(const char* p, const char* end) {
    const std::ptrdiff_t size = end - p;
    if (size == 1) return *p == 'Z';
    form_ = size == 0   ? OffsetForm::none
            : size == 3 ? OffsetForm::hours
            : size == 5 ? OffsetForm::hours_minutes
                        : OffsetForm::hours_colon_minutes;
    if (size == 0) return true;
    minus_ = *p == '-';
    const std::string_view digits(p + 1, end);
    const std::string_view form = size == 3 ? "99" : size == 5 ? "9999" : "99:99";
    if ((!minus_ && *p != '+') || digits.size() != form.size() || !begins_with_form(digits, form)) return false;
    const int hours = (p[1] - '0') * 10 + (p[2] - '0');
    const int minutes = size == 3 ? 0 : (end[-2] - '0') * 10 + (end[-1] - '0');
    const int offset = hours * 60 + minutes;
    offset_minutes_ = static_cast<std::int16_t>(minus_ ? -offset : offset);
    return hours < 24 && minutes < 60;
  }
  BANKHOOK_INLINE constexpr char* print_offset(char* out) const {
    if (form_ == OffsetForm::z) *out++ = 'Z';
    if (form_ == OffsetForm::z || form_ == OffsetForm::none) return out;
    const auto minutes = static_cast<unsigned>(minus_ ? -offset_minutes_ : offset_minutes_);
    *out++ = minus_ ? '-' : '+';
    out = print_pair(minutes / 60, out);
    if (form_ == OffsetForm::hours) return out;
    if (form_ == OffsetForm::hours_colon_minutes) *out++ = ':';
    return print_pair(minutes % 60, out);
  }
};

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::text

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// 2.2: `YYYY-MM-DD HH:MM:SS.ffff`. No zone is given and none is added: two of them can be compared with each other, not
/// with an instant. The form has four fraction digits; whether there may be others is not stated, so 1 to 9 are read; how
/// many there were is kept. Equal and ordered by its time (`.10` equals `.1`). Rejected: no fraction, a `T`, a second 60,
/// 24:00, the year 0000.
class LocalTimestamp : public detail::text::WrittenDateTime<LocalTimestamp, ' '> {
 public:
  static constexpr std::size_t max_printed = detail::text::date_time_size + 1 + detail::text::max_fraction_digits;
  static constexpr Errc form_error = Errc::expected_local_timestamp;
  static constexpr int spelled_digits = 4;  ///< of the fraction, as the form has them: `ffff`

  /// No day: it is written as `0000-00-00 00:00:00.0`, which `parse` rejects and `check` finds.
  BANKHOOK_OWN constexpr LocalTimestamp() { value_.fraction_digits = 1; }

  /// `expected_local_timestamp` unless the date exists in years 1 to 9999, the time lies inside a day and its fraction
  /// is whole in `fraction_digits` digits, 1 to 9: nothing is rounded.
  BANKHOOK_OWN [[nodiscard]] static constexpr std::expected<LocalTimestamp, Errc> make(std::chrono::year_month_day date,
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
class Timestamp : public detail::text::WrittenDateTime<Timestamp, 'T'> {
 public:
  static constexpr std::size_t max_printed = detail::text::date_time_size + 1 + detail::text::max_fraction_digits + 6;
  static constexpr Errc form_error = Errc::expected_timestamp;

  /// No day: it is written as `0000-00-00T00:00:00Z`, which `parse` rejects and `check` finds.
  BANKHOOK_OWN constexpr Timestamp() = default;

  /// `date` and `time_of_day` are those of a clock that is ahead of UTC by `offset`. `expected_timestamp` unless the
  /// date exists in years 1 to 9999, the time lies inside a day, its fraction is whole in `fraction_digits` digits,
  /// 0 to 9, and the offset is at most 23:59 and can be spelled in `form`: `z` and `none` spell 0 only.
  BANKHOOK_OWN [[nodiscard]] static constexpr std::expected<Timestamp, Errc> make(
      std::chrono::year_month_day date, std::chrono::nanoseconds time_of_day, int fraction_digits,
      std::chrono::minutes offset, OffsetForm form = OffsetForm::hours_colon_minutes) {
    return put_together(date, time_of_day, fraction_digits, offset, form);
  }

  /// 0 if none is written.
  BANKHOOK_OWN [[nodiscard]] constexpr std::chrono::minutes offset() const { return std::chrono::minutes(offset_minutes_); }
  BANKHOOK_OWN [[nodiscard]] constexpr bool has_offset() const { return form_ != OffsetForm::none; }
  BANKHOOK_OWN [[nodiscard]] constexpr OffsetForm offset_form() const { return form_; }
  /// Whether the offset is written with a minus: for `-00:00`, its minutes do not say so.
  BANKHOOK_OWN [[nodiscard]] constexpr bool has_minus() const { return minus_; }
  /// The whole seconds of the instant, if an offset is written; `subsecond` is the rest.
  BANKHOOK_OWN [[nodiscard]] constexpr std::optional<std::chrono::sys_seconds> utc() const {
    return has_offset() ? std::optional(instant()) : std::nullopt;
  }
};

static_assert(sizeof(LocalTimestamp) <= 16 && sizeof(Timestamp) <= 16);

}}  // namespace bankhook::BANKHOOK_STRUCTS
