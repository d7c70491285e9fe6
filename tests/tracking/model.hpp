// SPDX-License-Identifier: MIT
// A second, slow evaluate of a stream: maps of texts, written from the sentences of `docs/how-to/track_and_store.md`.
#pragma once

#include <bankhook/base/arena.hpp>
#include <bankhook/events/any_event.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/rules.hpp>
#include <bankhook/events/serialize.hpp>

#include <tracking/model_changes.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::test {

/// What the model says to an event; the kinds of the changes in any order.
struct Answer {
  Verdict verdict = Verdict::unspecified;
  bool accepted = true;
  bool repeat = false;
  bool must_be_seen = false;  ///< it is one of the last four different events of its key that changed something
  bool may_be_seen = false;   ///< it is any of them
  std::multiset<ChangeKind> kinds{};
  bool operator==(const Answer&) const = default;
};

/// Everything that is known, as text.
class Model {
 public:
  struct Transaction {
    std::string type, json, member, status;
    bool operator==(const Transaction&) const = default;
  };
  struct Connected {
    std::string type, json, member;
    std::string state;  ///< as its own events have it
    bool is_listed = true;
    [[nodiscard]] bool is_there() const { return is_listed && state != "deleted"; }
    [[nodiscard]] std::string shown_state() const { return state == "deleted" || is_listed ? state : "unlisted"; }
  };
  struct Member {
    std::string external_id, on, off, programme, programme_external;
    bool operator==(const Member&) const = default;
  };

  std::map<std::string, Transaction, std::less<>> transactions;
  std::map<std::string, Connected, std::less<>> connections;
  std::map<std::string, Member, std::less<>> members;

  Model() = default;
  Model(bool accept_late, bool unlist) : accept_late_(accept_late), unlist_(unlist) {}

  Answer apply(const AnyEvent& event) {
    Answer answer = std::visit([this](const auto& known) { return apply(known); }, event);
    std::visit([&](const auto& known) { answer.verdict = std::max(answer.verdict, broken_by(known)); }, event);
    return answer;
  }

 private:
  /// A stated rule is contradicted by an event that breaks it within itself, but for values of the future.
  template <class Event>
  static Verdict broken_by(const Event& event) {
    Verdict worst = Verdict::specified;
    for (const Finding& finding : check(event)) {
      const bool is_open = finding.rule == RuleId::values_are_listed || finding.rule == RuleId::event_is_listed;
      const bool contradicts = finding.evidence == Evidence::stated && !is_open;
      worst = std::max(worst, contradicts ? Verdict::contradicts : Verdict::unspecified);
    }
    return worst;
  }

  Answer apply(const UnknownEvent&) { return {}; }

  /// Whether `event` is among the events of a key that changed something.
  void look_up(const std::string& key, const std::string& event, Answer& answer) const {
    const auto found = seen_.find(key);
    if (found == seen_.end()) return;
    const auto at = std::find(found->second.begin(), found->second.end(), event);
    answer.may_be_seen = at != found->second.end();
    answer.must_be_seen = answer.may_be_seen && at - found->second.begin() < 4;
  }
  void note(const std::string& key, const std::string& event) {
    std::vector<std::string>& last = seen_[key];
    std::erase(last, event);
    last.insert(last.begin(), event);
  }

  void set_external_id(const std::string& member, std::string_view external_id, Answer& answer) {
    const bool is_new = !members.contains(member);
    Member& known = members[member];
    if (is_new) answer.kinds.insert(ChangeKind::member_added);
    else if (known.external_id != external_id) answer.kinds.insert(ChangeKind::member_changed);
    known.external_id = external_id;
  }

  Answer apply(const InitialTransactionUpdate& event) {
    const std::string id(event.initial_transaction.id);
    const std::string member(event.customer.id);
    const std::string status(event.initial_transaction.status.text());
    const Transaction next{std::string(event.event_type.text()), serialize(event.initial_transaction), member, status};
    const std::string key = "transaction " + id;
    const std::string hash = next.type + next.json;
    const auto known = transactions.find(id);
    Answer answer;
    if (known == transactions.end()) {
      answer.verdict = status == "created" ? Verdict::specified : Verdict::unspecified;
      set_external_id(member, event.customer.external_id, answer);
      answer.kinds.insert(ChangeKind::transaction_added);
      transactions[id] = next;
      note(key, hash);
      return answer;
    }
    const Transaction before = known->second;
    answer.repeat = before == next;
    look_up(key, hash, answer);
    if (answer.repeat) return answer;
    answer.accepted = accept_late_ || status != "created";
    if (!answer.accepted) return answer;
    if (before.status == "created" && (status == "validated" || status == "rejected")) answer.verdict = Verdict::assumed;
    set_external_id(member, event.customer.external_id, answer);
    if (before.member != member) answer.kinds.insert(ChangeKind::transaction_moved);
    answer.kinds.merge(differences_of_transaction(before.json, next.json));
    if (before.status == next.status && before.type != next.type)
      answer.kinds.insert(ChangeKind::transaction_event_received);
    known->second = next;
    note(key, hash);
    return answer;
  }

  Answer apply(const BankConnectionsUpdateV2& event);
  void take_list(const BankConnectionsUpdateV2& event, Answer& answer);
  void take_member(const BankConnectionsUpdateV2& event, Answer& answer);
  [[nodiscard]] bool list_is_up_to_date(const BankConnectionsUpdateV2& event) const;
  [[nodiscard]] static Verdict step(const Connected& before, const BankConnectionsUpdateV2& event);

  bool accept_late_ = false;
  bool unlist_ = true;
  std::map<std::string, std::string, std::less<>> last_connection_;  ///< of a member, whose event was taken last in full
  std::map<std::string, std::vector<std::string>, std::less<>> seen_;
};

}  // namespace bankhook::test
