// SPDX-License-Identifier: MIT
// 6.2 bank_connections_update_v2: a bank connection was created, desynchronised, resynchronised, deleted or disabled.
#pragma once

#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/connection_event_type.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/reflect/type_tag.hpp>

#include <string_view>

namespace bankhook {

/// Spec 6.2. Views live as long as the payload and arena, or the owner, they were read from.
struct BankConnectionsUpdateV2 {
  static constexpr std::string_view section = "6.2";

  TypeTag<BankConnectionsUpdateV2> event{};     ///< Name of the webhook event
  OpenEnum<ConnectionEventType> event_type{};   ///< create, update or delete
  ConnectedCustomer customer{};                 ///< The member, with all its connections
  Connection connection{};                      ///< The connection that triggered the event
  std::string_view shopping_hub_id{};           ///< Programme id in the service
  std::string_view shopping_hub_external_id{};  ///< Programme id in the consumer's system
};

}  // namespace bankhook
