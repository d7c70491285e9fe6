// SPDX-License-Identifier: MIT
// White space, words, colons, and values that nobody asked for: skipped, but with every rule of RFC 8259 checked.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/read/parse_context.hpp>
#include <bankhook/json/read/text.hpp>
#include <bankhook/text/number.hpp>

#include <algorithm>
#include <bit>
#include <bitset>
#include <cstddef>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::json {

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Whether there is nothing but white space.
constexpr bool is_blank(std::string_view text) { return std::all_of(text.begin(), text.end(), is_space); }

/// How many bytes of white space there are, at most a block. Lines of one level are indented alike: if there is as much as
/// `last`, the processor goes on before it has counted, as in `read_text`.
BANKHOOK_INLINE std::size_t count_spaces(const char* window, std::size_t& last) {
  const auto count = static_cast<std::size_t>(std::countr_zero(~simd::spaces(simd::Block32::load(window)).high()));
  std::size_t expected = last;
  base::hide_value(expected);
  if (count == last) return expected;
  return last = count;
}

/// Skips the white space that begins at `p`.
BANKHOOK_NOINLINE inline const char* skip_spaces(ParseContext& in, const char* p) {
  in.has_space = true;
  for (; p < in.end; p += sizeof(simd::Block32)) {
    const std::size_t count = count_spaces(in.window(p), in.spaces_elsewhere);
    if (count < sizeof(simd::Block32)) return std::min(p + count, in.end);
  }
  return in.end;
}

/// The first character from `p` that is no white space, or the end.
BANKHOOK_INLINE const char* skip_space(ParseContext& in, const char* p) {
  if (p >= in.end || static_cast<unsigned char>(*p) > ' ' || !is_space(*p)) return p;
  if (in.end - p > 1 && !is_space(p[1])) {
    in.has_space = true;
    return p + 1;
  }
  return skip_spaces(in, p);
}

/// Whether `word` stands at `p`.
inline bool word_at(const ParseContext& in, const char* p, std::string_view word) {
  return p <= in.end && std::string_view(p, in.end).starts_with(word);
}

/// Whether `null` stands at `p`.
BANKHOOK_INLINE bool null_at(const ParseContext& in, const char* p) {
  return in.end - p >= 4 && simd::begins_with<FixedString("null")>(p);
}

/// Whether the text ends inside of a `null` that begins at `p`.
inline bool ends_in_null(const ParseContext& in, const char* p) {
  return p < in.end && std::string_view("null").starts_with(std::string_view(p, in.end));
}

/// `p` after the colon that follows a name, or an error; white space on both sides.
inline const char* skip_colon(ParseContext& in, const char* p) {
  if (in.peek(p) != ':') [[unlikely]] {
    p = skip_space(in, p);
    if (in.peek(p) != ':') return in.fail_or_end(Errc::expected_colon, p);
  }
  return skip_space(in, p + 1);
}

inline const char* skip_scalar(ParseContext& in, const char* p) {
  const char c = in.peek(p);
  if (c == '"') return skip_text(in, p + 1);
  if (c == '-' || (c >= '0' && c <= '9')) {
    const text::Scan number = text::skip_number(p, in.end);
    return number.error == Errc::none ? number.next : in.fail(number.error, number.next);
  }
  for (const std::string_view word : {"true", "false", "null"}) {
    if (word_at(in, p, word)) return p + word.size();
  }
  return in.fail_or_end(Errc::expected_value, p);
}

/// `p` after a name and its colon.
BANKHOOK_INLINE const char* skip_name(ParseContext& in, const char* p) {
  if (in.peek(p) != '"') return in.fail_or_end(Errc::expected_field_name, p);
  p = skip_text(in, p + 1);
  return p == nullptr ? p : skip_colon(in, p);
}

/// Skips the value at `p`, which is part of the object that is being read; without recursion.
BANKHOOK_NOINLINE inline const char* skip_value(ParseContext& in, const char* p) {
  if (in.peek(p) != '{' && in.peek(p) != '[') return skip_scalar(in, p);
  std::bitset<max_depth> braces;  // which of the open brackets are braces
  std::size_t open = 0;
  for (;;) {
    const char c = in.peek(p);
    bool is_whole = true;  // the value that begins here
    if (c == '{' || c == '[') {
      if (in.depth + 1 + open == max_depth) return in.fail(Errc::nested_too_deeply, p);
      braces[open++] = c == '{';
      p = skip_space(in, p + 1);
      is_whole = in.peek(p) == (c == '{' ? '}' : ']');
      if (!is_whole && c == '{') p = skip_name(in, p);
    } else {
      p = skip_scalar(in, p);
    }
    // From after a value to the next one of the same or an outer container.
    while (is_whole && p != nullptr) {
      p = skip_space(in, p);
      const bool brace = braces[open - 1];
      if (in.peek(p) == ',') {
        p = skip_space(in, p + 1);
        if (brace) p = skip_name(in, p);
        break;
      }
      if (in.peek(p) != (brace ? '}' : ']'))
        return in.fail_or_end(brace ? Errc::expected_comma_or_brace : Errc::expected_comma_or_bracket, p);
      ++p;
      if (--open == 0) return p;
    }
    if (p == nullptr) return p;
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
