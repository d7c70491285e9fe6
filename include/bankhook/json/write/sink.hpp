// SPDX-License-Identifier: MIT
// The buffer that is written: room is checked once a string or key, and text is copied while it is searched for escapes.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::json {

/// The longest form, as of `\u0001`.
inline constexpr std::ptrdiff_t longest_escape = 6;

inline char* escape(char c, char* to) {
  constexpr std::string_view escaped = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt", digits = "0123456789abcdef";
  *to++ = '\\';
  const std::size_t which = escaped.find(c);
  if (which != escaped.npos) {
    *to++ = letters[which];
  } else {
    to = std::copy_n("u00", 3, to);
    *to++ = digits[static_cast<unsigned char>(c) >> 4];
    *to++ = digits[static_cast<unsigned char>(c) & 15];
  }
  return to;
}

/// The whole string after its opening quote, and the closing one. nullptr if that and `room` more bytes do not fit.
/// Takes no sink: one that is known to others cannot stay in registers.
BANKHOOK_NOINLINE inline char* write_escaped(std::string_view value, char* to, const char* end, std::size_t room) {
  for (std::size_t i = 0; i < value.size();) {
    if (end - to < std::max<std::ptrdiff_t>(longest_escape, sizeof(simd::Block16))) return nullptr;
    if (value.size() - i >= sizeof(simd::Block16)) {
      const auto block = simd::Block16::load(value.data() + i);
      block.store(to);
      const auto plain = static_cast<std::size_t>(
          std::min(std::countr_zero(simd::escapes(block).high()), static_cast<int>(sizeof(simd::Block16))));
      to += plain;
      i += plain;
      if (plain == sizeof(simd::Block16)) continue;
      if (end - to < longest_escape) return nullptr;
    }
    const char c = value[i++];
    if (simd::needs_escape(c)) to = escape(c, to);
    else *to++ = c;
  }
  if (static_cast<std::size_t>(end - to) < 1 + room) return nullptr;
  *to++ = '"';
  return to;
}

/// Writes into a fixed range. Room is reserved for a struct's keys, punctuation and numbers at once, and for each text;
/// what does not fit makes the writing end with false, and the owner makes room and begins again.
class Sink {
 public:
  Sink(char* begin, char* end) : next_(begin), end_(end) {}

  /// After the last byte that was written.
  [[nodiscard]] char* position() const { return next_; }

  /// Whether `bytes` more fit.
  [[nodiscard]] BANKHOOK_INLINE bool has_room(std::size_t bytes) const {
    return bytes <= static_cast<std::size_t>(end_ - next_);
  }

  /// A text that is known at compile time: keys with their punctuation. There is room for it, so it is true that it fits.
  template <FixedString characters>
  BANKHOOK_INLINE bool literal() {
    next_ = std::copy_n(characters.characters, characters.size(), next_);
    return true;
  }

  /// Takes the last byte back.
  BANKHOOK_INLINE void step_back() { --next_; }

  /// `before` and what `print(char*)` writes, which returns the position after. There is room for both, as for a literal.
  template <FixedString before, class Print>
  BANKHOOK_INLINE bool printed(Print&& print) {
    literal<before>();
    next_ = print(next_);
    return true;
  }

  /// `before` and a string in quotes, escaped where RFC 8259 asks for it: quote, backslash and control characters, nothing
  /// else. False if that and `room` more bytes do not fit.
  template <FixedString before>
  [[nodiscard]] BANKHOOK_INLINE bool text(std::string_view value, std::size_t room) {
    constexpr auto head = join_literals(before, FixedString("\""));
    if (!has_room(head.size() + value.size() + 1 + room)) [[unlikely]]
      return false;
    literal<head>();
    base::prefetch(value.data(), 2048);  // most texts of an event lie one after the other, in its payload
    if (simd::copy_text(value, next_)) [[likely]] {
      next_ += value.size();
      *next_++ = '"';
      return true;
    }
    char* const after = write_escaped(value, next_, end_, room);
    if (after == nullptr) return false;
    next_ = after;
    return true;
  }

  /// JSON text as it stands, but for the white space between its tokens. False if it does not fit.
  [[nodiscard]] bool minified(std::string_view json) {
    if (!has_room(json.size())) return false;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const char c = json[i];
      if (!in_string && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) continue;
      *next_++ = c;
      if (c == '"') in_string = !in_string;
      else if (c == '\\' && i + 1 < json.size()) *next_++ = json[++i];
    }
    return true;
  }

 private:
  char* next_;
  char* end_;
};

/// Appends what `write(Sink&)` writes to `out`, a std::string; it returns false where that did not fit. Reallocates only
/// where the capacity does not suffice. `write` may be called again from the start, so it has no side effect.
template <class Write>
void append(std::string& out, Write&& write) {
  const std::size_t old_size = out.size();
  bool complete = false;
  while (!complete) {
    out.resize_and_overwrite(out.capacity(), [&](char* data, std::size_t capacity) {
      Sink sink(data + old_size, data + capacity);
      complete = write(sink);
      return complete ? static_cast<std::size_t>(sink.position() - data) : old_size;
    });
    if (!complete) out.reserve(std::max<std::size_t>(2 * out.capacity(), old_size + 512));
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
