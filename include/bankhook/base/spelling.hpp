// SPDX-License-Identifier: MIT
// How the compilers spell the names in a program: what reflection reads before C++26.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstddef>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// `auto` as the result keeps gcc from appending what std::string_view stands for.
template <auto Value>
consteval auto text_with_value() {
  return std::string_view(__PRETTY_FUNCTION__);
}
template <class T>
consteval auto text_with_type() {
  return std::string_view(__PRETTY_FUNCTION__);
}

constexpr bool is_identifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// `...::value.T::name)]` (gcc) and `...value.name]` (clang) both end in the name.
consteval std::string_view last_identifier(std::string_view text) {
  while (!is_identifier(text.back())) text.remove_suffix(1);
  std::size_t start = text.size();
  while (start > 0 && is_identifier(text[start - 1])) --start;
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

}  // namespace bankhook::inline BANKHOOK_ABI::detail
