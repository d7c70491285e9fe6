// SPDX-License-Identifier: MIT
// What can be wrong with a payload: one code a fault, each with its sentence; errors are values and carry no payload text.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/enumerators.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

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
  exponent_out_of_range,
  integer_out_of_range,
  fraction_out_of_range,
  out_of_memory,
};

/// A fault and its place. Holds no text of the payload, so it outlives it and can be logged.
struct Error {
  Errc code = Errc::none;
  bool or_null = false;    ///< null would have been right, too
  std::size_t offset = 0;  ///< bytes from the start of the payload or its byte order mark, at most its size
  /// Wire name of the field that is wrong, missing or repeated, else of the listed field around the place; empty without
  /// such a field, and if the text is cut. Static storage.
  std::string_view field{};

  BANKHOOK_OWN constexpr bool operator==(const Error&) const = default;
};

}}  // namespace bankhook::BANKHOOK_STRUCTS

namespace bankhook { inline namespace BANKHOOK_ABI {

/// The sentence of a code, for people: `expected a surrogate pair, found half of one`. Static storage.
[[nodiscard]] constexpr std::string_view to_string(Errc code) {
  switch (code) {
    case Errc::none: return "no error";
    case Errc::truncated: return "expected the rest of the value, found the end of the text";
    case Errc::trailing_text: return "expected the end of the text, found more text";
    case Errc::expected_value: return "expected a JSON value";
    case Errc::expected_field_name: return "expected a field name in quotes";
    case Errc::expected_colon: return "expected ':' after the field name";
    case Errc::expected_comma_or_brace: return "expected ',' or '}' after the field";
    case Errc::expected_comma_or_bracket: return "expected ',' or ']' after the element";
    case Errc::invalid_number: return "expected a valid JSON number";
    case Errc::invalid_utf8: return "expected well-formed UTF-8, found other bytes";
    case Errc::invalid_escape: return "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX, found another escape";
    case Errc::lone_surrogate: return "expected a surrogate pair, found half of one";
    case Errc::control_character: return "expected control characters in a string to be escaped, found one that is not";
    case Errc::nested_too_deeply: return "expected at most 1024 levels of nesting, found more";
    case Errc::repeated_field: return "expected each field once, found it again";
    case Errc::missing_field: return "a required field is missing";
    case Errc::expected_object: return "expected object";
    case Errc::expected_array: return "expected array";
    case Errc::expected_string: return "expected string";
    case Errc::expected_boolean: return "expected true or false";
    case Errc::expected_number: return "expected number";
    case Errc::expected_integer: return "expected integer";
    case Errc::expected_count: return "expected count (an integer from 0)";
    case Errc::expected_date: return "expected date YYYY-MM-DD";
    case Errc::expected_local_timestamp: return "expected date and time YYYY-MM-DD HH:MM:SS.ffff";
    case Errc::expected_timestamp: return "expected ISO 8601 date-time YYYY-MM-DDTHH:MM:SS";
    case Errc::nonexistent_date_time: return "expected a date or time that exists, found one that does not";
    case Errc::wrong_event: return "expected another event, found one of another name";
    case Errc::decimal_out_of_range: return "expected a decimal whose digits fit 64 bits with a sign, found more digits";
    case Errc::exponent_out_of_range:
      return "expected a decimal of at most 38 digits when it is written without an exponent, found a longer one";
    case Errc::integer_out_of_range: return "expected an integer that its type can hold, found a larger one";
    case Errc::fraction_out_of_range: return "expected at most 9 fraction digits, found more";
    case Errc::out_of_memory: return "no memory for the value";
  }
  return "unknown error";
}

namespace detail {

/// The two parts of what a code says. `found` is empty if only the payload shows it. Static storage.
struct ErrcWords {
  std::string_view expected{};
  std::string_view found{};
};

[[nodiscard]] constexpr ErrcWords words_of(Errc code) {
  if (code == Errc::missing_field) return {"the field ", "nothing"};
  if (code == Errc::out_of_memory) return {"memory for the value", "nothing"};
  constexpr std::string_view before = "expected ", between = ", found ";
  std::string_view sentence = to_string(code);
  if (!sentence.starts_with(before)) return {};
  sentence.remove_prefix(before.size());
  const std::size_t end = sentence.find(between);
  return end == sentence.npos ? ErrcWords{sentence}
                              : ErrcWords{sentence.substr(0, end), sentence.substr(end + between.size())};
}

}  // namespace detail

/// One line: the sentence of its code, the field if it has one, and the offset; `explain` says more:
/// `a required field is missing: amount at byte 112`.
[[nodiscard]] inline std::string to_string(const Error& error) {
  std::string line(to_string(error.code));
  if (error.or_null) line += " or null";
  if (!error.field.empty()) line.append(": ").append(error.field);
  return line.append(" at byte ").append(std::to_string(error.offset));
}

}}  // namespace bankhook::BANKHOOK_ABI
