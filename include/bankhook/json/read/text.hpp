// SPDX-License-Identifier: MIT
// Reading a string: a view of the payload where it can be, decoded into the store where it holds escapes.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/remembered_length.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/read/escapes.hpp>
#include <bankhook/json/read/parse_context.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bankhook::json::detail {

static_assert(RememberedLength::block == sizeof(simd::Block32));

/// The first quote, backslash or control character from `p`; the end if there is none.
template <class Context>
constexpr const char* find_stop(Context& in, const char* p) {
  if !consteval {
    for (;; p += sizeof(simd::Block32)) {
      const std::uint32_t special_mask = simd::Block32::load(in.window(p)).template special_mask<false>();
      if (special_mask != 0) return std::min(p + std::countr_zero(special_mask), in.end);
      if (p >= in.end) return in.end;
    }
  }
  while (p < in.end && *p != '"' && *p != '\\' && static_cast<unsigned char>(*p) >= 0x20) ++p;
  return p;
}

/// Finds the end of the plain run at `p` and checks its UTF-8. The result is a quote or a backslash, else an error.
template <class Context>
constexpr const char* read_run(Context& in, const char* p) {
  const char* const stop = find_stop(in, p);
  const char* const invalid = text::find_invalid_utf8(p, stop);
  if (invalid != stop) return in.fail(Errc::invalid_utf8, invalid);
  if (stop == in.end) return in.fail(Errc::truncated, stop);
  if (*stop != '"' && *stop != '\\') return in.fail(Errc::control_character, stop);
  return stop;
}

/// Decodes the string from `start`, whose first backslash is at `escape`, into the store.
template <class Context>
constexpr const char* read_escaped(Context& in, const char* start, const char* escape, std::string_view& out) {
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
template <class Context>
BANKHOOK_NOINLINE constexpr const char* read_any_text(Context& in, const char* start, std::size_t plain,
                                                      std::string_view& out) {
  if (start + plain > in.end) return in.fail(Errc::truncated, in.end);
  const char* const stop = read_run(in, start + plain);
  if (stop == nullptr) return nullptr;
  if (*stop == '\\') return read_escaped(in, start, stop, out);
  out = {start, static_cast<std::size_t>(stop - start)};
  return stop + 1;
}

/// Decodes a string with escapes in one pass, as long as it is short and its characters are of one or two bytes.
template <class Context>
BANKHOOK_NOINLINE const char* decode_text(Context& in, const char* const start, std::string_view& out) {
  constexpr std::size_t most = 256;
  constexpr std::size_t room = most + sizeof(simd::Block32) + 4;  // a block and a character may begin at the last byte
  char* const decoded = in.store.text(room);
  if (decoded == nullptr) return in.fail(Errc::out_of_memory, start);
  const auto give_back_from = [&](char* unused) {
    in.store.give_back_text(unused, static_cast<std::size_t>(decoded + room - unused));
  };
  char* last = decoded;
  for (const char* p = start; last <= decoded + most;) {
    const char* const window = in.window(p);
    const auto block = simd::Block32::load(window);
    block.store(last);
    const std::uint32_t ends = block.template special_mask<false>();
    const auto size = static_cast<std::size_t>(std::countr_zero(ends));
    if (ends == 0 ? block.high() != 0 : !simd::has_short_forms_only(block, size)) break;
    if (static_cast<std::ptrdiff_t>(size) >= in.end - p) break;  // what follows the payload ended it
    p += size;
    last += size;
    if (ends == 0) continue;
    if (window[size] == '"') {
      out = {decoded, last};
      give_back_from(last);
      return p + 1;
    }
    if (window[size] != '\\') break;
    p = read_escape(in, p, last);
    if (p == nullptr) return p;
  }
  give_back_from(decoded);
  return read_any_text(in, start, 0, out);
}

/// Reads a string of a member that is known for other characters than ASCII, or for escapes.
template <class Context>
BANKHOOK_NOINLINE const char* read_mixed_text(Context& in, const char* p, std::string_view& out) {
  const char* const window = in.window(p);
  const auto block = simd::Block32::load(window);
  const std::uint32_t ends = block.template special_mask<false>();
  const auto size = static_cast<std::size_t>(std::countr_zero(ends));
  const bool ends_inside = ends != 0 && static_cast<std::ptrdiff_t>(size) < in.end - p;
  if (ends_inside && simd::has_short_forms_only(block, size)) [[likely]] {
    if (window[size] == '"') [[likely]] {
      out = {p, size};
      return p + size + 1;
    }
    if (window[size] == '\\') return decode_text(in, p, out);
  }
  return read_any_text(in, p, 0, out);
}

/// Searches for the end of a string that does not end well in its first block, and remembers its length.
template <class Context>
BANKHOOK_NOINLINE const char* find_text(Context& in, const char* p, std::string_view& out, RememberedLength& length) {
  std::size_t plain = 0;
  const char* window = in.window(p);
  std::uint32_t special_mask = simd::Block32::load(window).template special_mask<true>();
  while (special_mask == 0) {
    plain += sizeof(simd::Block32);
    window = in.window(p + plain);
    special_mask = simd::Block32::load(window).template special_mask<true>();
  }
  const auto stop = static_cast<std::size_t>(std::countr_zero(special_mask));
  if (window[stop] != '"') [[unlikely]] {
    length.remember_mixed();
    return read_mixed_text(in, p, out);
  }
  length.remember(plain + stop);
  out = {p, plain + stop};
  return p + plain + stop + 1;
}

/// Whether a string of this size, more than a block, whose first block is plain ends at `p + size`.
BANKHOOK_INLINE bool ends_at(const char* p, std::size_t size) {
  std::uint32_t special_mask = simd::Block32::load(p + size - sizeof(simd::Block32)).special_mask<true>();
  for (std::size_t at = sizeof(simd::Block32); at + sizeof(simd::Block32) < size; at += sizeof(simd::Block32))
    special_mask |= simd::Block32::load(p + at).special_mask<true>();
  return special_mask == 0 && p[size] == '"';
}

/// Reads a string whose first block does not end as the lengths before say; `stops` are the places where it may end.
template <class Context>
BANKHOOK_NOINLINE const char* read_mispredicted_text(Context& in, const char* p, std::string_view& out,
                                                     RememberedLength& length, std::uint32_t special_mask) {
  std::size_t size = length.size();
  if (special_mask == 0 && size >= sizeof(simd::Block32) && in.has_window(p + size) && ends_at(p, size)) [[likely]] {
    out = {p, size};
    return p + size + 1;
  }
  if (length.is_mixed()) return read_mixed_text(in, p, out);
  size = static_cast<std::size_t>(std::countr_zero(special_mask));
  if (special_mask == 0 || in.window(p)[size] != '"') return find_text(in, p, out, length);
  length.remember_short(size);
  out = {p, size};
  return p + size + 1;
}

}  // namespace bankhook::json::detail

namespace bankhook::json {

/// Reads the string whose opening quote lies before `p`; `out` views the payload or, with escapes, the store.
/// RFC 8259: UTF-8, escapes and surrogate pairs are checked, control characters refused.
template <class Context>
BANKHOOK_INLINE constexpr const char* read_text(Context& in, const char* p, const char* window, std::string_view& out,
                                                RememberedLength& length) {
  if consteval {
    return detail::read_any_text(in, p, 0, out);
  }
  // Where the member had one length lately, the position after the string follows from that, and the search only has to
  // agree: the processor goes on before it has ended. Otherwise each string would wait for the search in the one before
  // it, some 18 cycles a string.
  const std::uint32_t special_mask = simd::Block32::load(window).template special_mask<true>();
  const std::size_t size = length.size();
  if ((special_mask & (0 - special_mask)) != length.stop() || special_mask == 0 || window[size] != '"') {
    return detail::read_mispredicted_text(in, p, out, length, special_mask);
  }
  out = {p, size};
  return p + size + 1;
}

/// Skips the string whose opening quote lies before `p`, with the same checks; decodes nothing.
template <class Context>
constexpr const char* skip_text(Context& in, const char* p) {
  if !consteval {
    const char* const window = in.window(p);
    const std::uint32_t special_mask = simd::Block32::load(window).template special_mask<true>();
    const auto size = static_cast<std::size_t>(std::countr_zero(special_mask));
    if (special_mask != 0 && window[size] == '"' && p + size < in.end) [[likely]]
      return p + size + 1;
  }
  for (;;) {
    p = detail::read_run(in, p);
    if (p == nullptr || *p == '"') return p == nullptr ? p : p + 1;
    char* nowhere = nullptr;
    p = detail::read_escape(in, p, nowhere);
    if (p == nullptr) return p;
  }
}

}  // namespace bankhook::json
