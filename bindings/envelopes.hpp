// SPDX-License-Identifier: MIT
// Events inside of other JSON, as tools that capture requests store them: `{"headers": {...}, "body": {...}}`.
#pragma once

#include "place_id.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {

/// The bytes of a block that are this character.
BANKHOOK_INLINE std::uint64_t matches(detail::simd::Block64 block, char c) {
  return block.same(detail::simd::Block64::repeat(c)).high();
}

/// 64 bytes from `p` on; blanks after the end.
BANKHOOK_INLINE detail::simd::Block64 block_at(const char* p, const char* end) {
  if (end - p >= 64) return detail::simd::Block64::load(p);
  std::array<char, 64> rest;
  rest.fill(' ');
  std::memcpy(rest.data(), p, static_cast<std::size_t>(end - p));
  return detail::simd::Block64::load(rest.data());
}

/// For each bit, whether an odd number of bits are set up to it.
BANKHOOK_INLINE constexpr std::uint64_t parities(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

/// Which characters of a block a backslash escapes; `carry` is 1 if that is so for the first one of the next block.
BANKHOOK_INLINE constexpr std::uint64_t escaped_in(std::uint64_t backslashes, std::uint64_t& carry) {
  constexpr std::uint64_t even = 0x5555'5555'5555'5555;
  backslashes &= ~carry;
  const std::uint64_t follows = backslashes << 1 | carry;
  const std::uint64_t odd_starts = backslashes & ~even & ~follows;
  const std::uint64_t sums = odd_starts + backslashes;  // it carries through each run of backslashes
  carry = sums < backslashes;
  return (even ^ (sums << 1)) & follows;
}

/// Where the text, object or array at `p` ends, nullptr if it does not. Quotes and brackets are looked at, and nothing
/// else: whoever reads the value reads the rest.
inline const char* end_of_value(const detail::json::ParseContext& in, const char* p) {
  const auto within = [&](const char* end) { return end <= in.end ? end : nullptr; };
  std::uint64_t carry = 0, inside = 0;
  std::size_t depth = 0;
  const bool is_text = *p == '"';
  for (const char* at = p; at < in.end; at += 64) {
    const auto block = detail::simd::Block64::load(in.window(at));
    const std::uint64_t quotes = matches(block, '"') & ~escaped_in(matches(block, '\\'), carry);
    const std::uint64_t texts = parities(quotes) ^ inside;
    inside = 0 - (texts >> 63);
    if (is_text) {
      if (const std::uint64_t closing = quotes & ~texts; closing != 0) return within(at + std::countr_zero(closing) + 1);
      continue;
    }
    const detail::simd::Block64 folded = block | detail::simd::Block64::repeat(' ');  // of either kind of brackets
    const std::uint64_t opening = matches(folded, '{');
    std::uint64_t brackets = (opening | matches(folded, '}')) & ~texts;
    for (; brackets != 0; brackets &= brackets - 1) {
      if ((opening & brackets & (0 - brackets)) != 0) ++depth;
      else if (--depth == 0) return within(at + std::countr_zero(brackets) + 1);
    }
  }
  return nullptr;
}

/// Skips the value at `p` of an envelope; nullptr if it has no end.
inline const char* skip_enveloped(detail::json::ParseContext& in, const char* p) {
  const char c = in.peek(p);
  return c == '{' || c == '[' || c == '"' ? end_of_value(in, p) : detail::json::skip_value(in, p);
}

/// Calls `visit(name, value)` for the fields of the object at `p`, where `value` begins; it returns where that ends, and
/// nullptr to stop. The result is where the object ends, nullptr if it does not or the visit stopped. A name lives as long
/// as the text and the arena.
const char* visit_fields(detail::json::ParseContext& in, const char* p, auto visit) {
  if (in.peek(p) != '{') return nullptr;
  do {
    p = detail::json::skip_space(in, p + 1);
    std::string_view name;
    if (in.peek(p) != '"' || (p = detail::json::read_any_text(in, p + 1, name)) == nullptr) return p;
    if ((p = detail::json::skip_colon(in, p)) == nullptr || (p = visit(name, p)) == nullptr) return p;
    p = detail::json::skip_space(in, p);
  } while (in.peek(p) == ',');
  return in.peek(p) == '}' ? p + 1 : nullptr;
}

/// The value of the first field of this name; empty without one, and if the object cannot be read that far.
inline std::string_view field_of(std::string_view object, std::string_view wanted, Arena& arena) {
  detail::json::ParseContext in(object, arena);
  std::string_view found;
  visit_fields(in, detail::json::skip_to_value(in), [&](std::string_view name, const char* value) {
    const char* const end = skip_enveloped(in, value);
    if (name != wanted || end == nullptr) return end;
    found = {value, end};
    return static_cast<const char*>(nullptr);
  });
  return found;
}

/// What a string contains; any other value as it stands there, empty for one that cannot be read.
inline std::string_view content_of(std::string_view value, Arena& arena) {
  if (!value.starts_with('"')) return value;
  detail::json::ParseContext in(value, arena);
  std::string_view text;
  return detail::json::read_any_text(in, in.begin + 1, text) == nullptr ? std::string_view() : text;
}

/// A text that is kept of an envelope; null without one.
using KeptText = std::shared_ptr<const std::string>;

/// The value at a path of names with dots between them as a text; null for null, without one, and where the envelope cannot
/// be read that far.
inline KeptText kept_text(std::string_view text, std::string_view path, Arena& arena) {
  if (path.empty()) text = field_of(text, path, arena);  // the name without letters, which `split` does not give
  for (const auto name : std::views::split(path, '.'))
    text = field_of(content_of(text, arena), std::string_view(name), arena);
  const std::string_view content = content_of(text, arena);
  const bool has_content = text == "\"\"" || !content.empty();
  return text == "null" || !has_content ? nullptr : std::make_shared<const std::string>(content);
}

/// Copies a run of a text, and gives where the copy ends. 16 more bytes are written; so many are read if they can be.
BANKHOOK_INLINE char* copy_run(const char* from, const char* to, bool has_more, char* out) {
  const auto size = static_cast<std::size_t>(to - from);
  if (!has_more) [[unlikely]] {
    std::memcpy(out, from, size);
  } else {
    detail::simd::Block16::load(from).store(out);
    for (std::size_t at = 16; at < size; at += 16) detail::simd::Block16::load(from + at).store(out + at);
  }
  return out + size;
}

/// Decodes the string from after its quote on, with 16 more bytes to spare, and moves `out` to its end. Gives where it
/// ends, nullptr if it does not or an escape is wrong. What else is in it is for whoever reads what it contains.
inline const char* decode_text(detail::json::ParseContext& in, const char* from, char*& out) {
  static constexpr auto meanings = [] {
    std::array<char, 256> table{};
    for (const char c : std::string_view("\"\\/")) table[static_cast<unsigned char>(c)] = c;
    table['b'] = '\b', table['f'] = '\f', table['n'] = '\n', table['r'] = '\r', table['t'] = '\t';
    return table;
  }();
  std::uint64_t carry = 0;
  for (const char* at = from; at < in.end; at += 64) {
    const auto block = detail::simd::Block64::load(in.window(at));
    const std::uint64_t backslashes = matches(block, '\\');
    std::uint64_t stops = (backslashes | matches(block, '"')) & ~escaped_in(backslashes, carry);
    for (; stops != 0; stops &= stops - 1) {
      const char* const stop = at + std::countr_zero(stops);
      if (stop < from) continue;  // a low surrogate
      if (stop >= in.end) return nullptr;
      out = copy_run(from, stop, in.window(stop) == stop, out);
      from = stop + 1;
      if (*stop == '"') return from;
      if (in.peek(from) == '"') continue;  // which is copied with what follows
      const char meaning = meanings[static_cast<unsigned char>(in.peek(stop + 1))];
      if (meaning != 0) *out++ = meaning;
      from = meaning != 0 ? stop + 2 : detail::json::read_escape(in, stop, out);
      if (from == nullptr) return from;
    }
  }
  return nullptr;
}

/// Decodes base64 (RFC 4648, either alphabet, with or without padding and lines) to `out`, which may be where it stands,
/// with a byte to spare. Gives the size; nothing if it is something else.
inline std::optional<std::size_t> decode_base64(std::string_view text, char* out) {
  static constexpr std::uint32_t wrong = 1U << 31;
  static constexpr auto values = [] {  // of the last of four characters, of the one before it, and so on
    std::array<std::array<std::uint32_t, 256>, 4> tables{};
    tables[0].fill(wrong);
    std::uint32_t value = 0;
    for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"))
      tables[0][static_cast<unsigned char>(c)] = value++;
    tables[0]['+'] = tables[0]['-'] = 62, tables[0]['/'] = tables[0]['_'] = 63;
    for (std::size_t i = 1; i < 4; ++i)
      std::ranges::transform(tables[0], tables[i].begin(), [i](auto one) { return one == wrong ? wrong : one << 6 * i; });
    return tables;
  }();
  const char* const start = out;
  std::uint32_t bits = 0;
  unsigned count = 0, padding = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto value_of = [&](std::size_t i, std::size_t from_last) {
      return values[from_last][static_cast<unsigned char>(text[at + i])];
    };
    if (count == 0 && padding == 0) {
      for (; text.size() - at >= 4; at += 4) {
        const std::uint32_t four = value_of(0, 3) | value_of(1, 2) | value_of(2, 1) | value_of(3, 0);
        if ((four & wrong) != 0) break;
        const std::uint32_t bytes = std::endian::native == std::endian::little ? std::byteswap(four << 8) : four << 8;
        std::memcpy(out, &bytes, sizeof(bytes));
        out += 3;
      }
      if (at == text.size()) break;
    }
    if (const std::uint32_t value = value_of(0, 0); value != wrong && padding == 0) {
      bits = bits << 6 | value;
      if (count > 0) *out++ = static_cast<char>(bits >> (6 - 2 * count));
      count = (count + 1) % 4;
    } else if (text[at] == '=') {
      ++padding;
    } else if (!detail::json::is_space(text[at])) {
      return {};
    }
  }
  if (count == 1 || (padding > 0 && (count + padding) % 4 != 0)) return {};
  return static_cast<std::size_t>(out - start);
}

/// A payload without what may precede it: a byte order mark, or the head of an HTTP request, which a blank line ends.
inline std::string_view without_head(std::string_view text) {
  constexpr std::string_view blank = "\r\n\r\n";
  if (!text.starts_with('{') && text.substr(0, text.find('\n')).contains(" HTTP/1.")) {
    if (const std::size_t end = text.find(blank); end != text.npos) text.remove_prefix(end + blank.size());
  }
  return detail::json::without_mark(text);
}

/// Whether an object names an event.
inline bool names_event(std::string_view text, Arena& arena) { return field_of(text, "event", arena).starts_with('"'); }

/// Whether a name can stand in a path and in a message unchanged.
constexpr bool is_plain(std::string_view name) {
  return std::ranges::all_of(name, [](unsigned char c) { return detail::is_identifier(c) || c == '-'; });
}

/// The path from a value to an event within it, as `.request.body` or `[].body`, at most four names and arrays long;
/// nothing without one. Of arrays the first element is looked at, of names those that can stand in a path.
inline std::optional<std::string> path_to_event(std::string_view value, bool is_base64, Arena& arena, unsigned length = 4) {
  value = content_of(value, arena);
  std::string decoded;
  if (is_base64) {
    decoded.resize(value.size());
    if (const auto size = decode_base64(value, decoded.data())) value = std::string_view(decoded).substr(0, *size);
  }
  value = without_head(value);
  if (names_event(value, arena)) return "";
  detail::json::ParseContext in(value, arena);
  const char* const start = detail::json::skip_to_value(in);
  std::optional<std::string> found;
  if (length == 0) return found;
  if (in.peek(start) == '[') {
    const char* const element = detail::json::skip_space(in, start + 1);
    const char* const end = skip_enveloped(in, element);
    if (end != nullptr) found = path_to_event({element, end}, is_base64, arena, length - 1);
    return found ? "[]" + *found : found;
  }
  visit_fields(in, start, [&](std::string_view name, const char* field) {
    const char* const end = skip_enveloped(in, field);
    if (end == nullptr || !is_plain(name)) return end;
    found = path_to_event({field, end}, is_base64, arena, length - 1);
    if (found) found = "." + std::string(name) + *found;
    return found ? nullptr : end;
  });
  return found;
}

}  // namespace bankhook::python
