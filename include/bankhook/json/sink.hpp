// SPDX-License-Identifier: MIT
// The buffer that is written: room is checked once a string or key, and text is copied while it is searched for escapes.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace bankhook::json {

/// Writes into a fixed range. What does not fit is dropped and `overflowed` says so; the owner makes room and begins anew.
class Sink {
 public:
  constexpr Sink(char* begin, char* end) : next_(begin), end_(end) {}

  /// Behind the last byte that was written.
  [[nodiscard]] constexpr char* position() const { return next_; }
  [[nodiscard]] constexpr bool overflowed() const { return overflowed_; }

  /// A text that is known at compile time: keys with their punctuation.
  template <FixedString characters>
  BANKHOOK_INLINE constexpr void literal() {
    if (!has_room(characters.size())) return;
    next_ = std::copy_n(characters.characters, characters.size(), next_);
  }

  /// A string in quotes, escaped where RFC 8259 asks for it: quote, backslash and control characters, nothing else.
  BANKHOOK_INLINE constexpr void text(std::string_view value) {
    if (!has_room(value.size() + 2)) return;
    char* const start = next_;
    *next_++ = '"';
    if (copy_plain(value)) [[likely]] {
      *next_++ = '"';
      return;
    }
    const auto [next, complete] = escaped(start, end_, value);
    next_ = next;
    if (!complete) overflow();
  }

  /// JSON text as it stands, but for the white space between its tokens.
  constexpr void minified(std::string_view json) {
    if (!has_room(json.size())) return;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const char c = json[i];
      if (!in_string && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) continue;
      *next_++ = c;
      if (c == '"') in_string = !in_string;
      else if (c == '\\' && i + 1 < json.size()) *next_++ = json[++i];
    }
  }

  /// What `print(char*)` writes, at most `most` bytes; it returns the position behind.
  template <class Print>
  BANKHOOK_INLINE constexpr void printed(std::size_t most, Print&& print) {
    if (has_room(most)) next_ = print(next_);
  }

 private:
  [[nodiscard]] BANKHOOK_INLINE constexpr bool has_room(std::size_t bytes) {
    if (bytes <= static_cast<std::size_t>(end_ - next_)) [[likely]]
      return true;
    overflow();
    return false;
  }
  constexpr void overflow() {
    overflowed_ = true;
    end_ = next_;
  }

  /// Copies `value` behind the position if nothing in it needs an escape; reads no byte outside of it.
  [[nodiscard]] BANKHOOK_INLINE constexpr bool copy_plain(std::string_view value) {
    if consteval {
      for (const char c : value) {
        if (needs_escape(c)) return false;
      }
      std::copy_n(value.data(), value.size(), next_);
    } else {
      if (!copy_blocks(value.data(), next_, value.size())) return false;
    }
    next_ += value.size();
    return true;
  }

  /// Whole blocks and, for the rest, the last bytes once more as a block that overlaps.
  [[nodiscard]] BANKHOOK_INLINE static bool copy_blocks(const char* from, char* to, std::size_t size) {
    if (size >= sizeof(simd::Block32)) {
      std::uint32_t stops = 0;
      std::size_t at = 0;
      for (; at + sizeof(simd::Block32) < size; at += sizeof(simd::Block32))
        stops |= copy<simd::Block32>(from + at, to + at);
      at = size - sizeof(simd::Block32);
      return (stops | copy<simd::Block32>(from + at, to + at)) == 0;
    }
    if (size >= sizeof(simd::Block16)) {
      const std::size_t last = size - sizeof(simd::Block16);
      return (copy<simd::Block16>(from, to) | copy<simd::Block16>(from + last, to + last)) == 0;
    }
    if (size >= sizeof(std::uint64_t)) {
      const std::uint64_t first = simd::load8(from);
      const std::uint64_t last = simd::load8(from + size - sizeof last);
      std::memcpy(to, &first, sizeof first);
      std::memcpy(to + size - sizeof last, &last, sizeof last);
      return !simd::may_need_escape(first) && !simd::may_need_escape(last);
    }
    bool plain = true;
    for (std::size_t i = 0; i < size; ++i) {
      plain = plain && !needs_escape(from[i]);
      to[i] = from[i];
    }
    return plain;
  }

  template <class Block>
  BANKHOOK_INLINE static std::uint32_t copy(const char* from, char* to) {
    const Block block = Block::load(from);
    block.store(to);
    return block.template stops<false>();
  }

  static constexpr bool needs_escape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }

  struct Escaped {
    char* next;
    bool complete;
  };

  /// The whole string with its quotes. Takes no sink: one that is known to others cannot stay in registers.
  BANKHOOK_NOINLINE static constexpr Escaped escaped(char* to, char* end, std::string_view value) {
    *to++ = '"';  // there was room for the two quotes and `value`
    for (const char c : value) {
      if (end - to < 7) return {to, false};  // the longest escape and the closing quote
      if (needs_escape(c)) to = escape(c, to);
      else *to++ = c;
    }
    if (to == end) return {to, false};
    *to++ = '"';
    return {to, true};
  }

  static constexpr char* escape(char c, char* to) {
    constexpr std::string_view letters = "btnvfr";  // from 0x08 on; JSON has no \v
    *to++ = '\\';
    if (c == '"' || c == '\\') {
      *to++ = c;
    } else if (c >= '\b' && c <= '\r' && c != '\v') {
      *to++ = letters[static_cast<std::size_t>(c - '\b')];
    } else {
      constexpr std::string_view digits = "0123456789abcdef";
      to = std::copy_n("u00", 3, to);
      *to++ = digits[static_cast<unsigned char>(c) >> 4];
      *to++ = digits[static_cast<unsigned char>(c) & 15];
    }
    return to;
  }

  char* next_;
  char* end_;
  bool overflowed_ = false;
};

/// Appends what `write(Sink&)` writes to `out`, a std::string; reallocates only where the capacity does not suffice.
/// `write` may be called again from the start, so it has no side effect.
template <class String, class Write>
constexpr void append(String& out, Write&& write) {
  const std::size_t old_size = out.size();
  bool complete = false;
  while (!complete) {
    out.resize_and_overwrite(out.capacity(), [&](char* data, std::size_t capacity) {
      Sink sink(data + old_size, data + capacity);
      write(sink);
      complete = !sink.overflowed();
      return complete ? static_cast<std::size_t>(sink.position() - data) : old_size;
    });
    if (!complete) out.reserve(std::max<std::size_t>(2 * out.capacity(), old_size + 512));
  }
}

}  // namespace bankhook::json
