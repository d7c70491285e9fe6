// SPDX-License-Identifier: MIT
// The quick answer whether anything is wrong with a payload, alone or line by line: what `diagnose` need not look at.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnose.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/events/rules/rules.hpp>

#include <concepts>
#include <cstddef>
#include <expected>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// Whether what was read, and how it had to be read, is all as the tables have it.
[[nodiscard]] bool is_clean(const std::same_as<ParsedEvent> auto& event, bool has_notes) {
  return event && !has_notes && check(*event).empty();
}
[[nodiscard]] bool is_clean(const std::same_as<Parsed> auto& parsed) { return is_clean(parsed.event, parsed.has_notes); }

/// Whether `diagnose` may find a broken rule of this evidence in the payload of `event`, which `parse` accepted.
template <class Event>
[[nodiscard]] bool may_break(const Event& event, bool has_notes, Evidence evidence) {
  return has_notes || check(event).contains(evidence);
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// Whether `diagnose(json)` is empty, at the speed of `parse`: the payload is a listed event with the listed fields and
/// values only, and breaks no rule.
/// @param arena for what the payload needs while it is read; nothing of it is kept
[[nodiscard]] bool is_clean(std::string_view json, std::same_as<Arena> auto& arena) {
  return detail::is_clean(detail::parse_and_note(json, arena));
}
/// The same for a payload with spare readable bytes after it.
[[nodiscard]] bool is_clean(PaddedView json, std::same_as<Arena> auto& arena) {
  return detail::is_clean(detail::parse_and_note(json::ParseContext(json.text, arena, PaddedView::padding)));
}

/// `parse` that rejects what breaks a stated rule, too, as Python's `parse(json, strict=True)` does.
/// @return the event, with the lifetimes of `parse`; or what `diagnose(json)` finds that is an error or stated. That is
///   empty if memory ran out.
///
///     const auto event = bankhook::parse_strictly(payload, arena);
///     if (!event) std::cerr << bankhook::explain(event.error(), payload);
template <std::same_as<Arena> Memory>
[[nodiscard]] std::expected<AnyEvent, std::vector<Finding>> parse_strictly(std::string_view json BANKHOOK_LIFETIMEBOUND,
                                                                           Memory& arena BANKHOOK_LIFETIMEBOUND) {
  const detail::Parsed parsed = detail::parse_and_note(json, arena);
  if (parsed && !detail::may_break(*parsed.event, parsed.has_notes, Evidence::stated)) return *parsed.event;
  auto findings = diagnose(
      json, [](const Rule& rule) { return rule.evidence == Evidence::stated || rule.severity == Severity::error; });
  if (parsed && findings.empty()) return *parsed.event;
  return std::unexpected(std::move(findings));
}
template <detail::TemporaryText S>
std::expected<AnyEvent, std::vector<Finding>> parse_strictly(S&& json, Arena& arena) = delete;

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

/// Evaluates and counts what `reader` reads; `unclean(const ArchiveLine&) -> bool` is called as that of `diagnose_lines`
/// is.
template <class Reader, class Unclean>
void diagnose_each(Reader& reader, Arena& arena, LineCounts& counts, Unclean unclean) {
  ArchiveLine line{};
  for (arena.reset(); reader.next(line); arena.reset()) {
    counts.add(line);
    if (!is_clean(line.event, line.has_notes) && !unclean(line)) break;
  }
  counts.lines = reader.number();
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

/// Evaluates the lines of `ndjson` that are not blank, and counts them.
/// @param arena is reset for each line
/// @param unclean `(std::size_t number, std::string_view raw) -> bool` is called for each line in which `diagnose` finds
///   something, rejected ones too, with its number (from 1, in the archive) and its bytes without their end; false stops
/// @return the bytes that were evaluated: all, or those up to the end of the line at which `unclean` stopped
template <class Unclean>
std::size_t diagnose_lines(std::string_view ndjson, Arena& arena, LineCounts& counts, Unclean unclean) {
  detail::LineReader reader(ndjson, arena, counts.lines);
  detail::diagnose_each(reader, arena, counts, [&](const ArchiveLine& line) { return unclean(line.number, line.raw); });
  return reader.position();
}

}  // namespace bankhook::inline BANKHOOK_ABI
