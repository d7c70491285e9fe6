// SPDX-License-Identifier: MIT
// Which connection or initial transaction an event of a service is about, and its place in the life of that.
#pragma once

#include <bankhook/sandbox/service.hpp>

#include <cstdint>
#include <string>
#include <variant>

namespace bankhook::test {

enum class Role : std::uint8_t { first, later, last };

struct Subject {
  bool is_connection = false;
  Role role = Role::first;
  std::string member{};
  std::string id{};
};

/// Of the event that the service made last.
[[nodiscard]] inline Subject subject_of(const detail::sandbox::Service& service,
                                        const detail::sandbox::OutgoingEvent& outgoing) {
  Subject subject;
  bool is_over = false;
  if (const auto* const bank = std::get_if<BankConnectionsUpdateV2>(&outgoing.event)) {
    subject = {.is_connection = true, .member = std::string(bank->customer.id), .id = std::string(bank->connection.id)};
    is_over = service.world.connections[service.world.connections.find(subject.id).value()].is_gone();
  } else {
    const auto& update = std::get<InitialTransactionUpdate>(outgoing.event);
    subject = {.member = std::string(update.customer.id), .id = std::string(update.initial_transaction.id)};
    is_over = !service.world.transactions[service.world.transactions.find(subject.id).value()].is_open;
  }
  subject.role = outgoing.is_first ? Role::first : is_over ? Role::last : Role::later;
  return subject;
}

}  // namespace bankhook::test
