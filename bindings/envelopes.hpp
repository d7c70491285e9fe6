// SPDX-License-Identifier: MIT
// Events inside of other JSON, as tools that capture requests store them: `{"headers": {...}, "body": {...}}`.
#pragma once

#include "place_id.hpp"

#include <algorithm>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

namespace bankhook::python {

/// Calls `visit(name, value)` for the fields of an object until it returns true, or until something is no JSON. The value
/// is the text that stands there, the name lives as long as the text and the arena.
void each_field(std::string_view object, Arena& arena, auto visit) {
  detail::json::ParseContext in(object, arena);
  const char* p = detail::json::skip_to_value(in);
  if (in.peek(p) != '{') return;
  do {
    p = detail::json::skip_space(in, p + 1);
    std::string_view name;
    if (in.peek(p) != '"' || (p = detail::json::read_any_text(in, p + 1, name)) == nullptr) return;
    const char* const value = detail::json::skip_colon(in, p);
    if (value == nullptr || (p = detail::json::skip_value(in, value)) == nullptr) return;
    if (visit(name, std::string_view(value, p))) return;
    p = detail::json::skip_space(in, p);
  } while (in.peek(p) == ',');
}

/// The value of the first field of this name; empty without one.
inline std::string_view field_of(std::string_view object, std::string_view wanted, Arena& arena) {
  std::string_view found;
  each_field(object, arena, [&](std::string_view name, std::string_view value) {
    if (name == wanted) found = value;
    return name == wanted;
  });
  return found;
}

/// What a string contains; any other value as it stands there, empty for one that cannot be read.
inline std::string_view content_of(std::string_view value, Arena& arena) {
  if (!value.starts_with('"')) return value;
  detail::json::ParseContext in(value, arena);
  std::string_view text;
  return detail::json::read_any_text(in, in.begin + 1, text) == nullptr ? std::string_view() : text;
}

/// The value at a path of names with dots between them, `request.body`, as it stands in the text; empty without one.
inline std::string_view value_at(std::string_view text, std::string_view path, Arena& arena) {
  if (path.empty()) return field_of(text, path, arena);  // the name without letters, which `split` does not give
  for (const auto name : std::views::split(path, '.')) text = field_of(text, std::string_view(name), arena);
  return text;
}

/// The value at a path as a text; nothing for null, without one, and where the envelope cannot be read that far.
inline std::optional<std::string> kept_text(std::string_view envelope, std::string_view path, Arena& arena) {
  const std::string_view value = value_at(envelope, path, arena);
  if (value.empty() || value == "null") return {};
  return std::string(content_of(value, arena));
}

/// Whether a name can stand in a path and in a message unchanged.
constexpr bool is_plain(std::string_view name) {
  return std::ranges::all_of(name, [](unsigned char c) { return detail::is_identifier(c) || c == '-'; });
}

/// The path at which a line that is not an event has one, at most three plain names deep; empty if it has none.
inline std::string path_of_event(std::string_view text, Arena& arena, unsigned depth = 1) {
  std::string path;
  each_field(text, arena, [&](std::string_view name, std::string_view value) {
    if (!is_plain(name)) return false;
    if (field_of(content_of(value, arena), "event", arena).starts_with('"')) {
      path = name;
    } else if (const std::string rest = depth < 3 ? path_of_event(value, arena, depth + 1) : ""; !rest.empty()) {
      path.append(name).append(".").append(rest);
    }
    return !path.empty();
  });
  return path;
}

}  // namespace bankhook::python
