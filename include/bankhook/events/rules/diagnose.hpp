// SPDX-License-Identifier: MIT
// `diagnose`: everything that is wrong with a payload, at once.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/codec_event.hpp>
#include <bankhook/events/rules/finding.hpp>
#include <bankhook/events/rules/validator.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI::detail {

/// Collects what is wrong with a payload as the event `Event`.
template <class Event>
void find_as(std::string_view json, RuleFilter wanted, std::vector<Finding>& findings) {
  Arena arena;
  Validator validator(json, arena, wanted);
  Event event;
  validator.read_all(event);
  validator.evaluate(event);
  findings = validator.finish();
}

/// The same for the known event with this index in AnyEvent.
template <std::size_t I = 0>
void find_as(std::size_t index, std::string_view json, RuleFilter wanted, std::vector<Finding>& findings) {
  if constexpr (I + 1 < known_events) {
    if (index != I) return find_as<I + 1>(index, json, wanted, findings);
  }
  return find_as<std::variant_alternative_t<I, AnyEvent>>(json, wanted, findings);
}

/// Evaluates what needs no knowledge of the event: the syntax and the envelope. Stops at the name of a known event and
/// returns its index in AnyEvent, or that of UnknownEvent if the payload names none.
template <class = void>
std::size_t find_by_envelope(std::string_view json, RuleFilter wanted, std::vector<Finding>& findings) {
  Arena arena;
  Validator validator(json, arena, wanted);
  Envelope envelope;
  validator.read_all(envelope);
  const std::size_t index = event_index(envelope.event);
  if (index == known_events) validator.evaluate(UnknownEvent{envelope.event, json});
  findings = validator.finish();
  return index;
}

}  // namespace bankhook::inline BANKHOOK_ABI::detail

namespace bankhook::inline BANKHOOK_ABI {

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
[[nodiscard]] BANKHOOK_ENTRY std::vector<Finding> diagnose(std::string_view json, RuleFilter wanted = {}) {
  std::vector<Finding> findings;
  const std::size_t index = detail::find_by_envelope(json, wanted, findings);
  if (index < detail::known_events) detail::find_as(index, json, wanted, findings);
  return findings;
}

BANKHOOK_ONCE(std::vector<Finding> diagnose(std::string_view, RuleFilter));

/// Everything that is wrong with the JSON of a `T`, for payloads that are read by `parse_as<T>`, or by `parse` if T is
/// AnyEvent.
template <class T>
[[nodiscard]] std::vector<Finding> diagnose_as(std::string_view json) {
  if constexpr (std::is_same_v<T, AnyEvent> || std::is_same_v<T, UnknownEvent>) {
    return diagnose(json);
  } else {
    std::vector<Finding> findings;
    detail::find_as<T>(json, {}, findings);
    return findings;
  }
}

}  // namespace bankhook::inline BANKHOOK_ABI
