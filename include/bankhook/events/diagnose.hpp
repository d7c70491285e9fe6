// SPDX-License-Identifier: MIT
// `diagnose`: everything that is wrong with a payload, at once.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/codec_event.hpp>
#include <bankhook/events/finding.hpp>
#include <bankhook/events/inspect.hpp>

#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::detail {

/// The index of the event that the payload names in AnyEvent, however broken the rest is; where its name cannot be read,
/// or is not listed, that of UnknownEvent.
[[nodiscard]] inline std::size_t named_event(std::string_view json) {
  Arena arena;
  Envelope envelope;
  Inspection inspection(json, arena, [](const Rule&) { return false; });
  inspection.read_all(envelope);
  return event_index(envelope.event);
}

template <class Event>
[[nodiscard]] std::vector<Finding> findings_as(std::string_view json, Wanted wanted) {
  Arena arena;
  Inspection inspection(json, arena, wanted);
  Event event;
  inspection.read_all(event);
  inspection.judge(event);
  return inspection.finish();
}

/// What can be judged without knowing the event: the syntax, its name and its envelope.
template <>
[[nodiscard]] inline std::vector<Finding> findings_as<UnknownEvent>(std::string_view json, Wanted wanted) {
  Arena arena;
  Inspection inspection(json, arena, wanted);
  Envelope envelope;
  inspection.read_all(envelope);
  inspection.judge(UnknownEvent{envelope.event, json});
  return inspection.finish();
}

}  // namespace bankhook::detail

namespace bankhook {

/// Everything that is wrong with a payload: its syntax, members, values and the rules between them (spec 2 and 6), in the
/// payload's order. Takes any bytes and throws nothing (but std::bad_alloc).
/// - Empty if `parse` takes the payload and nothing in it is against a rule. `parse` fails exactly if there is a finding
///   whose severity is `error`.
/// - A fault hides nothing that can still be judged: the rest of broken JSON, the rules between members that were read
///   well. What cannot be known, because the text ends or was skipped, is not called missing.
/// - Of an event that is not listed, the syntax is judged and nothing else.
/// - At most `most_findings` are listed; linear in the length of the text.
/// @param wanted the rules that the payload is held to; the bound counts their findings only
/// @return findings that own their texts and hold no value of the payload; a path may hold names of unlisted members
[[nodiscard]] inline std::vector<Finding> diagnose(std::string_view json, Wanted wanted) {
  const std::size_t index = detail::named_event(json);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::vector<Finding> findings;
    static_cast<void>(
        ((I == index && (findings = detail::findings_as<std::variant_alternative_t<I, AnyEvent>>(json, wanted), true)) ||
         ...));
    return findings;
  }(std::make_index_sequence<std::variant_size_v<AnyEvent>>());
}

/// The same, held to all rules.
[[nodiscard]] inline std::vector<Finding> diagnose(std::string_view json) {
  return diagnose(json, [](const Rule&) { return true; });
}

}  // namespace bankhook
