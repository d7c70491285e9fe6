// SPDX-License-Identifier: MIT
// Strings and words of a text that may be broken: where they end, and every fault inside of them.
#pragma once

#include <bankhook/base/error.hpp>
#include <bankhook/json/tokens.hpp>
#include <bankhook/text/utf8.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

/// Whether the string that an end of line at `p` interrupts is over there: the next line begins as no text would go on.
/// Otherwise the end of line was meant to be escaped. A blank line decides nothing, its own end does.
[[nodiscard]] constexpr bool ends_with_line(const char* p, const char* end) {
  do ++p;
  while (p < end && (*p == ' ' || *p == '\t'));
  return p == end || *p == '"' || *p == '}' || *p == ']';
}

/// After the string whose opening quote is at `p`, whatever it holds; the end of its line or of the text if it is not
/// closed. Everything that looks at broken text takes strings to end here.
[[nodiscard]] constexpr const char* after_string(const char* p, const char* end) {
  for (++p; p < end; ++p) {
    if (*p == '"') return p + 1;
    if (*p == '\\') ++p;
    if (p < end && (*p == '\n' || *p == '\r') && ends_with_line(p, end)) return p;
  }
  return end;
}

/// Whether a colon follows, after white space.
[[nodiscard]] constexpr bool colon_follows(const char* p, const char* end) {
  while (p < end && is_space(*p)) ++p;
  return p < end && *p == ':';
}

/// Whether the text ends inside of a `true`, `false` or `null` that begins at `p`.
[[nodiscard]] constexpr bool ends_in_word(const char* p, const char* end) {
  if (end - p >= 5 || p == end) return false;
  const std::string_view rest(p, end);
  for (const std::string_view word : {"true", "false", "null"}) {
    if (word.size() > rest.size() && word.starts_with(rest)) return true;
  }
  return false;
}

/// Whether a value begins at `p`.
[[nodiscard]] constexpr bool begins_value(const char* p, const char* end) {
  if (p == end) return false;
  if (*p == '"' || *p == '{' || *p == '[' || *p == '-' || (*p >= '0' && *p <= '9')) return true;
  if (*p != 't' && *p != 'f' && *p != 'n') return false;
  const std::string_view rest(p, end);
  return rest.starts_with("true") || rest.starts_with("false") || rest.starts_with("null");
}

/// After a run that is not JSON: up to a separator, a bracket, a quote or white space.
[[nodiscard]] constexpr const char* after_junk(const char* p, const char* end) {
  constexpr std::string_view separators = ",:\"{}[] \t\r\n";
  while (p < end && separators.find(*p) == std::string_view::npos) ++p;
  return p;
}

/// The bytes that can start or end something, or are white space.
inline constexpr auto means_something = [] {
  std::array<bool, 256> bytes{};
  for (const char c : std::string_view("\"{}[], \t\r\n-0123456789tfn")) bytes[static_cast<unsigned char>(c)] = true;
  return bytes;
}();

/// The position after a run of bytes that mean nothing while something broken is skipped.
[[nodiscard]] constexpr const char* after_noise(const char* p, const char* end) {
  while (p < end && !means_something[static_cast<unsigned char>(*p)]) ++p;
  return p;
}

/// After the brackets that open at `p`, whatever they contain; without recursion.
[[nodiscard]] constexpr const char* after_brackets(const char* p, const char* end) {
  std::size_t depth = 0;
  while (p < end) {
    if (*p == '"') {
      p = after_string(p, end);
      continue;
    }
    if (*p == '{' || *p == '[') ++depth;
    if ((*p == '}' || *p == ']') && --depth == 0) return p + 1;
    ++p;
  }
  return end;
}

/// Checks the escape at `p` and returns the position after it, or the end of the text if `report` wants no more.
constexpr const char* validate_escape(auto& in, const char* p, auto&& report) {
  in.error = {};
  char* nowhere = nullptr;
  const char* const next = read_escape(in, p, nowhere);
  if (next != nullptr) return next;
  const Errc fault = in.error.code;
  if (!report(fault, in.begin + in.error.offset) || fault == Errc::truncated) return in.end;
  return fault == Errc::lone_surrogate ? p + 6 : p + 2;
}

/// After the ill-formed sequence at `p`: its first byte and what could continue it.
constexpr const char* after_invalid_utf8(const char* p, const char* end) {
  for (++p; p < end && text::continues_character(*p);) ++p;
  return p;
}

/// Reports every fault of the string whose opening quote is at `p` as `report(code, at)`, until that returns
/// false. Returns the same end as `after_string`, or that of the text if the string is cut off or `report` returned false.
constexpr const char* validate_string(auto& in, const char* p, auto&& report) {
  for (++p;;) {
    in.error = {};
    const char* const stop = read_run(in, p);
    if (stop != nullptr && *stop == '"') return stop + 1;
    if (stop != nullptr) {
      const bool line_ends = in.end - stop > 1 && (stop[1] == '\n' || stop[1] == '\r') && ends_with_line(stop + 1, in.end);
      p = validate_escape(in, stop, report);
      if (line_ends) return p - 1;
      continue;
    }
    const Errc fault = in.error.code;
    const char* const at = in.begin + in.error.offset;
    if (!report(fault, at) || fault == Errc::truncated) return in.end;
    if ((*at == '\n' || *at == '\r') && ends_with_line(at, in.end)) return at;
    p = fault == Errc::invalid_utf8 ? after_invalid_utf8(at, in.end) : at + 1;
  }
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
