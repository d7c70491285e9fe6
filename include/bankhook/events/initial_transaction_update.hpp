// SPDX-License-Identifier: MIT
// 6.3 initial_transaction_update: the status of an initial transaction changed.
#pragma once

#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/reflect/type_tag.hpp>

#include <string_view>

namespace bankhook {

/// Spec 6.3. Views live as long as the payload and arena, or the owner, they were read from.
struct InitialTransactionUpdate {
  static constexpr std::string_view section = "6.3";

  TypeTag<InitialTransactionUpdate> event{};  ///< Name of the webhook event
  OpenEnum<TransactionStatus> event_type{};   ///< created, validated or rejected; equals the transaction's status
  Customer customer{};                        ///< The member: only id and externalId
  InitialTransaction initial_transaction{};   ///< The initial transaction that changed
};

}  // namespace bankhook
