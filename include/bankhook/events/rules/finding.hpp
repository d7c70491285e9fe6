// SPDX-License-Identifier: MIT
// One thing that is wrong with a payload: the rule, what it rests on, where it is, what was expected and what was found.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/evidence.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/json/recover/path.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI {

/// One thing that is wrong with a payload. Holds none of its values: `found` is a kind (`number`, `text of another form`),
/// never an id, a hash or a name. The path may hold the names of unlisted fields. Owns what it does not view; the views
/// have static storage.
struct Finding {
  RuleId rule{};               ///< `rule_of` has its sentence, `to_string` its stable id: `status_equals_event_type`
  Evidence evidence{};         ///< what the rule rests on
  std::string_view section{};  ///< of the specification
  Severity severity{};         ///< `error` if `parse` rejects the payload for it
  /// The path to the value as data: decoded names, indices from 0. At most 32 steps are kept, and 64 characters of a name:
  /// an ellipsis replaces the rest of a name, as in `path`, and deeper steps are left out.
  std::vector<PathStep> steps{};
  /// The same as text, as in RFC 9535: `$.connection.accounts[2].id`, `$['a\n']`. It is safe to print and to log: control,
  /// format and invisible characters are escaped.
  std::string path = "$";
  std::optional<std::size_t> offset{};  ///< bytes from the start of the payload; empty after `check`, as are the next two
  std::optional<std::size_t> line{};    ///< counted from 1
  std::optional<std::size_t> column{};  ///< characters (not bytes) from the start of the line, counted from 1
  std::string expected{};               ///< `string or null`
  std::string found{};                  ///< `number`

  bool operator==(const Finding&) const = default;
};

/// Which rules a payload is checked against: those for which the function is true; all of them without a function.
///
///     const auto stated = diagnose(json, [](const Rule& rule) { return rule.evidence == Evidence::stated; });
using RuleFilter = bool (*)(const Rule& rule);

/// `diagnose` lists at most this many findings of a payload. If there are more, one more says so; and if no listed one
/// makes `parse` reject the payload, the first that does is listed before it.
inline constexpr std::size_t max_findings = 100;

}  // namespace bankhook::inline BANKHOOK_ABI
