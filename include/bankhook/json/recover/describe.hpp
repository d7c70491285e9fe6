// SPDX-License-Identifier: MIT
// How an error is worded for people: what was expected and what was found; never a value of the payload.
#pragma once

#include <bankhook/base/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::json {

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
  return kind.empty() || (is_word && !is_whole) ? "text that is not JSON" : kind;
}

}  // namespace bankhook::inline BANKHOOK_ABI::json

namespace bankhook::inline BANKHOOK_ABI::json {

/// What was expected: `string or null`.
[[nodiscard]] constexpr std::string expected_of(const Error& error) {
  std::string expected(bankhook::detail::words_of(error.code).expected);
  if (error.code == Errc::missing_field) expected += error.field;
  if (error.or_null) expected += " or null";
  return expected;
}

/// What was found instead, by its kind: `number`.
[[nodiscard]] constexpr std::string_view found_of(const Error& error, std::string_view text) {
  const std::string_view always = bankhook::detail::words_of(error.code).found;
  if (!always.empty()) return always;
  const std::string_view found = token_at(text, error.offset);
  switch (error.code) {
    case Errc::expected_string:  // of a value type that describes its form
    case Errc::expected_date:
    case Errc::expected_local_timestamp:
    case Errc::expected_timestamp: {  // a text of another form is reported after its quote, any other value at its start
      const bool is_text = error.offset > 0 && error.offset <= text.size() && text[error.offset - 1] == '"';
      return is_text ? "text of another form" : found;
    }
    case Errc::expected_number:
    case Errc::expected_integer:
    case Errc::expected_count: return found == "number" ? "another number" : found;
    default: return found;
  }
}

/// The one wording of every finding: `expected string or null, found number`; what happens most has words of its own.
[[nodiscard]] constexpr std::string sentence(std::string_view expected, std::string_view found) {
  if (found == "another field") return "unknown field";
  if (expected == "the rest of the value") return "the payload ends inside this value (is it cut off?)";
  return std::string("expected ").append(expected).append(", found ").append(found);
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
