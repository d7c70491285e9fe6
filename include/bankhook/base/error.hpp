// SPDX-License-Identifier: MIT
// What can be wrong with a payload: one code a fault, each with its sentence; errors are values and carry no payload text.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook {

/// The first fault that the quick reader met. `expected_*` say what the specification lists for the member.
enum class Errc : std::uint8_t {
  none,
  // the text is not JSON (RFC 8259)
  truncated,
  trailing_text,
  expected_value,
  expected_member_name,
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
  repeated_member,
  missing_member,
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
  wrong_event,
  // the value is right, but more than the type holds
  decimal_out_of_range,
  integer_out_of_range,
  out_of_memory,
};

/// The sentence of a code, for people. Static storage.
[[nodiscard]] constexpr std::string_view message(Errc code) {
  switch (code) {
    case Errc::none: return "no error";
    case Errc::truncated: return "the text ends before the value does";
    case Errc::trailing_text: return "expected the end of the text";
    case Errc::expected_value: return "expected a JSON value";
    case Errc::expected_member_name: return "expected a member name in quotes";
    case Errc::expected_colon: return "expected ':' behind the member name";
    case Errc::expected_comma_or_brace: return "expected ',' or '}' behind the member";
    case Errc::expected_comma_or_bracket: return "expected ',' or ']' behind the element";
    case Errc::invalid_number: return "expected a number by the grammar of JSON";
    case Errc::invalid_utf8: return "expected well-formed UTF-8";
    case Errc::invalid_escape: return "expected one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX";
    case Errc::lone_surrogate: return "expected a surrogate pair, found half of one";
    case Errc::control_character: return "expected control characters in a string to be escaped";
    case Errc::nested_too_deeply: return "expected at most 1024 levels of nesting";
    case Errc::repeated_member: return "expected each member once, found it again";
    case Errc::missing_member: return "a required member is missing";
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
    case Errc::wrong_event: return "expected another event";
    case Errc::decimal_out_of_range: return "expected a decimal whose digits fit 64 bits";
    case Errc::integer_out_of_range: return "expected an integer that its type can hold";
    case Errc::out_of_memory: return "no memory for the value";
  }
  return "unknown error";
}

/// A fault and its place. Holds no text of the payload, so it outlives it and can be logged.
struct Error {
  Errc code = Errc::none;
  bool or_null = false;       ///< null would have been right, too
  std::size_t offset = 0;     ///< bytes from the begin of the payload, at most its size
  std::string_view member{};  ///< wire name of the member that is missing or repeated, else empty; static storage

  /// The sentence of the code; `explain` adds the place.
  [[nodiscard]] constexpr std::string_view message() const { return bankhook::message(code); }
  constexpr bool operator==(const Error&) const = default;
};

}  // namespace bankhook
