// SPDX-License-Identifier: MIT
// A program that uses the structs of the specification alone.
#include <bankhook/events.hpp>

#include <variant>

static_assert(bankhook::Account{.id = "a"} == bankhook::Account{.id = "a"});

int main() {
  bankhook::InitialTransactionUpdate update;
  update.event_type = bankhook::TransactionStatus::created;
  update.initial_transaction.amount = bankhook::Decimal::parse("19.90").value();
  const bankhook::AnyEvent event = update;
  return std::get<bankhook::InitialTransactionUpdate>(event) == update ? 0 : 1;
}
