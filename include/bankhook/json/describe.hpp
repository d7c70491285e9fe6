// SPDX-License-Identifier: MIT
// An error in one line for people: path, expected, found, line and column; never a value from the payload.
#pragma once

#include <bankhook/base/error.hpp>
#include <bankhook/json/place.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::json::detail {

/// The kind of the value that begins with this character; empty if none does.
constexpr std::string_view kind_of(char first) {
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

/// What stands there instead of what `error` expected; empty where the sentence says it all.
constexpr std::string_view found(const Error& error, std::string_view text) {
  if (error.code < Errc::expected_object || error.code > Errc::expected_timestamp) return "";
  if (error.offset >= text.size()) return "the end of the text";
  const bool inside_string = error.offset > 0 && text[error.offset - 1] == '"';
  if (inside_string) return "text of another form";
  const std::string_view kind = kind_of(text[error.offset]);
  const bool wants_number = error.code >= Errc::expected_number && error.code <= Errc::expected_count;
  return wants_number && kind == "number" ? "another number" : kind;
}

}  // namespace bankhook::json::detail

namespace bankhook {

/// The sentence of an error without its place: `expected string or null, found number`.
[[nodiscard]] constexpr std::string sentence(const Error& error, std::string_view text) {
  std::string sentence(error.message());
  if (error.or_null) sentence += " or null";
  if (!error.member.empty()) sentence.append(": ").append(error.member);
  const std::string_view found = json::detail::found(error, text);
  if (!found.empty()) sentence.append(", found ").append(found);
  return sentence;
}

/// One line: `$.connection.errorCode: expected string or null, found number (line 4, column 19)`.
/// @param text the payload that gave `error`
[[nodiscard]] inline std::string describe(const Error& error, std::string_view text) {
  const Place place = locate(text, error.offset);
  return place.path + ": " + sentence(error, text) + " (line " + std::to_string(place.line) + ", column " +
         std::to_string(place.column) + ")";
}

}  // namespace bankhook
