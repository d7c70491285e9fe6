// SPDX-License-Identifier: MIT
// Reading a string: a view of the payload where it can be, decoded into the store where it holds escapes.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/read/escapes.hpp>
#include <bankhook/json/read/parse_context.hpp>
#include <bankhook/json/read/remembered_length.hpp>
#include <bankhook/text/utf8.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace bankhook::json::detail {

static_assert(RememberedLength::block == sizeof(simd::Block32) && RememberedLength::search == sizeof(simd::Block64));

/// Whether a string is more than plain text at this byte: it ends there, or an escape or a control character does.
constexpr bool is_stop(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

/// Where the plain run at `p` stops, searched for in one block at run time; otherwise the end of that block or of the text.
template <class Context>
constexpr const char* find_stop(Context& in, const char* p) {
  if consteval {
    while (p < in.end && !is_stop(*p)) ++p;
    return p;
  }
  const auto size = std::countr_zero(simd::Block64::load(in.window(p)).template special_mask<false>());
  return size < in.end - p ? p + size : in.end;
}

/// Whether the run at `p` is ASCII and two-byte forms up to where it stops, or in all of its first block, and lies in the
/// text; `size` says how long that is. Not for constant expressions.
template <class Context>
BANKHOOK_INLINE bool is_simple_run(Context& in, const char* p, std::ptrdiff_t& size) {
  const auto block = simd::Block64::load(in.window(p));
  const std::uint64_t special_mask = block.template special_mask<false>();
  size = std::countr_zero(special_mask);
  if (size >= in.end - p) return false;
  const std::uint64_t inside = (special_mask - 1) & ~special_mask;
  return (block.high() & inside) == 0 || (special_mask != 0 && block.has_short_forms_only(inside));
}

/// Passes over some of a run that is not so simple. The result is `p` itself where the run stops.
template <class Context>
BANKHOOK_NOINLINE constexpr const char* pass_characters(Context& in, const char* p) {
  if (p >= in.end) return in.fail(Errc::truncated, in.end);
  if (*p == '"' || *p == '\\') return p;
  if (is_stop(*p)) return in.fail(Errc::control_character, p);
  const char* next = text::find_invalid_utf8(p, find_stop(in, p));
  if (next == p) next = text::detail::next_sequence(p, in.end);  // a block may end inside of one
  return next != nullptr ? next : in.fail(Errc::invalid_utf8, p);
}

/// The checked scan: the quote or the backslash at which the plain run at `p` stops. An error, at the first byte that is
/// wrong, if that is not UTF-8, a control character or the end of the text. It looks at most a block further than that.
template <class Context>
BANKHOOK_INLINE constexpr const char* read_run(Context& in, const char* p) {
  for (;;) {
    if !consteval {
      std::ptrdiff_t size = 0;
      if (is_simple_run(in, p, size)) [[likely]] {
        p += size;
        if (size == sizeof(simd::Block64)) continue;
        if (*p == '"' || *p == '\\') [[likely]]
          return p;
      }
    }
    const char* const next = pass_characters(in, p);
    if (next == p || next == nullptr) return next;
    p = next;
  }
}

/// The quote that closes a string, from a backslash in it on.
template <class Context>
BANKHOOK_NOINLINE constexpr const char* find_close(Context& in, const char* p) {
  while (p != nullptr && *p != '"') {
    char* nowhere = nullptr;
    const char* const next = read_escape(in, p, nowhere);
    p = next == nullptr ? next : read_run(in, next);
  }
  return p;
}

/// Decodes the string from `start`, whose first backslash is at `escape`, into the store.
template <class Context>
BANKHOOK_NOINLINE constexpr const char* decode_text(Context& in, const char* start, const char* escape,
                                                    std::string_view& out) {
  const char* const close = find_close(in, escape);
  if (close == nullptr) return close;
  const auto written = static_cast<std::size_t>(close - start);
  char* const decoded = in.store.text(written);  // no escape decodes to more bytes than it is written with
  if (decoded == nullptr) return in.fail(Errc::out_of_memory, start);
  char* last = std::copy(start, escape, decoded);
  for (const char* p = escape; p != close;) {
    p = read_escape(in, p, last);
    const char* const next = p + std::min(std::string_view(p, close).find('\\'), static_cast<std::size_t>(close - p));
    last = std::copy(p, next, last);
    p = next;
  }
  out = {decoded, last};
  in.store.give_back_text(last, written - out.size());
  return close + 1;
}

/// Reads the string from `start`, whatever it holds; its first `plain` bytes are known to be plain.
template <class Context>
BANKHOOK_NOINLINE constexpr const char* read_any_text(Context& in, const char* start, std::string_view& out,
                                                      std::size_t plain = 0) {
  const char* const stop = read_run(in, start + plain);
  if (stop == nullptr) return nullptr;
  if (*stop == '\\') return decode_text(in, start, stop, out);
  out = {start, stop};
  return stop + 1;
}

/// Reads a string whose first 64 bytes are plain and do not end it.
template <class Context>
BANKHOOK_NOINLINE const char* read_long_text(Context& in, const char* p, std::string_view& out, RememberedLength& length) {
  const char* const next = read_any_text(in, p, out, sizeof(simd::Block64));
  if (next != nullptr) length.remember_long(out.size());
  return next;
}

/// Reads a string by one search in its first 64 bytes, where most end.
template <class Context>
BANKHOOK_NOINLINE const char* read_searched_text(Context& in, const char* p, const char* window, std::string_view& out,
                                                 RememberedLength& length) {
  const auto block = simd::Block64::load(window);
  const std::uint64_t plain_ends = block.template special_mask<true>();
  if (plain_ends == 0) [[unlikely]]
    return read_long_text(in, p, out, length);
  auto size = static_cast<std::size_t>(std::countr_zero(plain_ends));
  if (window[size] == '"') [[likely]] {
    length.remember(size);
    out = {p, size};
    return p + size + 1;
  }
  const std::uint64_t ends = block.template special_mask<false>();
  size = static_cast<std::size_t>(std::countr_zero(ends));
  const bool is_inside = static_cast<std::ptrdiff_t>(size) < in.end - p;  // or a character may be cut by the end
  if (ends == 0 || !is_inside || window[size] != '"' || !block.has_short_forms_only((ends - 1) & ~ends))
    return read_any_text(in, p, out);
  out = {p, size};
  return p + size + 1;
}

/// Whether a string of this size, a block at least, is plain and ends at `p + size`.
BANKHOOK_INLINE bool ends_at(const char* p, std::size_t size) {
  using Block = simd::Block32;
  std::uint32_t special_mask = Block::load(p + size - sizeof(Block)).special_mask<true>();
  for (std::size_t at = 0; at + sizeof(Block) < size; at += sizeof(Block))
    special_mask |= Block::load(p + at).special_mask<true>();
  return special_mask == 0 && p[size] == '"';
}

/// Reads a string that is likely to be as long as the ones before it, a block at least.
template <class Context>
BANKHOOK_NOINLINE const char* read_steady_text(Context& in, const char* p, const char* window, std::string_view& out,
                                               RememberedLength& length) {
  const std::size_t size = length.size();
  if (size < sizeof(simd::Block32) || !in.has_window(p + size) || !ends_at(p, size)) [[unlikely]]
    return read_searched_text(in, p, window, out, length);
  out = {p, size};
  return p + size + 1;
}

}  // namespace bankhook::json::detail

namespace bankhook::json {

/// Reads the string whose opening quote lies before `p`; `out` views the payload or, with escapes, the store.
/// RFC 8259: UTF-8, escapes and surrogate pairs are checked, control characters rejected.
template <class Context>
BANKHOOK_INLINE constexpr const char* read_text(Context& in, const char* p, const char* window, std::string_view& out,
                                                RememberedLength& length) {
  if consteval {
    return detail::read_any_text(in, p, out);
  }
  // If the field had one length lately, the position after the string follows from that, and the search only has to agree:
  // the processor goes on before it has ended. Otherwise each string would wait for the search in the one before it, some
  // 18 cycles a string. Lengths that vary are not predicted at all: a wrong guess costs as much as a search.
  if (const std::uint32_t stop = length.stop(); stop != 0) {
    const std::uint32_t special_mask = simd::Block32::load(window).template special_mask<true>();
    const std::size_t size = length.size();
    if ((special_mask & (0 - special_mask)) == stop && window[size] == '"') [[likely]] {
      out = {p, size};
      return p + size + 1;
    }
  }
  if (length.is_steady()) return detail::read_steady_text(in, p, window, out, length);
  return detail::read_searched_text(in, p, window, out, length);
}

/// Skips the string whose opening quote lies before `p`: it is checked, and nothing is decoded.
template <class Context>
BANKHOOK_NOINLINE constexpr const char* skip_text(Context& in, const char* p) {
  p = detail::read_run(in, p);
  if (p != nullptr && *p != '"') p = detail::find_close(in, p);
  return p == nullptr ? p : p + 1;
}

}  // namespace bankhook::json
