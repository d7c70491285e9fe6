// SPDX-License-Identifier: MIT
// 2.1 Customer: the member concerned, alone and, in bank-connection events, with counts and connections.
#pragma once

#include <bankhook/domain/connection.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/meaning.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// The member concerned (spec 2.1), of whom 6.3 has only id and externalId.
struct Customer {
  static constexpr std::string_view section = "2.1";
  static constexpr std::string_view meaning = "The member concerned, where only its ids are present";
  static constexpr Meaning meanings[] = {
      {"id", "Member id assigned by the service"},
      {"external_id", "Member id in the consumer's system"},
  };

  std::string_view id{};
  std::string_view external_id{};
};

/// The member concerned, with counts and all connections (spec 2.1), as bank-connection events carry it (6.2).
struct ConnectedCustomer {
  static constexpr std::string_view section = "2.1";
  static constexpr std::string_view meaning = "The member concerned, with its counts and all its bank connections";
  static constexpr Meaning meanings[] = {
      {"id", "Member id assigned by the service"},
      {"external_id", "Member id in the consumer's system"},
      {"connections_on", "Count of the member's active bank connections"},
      {"connections_off", "Count of the member's bank connections in error"},
      {"connections", "All connections of the member, each shaped like Connection"},
  };

  std::string_view id{};
  std::string_view external_id{};
  std::uint64_t connections_on{};
  std::uint64_t connections_off{};
  std::span<const Connection> connections{};
};

}}  // namespace bankhook::BANKHOOK_STRUCTS
