// SPDX-License-Identifier: MIT
// The way from the root of a payload to a value, as data and as text: `$.connection.accounts[2].id`, `$['a\n']`.
#pragma once

#include <bankhook/text/characters.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI {

/// A step on the way from the root of a payload to a value: the decoded name of a field, or the index of an element.
using PathStep = std::variant<std::string, std::size_t>;

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail { namespace json {

/// A field's name or an element's index while a payload is read; neither if the position is between two of them.
struct Step {
  enum class Kind { nothing, name, index };
  Kind kind = Kind::nothing;
  std::string_view name{};
  std::size_t index = 0;
};

/// How many characters of a name are kept and written at most: names are not bounded, messages are.
inline constexpr std::size_t max_name_characters = 64;
/// How many steps are kept and written at most: whatever is deeper is nested for nesting's sake.
inline constexpr std::size_t max_steps = 32;

/// A path in both forms. An ellipsis replaces what was cut, at the end of a name or of the path.
struct Path {
  std::vector<PathStep> steps{};
  std::string text = "$";
};

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_word_character(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

/// Whether a name may be written after a dot. RFC 9535 allows more; but what is not ASCII may look like something else.
constexpr bool is_plain(std::string_view name) {
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), is_word_character);
}

/// Appends a field: `.name`, or quoted, as in a normalized path (RFC 9535, 2.7) if the name is not plain or is cut.
/// More is escaped than there: whatever would control a terminal or forge a log line, and what cannot be seen
/// (text/characters.hpp).
constexpr void append_name(std::string& path, std::string_view name) {
  const std::string_view shown = text::first_characters(name, max_name_characters);
  const bool is_cut = shown.size() < name.size();
  if (!is_cut && is_plain(name)) {
    path.append(".").append(name);
    return;
  }
  path += "['";
  text::append_escaped(path, shown);
  path.append(is_cut ? "…']" : "']");
}

/// Appends an element: `[2]`.
inline void append_index(std::string& path, std::size_t index) {
  path.append("[").append(std::to_string(index)).append("]");
}

/// The path of the value that these steps lead to; that of the object or array if the last step is nothing. A
/// template, so that what only includes this has no vectors of steps made.
/// @param names further steps
template <class = void>
[[nodiscard]] Path path_of(std::span<const Step> steps, std::span<const std::string_view> names = {}) {
  Path path;
  const auto add = [&path](const Step& step) {
    if (path.steps.size() == max_steps) return path.text.append("…"), false;
    if (step.kind == Step::Kind::index) {
      path.steps.emplace_back(step.index);
      append_index(path.text, step.index);
    } else {
      const std::string_view shown = text::first_characters(step.name, max_name_characters);
      path.steps.emplace_back(std::string(shown).append(shown.size() < step.name.size() ? "…" : ""));
      append_name(path.text, step.name);
    }
    return true;
  };
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::nothing) break;
    if (!add(step)) return path;
  }
  for (const std::string_view name : names) {
    if (!add({.kind = Step::Kind::name, .name = name})) break;
  }
  return path;
}

}}}}  // namespace bankhook::BANKHOOK_ABI::detail::json
