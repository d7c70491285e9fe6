// SPDX-License-Identifier: MIT
// How a fault is worded for people: what was expected, what was found, and where; never a value from the payload.
#pragma once

#include <bankhook/base/error.hpp>
#include <bankhook/json/place.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::json {

/// The kind of the value that begins with this character; empty if none does.
[[nodiscard]] constexpr std::string_view kind_of(char first) {
  switch (first) {
    case '"': return "string";
    case '{': return "object";
    case '[': return "array";
    case 't':
    case 'f': return "boolean";
    case 'n': return "null";
    default: return first == '-' || (first >= '0' && first <= '9') ? "number" : "";
  }
}

/// What stands at `offset`, by its kind: `number`, `','`, `the end of the text`.
[[nodiscard]] constexpr std::string_view token_at(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return "the end of the text";
  switch (text[offset]) {
    case ',': return "','";
    case ':': return "':'";
    case ']': return "']'";
    case '}': return "'}'";
    default: break;
  }
  const std::string_view kind = kind_of(text[offset]);
  const bool is_word = kind == "null" || kind == "boolean";
  const std::string_view rest = text.substr(offset);
  const bool is_whole = rest.starts_with("true") || rest.starts_with("false") || rest.starts_with("null");
  return kind.empty() || (is_word && !is_whole) ? "no JSON" : kind;
}

}  // namespace bankhook::json

namespace bankhook::json::detail {

/// The sentence of a code in its two parts: `expected ..., found ...`.
constexpr std::string_view expected_part(Errc code) {
  constexpr std::string_view opening = "expected ";
  const std::string_view sentence = message(code);
  if (!sentence.starts_with(opening)) return "";
  return sentence.substr(opening.size(), sentence.find(", found ") - opening.size());
}
constexpr std::string_view found_part(Errc code) {
  constexpr std::string_view middle = ", found ";
  const std::string_view sentence = message(code);
  const std::size_t at = sentence.find(middle);
  return at == std::string_view::npos ? "" : sentence.substr(at + middle.size());
}

/// What was found where the place does not show it.
constexpr std::string_view found_by_code(Errc code) {
  switch (code) {
    case Errc::truncated: return "the end of the text";
    case Errc::trailing_text: return "more text";
    case Errc::invalid_utf8: return "other bytes";
    case Errc::invalid_escape: return "another escape";
    case Errc::control_character: return "one that is not";
    case Errc::nested_too_deeply: return "more";
    case Errc::missing_member:
    case Errc::out_of_memory: return "nothing";
    case Errc::wrong_event: return "one of another name";
    case Errc::decimal_out_of_range: return "more digits";
    case Errc::integer_out_of_range: return "a larger one";
    default: return found_part(code);
  }
}

}  // namespace bankhook::json::detail

namespace bankhook::json {

/// What was expected: `string or null`.
[[nodiscard]] constexpr std::string expected_of(const Error& error) {
  std::string expected(detail::expected_part(error.code));
  if (error.code == Errc::truncated) expected = "the rest of the value";
  if (error.code == Errc::missing_member) expected.append("the member ").append(error.member);
  if (error.code == Errc::out_of_memory) expected = "memory for the value";
  if (error.or_null) expected += " or null";
  return expected;
}

/// What was found instead, by its kind: `number`.
[[nodiscard]] constexpr std::string_view found_of(const Error& error, std::string_view text) {
  const std::string_view by_code = detail::found_by_code(error.code);
  if (!by_code.empty()) return by_code;
  const bool has_form = error.code >= Errc::expected_date && error.code <= Errc::expected_timestamp;
  if (has_form && error.offset > 0 && error.offset <= text.size() && text[error.offset - 1] == '"')
    return "text of another form";
  const std::string_view found = token_at(text, error.offset);
  const bool wants_number = error.code >= Errc::expected_number && error.code <= Errc::expected_count;
  return wants_number && found == "number" ? "another number" : found;
}

/// The one wording of every fault: `expected string or null, found number`.
[[nodiscard]] constexpr std::string sentence(std::string_view expected, std::string_view found) {
  return std::string("expected ").append(expected).append(", found ").append(found);
}

}  // namespace bankhook::json

namespace bankhook {

/// The sentence of an error without its place: `expected string or null, found number`.
/// @param text the payload that gave `error`
[[nodiscard]] constexpr std::string sentence(const Error& error, std::string_view text) {
  if (error.code == Errc::none) return std::string(error.message());
  return json::sentence(json::expected_of(error), json::found_of(error, text));
}

/// One line: `$.connection.errorCode: expected string or null, found number (line 4, column 19)`.
/// @param text the payload that gave `error`
[[nodiscard]] inline std::string describe(const Error& error, std::string_view text) {
  const Place place = locate(text, error.offset);
  return place.path + ": " + sentence(error, text) + " (line " + std::to_string(place.line) + ", column " +
         std::to_string(place.column) + ")";
}

}  // namespace bankhook
