// SPDX-License-Identifier: MIT
// What a tracker stores of members, connections and initial transactions, as its queries give it back.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/domain/connection.hpp>
#include <bankhook/domain/connection_lifecycle.hpp>
#include <bankhook/domain/customer.hpp>
#include <bankhook/domain/initial_transaction.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/value_kinds.hpp>

#include <cstdint>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// What only bank-connection events say of a member (2.1, 6.2): its counts and its programme.
struct Membership {
  static constexpr std::string_view section = "6.2";
  static constexpr std::string_view meaning =
      "What only bank-connection events say of a member: its counts and its programme";
  static constexpr Meaning meanings[] = {
      {"connections_on", "Count of the member's active bank connections, as last reported"},
      {"connections_off", "Count of the member's bank connections in error, as last reported"},
      {"shopping_hub_id", "Programme id in the service"},
      {"shopping_hub_external_id", "Programme id in the consumer's system"},
  };

  std::uint64_t connections_on{};
  std::uint64_t connections_off{};
  std::string_view shopping_hub_id{};
  std::string_view shopping_hub_external_id{};
};

/// A member as a tracker stores it. Views live until the tracker changes.
struct TrackedMember {
  static constexpr std::string_view section = "2.1";
  static constexpr std::string_view meaning = "A member as a tracker stores it";
  static constexpr Meaning meanings[] = {
      {"customer", "The ids of the member"},
      {"membership", "Its counts and its programme; null until a bank-connection event of the member was accepted"},
  };

  Customer customer{};
  nullable<Membership> membership{};
};

/// A bank connection as a tracker stores it. Views live until the tracker changes.
struct TrackedConnection {
  static constexpr std::string_view section = "2.2";
  static constexpr std::string_view meaning = "A bank connection as a tracker stores it";
  static constexpr Meaning meanings[] = {
      {"connection", "The connection as it was last reported"},
      {"event_type", "Type of its last accepted event; null while it is only listed among those of its member"},
      {"state",
       "Its state: listed, created, updated, deleted or unlisted; null only where a table of your own leaves it before "
       "the first one"},
      {"member_id", "Id of the member whose connection it is"},
  };

  Connection connection{};
  nullable<OpenEnum<ConnectionEventType>> event_type{};
  nullable<OpenEnum<ConnectionState>> state{};
  std::string_view member_id{};

  /// Whether its delete has come.
  [[nodiscard]] constexpr bool is_deleted() const { return state == ConnectionState::deleted; }
  /// Whether the last list that counted, or its own event's but for a create's, does not have it, without a delete since.
  [[nodiscard]] constexpr bool is_unlisted() const { return state == ConnectionState::unlisted; }
  /// Whether it is one of the member's connections now: neither deleted nor unlisted.
  [[nodiscard]] constexpr bool is_listed() const { return !is_deleted() && !is_unlisted(); }
  /// 7: whether it has an errorCode or an errorMessage.
  [[nodiscard]] constexpr bool is_in_error() const { return connection.error_code || connection.error_message; }
};

/// An initial transaction as a tracker stores it. Views live until the tracker changes.
struct TrackedTransaction {
  static constexpr std::string_view section = "2.4";
  static constexpr std::string_view meaning = "An initial transaction as a tracker stores it";
  static constexpr Meaning meanings[] = {
      {"initial_transaction", "The initial transaction as its last accepted event had it"},
      {"state",
       "Its state by the lifecycle: created, validated or rejected; null if only statuses that are not listed have come"},
      {"customer", "The member, with its current ids"},
  };

  InitialTransaction initial_transaction{};
  nullable<OpenEnum<TransactionStatus>> state{};
  Customer customer{};
};

}  // namespace bankhook::inline BANKHOOK_ABI
