// SPDX-License-Identifier: MIT
// What stands after a backslash in a string (RFC 8259, section 7).
#pragma once

#include <bankhook/base/error.hpp>
#include <bankhook/text/utf8.hpp>

#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI::json::detail {

/// The value of a hexadecimal digit, or 16.
constexpr std::uint32_t hex_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint32_t>(c - 'A' + 10);
  return 16;
}

/// The character that a one-letter escape stands for, or 0.
constexpr char simple_escape(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '/': return c;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return '\0';
  }
}

/// The four digits of `\uXXXX` at `p`; more than 0xFFFF if they are not hexadecimal.
template <class Context>
constexpr std::uint32_t read_hex4(const Context& in, const char* p) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i, ++p) {
    const std::uint32_t digit = hex_value(in.peek(p));
    if (digit > 15) return 0x10000;
    value = value << 4 | digit;
  }
  return value;
}

/// Reads what follows `\u`; a high surrogate takes the low one after it along. `escape` is the backslash.
template <class Context>
constexpr const char* read_unicode_escape(Context& in, const char* escape, char32_t& code_point) {
  const std::uint32_t first = read_hex4(in, escape + 2);
  if (first > 0xFFFF) return in.fail(in.end - escape < 6 ? Errc::truncated : Errc::invalid_escape, escape);
  code_point = first;
  if (first < 0xD800 || first > 0xDFFF) return escape + 6;
  const bool pair_follows = first < 0xDC00 && in.peek(escape + 6) == '\\' && in.peek(escape + 7) == 'u';
  const std::uint32_t second = pair_follows ? read_hex4(in, escape + 8) : 0;
  if (second < 0xDC00 || second > 0xDFFF) return in.fail(Errc::lone_surrogate, escape);
  code_point = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
  return escape + 12;
}

/// Reads the escape at `p` and appends its character to `out` unless that is null.
template <class Context>
constexpr const char* read_escape(Context& in, const char* p, char*& out) {
  if (in.end - p < 2) return in.fail(Errc::truncated, in.end);
  if (p[1] == 'u') {
    char32_t code_point = 0;
    const char* const next = read_unicode_escape(in, p, code_point);
    if (next != nullptr && out != nullptr) out = text::encode_utf8(code_point, out);
    return next;
  }
  const char plain = simple_escape(p[1]);
  if (plain == '\0') return in.fail(Errc::invalid_escape, p);
  if (out != nullptr) *out++ = plain;
  return p + 2;
}

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail
