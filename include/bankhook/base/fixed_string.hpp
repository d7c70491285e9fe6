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

struct PaddedView;
class PaddedString;

namespace detail {

// What a function gives that must not be called as it was: a type that is only declared. Compilers say its name, and
// nothing else; whoever only asks whether the function can be called gets the answer that it cannot.
struct keep_it_in_a_variable_because_it_is_gone_before_what_views_it;
struct what_is_read_is_text_or_bytes_beside_each_other;  // of a pointer: std::span(pointer, size)

/// What owns the characters or elements that a `View` made of it would view, and is gone before that: a std::string for a
/// std::string_view.
template <class Owner, class View>
concept GoneBeforeView = !std::is_reference_v<Owner> && std::ranges::enable_borrowed_range<View> && requires(Owner& owner) {
  owner.begin();
} && !std::ranges::enable_borrowed_range<std::remove_cv_t<Owner>>;

/// A text that would be gone before the views into it: `parse(read_file(), arena)` does not compile.
template <class S>
concept TemporaryText = GoneBeforeView<S, std::string_view> && std::convertible_to<S, std::string_view>;

/// A byte of a text, whatever it is called.
template <class T>
inline constexpr bool is_byte = std::is_same_v<T, char> || std::is_same_v<T, decltype(u8'a')> ||
                                std::is_same_v<T, std::byte> || std::is_same_v<T, unsigned char>;

}  // namespace detail

/// A text, or bytes that lie beside each other: `std::vector<char>`, `std::span<const std::byte>`.
template <class T>
concept ContiguousBytes = std::convertible_to<const T&, std::string_view> || requires(const T& bytes) {
  requires detail::is_byte<std::remove_cvref_t<decltype(*std::data(bytes))>> && sizeof(std::size(bytes)) > 0;
};

namespace detail {

/// The bytes as the text that they are.
template <class T>
[[nodiscard]] constexpr std::string_view text_in(const T& bytes) {
  constexpr bool is_read = ContiguousBytes<T>;
  static_assert(is_read, "what is read is text, or bytes that lie beside each other");
  if constexpr (!is_read) return {};
  else if constexpr (std::convertible_to<const T&, std::string_view>) return bytes;
  else return {reinterpret_cast<const char*>(std::data(bytes)), std::size(bytes)};
}

}  // namespace detail

/// What is read: a text, or bytes in any form in which they lie beside each other (`std::span<const std::byte>`,
/// `std::vector<char>`, `std::u8string_view`). It is viewed and must outlive what is read; a temporary does not compile.
struct Bytes : std::string_view {
  constexpr Bytes(const char* bytes, std::size_t count) : std::string_view(bytes, count) {}
  template <ContiguousBytes T>
    requires std::ranges::enable_borrowed_range<T>
  constexpr Bytes(const T& view) : std::string_view(detail::text_in(view)) {}  // NOLINT(*-explicit-constructor)
  template <ContiguousBytes T>
    requires(!std::ranges::enable_borrowed_range<std::remove_cvref_t<T>> &&
             !std::is_base_of_v<Bytes, std::remove_cvref_t<T>> && !std::is_same_v<T, PaddedString&> &&
             !std::is_same_v<T, const PaddedString&>)  // which convert, and keep their promise
  constexpr Bytes(T&& owner BANKHOOK_LIFETIMEBOUND)
      : std::string_view(detail::text_in(owner)) {  // NOLINT(*-explicit-constructor)
    static_assert(!detail::GoneBeforeView<T, std::string_view> && !std::is_same_v<std::remove_const_t<T>, PaddedString>,
                  "keep what is read in a variable: it is gone before what views it");
  }

  std::size_t readable_after = 0;  ///< how many bytes after it may be read, whatever they hold: see PaddedView
};

/// What is read during a call and not viewed afterwards: in the same forms, and a temporary is as good.
struct TransientBytes : Bytes {
  template <ContiguousBytes T>
    requires(!std::is_base_of_v<TransientBytes, T>)
  constexpr TransientBytes(const T& bytes) : Bytes(view_of(bytes)) {}  // NOLINT(*-explicit-constructor)

 private:
  template <class T>
  static constexpr Bytes view_of(const T& bytes) {
    if constexpr (std::is_base_of_v<Bytes, T> || std::is_same_v<T, PaddedString>) return bytes;
    else return {detail::text_in(bytes).data(), detail::text_in(bytes).size()};
  }
};

}}  // namespace bankhook::BANKHOOK_ABI
