// SPDX-License-Identifier: MIT
// Names in a program as compilers spell them, enumerators among them; `<<` and std::format for what has a `to_string`.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#if defined(__cpp_lib_format)
#include <format>
#endif
#if defined(__cpp_impl_reflection)
#include <meta>
#endif

namespace bankhook { inline namespace BANKHOOK_ABI {

/// An `enum class`.
template <class E>
concept Enumeration = std::is_scoped_enum_v<E>;

namespace detail {

/// `auto` as the result keeps gcc from appending what std::string_view stands for.
template <auto Value>
consteval auto text_with_value() {
  return std::string_view(__PRETTY_FUNCTION__);
}
template <class T>
consteval auto text_with_type() {
  return std::string_view(__PRETTY_FUNCTION__);
}

/// A byte of a letter beyond ASCII, too: the compiler has taken the name already.
constexpr bool is_identifier(unsigned char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80;
}

/// `...::value.T::name)]` (gcc) and `...value.name]` (clang) both end in the name.
consteval std::string_view last_identifier(std::string_view text) {
  const auto is_part = [&](std::size_t at) { return is_identifier(static_cast<unsigned char>(text[at])); };
  while (!is_part(text.size() - 1)) text.remove_suffix(1);
  std::size_t start = text.size();
  while (start > 0 && is_part(start - 1)) --start;
  return text.substr(start);
}

/// `... [with T = ns::Name<...>; ...]` (gcc) and `... [T = ns::Name<...>]` (clang): what follows the first `T = `.
consteval std::string_view type_in(std::string_view text) {
  text.remove_prefix(text.find("T = ") + 4);
  text = text.substr(0, text.find_first_of("<;]"));
  return last_identifier(text);
}

/// Whether a type stands in namespace bankhook.
template <class T>
inline constexpr bool is_declared_in_bankhook = [] {
  const std::string_view text = text_with_type<T>();
  return text.substr(text.find("T = ") + 4).starts_with("bankhook::");
}();

#if defined(__cpp_impl_reflection)
template <class E, std::size_t At>
consteval std::string_view name_of_number() {
  for (const std::meta::info enumerator : std::meta::enumerators_of(^^E)) {
    if (static_cast<std::size_t>(std::meta::extract<E>(enumerator)) == At) return std::meta::identifier_of(enumerator);
  }
  return {};
}
#else
/// `E::name` where the number has an enumerator, `(E)7` where it has none, which is empty here.
template <class E, std::size_t At>
consteval std::string_view name_of_number() {
  constexpr auto value = static_cast<E>(static_cast<std::underlying_type_t<E>>(At));
  const std::string_view name = last_identifier(text_with_value<value>());
  return static_cast<unsigned char>(name.front()) > '9' ? name : std::string_view();
}
#endif

template <class E, std::size_t At = 0>
consteval std::size_t count_enumerators() {
  constexpr bool is_all = std::is_same_v<std::underlying_type_t<E>, bool> && At == 2;  // any number becomes a bool
  if constexpr (is_all || name_of_number<E, At>().empty()) return At;
  else return count_enumerators<E, At + 1>();
}

/// Whether no enumerator is -1 or one of the 16 numbers that follow the first gap: a mistake that would else be silent.
template <class E>
consteval bool counts_from_zero() {
  constexpr std::size_t gap = count_enumerators<E>();
  if (std::is_same_v<std::underlying_type_t<E>, bool>) return true;
  return []<std::size_t... At>(std::index_sequence<At...>) {
    return gap > 0 && (name_of_number<E, gap + At>().empty() && ...) &&
           name_of_number<E, static_cast<std::size_t>(-1)>().empty();
  }(std::make_index_sequence<16>());
}

/// The same, asked where a value is made.
template <class E>
inline constexpr bool is_numbered = [] {
  static_assert(counts_from_zero<E>(), "number the enumerators from 0 without gaps");
  return true;
}();
}  // namespace detail

/// How many enumerators `E` has, counted from 0 to the first gap.
template <Enumeration E>
inline constexpr std::size_t enumerator_count = detail::count_enumerators<E>();

/// The name of enumerator `At` as written in the enumeration.
template <Enumeration E, std::size_t At>
inline constexpr std::string_view enumerator_name = detail::name_of_number<E, At>();

/// The names of all enumerators, indexed by their value.
template <Enumeration E>
inline constexpr auto enumerator_names = []<std::size_t... At>(std::index_sequence<At...>) {
  return std::array<std::string_view, sizeof...(At)>{enumerator_name<E, At>...};
}(std::make_index_sequence<enumerator_count<E>>());

/// The name of a value of `E`: stable, for programs; empty for a number that no enumerator has. Static storage.
template <Enumeration E>
[[nodiscard]] constexpr std::string_view name_of(E value) {
  const auto index = static_cast<std::size_t>(value);
  return index < enumerator_count<E> ? enumerator_names<E>[index] : std::string_view();
}

/// As text for people and logs: the name, unless the enumeration has sentences (as `Errc` has). Static storage.
[[nodiscard]] constexpr std::string_view to_string(Enumeration auto value) { return name_of(value); }

/// A type of the library itself that has a `to_string`, found where it is declared: those of other people keep their own
/// `<<` and formatter.
template <class T>
concept Printable =
    (std::is_class_v<T> || std::is_enum_v<T>) && detail::is_declared_in_bankhook<T> && requires(const T& value) {
      { to_string(value) } -> std::convertible_to<std::string_view>;
    };

/// Writes what `to_string` gives: `std::cout << amount`. For any type of stream, so that a header of streams is not needed
/// here.
template <class Stream, class T>
  requires Printable<T> && requires(Stream& out, std::string_view text) { out.flush() << text; }
Stream& operator<<(Stream& out, const T& value) {
  out << std::string_view(to_string(value));
  return out;
}

}}  // namespace bankhook::BANKHOOK_ABI

/// Of what has a `hash` of its own.
template <class T>
  requires requires(const T& value) { value.hash(); } && bankhook::detail::is_declared_in_bankhook<T>
struct std::hash<T> {
  BANKHOOK_OWN [[nodiscard]] std::size_t operator()(const T& value) const noexcept { return value.hash(); }
};

#if defined(__cpp_lib_format)
/// Takes what a text takes: `std::format("{:>12}", outcome.verdict)`.
template <bankhook::Printable T>
struct std::formatter<T, char> : std::formatter<std::string_view, char> {
  template <class Context>
  BANKHOOK_OWN auto format(const T& value, Context& context) const {
    return std::formatter<std::string_view, char>::format(to_string(value), context);
  }
};
#endif
