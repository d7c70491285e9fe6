// SPDX-License-Identifier: MIT
// One thing that is wrong with a payload: the rule, what it rests on, where it is, what was expected and what was found.
#pragma once

#include <bankhook/base/evidence.hpp>
#include <bankhook/json/path.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook {

/// Holds no value of the payload: `found` is a kind (`number`, `text of another form`), never an id, a hash or a name.
/// The path may hold the names of unlisted fields. Owns what it does not view; the views have static storage.
struct Finding {
  std::string_view rule{};     ///< stable id: `status_equals_event_type`
  Evidence evidence{};         ///< what the rule rests on
  std::string_view section{};  ///< of the specification
  Severity severity{};         ///< `error` if `parse` rejects the payload for it
  /// The way to the value: names decoded, indices from 0. At most 32 steps, and 64 characters of a name: an ellipsis stands
  /// for the rest of a name, as in `path`, and what lies deeper is left out.
  std::vector<PathStep> steps{};
  /// The same as a normalized path (RFC 9535): `$.connection.accounts[2].id`, `$['a\n']`. Holds nothing that a terminal
  /// or a log would obey: control, format and invisible characters are escaped.
  std::string path = "$";
  std::optional<std::size_t> offset{};  ///< bytes from the start of the payload; empty after `check`, as are the next two
  std::optional<std::size_t> line{};    ///< counted from 1
  std::optional<std::size_t> column{};  ///< characters (not bytes) from the start of the line, counted from 1
  std::string expected{};               ///< `string or null`
  std::string found{};                  ///< `number`

  bool operator==(const Finding&) const = default;
};

}  // namespace bankhook
