// SPDX-License-Identifier: MIT
// 6.2 bank_connections_update_v2: a bank connection was created, desynchronised, resynchronised, deleted or disabled.
#pragma once

#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <string_view>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// The event of a bank connection (spec 6.2). Views live as long as the payload and arena, or the owner, they were read
/// from.
struct BankConnectionsUpdateV2 {
  static constexpr std::string_view section = "6.2";
  static constexpr std::string_view meaning =
      "A bank connection was created, desynchronised, resynchronised, deleted or disabled, or its accounts changed; "
      "priority label: must have";
  static constexpr Meaning meanings[] = {
      {"event", "Name of the webhook event"},
      {"event_type", "Type of the event; which trigger yields which value is shown only in part"},
      {"customer", "The member concerned; its counts and all its connections are present"},
      {"connection", "The connection that triggered the event"},
      {"shopping_hub_id", "Programme id in the service"},
      {"shopping_hub_external_id", "Programme id in the consumer's system"},
  };

  TypeTag<BankConnectionsUpdateV2> event{};
  OpenEnum<ConnectionEventType> event_type{};
  ConnectedCustomer customer{};
  Connection connection{};
  std::string_view shopping_hub_id{};
  std::string_view shopping_hub_external_id{};
};

}}  // namespace bankhook::BANKHOOK_STRUCTS
