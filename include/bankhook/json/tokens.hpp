// SPDX-License-Identifier: MIT
// Reading strings, views of the payload where they can be; white space, words, and values that nobody asked for.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/parse_context.hpp>
#include <bankhook/text/number.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <bit>
#include <bitset>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

/// The four digits of `\uXXXX` at `p`; more than 0xFFFF if they are not hexadecimal.
inline std::uint32_t read_hex4(const ParseContext& in, const char* p) {
  std::uint32_t value = 0;
  const bool has_four = in.end - p >= 4 && std::from_chars(p, p + 4, value, 16).ptr == p + 4;
  return has_four ? value : 0x10000;
}

/// Reads what follows `\u`; a high surrogate takes the low one after it along. `escape` is the backslash.
inline const char* read_unicode_escape(ParseContext& in, const char* escape, char32_t& code_point) {
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

/// Reads the escape at `p` (RFC 8259, section 7) and appends its character to `out` unless that is null.
inline const char* read_escape(ParseContext& in, const char* p, char*& out) {
  constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  if (in.end - p < 2) return in.fail(Errc::truncated, in.end);
  if (p[1] == 'u') {
    char32_t code_point = 0;
    const char* const next = read_unicode_escape(in, p, code_point);
    if (next != nullptr && out != nullptr) out = text::encode_utf8(code_point, out);
    return next;
  }
  const std::size_t which = letters.find(p[1]);
  if (which == letters.npos) return in.fail(Errc::invalid_escape, p);
  if (out != nullptr) *out++ = meanings[which];
  return p + 2;
}

/// Passes over some of a run that is not so simple. The result is `p` itself where the run stops.
BANKHOOK_NOINLINE inline const char* pass_characters(ParseContext& in, const char* p) {
  if (p >= in.end) return in.fail(Errc::truncated, in.end);
  if (*p == '"' || *p == '\\') return p;
  if (static_cast<unsigned char>(*p) < 0x20) return in.fail(Errc::control_character, p);
  const std::ptrdiff_t plain = std::countr_zero(simd::escapes(simd::Block64::load(in.window(p))).high());
  const char* next = text::find_invalid_utf8(p, p + (std::min)(plain, in.end - p));
  if (next == p) next = text::next_sequence(p, in.end);  // a block may end inside of one
  return next != nullptr ? next : in.fail(Errc::invalid_utf8, p);
}

/// The checked scan: the quote or the backslash at which the plain run at `p` stops. An error, at the first byte that is
/// wrong, if that is not UTF-8, a control character or the end of the text. It looks at most a block further than that.
BANKHOOK_INLINE const char* read_run(ParseContext& in, const char* p) {
  for (;;) {
    const auto block = simd::Block64::load(in.window(p));
    const std::uint64_t specials = simd::escapes(block).high();
    const std::ptrdiff_t size = std::countr_zero(specials);
    const std::uint64_t inside = (specials - 1) & ~specials;
    const bool is_ascii = (block.high() & inside) == 0;
    // ASCII and two-byte forms up to where it stops, or ASCII in all of the block.
    if (size < in.end - p && (is_ascii || (specials != 0 && simd::has_short_forms_only(block, inside)))) [[likely]] {
      p += size;
      if (size == sizeof(simd::Block64)) continue;
      if (*p == '"' || *p == '\\') [[likely]]
        return p;
    }
    const char* const next = pass_characters(in, p);
    if (next == p || next == nullptr) return next;
    p = next;
  }
}

/// The quote that closes a string, from a backslash in it on.
BANKHOOK_NOINLINE inline const char* find_close(ParseContext& in, const char* p) {
  while (p != nullptr && *p != '"') {
    char* nowhere = nullptr;
    const char* const next = read_escape(in, p, nowhere);
    p = next == nullptr ? next : read_run(in, next);
  }
  return p;
}

/// Decodes the string from `start`, whose first backslash is at `escape`, into the arena.
BANKHOOK_NOINLINE inline const char* decode_text(ParseContext& in, const char* start, const char* escape,
                                                 std::string_view& out) {
  const char* const close = find_close(in, escape);
  if (close == nullptr) return close;
  const auto written = static_cast<std::size_t>(close - start);
  // No escape decodes to more bytes than it is written with.
  auto* const decoded = static_cast<char*>(in.arena.allocate(written, 1));
  if (decoded == nullptr) return in.fail(Errc::out_of_memory, start);
  char* last = std::copy(start, escape, decoded);
  for (const char* p = escape; p != close;) {
    in.has_other_form |= p[1] == '/' || p[1] == 'u';  // `\u001f` is written, too, but seldom
    p = read_escape(in, p, last);
    const char* const next = std::find(p, close, '\\');
    last = std::copy(p, next, last);
    p = next;
  }
  out = {decoded, last};
  in.arena.give_back(last, decoded + written);
  return close + 1;
}

/// As `read_run` from the start of a string: most names and ids are shorter than a small block.
BANKHOOK_INLINE const char* read_first_run(ParseContext& in, const char* p) {
  const std::uint32_t specials = simd::escapes<true>(simd::Block16::load(in.window(p))).high();
  const char* const stop = p + std::countr_zero(specials | 1U << 16);
  return stop < in.end && specials != 0 && *stop == '"' ? stop : read_run(in, p);
}

/// Reads the string from `start`, whatever it holds.
BANKHOOK_NOINLINE inline const char* read_any_text(ParseContext& in, const char* start, std::string_view& out) {
  const char* const stop = read_first_run(in, start);
  if (stop == nullptr) return nullptr;
  if (*stop == '\\') return decode_text(in, start, stop, out);
  out = {start, stop};
  return stop + 1;
}

/// Reads the string whose opening quote lies before `p`; `out` views the payload or, with escapes, the arena.
/// RFC 8259: UTF-8, escapes and surrogate pairs are checked, control characters rejected.
/// Most are ASCII and end within 64 bytes: one search finds their end.
BANKHOOK_INLINE const char* read_text(ParseContext& in, const char* p, const char* window, std::string_view& out,
                                      RememberedLength& length) {
  std::uint64_t specials = 0;
  if (ParseContext::can_look_ahead && in.looks_ahead && length.expected_size() == 0) [[unlikely]]
    specials = in.specials_from(p);
  else specials = simd::escapes<true>(simd::Block64::load(window)).high();
  const auto size = static_cast<std::size_t>(std::countr_zero(specials));
  if (window[size] != '"') [[unlikely]]
    return read_any_text(in, p, out);
  // If the field had one size lately, the position after the string follows from that, and the search only has to agree:
  // the processor goes on before it has ended. Otherwise each string would wait for the search in the one before it, some
  // 18 cycles a string. The compiler must not know that both are the same, or it would take the one that was found.
  if (static_cast<std::uint8_t>(size) == length.expected_size()) {
    const RememberedLength* same = &length;
    base::hide_value(same);
    const std::size_t expected = same->expected_size();
    out = {p, expected};
    return p + expected + 1;
  }
  length.mispredicted(size);
  out = {p, size};
  return p + size + 1;
}

/// Skips the string whose opening quote lies before `p`: it is checked, and nothing is decoded.
BANKHOOK_NOINLINE inline const char* skip_text(ParseContext& in, const char* p) {
  p = read_first_run(in, p);
  if (p != nullptr && *p != '"') p = find_close(in, p);
  return p == nullptr ? p : p + 1;
}

constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// Whether there is nothing but white space.
constexpr bool is_blank(std::string_view text) { return std::all_of(text.begin(), text.end(), is_space); }

/// RFC 8259, 8.1: a text may be read although it begins with it. It is part of no payload and is never written.
inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// `text` without the byte order mark that it may begin with; two of them are not one.
constexpr std::string_view without_mark(std::string_view text) {
  const std::string_view rest = text.starts_with(byte_order_mark) ? text.substr(byte_order_mark.size()) : text;
  return rest.starts_with(byte_order_mark) ? text : rest;
}

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
    if (count < sizeof(simd::Block32)) return (std::min)(p + count, in.end);
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

/// Where the value of a whole text is expected: after a byte order mark and white space.
inline const char* skip_to_value(ParseContext& in) { return skip_space(in, without_mark({in.begin, in.end}).data()); }

/// Whether `word` stands at `p`.
template <FixedString word>
BANKHOOK_INLINE bool word_at(const ParseContext& in, const char* p) {
  return in.end - p >= static_cast<std::ptrdiff_t>(word.size()) && simd::begins_with<word>(p);
}

/// Whether `null` stands at `p`.
BANKHOOK_INLINE bool null_at(const ParseContext& in, const char* p) { return word_at<FixedString("null")>(in, p); }

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
  if (null_at(in, p) || word_at<FixedString("true")>(in, p)) return p + 4;
  if (word_at<FixedString("false")>(in, p)) return p + 5;
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

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
