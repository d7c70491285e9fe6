// SPDX-License-Identifier: MIT
// The way from the root of a payload to a value, and how it is written: `$.connection.accounts[2].id`.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::json {

/// A member's name or an element's index on the way; neither where the position is between two of them.
struct Step {
  enum class Kind { nothing, name, index };
  Kind kind = Kind::nothing;
  std::string_view name{};
  std::size_t index = 0;
};

/// So much of a name that is not listed is written; names are not bounded, messages are.
inline constexpr std::size_t most_of_a_name = 64;
/// So many steps are written; what lies deeper is nested for nesting's sake.
inline constexpr std::size_t most_steps = 32;

}  // namespace bankhook::json

namespace bankhook::json::detail {

constexpr bool is_plain(std::string_view name) {
  return std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

constexpr std::string digits_of(std::size_t value) {
  std::string digits;
  do digits.insert(digits.begin(), static_cast<char>('0' + value % 10));
  while ((value /= 10) > 0);
  return digits;
}

/// At most `most_of_a_name` bytes, cut between two characters.
constexpr std::string shortened(std::string_view name) {
  if (name.size() <= most_of_a_name) return std::string(name);
  std::size_t size = most_of_a_name;
  while (size > 0 && (static_cast<unsigned char>(name[size]) & 0xC0) == 0x80) --size;
  return std::string(name.substr(0, size)) + "…";
}

}  // namespace bankhook::json::detail

namespace bankhook::json {

/// Appends a member: `.name`, or `["na-me"]` where it is not plain.
constexpr void append_name(std::string& path, std::string_view name) {
  if (detail::is_plain(name) && !name.empty()) path.append(".").append(detail::shortened(name));
  else path.append("[\"").append(detail::shortened(name)).append("\"]");
}

/// Appends an element: `[2]`.
constexpr void append_index(std::string& path, std::size_t index) {
  path.append("[").append(detail::digits_of(index)).append("]");
}

/// The path of the value behind these steps; that of the object or array where the last step is nothing.
[[nodiscard]] constexpr std::string path_of(const std::vector<Step>& steps) {
  std::string path = "$";
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].kind == Step::Kind::nothing) break;
    if (i == most_steps) return path.append("…");
    if (steps[i].kind == Step::Kind::name) append_name(path, steps[i].name);
    else append_index(path, steps[i].index);
  }
  return path;
}

}  // namespace bankhook::json
