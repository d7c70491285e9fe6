// SPDX-License-Identifier: MIT
// Words, colons, and values that nobody asked for: skipped, but with every rule of RFC 8259 checked.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/simd.hpp>
#include <bankhook/json/read/parse_context.hpp>
#include <bankhook/json/read/text.hpp>
#include <bankhook/json/read/white_space.hpp>
#include <bankhook/text/number.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::json {

/// Whether `word` stands at `p`.
template <class Context>
constexpr bool word_at(const Context& in, const char* p, std::string_view word) {
  return p <= in.end && std::string_view(p, in.end).starts_with(word);
}

/// Whether `null` stands at `p`.
template <class Context>
BANKHOOK_INLINE constexpr bool null_at(const Context& in, const char* p) {
  if consteval {
    return word_at(in, p, "null");
  }
  return in.end - p >= 4 && simd::begins_with<FixedString("null")>(p);
}

/// Whether the text ends inside of a `null` that begins at `p`.
template <class Context>
constexpr bool ends_in_null(const Context& in, const char* p) {
  return p < in.end && std::string_view("null").starts_with(std::string_view(p, in.end));
}

/// `p` after the colon that follows a name, or an error; white space on both sides.
template <class Context>
constexpr const char* skip_colon(Context& in, const char* p) {
  if (in.peek(p) != ':') [[unlikely]] {
    p = skip_space(in, p);
    if (in.peek(p) != ':') return in.fail_or_end(Errc::expected_colon, p);
  }
  return skip_space(in, p + 1);
}

}  // namespace bankhook::inline BANKHOOK_ABI::json

namespace bankhook::inline BANKHOOK_ABI::json::detail {

/// Which of the open brackets are braces, a bit a level.
class OpenBrackets {
 public:
  /// `around`: how many brackets are open around them.
  explicit constexpr OpenBrackets(std::size_t around) : most_(max_depth - around) {}

  [[nodiscard]] constexpr bool push(bool brace) {
    if (depth_ == most_) return false;
    const std::uint64_t bit = std::uint64_t{1} << depth_ % 64;
    if (brace) braces_[depth_ / 64] |= bit;
    else braces_[depth_ / 64] &= ~bit;
    ++depth_;
    return true;
  }
  constexpr void pop() { --depth_; }
  [[nodiscard]] constexpr bool empty() const { return depth_ == 0; }
  [[nodiscard]] constexpr bool innermost_is_brace() const {
    return (braces_[(depth_ - 1) / 64] >> (depth_ - 1) % 64 & 1) != 0;
  }

 private:
  std::array<std::uint64_t, max_depth / 64> braces_{};
  std::size_t most_;
  std::size_t depth_ = 0;
};

template <class Context>
constexpr const char* skip_scalar(Context& in, const char* p) {
  const char c = in.peek(p);
  if (c == '"') return skip_text(in, p + 1);
  if (c == '-' || (c >= '0' && c <= '9')) {
    const text::Scan number = text::skip_number(p, in.end);
    return number.error == Errc::none ? number.next : in.fail(number.error, number.next);
  }
  for (const std::string_view word : {"true", "false", "null"}) {
    if (word_at(in, p, word)) return p + word.size();
  }
  return in.fail_or_end(Errc::expected_value, p);
}

/// `p` after a name and its colon.
template <class Context>
BANKHOOK_INLINE constexpr const char* skip_name(Context& in, const char* p) {
  if (in.peek(p) != '"') return in.fail_or_end(Errc::expected_field_name, p);
  p = skip_text(in, p + 1);
  return p == nullptr ? p : skip_colon(in, p);
}

/// From after a value to the next value of the same or an outer container; `open` is empty when none is left.
template <class Context>
BANKHOOK_INLINE constexpr const char* skip_to_next_value(Context& in, const char* p, OpenBrackets& open) {
  while (!open.empty()) {
    p = skip_space(in, p);
    const bool brace = open.innermost_is_brace();
    const char c = in.peek(p);
    if (c == ',') {
      p = skip_space(in, p + 1);
      return brace ? skip_name(in, p) : p;
    }
    if (c != (brace ? '}' : ']')) {
      return in.fail_or_end(brace ? Errc::expected_comma_or_brace : Errc::expected_comma_or_bracket, p);
    }
    open.pop();
    ++p;
  }
  return p;
}

}  // namespace bankhook::inline BANKHOOK_ABI::json::detail

namespace bankhook::inline BANKHOOK_ABI::json {

/// Skips the value at `p`, which is part of the object that is being read; without recursion.
template <class Context>
BANKHOOK_NOINLINE constexpr const char* skip_value(Context& in, const char* p) {
  if (in.peek(p) != '{' && in.peek(p) != '[') return detail::skip_scalar(in, p);
  detail::OpenBrackets open(in.depth + 1);
  for (;;) {
    const char c = in.peek(p);
    if (c == '{' || c == '[') {
      if (!open.push(c == '{')) return in.fail(Errc::nested_too_deeply, p);
      p = skip_space(in, p + 1);
      const bool empty = in.peek(p) == (c == '{' ? '}' : ']');
      if (!empty) {
        if (c == '{') p = detail::skip_name(in, p);
        if (p == nullptr) return p;
        continue;
      }
      open.pop();
      ++p;
    } else {
      p = detail::skip_scalar(in, p);
      if (p == nullptr) return p;
    }
    p = detail::skip_to_next_value(in, p, open);
    if (p == nullptr || open.empty()) return p;
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI::json
