// SPDX-License-Identifier: MIT
// A constant event that breaks a rule is named with it: here its status differs from its type (6.3).
// expect: event_breaks_the_rule<[^>]*status_equals_event_type>
// lines: 20
#include <bankhook/bankhook.hpp>

#include <chrono>

constexpr bankhook::InitialTransactionUpdate created{
    .event_type = bankhook::TransactionStatus::created,
    .customer = {.id = "mem-1", .external_id = "user-1"},
    .initial_transaction = {.id = "it-1",
                            .amount = bankhook::Decimal(1990, 2),
                            .store_external_id = "store-1",
#ifdef CONTROL
                            .status = bankhook::TransactionStatus::created,
#else
                            .status = bankhook::TransactionStatus::validated,
#endif
                            .transaction_date = std::chrono::year(2026) / 5 / 3,
                            .date = bankhook::Timestamp::parse("2026-05-04T10:15:00Z").value()}};

int main() { return serialize(bankhook::checked<created>).empty() ? 1 : 0; }
