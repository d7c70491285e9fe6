// SPDX-License-Identifier: MIT
// 6.3 initial_transaction_update: the status of an initial transaction changed.
#pragma once

#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <string_view>

namespace bankhook { inline namespace BANKHOOK_PLACED {

/// The event of an initial transaction (spec 6.3). Views live as long as the payload and arena, or the owner, they were
/// read from.
struct InitialTransactionUpdate {
  static constexpr std::string_view section = "6.3";
  static constexpr std::string_view meaning = "The status of an initial transaction changed; priority label: nice to have";
  static constexpr Meaning meanings[] = {
      {"event", "Name of the webhook event"},
      {"event_type", "Type of the event; the status that the initial transaction has now"},
      {"customer", "The member concerned; only id and externalId are present"},
      {"initial_transaction", "The initial transaction that changed"},
  };

  TypeTag<InitialTransactionUpdate> event{};
  OpenEnum<TransactionStatus> event_type{};
  Customer customer{};
  InitialTransaction initial_transaction{};
};

}}  // namespace bankhook::BANKHOOK_PLACED
