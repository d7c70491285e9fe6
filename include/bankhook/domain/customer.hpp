// SPDX-License-Identifier: MIT
// 2.1 Customer: the member concerned, alone and, in bank-connection events, with counts and connections.
#pragma once

#include <bankhook/domain/connection.hpp>
#include <bankhook/reflect/equality.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook {

/// Spec 2.1 as 6.3 restricts it: only id and externalId are present.
struct Customer {
  static constexpr std::string_view section = "2.1";

  std::string_view id{};           ///< Member id assigned by the service
  std::string_view external_id{};  ///< Member id in the consumer's system
};

/// Spec 2.1 in full, as bank-connection events carry it (6.2).
struct ConnectedCustomer {
  static constexpr std::string_view section = "2.1";

  std::string_view id{};                      ///< Member id assigned by the service
  std::string_view external_id{};             ///< Member id in the consumer's system
  std::uint64_t connections_on{};             ///< Count of the member's active bank connections
  std::uint64_t connections_off{};            ///< Count of the member's bank connections in error
  std::span<const Connection> connections{};  ///< All connections of the member
};

}  // namespace bankhook
