// SPDX-License-Identifier: MIT
// Reading a string: a view of the payload where it can be, decoded into the store where it holds escapes.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/source.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bankhook::json::detail {

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

/// The four digits of `\uXXXX` at `p`; more than 0xFFFF if they are none.
template <class In>
constexpr std::uint32_t read_hex4(const In& in, const char* p) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i, ++p) {
    const std::uint32_t digit = hex_value(in.peek(p));
    if (digit > 15) return 0x10000;
    value = value << 4 | digit;
  }
  return value;
}

/// Reads what follows `\u`; a high surrogate takes the low one behind it along. `escape` is the backslash.
template <class In>
constexpr const char* read_unicode_escape(In& in, const char* escape, char32_t& code_point) {
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
template <class In>
constexpr const char* read_escape(In& in, const char* p, char*& out) {
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

/// The first quote, backslash or control character from `p`; the end if there is none.
template <class In>
constexpr const char* find_stop(In& in, const char* p) {
  if !consteval {
    for (;; p += sizeof(simd::Block32)) {
      const std::uint32_t stops = simd::Block32::load(in.window(p)).template stops<false>();
      if (stops != 0) return std::min(p + std::countr_zero(stops), in.end);
      if (p >= in.end) return in.end;
    }
  }
  while (p < in.end && *p != '"' && *p != '\\' && static_cast<unsigned char>(*p) >= 0x20) ++p;
  return p;
}

/// Finds the end of the plain run at `p` and checks its UTF-8. The result is a quote or a backslash, else an error.
template <class In>
constexpr const char* read_run(In& in, const char* p) {
  const char* const stop = find_stop(in, p);
  const char* const invalid = text::find_invalid_utf8(p, stop);
  if (invalid != stop) return in.fail(Errc::invalid_utf8, invalid);
  if (stop == in.end) return in.fail(Errc::truncated, stop);
  if (*stop != '"' && *stop != '\\') return in.fail(Errc::control_character, stop);
  return stop;
}

/// Decodes the string from `start`, whose first backslash is at `escape`, into the store.
template <class In>
constexpr const char* read_escaped(In& in, const char* start, const char* escape, std::string_view& out) {
  const char* close = escape;  // no escape decodes to more bytes than it is written with
  for (char* nowhere = nullptr; *close != '"';) {
    close = *close == '\\' ? read_escape(in, close, nowhere) : read_run(in, close);
    if (close == nullptr) return nullptr;
    if (close == in.end) return in.fail(Errc::truncated, close);
  }
  char* const decoded = in.store.text(static_cast<std::size_t>(close - start));
  if (decoded == nullptr) return in.fail(Errc::out_of_memory, start);
  char* last = decoded;
  for (const char* p = start; p != close;) {
    if (*p == '\\') p = read_escape(in, p, last);
    else *last++ = *p++;
  }
  out = {decoded, static_cast<std::size_t>(last - decoded)};
  in.store.give_back_text(last, static_cast<std::size_t>(close - start) - out.size());
  return close + 1;
}

/// Reads the string from `start`; `plain` bytes of it are known to be plain ASCII.
template <class In>
BANKHOOK_NOINLINE constexpr const char* read_any_text(In& in, const char* start, std::size_t plain, std::string_view& out) {
  if (start + plain > in.end) return in.fail(Errc::truncated, in.end);
  const char* const stop = read_run(in, start + plain);
  if (stop == nullptr) return nullptr;
  if (*stop == '\\') return read_escaped(in, start, stop, out);
  out = {start, static_cast<std::size_t>(stop - start)};
  return stop + 1;
}

/// `remembered` is a length and, in its last three bits, how often in a row it came: up to four times.
BANKHOOK_INLINE void remember_length(std::size_t found, std::uint32_t& remembered) {
  const std::uint32_t same = found == remembered >> 3 ? std::min<std::uint32_t>((remembered & 7) + 1, 4) : 0;
  remembered = static_cast<std::uint32_t>(found << 3) | same;
}

/// `found`, handed over in a way that lets the processor go on before it knows: where the member had this length each
/// time lately, a branch says so, and the predictor carries the position forward. Otherwise each string would wait for
/// the search in the one before it, some 18 cycles a string. Where lengths differ, waiting is cheaper than guessing.
BANKHOOK_INLINE std::size_t predicted_length(std::size_t found, std::uint32_t& length) {
  const std::uint32_t remembered = length;
  const std::size_t guess = remembered >> 3;
  std::size_t compared = guess;
  make_opaque(compared);  // gcc would know that `guess` equals `found` in the branch, and use `found`
  if ((remembered & 4) != 0) {
    if (found == compared) [[likely]] {
      keep_branch();  // clang would make it a conditional move
      return guess;
    }
  }
  remember_length(found, length);
  return found;
}

/// Searches for the end of the string, which the guess did not find, and remembers its length.
template <class In>
BANKHOOK_NOINLINE const char* find_text(In& in, const char* p, std::string_view& out, std::uint32_t& length) {
  std::size_t plain = 0;
  const char* window = in.window(p);
  std::uint32_t stops = simd::Block32::load(window).template stops<true>();
  while (stops == 0) {
    plain += sizeof(simd::Block32);
    window = in.window(p + plain);
    stops = simd::Block32::load(window).template stops<true>();
  }
  const auto stop = static_cast<std::size_t>(std::countr_zero(stops));
  if (window[stop] != '"') [[unlikely]] {
    const auto block = simd::Block32::load(window);
    const std::uint32_t ends = block.stops<false>();
    const auto end = static_cast<std::size_t>(std::countr_zero(ends));
    const bool is_whole = ends != 0 && window[end] == '"' && p + end < in.end;
    if (plain == 0 && is_whole && simd::has_short_forms_only(block, end)) {
      out = {p, end};
      return p + end + 1;
    }
    return read_any_text(in, p, plain + stop, out);
  }
  remember_length(plain + stop, length);
  out = {p, plain + stop};
  return p + plain + stop + 1;
}

/// Whether the first quote, backslash, control or non-ASCII character of the text at `p` is a quote at `length`, which
/// is at least a block; `length` + 1 bytes can be read.
BANKHOOK_INLINE bool ends_at(const char* p, std::size_t length) {
  std::uint32_t stops = simd::Block32::load(p + length - sizeof(simd::Block32)).stops<true>();
  for (std::size_t at = 0; at + sizeof(simd::Block32) < length; at += sizeof(simd::Block32))
    stops |= simd::Block32::load(p + at).stops<true>();
  return stops == 0 && p[length] == '"';
}

/// Reads a string that a block does not end: by the length that is remembered, or by searching.
template <class In>
BANKHOOK_NOINLINE const char* read_longer_text(In& in, const char* p, std::string_view& out, std::uint32_t& length) {
  const std::size_t guess = length >> 3;
  if (guess >= sizeof(simd::Block32) && in.has_window(p + guess) && ends_at(p, guess)) [[likely]] {
    out = {p, guess};
    return p + guess + 1;
  }
  return find_text(in, p, out, length);
}

}  // namespace bankhook::json::detail

namespace bankhook::json {

/// Reads the string whose opening quote lies before `p`; `out` views the payload or, with escapes, the store.
/// RFC 8259: UTF-8, escapes and surrogate pairs are checked, control characters refused.
template <class In>
BANKHOOK_INLINE constexpr const char* read_text(In& in, const char* p, const char* window, std::string_view& out,
                                                std::uint32_t& length) {
  if consteval {
    return detail::read_any_text(in, p, 0, out);
  }
  const std::uint32_t stops = simd::Block32::load(window).template stops<true>();
  const auto found = static_cast<std::size_t>(std::countr_zero(stops));
  if (stops == 0 || window[found] != '"') return detail::read_longer_text(in, p, out, length);
  const std::size_t size = detail::predicted_length(found, length);
  out = {p, size};
  return p + size + 1;
}

/// Skips the string whose opening quote lies before `p`, with the same checks; decodes nothing.
template <class In>
constexpr const char* skip_text(In& in, const char* p) {
  for (;;) {
    p = detail::read_run(in, p);
    if (p == nullptr || *p == '"') return p == nullptr ? p : p + 1;
    char* nowhere = nullptr;
    p = detail::read_escape(in, p, nowhere);
    if (p == nullptr) return p;
  }
}

}  // namespace bankhook::json
