// SPDX-License-Identifier: MIT
// A tracker as one would write it without any thought of speed: maps of texts, compared as text.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/events/serialize.hpp>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>

namespace bankhook::test {

/// What the model says to an event.
struct Answer {
  bool accepted = true;
  bool repeat = false;
  bool operator==(const Answer&) const = default;
};

/// Everything that is known, as text.
struct Model {
  struct Transaction {
    std::string type, json, member, status;
    bool operator==(const Transaction&) const = default;
  };
  struct Connected {
    std::string type, json, member, state;
    bool operator==(const Connected&) const = default;
  };
  struct Member {
    std::string external_id, on, off, programme, programme_external;
    bool operator==(const Member&) const = default;
  };

  std::map<std::string, Transaction, std::less<>> transactions;
  std::map<std::string, Connected, std::less<>> connections;
  std::map<std::string, Member, std::less<>> members;

  bool operator==(const Model&) const = default;

  Answer apply(const AnyEvent& event) {
    return std::visit([this](const auto& known) { return apply(known); }, event);
  }

 private:
  Answer apply(const UnknownEvent&) { return {}; }

  Answer apply(const InitialTransactionUpdate& event) {
    const std::string id(event.initial_transaction.id);
    const std::string member(event.customer.id);
    const std::string status(event.initial_transaction.status.text());
    Model next = *this;
    next.members[member].external_id = event.customer.external_id;
    next.transactions[id] = {std::string(event.event_type.text()), serialize(event.initial_transaction), member, status};
    return conclude(next, transactions.contains(id) && status == "created");
  }

  Answer apply(const BankConnectionsUpdateV2& event) {
    const std::string member(event.customer.id);
    const std::string type(event.event_type.text());
    Model next = *this;
    next.members[member] = {std::string(event.customer.external_id), std::to_string(event.customer.connections_on),
                            std::to_string(event.customer.connections_off), std::string(event.shopping_hub_id),
                            std::string(event.shopping_hub_external_id)};
    std::set<std::string> said;
    const auto say = [&](const Connection& connection) -> Connected* {
      const std::string id(connection.id);
      if (!said.insert(id).second) return nullptr;
      Connected& one = next.connections[id];
      one.json = serialize(connection);
      one.member = member;
      return &one;
    };
    Connected& own = *say(event.connection);
    const bool was_updated = own.state == "updated";
    own.type = type;
    if (event.event_type.is_known()) own.state = type + "d";
    for (const Connection& connection : event.customer.connections) {
      Connected* const one = say(connection);
      if (one != nullptr && one->state == "deleted" && one->type != "delete") {
        one->state = one->type == "create" || one->type == "update" ? one->type + "d" : "";
      }
    }
    for (auto& [id, one] : next.connections) {
      if (one.member == member && !said.contains(id)) one.state = "deleted";
    }
    return conclude(next, was_updated && type == "create");
  }

  Answer conclude(const Model& next, bool undoes) {
    const Answer answer{next == *this || !undoes, next == *this};
    if (answer.accepted) *this = next;
    return answer;
  }
};

}  // namespace bankhook::test
