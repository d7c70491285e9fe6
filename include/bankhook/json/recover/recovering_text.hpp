// SPDX-License-Identifier: MIT
// Strings and words of a text that may be broken: where they end, and every fault inside of them.
#pragma once

#include <bankhook/base/error.hpp>
#include <bankhook/json/read/tokens.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::json {

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
  return std::ranges::any_of(words, [rest](auto word) { return word.size() > rest.size() && word.starts_with(rest); });
}

/// Whether a value begins at `p`.
[[nodiscard]] constexpr bool begins_value(const char* p, const char* end) {
  if (p == end) return false;
  if (*p == '"' || *p == '{' || *p == '[' || *p == '-' || (*p >= '0' && *p <= '9')) return true;
  if (*p != 't' && *p != 'f' && *p != 'n') return false;
  return std::ranges::any_of(words, [=](auto word) { return std::string_view(p, end).starts_with(word); });
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

/// Reports every fault of the string whose opening quote is at `p` as `report(code, at)`, until that returns
/// false. Returns the same end as `after_string`, or that of the text if the string is cut off or `report` returned false.
template <class Context, class Report>
constexpr const char* validate_string(Context& in, const char* p, Report&& report) {
  for (++p;;) {
    in.error = {};
    const char* const stop = read_run(in, p);
    if (stop != nullptr && *stop == '"') return stop + 1;
    char* nowhere = nullptr;
    p = stop == nullptr ? stop : read_escape(in, stop, nowhere);
    if (p != nullptr) continue;
    const Errc fault = in.error.code;
    const char* const at = in.begin + in.error.offset;
    if (!report(fault, at) || fault == Errc::truncated) return in.end;
    const char* const line_end = at + (*at == '\\' ? 1 : 0);
    if ((*line_end == '\n' || *line_end == '\r') && ends_with_line(line_end, in.end)) return line_end;
    // After an ill-formed sequence: its first byte and what could continue it.
    if (fault == Errc::invalid_utf8) p = std::find_if_not(at + 1, in.end, text::continues_character);
    else p = at + (fault == Errc::lone_surrogate ? 6 : fault == Errc::invalid_escape ? 2 : 1);
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
