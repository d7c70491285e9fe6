// SPDX-License-Identifier: MIT
// `<<`, and std::format if the standard library has it, for whatever the library has a `to_string`.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/spelling.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

#if defined(__cpp_lib_format)
#include <format>
#endif

namespace bankhook::inline BANKHOOK_ABI {

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

}  // namespace bankhook::inline BANKHOOK_ABI

#if defined(__cpp_lib_format)
/// Takes what a text takes: `std::format("{:>12}", outcome.verdict)`.
template <bankhook::Printable T>
struct std::formatter<T, char> : std::formatter<std::string_view, char> {
  template <class Context>
  auto format(const T& value, Context& context) const {
    return std::formatter<std::string_view, char>::format(to_string(value), context);
  }
};
#endif
