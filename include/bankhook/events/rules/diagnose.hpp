// SPDX-License-Identifier: MIT
// `diagnose`: everything that is wrong with a payload, at once; and the quick answer whether anything is.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/base/compiler.hpp>
#include <bankhook/base/fixed_string.hpp>
#include <bankhook/base/members.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/lines.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/diagnosis.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/events/rules/rule_table.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/json/field_table.hpp>
#include <bankhook/json/parse_context.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <expected>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook { inline namespace BANKHOOK_ABI { namespace detail {

/// An event as `parse` gives it, and what was noticed while reading it.
struct Parsed {
  ParsedEvent event;
  bool has_notes = false;     ///< `diagnose` reports something, although it was read
  bool is_canonical = false;  ///< `serialize` writes the same bytes

  [[nodiscard]] explicit operator bool() const { return event.has_value(); }
};

/// As `parse`, and keeps what it noticed, for callers that ask what `diagnose` would find: a payload without findings is
/// then read only once.
[[nodiscard]] Parsed parse_and_note(const Bytes& json, std::same_as<Arena> auto& arena) {
  json::ParseContext in(json, arena, json.readable_after);
  Parsed parsed{.event = parse_event(in)};  // made in place: copying an event costs more than reading one
  parsed.has_notes = in.has_notes;
  parsed.is_canonical = in.is_canonical();
  return parsed;
}

/// What is wrong with a payload as a `T`.
template <class T>
std::vector<Finding> find_as(std::string_view json, RuleFilter wanted) {
  Arena arena;
  Diagnosis<> diagnosis(json, arena, wanted);
  T value{};
  diagnosis.read_all(json::field_table<T>, &value);
  if constexpr (is_one_of<AnyEvent, T>) diagnosis.evaluate(value);
  return diagnosis.finish();
}

/// Whether what was read (a Parsed or an ArchiveLine), and how it had to be read, is all as the tables have it.
[[nodiscard]] bool is_clean(const auto& read) { return read.event && !read.has_notes && check(*read.event).empty(); }

/// Whether `diagnose` may find a broken rule of this evidence in the payload of `event`, which `parse` accepted.
[[nodiscard]] bool may_break(const auto& event, bool has_notes, Evidence evidence) {
  return has_notes || check(event).contains(evidence);
}

}}}  // namespace bankhook::BANKHOOK_ABI::detail

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Everything that is wrong with a payload: its syntax, fields, values and the rules between them (spec 2 and 6), in the
/// payload's order. Takes any bytes and throws nothing (but std::bad_alloc).
/// - Empty if `parse` accepts the payload and nothing in it breaks a rule. `parse` fails exactly when there is a finding
///   whose severity is `error`.
/// - A fault hides nothing that can still be evaluated: the rest of broken JSON, the rules between fields that were read
///   well. What cannot be known, because the text ends or was skipped, is not called missing.
/// - Of an event that is not listed, the syntax is evaluated and nothing else.
/// - At most `max_findings` are listed. The time is linear in the length of the text: what precedes the event's name is
///   read twice, the rest once.
/// @param wanted the rules that the payload is checked against; the limit counts their findings only
/// @return findings that own their texts and hold no value of the payload; a path may hold names of unlisted fields
template <class = void>
[[nodiscard]] BANKHOOK_ENTRY std::vector<Finding> diagnose(TransientBytes json, RuleFilter wanted = nullptr) {
  constexpr auto known = []<std::size_t... At>(std::index_sequence<At...>) {
    return std::array{&detail::find_as<std::variant_alternative_t<At, AnyEvent>>...};
  }(std::make_index_sequence<detail::known_events>());
  const detail::json::FieldTable envelope{
      .name = "Envelope", .section = "6.1", .fields = detail::json::field_table<UnknownEvent>.fields.first(1)};
  Arena arena;
  detail::Diagnosis<> diagnosis(json, arena, wanted);
  UnknownEvent event{.raw = json};
  diagnosis.read_all(envelope, &event, &event.event);
  const std::size_t index = detail::event_index(event.event);
  if (index < detail::known_events) return known[index](json, wanted);
  diagnosis.evaluate(event);
  return diagnosis.finish();
}

BANKHOOK_ONCE(std::vector<Finding> diagnose(TransientBytes, RuleFilter));

/// Everything that is wrong with the JSON of a `T`, for payloads that are read by `parse_as<T>`, or by `parse` if T is
/// AnyEvent.
template <class T>
[[nodiscard]] std::vector<Finding> diagnose_as(TransientBytes json) {
  if constexpr (std::is_same_v<T, AnyEvent> || std::is_same_v<T, UnknownEvent>) return diagnose(json);
  else return detail::find_as<T>(json, nullptr);
}

/// Whether `diagnose(json)` is empty, at the speed of `parse`: the payload is a listed event with the listed fields and
/// values only, and breaks no rule.
/// @param arena for what the payload needs while it is read; nothing of it is kept
[[nodiscard]] bool is_clean(TransientBytes json, std::same_as<Arena> auto& arena) {
  return detail::is_clean(detail::parse_and_note(json, arena));
}

/// `parse` that rejects what breaks a stated rule, too, as Python's `parse(json, strict=True)` does.
/// @return the event, with the lifetimes of `parse`; or what `diagnose(json)` finds that is an error or stated. That is
///   empty if memory ran out.
///
///     const auto event = bankhook::parse_strictly(payload, arena);
///     if (!event) std::cerr << bankhook::explain(event.error(), payload);
[[nodiscard]] std::expected<AnyEvent, std::vector<Finding>> parse_strictly(
    Bytes json BANKHOOK_LIFETIMEBOUND, std::same_as<Arena> auto& arena BANKHOOK_LIFETIMEBOUND) {
  const detail::Parsed parsed = detail::parse_and_note(json, arena);
  if (parsed && !detail::may_break(*parsed.event, parsed.has_notes, Evidence::stated)) return *parsed.event;
  auto findings = diagnose(
      json, [](const Rule& rule) { return rule.evidence == Evidence::stated || rule.severity == Severity::error; });
  if (parsed && findings.empty()) return *parsed.event;
  return std::unexpected(std::move(findings));
}

/// Evaluates the lines of `ndjson` that are not blank, and counts them.
/// @param arena is reset for each line
/// @param unclean `(std::size_t number, std::string_view raw) -> bool` is called for each line in which `diagnose` finds
///   something, rejected ones too, with its number (from 1, in the archive) and its bytes without their end; false stops
/// @return the bytes that were evaluated: all, or those up to the end of the line at which `unclean` stopped
std::size_t diagnose_lines(TransientBytes ndjson, Arena& arena, LineCounts& counts, auto unclean) {
  detail::LineReader reader(ndjson, arena, counts.lines);
  detail::read_each(reader, arena, counts,
                    [&](const ArchiveLine& line) { return detail::is_clean(line) || unclean(line.number, line.raw); });
  return reader.position();
}

}}  // namespace bankhook::BANKHOOK_ABI
