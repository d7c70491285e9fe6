// SPDX-License-Identifier: MIT
// A second, slow tracker: maps of texts, written from the design's sentences on how streams are judged, without a table.
#pragma once

#include <bankhook/events/rules/check.hpp>
#include <bankhook/events/rules/rules.hpp>

#include <tracking/stories.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bankhook::test {

struct Answer {
  Verdict verdict = Verdict::specified;
  bool accepted = true;
  bool changes = false;
};

struct Model {
  struct Connected {
    std::string rest, type, state;      ///< `rest`: the connection without its accounts; no type: no event of its own
    std::vector<std::string> accounts;  ///< id and hash
    [[nodiscard]] bool live() const { return state != "deleted" && state != "unlisted"; }
    [[nodiscard]] bool same(const Connected& other) const { return rest == other.rest && accounts == other.accounts; }
    bool operator==(const Connected&) const = default;
  };
  struct Transacted {
    std::string json, status, state;  ///< `state`: the last status that is known
    bool operator==(const Transacted&) const = default;
  };
  struct Member {
    std::string external_id, counts, last;  ///< `last`: whose event was the last to be applied with all that it said
    std::map<std::string, Connected> connections;
    std::map<std::string, Transacted> transactions;
    bool operator==(const Member&) const = default;
  };
  std::map<std::string, Member> members;
  bool take_create = false;

  Answer apply(const UnknownEvent&, bool) { return {Verdict::unspecified}; }

  Answer apply(const InitialTransactionUpdate& event, bool seen) {
    const std::string status(event.initial_transaction.status.text()), id(event.initial_transaction.id);
    if (event.event_type != event.initial_transaction.status) return {Verdict::contradicts, false};
    const auto before = members;
    Member& member = members[std::string(event.customer.id)];
    const bool is_new = !member.transactions.contains(id);
    Transacted& held = member.transactions[id];
    const std::string json = serialize(event.initial_transaction);
    if (!is_new && held.json == json) return members = before, Answer{broken_by(event, Verdict::unspecified)};
    if (status == "created" && !held.state.empty())
      return members = before, Answer{broken_by(event, Verdict::unspecified), false};
    Answer answer{.changes = true};
    if (status == "created") answer.verdict = Verdict::specified;
    else answer.verdict = held.state == "created" ? Verdict::assumed : Verdict::unspecified;
    if (seen || status == "released" || held.status == "released") answer.verdict = Verdict::unspecified;
    if (before.contains(std::string(event.customer.id)) && member.external_id != event.customer.external_id)
      answer.verdict = std::max(answer.verdict, Verdict::assumed);
    member.external_id = event.customer.external_id;
    held = {json, status, status == "released" ? held.state : status};
    return answer.verdict = broken_by(event, answer.verdict), answer;
  }

  Answer apply(const BankConnectionsUpdateV2& event, bool seen) {
    const auto before = members;
    Answer answer = take(event);
    answer.changes = answer.accepted && comparable(before) != comparable(members);
    if (!answer.changes) members = before;
    if (answer.accepted && (seen || !answer.changes)) answer.verdict = std::max(answer.verdict, Verdict::unspecified);
    return answer.verdict = broken_by(event, answer.verdict), answer;
  }

 private:
  /// A stated rule is contradicted by an event that breaks it within itself, but for values of the future.
  template <class Event>
  static Verdict broken_by(const Event& event, Verdict verdict) {
    for (const Finding& finding : check(event)) {
      const bool is_open = finding.rule == RuleId::values_are_listed || finding.evidence != Evidence::stated;
      verdict = std::max(verdict, is_open ? Verdict::unspecified : Verdict::contradicts);
    }
    return verdict;
  }
  static std::map<std::string, Member> comparable(std::map<std::string, Member> all) {
    for (auto& [id, member] : all) member.last.clear();
    return all;
  }
  static Connected connected(Connection one, std::string type = "", std::string state = "") {
    Connected made{.rest = "", .type = std::move(type), .state = std::move(state), .accounts = {}};
    for (const Account& account : one.accounts) made.accounts.push_back(serialize(account));
    one.accounts = {};
    made.rest = serialize(one);
    return made;
  }
  static std::string id_of(const std::string& account) { return account.substr(0, account.find(',')); }

  /// "Specified by ordering rule 2 means accounts created or updated, and nothing else"; accounts that disappear are
  /// unspecified.
  static Verdict judge_update(const Connected& before, const Connected& after) {
    std::vector<std::string> ids, kept;
    std::set<std::string> named;
    for (const auto& account : before.accounts) ids.push_back(id_of(account));
    bool is_news = false;
    for (const auto& account : after.accounts) {
      if (std::ranges::count(ids, id_of(account)) != 0) kept.push_back(id_of(account));
      is_news |= std::ranges::count(before.accounts, account) == 0;
      named.insert(id_of(account));
    }
    const std::set all(kept.begin(), kept.end());
    if (std::ranges::any_of(ids, [&](const auto& id) { return !all.contains(id); })) return Verdict::unspecified;
    const bool is_by_rule_2 = is_news && kept == ids && named.size() == after.accounts.size() && before.rest == after.rest;
    return is_by_rule_2 ? Verdict::specified : Verdict::assumed;
  }

  Answer take(const BankConnectionsUpdateV2& event) {
    const std::string id(event.connection.id), type(event.event_type.text());
    const bool is_new_member = !members.contains(std::string(event.customer.id));
    Member& member = members[std::string(event.customer.id)];
    std::map<std::string, Connected> listed;
    for (const Connection& one : event.customer.connections) listed.emplace(one.id, connected(one));
    const bool is_there_twice = listed.size() != event.customer.connections.size();
    const bool agrees = !is_there_twice && (!listed.contains(id) || listed[id].same(connected(event.connection)));
    const bool own_is_listed = listed.erase(id) != 0;
    const bool is_new = !member.connections.contains(id);
    const Connected held = is_new ? Connected() : member.connections[id];
    const bool is_known_from_list = !is_new && held.type.empty();
    Connected own = connected(event.connection, type, is_known_from_list ? "listed" : held.state);
    Answer answer;

    // its own step
    const bool had_own_event = !is_new && !is_known_from_list && !held.state.empty() && held.state != "listed";
    if (type == "create") {
      if (had_own_event) {
        const bool repeats = held.state == "created" && held.type == type && held.same(own);
        return {Verdict::unspecified, repeats};
      }
      own.state = "created";
    } else if (type == "update") {
      own.state = "updated";
      answer.verdict = had_own_event && held.live() ? judge_update(held, own) : Verdict::unspecified;
    } else if (type == "delete") {
      own.state = "deleted";
      answer.verdict = had_own_event && held.state != "deleted" ? Verdict::assumed : Verdict::unspecified;
    } else {
      answer.verdict = Verdict::unspecified;
    }
    const auto at_least = [&](Verdict verdict) { answer.verdict = std::max(answer.verdict, verdict); };
    if (held.type == "pause") at_least(Verdict::unspecified);
    if (!agrees) at_least(Verdict::assumed);

    // what its own list says of it; a create need not list it yet
    if (own_is_listed) {
      if (own.state == "deleted") at_least(Verdict::unspecified);
      else if (own.state == "unlisted") own.state = "updated";
      else if (own.state.empty()) own.state = "listed";
    } else if (type != "create" && own.state != "deleted" && !own.state.empty()) {
      own.state = "unlisted";
      at_least(Verdict::unspecified);
    }

    if (!is_new && own == held) at_least(Verdict::unspecified);  // nothing new about its connection

    // whether the list and the counts are taken
    bool lacks = false, is_current = true;
    for (const auto& [other, one] : member.connections) {
      if (other == id) continue;
      if (!listed.contains(other)) lacks |= one.live();
      else if (one.state == "deleted") is_current = false, at_least(Verdict::unspecified);  // it stays so
      else if (!one.same(listed[other])) is_current = false;
    }
    is_current = is_current && !lacks;
    bool takes_list = true;
    if (is_known_from_list && type == "create") {
      takes_list = !lacks;
      if (held.state == "unlisted") at_least(Verdict::unspecified);
      if (!held.same(own)) {
        at_least(Verdict::unspecified);
        if (!take_create) own.rest = held.rest, own.accounts = held.accounts;
      }
    } else if (!is_new) {
      const bool is_news =
          held.live() ? !held.same(own) || !own.live() || member.last == id : held.state == "unlisted" && !held.same(own);
      const bool is_certain = (is_news && held.live()) || is_current;
      takes_list = is_news || is_certain;
      if (!is_certain) at_least(Verdict::unspecified);
    }

    if (takes_list && !is_new_member && member.external_id != event.customer.external_id) at_least(Verdict::assumed);
    if (takes_list || is_new_member) member.external_id = event.customer.external_id;
    member.connections[id] = own;
    if (!takes_list) {
      if (member.last == id) member.last.clear();
      return answer;
    }
    member.last = id;
    member.counts = std::to_string(event.customer.connections_on) + "/" + std::to_string(event.customer.connections_off);

    // the others
    for (auto& [other, one] : listed) {
      const auto found = member.connections.find(other);
      if (found == member.connections.end()) {
        one.state = "listed";
        member.connections[other] = one;
        continue;
      }
      Connected& known = found->second;
      if (known.state == "deleted") continue;
      if (!known.live() || !known.same(one)) at_least(Verdict::unspecified);
      if (!known.live() || known.state.empty()) known.state = known.type.empty() ? "listed" : "updated";
      known.rest = one.rest;
      known.accounts = one.accounts;
    }
    for (auto& [other, one] : member.connections) {
      if (other == id || listed.contains(other) || !one.live() || one.state.empty()) continue;
      one.state = "unlisted";
      at_least(Verdict::unspecified);
    }
    return answer;
  }
};

}  // namespace bankhook::test
