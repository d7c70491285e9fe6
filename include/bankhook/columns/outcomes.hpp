// SPDX-License-Identifier: MIT
// The table of outcomes: what each event of an archive means to a tracker that has the events before it.
#pragma once

#include <bankhook/base/enumerators.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/columns/rows.hpp>
#include <bankhook/events/archive/line_reader.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/tracking/changes.hpp>
#include <bankhook/tracking/outcome.hpp>
#include <bankhook/tracking/reason.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace bankhook::inline BANKHOOK_ABI {

/// A Change as a row within an OutcomeRow.
struct ChangeRow {
  static constexpr Meaning meanings[] = {
      {"kind", "How it changes: added, changed, removed, unlisted, listed_again, reordered or missing"},
      {"subject", "What it is: a member, a connection, an account or a transaction"},
      {"label", "The two in one word, or what the change of this field is called: error_raised"},
      {"id", "Id of the member, connection, account or transaction that changes"},
      {"parent_id", "An account's connection; a connection's or a transaction's member; null for a member"},
      {"field", "Wire name of the field that differs; null if a whole object is added or removed"},
      {"before", "Its value before, as on the wire; null without one"},
      {"after", "Its value after, as on the wire; null without one"},
      {"first_event_missing", "For an added connection or transaction: its create or created has not come"},
  };

  std::string_view kind{};
  std::string_view subject{};
  std::string_view label{};
  std::string_view id{};
  nullable<std::string_view> parent_id{};
  nullable<std::string_view> field{};
  nullable<std::string_view> before{};
  nullable<std::string_view> after{};
  bool first_event_missing = false;
};

/// The Outcome of an event of an archive, as a row of `to_columns<OutcomeRow>`.
struct OutcomeRow {
  static constexpr std::string_view meaning = "What an event means to a tracker that has the events before it";
  static constexpr Meaning meanings[] = {
      {"event", "Name of the event"},
      {"event_type", "Type of the event; null if its name is not listed"},
      {"member_id", "Id of the member; null if the name of the event is not listed"},
      {"id", "Id of the connection or the transaction; null if the name of the event is not listed"},
      {"verdict", "What the specification says about it: specified, assumed, unspecified or contradicts"},
      {"rule", "Id of the rule that the verdict rests on; null if it rests on a row of a lifecycle, or on nothing"},
      {"section", "Section of that rule or row; null without one"},
      {"evidence", "Evidence of that rule or row; null without one"},
      {"accepted", "Whether the event was applied"},
      {"repeat", "Whether the event contains nothing new"},
      {"seen_before", "Whether this very event was accepted earlier"},
      {"changes", "What the event changed"},
      {"findings", "Ids of the rules between its fields that the event breaks"},
  };

  std::string_view event{};
  nullable<std::string_view> event_type{};
  nullable<std::string_view> member_id{};
  nullable<std::string_view> id{};
  std::string_view verdict{};
  nullable<std::string_view> rule{};
  nullable<std::string_view> section{};
  nullable<std::string_view> evidence{};
  bool accepted = true;
  bool repeat = false;
  bool seen_before = false;
  std::span<const ChangeRow> changes{};
  std::span<const std::string_view> findings{};
};

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::columns {

/// Applies each event to a tracker.
template <>
struct RowsOf<OutcomeRow> {
  static constexpr bool needs_order = true;

  template <class = void>
  std::size_t begin(const ArchiveLine& line) {
    if (!line.event) return 0;
    outcome = tracker.apply(*line.event);
    made = {};
    std::visit([&](const auto& event) { set_subject(event); }, *line.event);
    set_verdict();
    texts.clear();
    changes.clear();
    for (const Change& change : outcome.changes) changes.push_back(row_of(change));
    made.changes = changes;
    rules.clear();
    for (const auto& finding : outcome.findings) rules.push_back(name_of(finding.rule));
    made.findings = rules;
    return 1;
  }
  [[nodiscard]] const OutcomeRow& row(std::size_t) const { return made; }

  Tracker tracker{};
  Outcome outcome{};  ///< what `made` views
  OutcomeRow made{};
  std::vector<ChangeRow> changes{};
  std::vector<std::string_view> rules{};
  std::deque<std::string> texts{};  ///< of the values in `changes` that are not texts

 private:
  static nullable<std::string_view> text_or_null(std::string_view text) {
    if (text.empty()) return {};
    return text;
  }

  template <class Event>
  void set_subject(const Event& event) {
    if constexpr (std::is_same_v<Event, UnknownEvent>) {
      made.event = event.event;
    } else {
      made.event = event.event.text();
      made.event_type = event.event_type.text();
      made.member_id = event.customer.id;
      if constexpr (requires { event.connection; }) made.id = event.connection.id;
      else made.id = event.initial_transaction.id;
    }
  }

  void set_verdict() {
    made.verdict = name_of(outcome.verdict);
    if (const auto* const rule = std::get_if<const Rule*>(&outcome.reason)) made.rule = name_of((*rule)->rule);
    if (const auto evidence = outcome.reason.evidence()) made.evidence = name_of(*evidence);
    made.section = text_or_null(outcome.reason.section());
    made.accepted = outcome.accepted;
    made.repeat = outcome.repeat;
    made.seen_before = outcome.seen_before;
  }

  ChangeRow row_of(const Change& change) {
    return {.kind = name_of(change.kind),
            .subject = name_of(change.subject),
            .label = label_of(change),
            .id = change.id,
            .parent_id = text_or_null(change.parent_id),
            .field = text_or_null(change.field),
            .before = wire_text_of(change.before),
            .after = wire_text_of(change.after),
            .first_event_missing = change.first_event_missing};
  }

  /// The wire form of a value, without the quotes of what has no escapes there.
  nullable<std::string_view> wire_text_of(const ChangeValue& value) {
    return std::visit(
        [&]<class V>(const V& held) -> nullable<std::string_view> {
          if constexpr (std::is_same_v<V, std::monostate>) return {};
          else if constexpr (std::is_same_v<V, std::string_view>) return held;
          else {
            const std::string_view json = texts.emplace_back(serialize(held));
            const bool is_quoted = json.front() == '"';
            return json.substr(is_quoted, json.size() - 2 * is_quoted);
          }
        },
        value);
  }
};

}  // namespace bankhook::inline BANKHOOK_ABI::columns
