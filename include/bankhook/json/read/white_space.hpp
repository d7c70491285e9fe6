// SPDX-License-Identifier: MIT
// White space between tokens: none, one space, or a line's end and an indentation (RFC 8259, section 2).
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/read/parse_context.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::json {

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Whether there is nothing but white space.
constexpr bool is_blank(std::string_view text) { return std::all_of(text.begin(), text.end(), is_space); }

namespace detail {

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

/// Skips the white space at `p`, if there is any, where a field is expected.
BANKHOOK_INLINE const char* skip_space_before_field(ParseContext& in, const char* p) {
  const std::size_t count = count_spaces(in.window(p), in.spaces_before_field);
  in.has_space = true;
  return count < sizeof(simd::Block32) && p + count <= in.end ? p + count : skip_spaces(in, p);
}

}  // namespace detail

/// The first character from `p` that is no white space, or the end.
BANKHOOK_INLINE const char* skip_space(ParseContext& in, const char* p) {
  if (p >= in.end || static_cast<unsigned char>(*p) > ' ' || !is_space(*p)) return p;
  if (in.end - p > 1 && !is_space(p[1])) {
    in.has_space = true;
    return p + 1;
  }
  return detail::skip_spaces(in, p);
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
