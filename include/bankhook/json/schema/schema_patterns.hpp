// SPDX-License-Identifier: MIT
// The forms of dates and times as regular expressions that match exactly what is read: days that exist, and clock times.
#pragma once

#include <bankhook/base/fixed_string.hpp>
#include <bankhook/text/timestamp.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>

// Validators check `format` only on request, and `pattern` always. The patterns keep to what ECMA-262, RE2, Rust
// and Python read alike: classes, groups, alternatives, counts and anchors. Backslashes are doubled: this is JSON.
namespace bankhook::inline BANKHOOK_ABI::json::detail {

/// The two digits of 04, 08 ... 96.
inline constexpr FixedString four_to_ninety_six = "(0[48]|[2468][048]|[13579][26])";
/// 0001 to 9999.
inline constexpr FixedString a_year = "([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)";
inline constexpr FixedString days_of_any_year =
    "-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])"
    "|(0[469]|11)-(0[1-9]|[12][0-9]|30)"
    "|02-(0[1-9]|1[0-9]|2[0-8]))";
inline constexpr FixedString leap_day = join_literals(FixedString("([0-9]{2}"), four_to_ninety_six, FixedString("|"),
                                                      four_to_ninety_six, FixedString("00)-02-29"));

inline constexpr FixedString a_date =
    join_literals(FixedString("("), a_year, days_of_any_year, FixedString("|"), leap_day, FixedString(")"));
inline constexpr FixedString a_clock_time = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]";
inline constexpr FixedString a_fraction = "\\\\.[0-9]{1,9}";
inline constexpr FixedString an_offset_if_any = "(Z|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)?";

template <std::size_t... N>
consteval auto pattern(const FixedString<N>&... parts) {
  return join_literals(FixedString(R"(,"pattern":"^)"), parts..., FixedString(R"($")"));
}

inline constexpr auto date_keywords = join_literals(FixedString(R"(,"format":"date")"), pattern(a_date));

template <class T>
consteval auto pattern_of_form() {
  if constexpr (std::is_same_v<T, LocalTimestamp>) return pattern(a_date, FixedString(" "), a_clock_time, a_fraction);
  else if constexpr (std::is_same_v<T, Timestamp>) {
    return pattern(a_date, FixedString("T"), a_clock_time, FixedString("("), a_fraction, FixedString(")?"),
                   an_offset_if_any);
  } else if constexpr (requires { T::pattern; }) return pattern(T::pattern);
  else return FixedString("");
}

template <QuotedForm T>
inline constexpr auto form_pattern = pattern_of_form<T>();
template <QuotedForm T>
inline constexpr std::string_view form_keywords = form_pattern<T>.view();

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail
