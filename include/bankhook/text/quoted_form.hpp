// SPDX-License-Identifier: MIT
// What a value type with a text form of its own offers, so that JSON, schemas and Python take it without another line.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/error.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace bankhook::inline BANKHOOK_ABI {

/// A value that is written in quotes in a form of its own: `"2026-03-01T10:00:00Z"`. It has
/// - `static constexpr Errc form_error`: what is wrong if a text does not have the form;
/// - `static bool scan(std::string_view text, T& out)`: whether `text` has the form; `out` is a new one;
/// - `static constexpr std::size_t max_printed` and `char* print(char* out) const`, which writes at most as many bytes and
///   returns the position after them;
/// - if not all texts that it rejects are wrong in the same way: `static Errc fault_of(std::string_view text)`;
/// - if most texts have one length: `fast_size` and `static bool scan_usual(const char* p, T& out)`, which reads so
///   many bytes;
/// - for schemas, if there is one: `static constexpr FixedString pattern`, a regular expression that matches the form,
///   as JSON writes it, for a grammar that ECMA-262, RE2, Rust and Python share.
template <class T>
concept QuotedForm = !std::is_aggregate_v<T> && requires(const T& value, T& out, std::string_view text, char* to) {
  { T::form_error } -> std::convertible_to<Errc>;
  { T::max_printed } -> std::convertible_to<std::size_t>;
  { T::scan(text, out) } -> std::same_as<bool>;
  { value.print(to) } -> std::same_as<char*>;
};

/// A quoted form that a reader can try to read before it looks for the end of the text.
template <class T>
concept UsualForm = QuotedForm<T> && requires(T& out, const char* p) {
  { T::fast_size } -> std::convertible_to<std::size_t>;
  { T::scan_usual(p, out) } -> std::same_as<bool>;
};

}  // namespace bankhook::inline BANKHOOK_ABI
