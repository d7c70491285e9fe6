// SPDX-License-Identifier: MIT
// Text as a template argument and as the result of a computation at compile time; text that no view may be kept of.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>  // and enable_borrowed_range, without the rest of <ranges>
#include <type_traits>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// `N` characters and a terminating zero. Structural, so `f<"text">` works; compares by its characters.
template <std::size_t N>
struct FixedString {
  char characters[N + 1]{};

  constexpr FixedString() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is meant to convert
  consteval FixedString(const char (&literal)[N + 1]) : FixedString(std::string_view(literal, N)) {}
  constexpr explicit FixedString(std::string_view text) {
    for (std::size_t i = 0; i < N; ++i) characters[i] = text[i];
  }

  static constexpr std::size_t max_size = N;
  [[nodiscard]] static constexpr std::size_t size() { return N; }
  [[nodiscard]] constexpr std::string_view view() const { return {characters, N}; }
  constexpr bool operator==(const FixedString&) const = default;
};

template <std::size_t N>
FixedString(const char (&)[N]) -> FixedString<N - 1>;

/// The texts `parts`, one after the other.
template <std::size_t... N>
consteval auto join_literals(const FixedString<N>&... parts) {
  FixedString<(N + ... + 0)> joined;
  std::size_t size = 0;
  const auto append = [&](std::string_view part) {
    for (const char c : part) joined.characters[size++] = c;
  };
  (append(parts.view()), ...);
  return joined;
}

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

/// What owns the characters or elements that a `View` made of it would view, and is gone before that: a std::string for a
/// std::string_view.
template <class Owner, class View>
concept GoneBeforeView = !std::is_reference_v<Owner> && std::ranges::enable_borrowed_range<View> && requires(Owner& owner) {
  owner.begin();
} && !std::ranges::enable_borrowed_range<std::remove_cv_t<Owner>>;

/// A text that would be gone before the views into it: `parse(read_file(), arena)` does not compile.
template <class S>
concept TemporaryText = GoneBeforeView<S, std::string_view> && std::convertible_to<S, std::string_view>;

}}}  // namespace bankhook::BANKHOOK_ABI::detail
