// SPDX-License-Identifier: MIT
// What can be wrong with a payload: one code a fault, each with its sentence; errors are values and carry no payload text.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/format.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// The first fault that the quick reader met. `expected_*` say what the specification lists for the field.
enum class Errc : std::uint8_t {
  none,
  // the text is not JSON (RFC 8259)
  truncated,
  trailing_text,
  expected_value,
  expected_field_name,
  expected_colon,
  expected_comma_or_brace,
  expected_comma_or_bracket,
  invalid_number,
  invalid_utf8,
  invalid_escape,
  lone_surrogate,
  control_character,
  nested_too_deeply,
  // the text is JSON, but not what the specification lists
  repeated_field,
  missing_field,
  expected_object,
  expected_array,
  expected_string,
  expected_boolean,
  expected_number,
  expected_integer,
  expected_count,
  expected_date,
  expected_local_timestamp,
  expected_timestamp,
  nonexistent_date_time,
  wrong_event,
  // the value is right, but more than the type holds
  decimal_out_of_range,
  integer_out_of_range,
  fraction_out_of_range,
  out_of_memory,
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

/// What a code says: as one sentence, and in its two parts. `found` is empty if only the payload shows it. Static storage.
struct ErrcWords {
  std::string_view sentence{};
  std::string_view expected{};
  std::string_view found{};
};

template <FixedString expected, FixedString... found>
inline constexpr auto error_sentence =
    join_literals(FixedString("expected "), expected, join_literals(FixedString(", found "), found)...);

template <FixedString... found>
inline constexpr std::string_view found_or_nothing = [] {
  std::string_view text;
  ((text = found.view()), ...);
  return text;
}();

/// What was expected, and what was found, if that is the same in every payload.
template <FixedString expected, FixedString... found>
inline constexpr ErrcWords expects{error_sentence<expected, found...>.view(), expected.view(), found_or_nothing<found...>};

/// The words of a code, for people; the only place that has them.
[[nodiscard]] constexpr ErrcWords words_of(Errc code) {
  switch (code) {
    case Errc::none: return {"no error", "", ""};
    case Errc::truncated: return expects<"the rest of the value", "the end of the text">;
    case Errc::trailing_text: return expects<"the end of the text", "more text">;
    case Errc::expected_value: return expects<"a JSON value">;
    case Errc::expected_field_name: return expects<"a field name in quotes">;
    case Errc::expected_colon: return expects<"':' after the field name">;
    case Errc::expected_comma_or_brace: return expects<"',' or '}' after the field">;
    case Errc::expected_comma_or_bracket: return expects<"',' or ']' after the element">;
    case Errc::invalid_number: return expects<"a valid JSON number">;
    case Errc::invalid_utf8: return expects<"well-formed UTF-8", "other bytes">;
    case Errc::invalid_escape: return expects<"one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", "another escape">;
    case Errc::lone_surrogate: return expects<"a surrogate pair", "half of one">;
    case Errc::control_character: return expects<"control characters in a string to be escaped", "one that is not">;
    case Errc::nested_too_deeply: return expects<"at most 1024 levels of nesting", "more">;
    case Errc::repeated_field: return expects<"each field once", "it again">;
    case Errc::missing_field: return {"a required field is missing", "the field ", "nothing"};
    case Errc::expected_object: return expects<"object">;
    case Errc::expected_array: return expects<"array">;
    case Errc::expected_string: return expects<"string">;
    case Errc::expected_boolean: return expects<"true or false">;
    case Errc::expected_number: return expects<"number">;
    case Errc::expected_integer: return expects<"integer">;
    case Errc::expected_count: return expects<"count (an integer from 0)">;
    case Errc::expected_date: return expects<"date YYYY-MM-DD">;
    case Errc::expected_local_timestamp: return expects<"date and time YYYY-MM-DD HH:MM:SS.ffff">;
    case Errc::expected_timestamp: return expects<"ISO 8601 date-time YYYY-MM-DDTHH:MM:SS">;
    case Errc::nonexistent_date_time: return expects<"a date or time that exists", "one that does not">;
    case Errc::wrong_event: return expects<"another event", "one of another name">;
    case Errc::decimal_out_of_range: return expects<"a decimal whose digits fit 64 bits with a sign", "more digits">;
    case Errc::integer_out_of_range: return expects<"an integer that its type can hold", "a larger one">;
    case Errc::fraction_out_of_range: return expects<"at most 9 fraction digits", "more">;
    case Errc::out_of_memory: return {"no memory for the value", "memory for the value", "nothing"};
  }
  return {"unknown error", "", ""};
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// The sentence of a code: `expected a surrogate pair, found half of one`. Static storage.
[[nodiscard]] constexpr std::string_view to_string(Errc code) { return detail::words_of(code).sentence; }

/// A fault and its place. Holds no text of the payload, so it outlives it and can be logged.
struct Error {
  Errc code = Errc::none;
  bool or_null = false;      ///< null would have been right, too
  std::size_t offset = 0;    ///< bytes from the start of the payload, at most its size
  std::string_view field{};  ///< wire name of the field that is missing or repeated, else empty; static storage

  constexpr bool operator==(const Error&) const = default;
};

/// One line: the sentence of its code, the field if it has one, and the offset; `explain` says more:
/// `a required field is missing: amount at byte 112`.
[[nodiscard]] inline std::string to_string(const Error& error) {
  std::string line(to_string(error.code));
  if (error.or_null) line += " or null";
  if (!error.field.empty()) line.append(": ").append(error.field);
  return line.append(" at byte ").append(std::to_string(error.offset));
}

}  // namespace bankhook::inline BANKHOOK_ABI
