// SPDX-License-Identifier: MIT
// std::format for whatever the library has a `to_string`, if the standard library has std::format.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/spelling.hpp>

#if defined(__cpp_lib_format)
#include <concepts>
#include <format>
#include <string_view>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// A type of the library itself, found where it is declared: those of other people keep their own formatter.
template <class T>
concept OwnPrinted = (std::is_class_v<T> || std::is_enum_v<T>) && is_declared_in_bankhook<T> && requires(const T& value) {
  { to_string(value) } -> std::convertible_to<std::string_view>;
};

}  // namespace bankhook::inline BANKHOOK_ABI::detail

/// Takes what a text takes: `std::format("{:>12}", outcome.verdict)`.
template <bankhook::detail::OwnPrinted T>
struct std::formatter<T, char> : std::formatter<std::string_view, char> {
  template <class Context>
  auto format(const T& value, Context& context) const {
    return std::formatter<std::string_view, char>::format(to_string(value), context);
  }
};
#endif
