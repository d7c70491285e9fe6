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

namespace bankhook::inline BANKHOOK_ABI::json::detail {

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

/// Reads the string from `start`, whatever it holds.
template <class Context>
BANKHOOK_NOINLINE constexpr const char* read_any_text(Context& in, const char* start, std::string_view& out) {
  const char* const stop = read_run(in, start);
  if (stop == nullptr) return nullptr;
  if (*stop == '\\') return decode_text(in, start, stop, out);
  out = {start, stop};
  return stop + 1;
}

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail

namespace bankhook::inline BANKHOOK_ABI::json {

/// Reads the string whose opening quote lies before `p`; `out` views the payload or, with escapes, the store.
/// RFC 8259: UTF-8, escapes and surrogate pairs are checked, control characters rejected.
/// Most are ASCII and end within 64 bytes: one search finds their end.
template <class Context>
BANKHOOK_INLINE constexpr const char* read_text(Context& in, const char* p, const char* window, std::string_view& out,
                                                RememberedLength& length) {
  if consteval {
    return detail::read_any_text(in, p, out);
  }
  const std::uint64_t specials = simd::Block64::load(window).template special_mask<true>();
  const auto size = static_cast<std::size_t>(std::countr_zero(specials));
  if (window[size] != '"') [[unlikely]]
    return detail::read_any_text(in, p, out);
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
template <class Context>
BANKHOOK_NOINLINE constexpr const char* skip_text(Context& in, const char* p) {
  p = detail::read_run(in, p);
  if (p != nullptr && *p != '"') p = detail::find_close(in, p);
  return p == nullptr ? p : p + 1;
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
