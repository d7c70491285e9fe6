// SPDX-License-Identifier: MIT
// What a tracker holds of members, connections and initial transactions, as its queries give it back.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/connection_event_type.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/reflect/open_enum.hpp>

#include <cstdint>
#include <string_view>

namespace bankhook {

/// What only bank-connection events say of a member (2.1, 6.2): its counts and its programme.
struct Membership {
  static constexpr std::string_view section = "6.2";

  std::uint64_t connections_on{};               ///< Count of active bank connections, as the service said last
  std::uint64_t connections_off{};              ///< Count of bank connections in error, as the service said last
  std::string_view shopping_hub_id{};           ///< Programme id in the service
  std::string_view shopping_hub_external_id{};  ///< Programme id in the consumer's system
};

/// A member. Views live until the tracker changes.
struct HeldMember {
  static constexpr std::string_view section = "2.1";

  Customer customer{};
  nullable<Membership> membership{};  ///< null until a bank-connection event of the member was accepted
};

/// A bank connection. Views live until the tracker changes; the accounts lie in the arena that the query was given.
struct HeldConnection {
  static constexpr std::string_view section = "2.2";

  Connection connection{};
  nullable<OpenEnum<ConnectionEventType>> event_type{};  ///< of the last accepted event; null while it was only listed
  nullable<OpenEnum<ConnectionState>> state{};           ///< null while none of its own events has told one
  std::string_view member_id{};

  /// Whether its delete has come, or it is no longer among all connections of its member (assumed to mean the same).
  [[nodiscard]] constexpr bool is_deleted() const { return state == ConnectionState::deleted; }
};

/// An initial transaction. Views live until the tracker changes.
struct HeldTransaction {
  static constexpr std::string_view section = "2.4";

  InitialTransaction initial_transaction{};
  OpenEnum<TransactionStatus> event_type{};  ///< of the last accepted event; its status differs where the event's did
  Customer customer{};                       ///< the member, as it is known now
};

}  // namespace bankhook
