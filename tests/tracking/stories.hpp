// SPDX-License-Identifier: MIT
// Events of the tests of the tracker in words, and what a tracker answers and has, in words.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bankhook::test {

/// A transaction of member m1 that keeps all rules of its status.
[[nodiscard]] inline InitialTransactionUpdate transaction(std::string_view id, TransactionStatus status) {
  using std::chrono::May, std::chrono::year;
  InitialTransactionUpdate event;
  event.event_type = status;
  event.customer = {"m1", "c1"};
  event.initial_transaction = {.id = id,
                               .amount = Decimal(1990, 2),
                               .store_external_id = "store-1",
                               .status = status,
                               .transaction_date = year(2026) / May / 3,
                               .date = *Timestamp::parse("2026-05-04T12:15:30.000+02:00")};
  if (status == TransactionStatus::rejected)
    event.initial_transaction.rejection_reason = OpenEnum(RejectionReason::purchase_not_found);
  return event;
}

/// A connection without error.
[[nodiscard]] inline Connection connection(std::string_view id, std::span<const Account> accounts = {}) {
  return {.id = id,
          .bank = "Banque Exemple",
          .transactions_eligible_from_date = std::chrono::year(2026) / std::chrono::January / 15,
          .accounts = accounts};
}

/// An event of member m1 about `own`, with `all` connections; the spans must outlive it.
[[nodiscard]] inline BankConnectionsUpdateV2 bank(ConnectionEventType type, const Connection& own,
                                                  std::span<const Connection> all) {
  BankConnectionsUpdateV2 event;
  event.event_type = type;
  event.customer = {"m1", "c1", all.size(), 0, all};
  event.connection = own;
  event.shopping_hub_id = "hub-1";
  event.shopping_hub_external_id = "programme-1";
  return event;
}

/// Events from words; their views live as long as this.
/// - `create k1a: k1a k2` is the create of k1 with one account, and a list of two connections. The letters after an id:
///   `a` and `b`, one and two accounts; `c`, those two in the other order; `d`, the second one alone; `h`, one account with
///   another hash; `e`, an error; `n`, another bank.
/// - `validated t1` is a transaction; `t1=5` one with that amount; `validated/rejected t1` has another status than
/// eventType.
/// - `m2 create k1: k1` is of another member.
class Story {
 public:
  [[nodiscard]] AnyEvent event(std::string_view words) {
    std::istringstream in{std::string(words)};
    std::string member = "m1", verb;
    in >> verb;
    if (verb.starts_with('m')) member = verb, in >> verb;
    std::string own;
    in >> own;
    if (own.starts_with('t')) return of_transaction(member, verb, own);
    std::vector<Connection>& all = lists_.emplace_back();
    for (std::string one; in >> one;) all.push_back(of(one));
    BankConnectionsUpdateV2 made = bank({}, of(own.substr(0, own.find(':'))), all);
    made.event_type = OpenEnum<ConnectionEventType>::of(keep(verb));
    made.customer.id = keep(member);
    return made;
  }

  /// The connection that a word stands for.
  [[nodiscard]] Connection of(std::string_view word) {
    const std::string id(word.substr(0, 2));
    const auto has = [&](char letter) { return word.substr(2).contains(letter); };
    std::vector<Account>& accounts = accounts_.emplace_back();
    const Account first{keep(id + "-1"), keep(has('h') ? "other" : id + "-hash")}, second{keep(id + "-2"), std::nullopt};
    if (has('a') || has('b') || has('h')) accounts.push_back(first);
    if (has('b') || has('c') || has('d')) accounts.push_back(second);
    if (has('c')) accounts.push_back(first);
    Connection made = connection(keep(id), accounts);
    if (has('n')) made.bank = "Another";
    if (has('e')) made.error_code = "1010", made.error_message = "Try again later";
    return made;
  }

 private:
  std::string_view keep(const std::string& text) { return texts_.emplace_back(text); }
  AnyEvent of_transaction(const std::string& member, const std::string& verb, const std::string& own) {
    const std::size_t slash = verb.find('/'), amount = own.find('=');
    const std::string status = slash == verb.npos ? verb : verb.substr(slash + 1);
    const auto known = OpenEnum<TransactionStatus>::of(keep(status));
    InitialTransactionUpdate made = transaction(keep(own.substr(0, amount)), known.known().value_or(TransactionStatus{}));
    made.initial_transaction.status = known;
    made.event_type = OpenEnum<TransactionStatus>::of(keep(verb.substr(0, slash)));
    made.customer.id = keep(member);
    if (amount != own.npos) made.initial_transaction.amount = Decimal(std::stoi(own.substr(amount + 1)));
    return made;
  }

  std::deque<std::vector<Connection>> lists_;
  std::deque<std::vector<Account>> accounts_;
  std::deque<std::string> texts_;
};

/// Verdict and flags: `unspecified refused seen`.
[[nodiscard]] inline std::string words(const Outcome& outcome) {
  std::string all(name_of(outcome.verdict));
  if (!outcome.accepted) all += " refused";
  if (outcome.repeat) all += " repeat";
  if (outcome.seen_before) all += " seen";
  return all;
}

/// The letters that `Story` gives a connection.
[[nodiscard]] inline std::string word(const Connection& one) {
  std::string all(one.id);
  const auto& accounts = one.accounts;
  if (accounts.size() == 1) all += accounts[0].id.ends_with('2') ? "d" : accounts[0].account_hash == "other" ? "h" : "a";
  if (accounts.size() == 2) all += accounts[0].id.ends_with('1') ? "b" : "c";
  if (one.bank == "Another") all += "n";
  if (one.error_code) all += "e";
  return all;
}

/// All that is tracked of a member: `k1a updated, k2 listed, t1 validated, on 2`.
[[nodiscard]] inline std::string words(const Tracker& tracker, std::string_view member = "m1") {
  std::string all;
  for (const TrackedConnection& one : tracker.connections_of(member))
    all += word(one.connection) + " " + (one.state ? std::string(one.state->text()) : "-") + ", ";
  std::map<std::string_view, TrackedTransaction> transactions;
  for (const TrackedTransaction& one : tracker.transactions_of(member)) transactions[one.initial_transaction.id] = one;
  for (const auto& [id, one] : transactions) {
    const Decimal& amount = one.initial_transaction.amount;
    all += std::string(id) + (amount == Decimal(1990, 2) ? "" : "=" + to_string(amount)) + " " +
           std::string(one.initial_transaction.status.text()) + ", ";
  }
  const auto held = tracker.member(member);
  if (!held) return "nobody";
  return all + "on " + (held->membership ? std::to_string(held->membership->connections_on) : "-");
}

/// The kinds of the changes, in their order.
using Labels = std::vector<std::string_view>;
[[nodiscard]] inline Labels labels(const Changes& changes) {
  Labels all;
  for (const Change& change : changes) all.push_back(label_of(change));
  return all;
}
[[nodiscard]] inline Labels labels(const Outcome& outcome) { return labels(outcome.changes); }

/// Whether the verdict rests on this rule.
[[nodiscard]] inline bool rests_on(const Outcome& outcome, RuleId rule) {
  const auto* const reason = std::get_if<const Rule*>(&outcome.reason);
  return reason != nullptr && (*reason)->rule == rule;
}

/// A tracker that has got these events.
[[nodiscard]] inline Tracker tracker_after(std::initializer_list<std::string_view> events,
                                           const TrackerOptions& options = {}) {
  Tracker tracker(options);
  Story story;
  for (const std::string_view one : events) tracker.apply(story.event(one));
  return tracker;
}
/// What a tracker answers to the last of these.
[[nodiscard]] inline Outcome last_outcome(std::initializer_list<std::string_view> events,
                                          const TrackerOptions& options = {}) {
  Tracker tracker(options);
  Story story;
  Outcome last;
  for (const std::string_view one : events) last = tracker.apply(story.event(one));
  return last;
}

}  // namespace bankhook::test
