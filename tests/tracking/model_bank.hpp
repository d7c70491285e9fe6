// SPDX-License-Identifier: MIT
// The model's half for bank connections: what an event says of its own connection, and when it speaks for the others.
#pragma once

#include <tracking/model.hpp>

namespace bankhook::test {

inline std::string type_of(const BankConnectionsUpdateV2& event) { return std::string(event.event_type.text()); }

inline bool lists(const BankConnectionsUpdateV2& event, std::string_view id) {
  for (const Connection& one : event.customer.connections) {
    if (one.id == id) return true;
  }
  return false;
}

/// The other connections that an event lists, each once: the first entry counts.
inline std::vector<Connection> others_of(const BankConnectionsUpdateV2& event) {
  std::vector<Connection> others;
  std::set<std::string_view> ids{event.connection.id};
  for (const Connection& one : event.customer.connections) {
    if (ids.insert(one.id).second) others.push_back(one);
  }
  return others;
}

/// What the way from one state of the connection to the next is.
inline Verdict Model::step(const Connected& before, const BankConnectionsUpdateV2& event) {
  const std::string type = type_of(event);
  if (before.type.empty() || before.state == "deleted" || !event.event_type.is_known()) return Verdict::unspecified;
  Arena arena;
  const bool same_accounts = [&] {
    const auto known = parse_as<Connection>(before.json, arena);
    Connection mine = event.connection;
    mine.accounts = known->accounts;
    return mine == event.connection;
  }();
  const bool is_of_another_trigger = same_accounts || event.connection.accounts.empty();
  if (type == "update" && is_of_another_trigger) return Verdict::assumed;
  if (before.state.empty() || type == "create") return Verdict::unspecified;
  if (type == "update") return Verdict::specified;
  return lists(event, event.connection.id) ? Verdict::unspecified : Verdict::assumed;
}

inline void Model::take_member(const BankConnectionsUpdateV2& event, Answer& answer) {
  const std::string member(event.customer.id);
  const bool is_new = !members.contains(member);
  set_external_id(member, event.customer.external_id, answer);
  Member next{std::string(event.customer.external_id), std::to_string(event.customer.connections_on),
              std::to_string(event.customer.connections_off), std::string(event.shopping_hub_id),
              std::string(event.shopping_hub_external_id)};
  Member before = members[member];
  if (before.on.empty()) before.on = before.off = "0";
  if (!is_new) {
    if (before.on != next.on) answer.kinds.insert(ChangeKind::counts_changed);
    if (before.off != next.off) answer.kinds.insert(ChangeKind::counts_changed);
    if (before.programme != next.programme) answer.kinds.insert(ChangeKind::programme_changed);
    if (before.programme_external != next.programme_external) answer.kinds.insert(ChangeKind::programme_changed);
  }
  members[member] = std::move(next);
}

inline bool Model::list_is_up_to_date(const BankConnectionsUpdateV2& event) const {
  for (const Connection& one : others_of(event)) {
    const auto known = connections.find(one.id);
    if (known == connections.end()) continue;
    const Connected& other = known->second;
    if (other.member != event.customer.id || (other.state == "deleted" && !other.is_listed)) return false;
    if (!differences_of_connection(other.json, serialize(one)).empty()) return false;
  }
  for (const auto& [id, one] : connections) {
    if (one.member != event.customer.id || !one.is_there() || id == event.connection.id) continue;
    if (!lists(event, id)) return false;
  }
  return true;
}

/// All other connections, as the list has them.
inline void Model::take_list(const BankConnectionsUpdateV2& event, Answer& answer) {
  const auto at_least = [&](Verdict verdict) { answer.verdict = std::max(answer.verdict, verdict); };
  const std::string member(event.customer.id);
  for (const Connection& one : others_of(event)) {
    const auto found = connections.find(one.id);
    if (found == connections.end()) {
      answer.kinds.merge(kinds_of_new_connection(one));
      connections[std::string(one.id)] = {.type = "", .json = serialize(one), .member = member, .state = ""};
      continue;
    }
    Connected& known = found->second;
    if (known.state == "deleted" && !known.is_listed) continue;  // an older list does not undo a delete
    if (known.member != member) {
      answer.kinds.insert(ChangeKind::connection_moved);
      at_least(Verdict::assumed);
    }
    if (known.state == "deleted") at_least(Verdict::unspecified);
    if (!known.is_there()) {
      answer.kinds.insert(ChangeKind::connection_listed_again);
      at_least(Verdict::assumed);
    }
    const Kinds kinds = differences_of_connection(known.json, serialize(one));
    if (!kinds.empty()) at_least(Verdict::unspecified);
    const bool changes = !kinds.empty() || known.member != member || !known.is_there();
    answer.kinds.insert(kinds.begin(), kinds.end());
    if (!changes) continue;
    known = {known.type, serialize(one), member, known.state == "deleted" ? "" : known.state, true};
  }
  if (!unlist_) return;
  for (auto& [id, one] : connections) {
    if (one.member != member || !one.is_there() || id == event.connection.id || lists(event, id)) continue;
    one.is_listed = false;
    answer.kinds.insert(ChangeKind::connection_unlisted);
    at_least(Verdict::assumed);
  }
}

inline Answer Model::apply(const BankConnectionsUpdateV2& event) {
  const std::string id(event.connection.id);
  const std::string member(event.customer.id);
  const std::string type = type_of(event);
  const bool is_new = !connections.contains(id);
  const Connected before = is_new ? Connected() : connections[id];
  const bool unlists = type == "delete" || (type != "create" && unlist_);
  Connected own{type, serialize(event.connection), member, event.event_type.is_known() ? type + "d" : before.state,
                !unlists || lists(event, id)};
  const std::string key = "connection " + id;
  const std::string hash = serialize(event);
  Answer answer;
  if (!is_new) look_up(key, hash, answer);
  const Kinds kinds = is_new ? Kinds() : differences_of_connection(before.json, own.json);
  const bool differs = !kinds.empty() || (!is_new && before.member != member);
  const bool same_standing = before.is_there() == own.is_there();
  if (!is_new && type == "create" && !accept_late_) {
    answer.repeat = !differs && same_standing && before.type == type;
    answer.accepted = answer.repeat;
    return answer;
  }
  if (is_new) answer.verdict = type == "create" ? Verdict::specified : Verdict::unspecified;
  else answer.verdict = step(before, event);
  const bool is_news = is_new || (before.is_there() && (differs || !own.is_there() || last_connection_[member] == id));
  const bool is_current = is_news || list_is_up_to_date(event);
  const bool is_news_of_unlisted = !before.is_there() && before.state != "deleted" && differs;
  const bool speaks_for_all = is_current || is_news_of_unlisted;
  if (speaks_for_all) take_member(event, answer);
  if (!is_current) answer.verdict = std::max(answer.verdict, Verdict::unspecified);
  if (!members.contains(member)) set_external_id(member, event.customer.external_id, answer);
  if (is_new) {
    answer.kinds.merge(kinds_of_new_connection(event.connection));
    if (own.state == "deleted") answer.kinds.insert(ChangeKind::connection_removed);
    else if (!own.is_listed) answer.kinds.insert(ChangeKind::connection_unlisted);
  } else {
    if (before.member != member) answer.kinds.insert(ChangeKind::connection_moved);
    if (before.state != "deleted" && own.state == "deleted") answer.kinds.insert(ChangeKind::connection_removed);
    else if (before.is_there() && !own.is_there()) answer.kinds.insert(ChangeKind::connection_unlisted);
    else if (!before.is_there() && own.is_there()) {
      const bool by_its_own = before.state == "deleted" && before.type != type;
      answer.kinds.insert(by_its_own ? ChangeKind::connection_added : ChangeKind::connection_listed_again);
    }
    if (before.type != type) answer.kinds.insert(ChangeKind::connection_event_received);
    answer.kinds.insert(kinds.begin(), kinds.end());
  }
  if (speaks_for_all) take_list(event, answer);
  answer.repeat = answer.kinds.empty();
  if (answer.repeat) {
    answer.verdict = Verdict::unspecified;
    return answer;
  }
  const bool own_changes = is_new || differs || !same_standing || before.type != type || before.state != own.state;
  if (speaks_for_all || own_changes) connections[id] = own;
  note(key, hash);
  if (speaks_for_all) last_connection_[member] = id;
  else if (last_connection_[member] == id) last_connection_[member].clear();
  return answer;
}

}  // namespace bankhook::test
