// SPDX-License-Identifier: MIT
// 2.2 Connection: one bank connection of a member and the accounts linked to it, and what an event says happened to it.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/text/timestamp.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// The types of a bank-connection event (spec 6.2). Which trigger yields which of them, except creation and the account
/// update, is not shown.
enum class ConnectionEventType : std::uint8_t { create, update, delete_ };

/// A bank connection (spec 2.2). Views live as long as the payload and arena, or the owner, they were read from.
struct Connection {
  static constexpr std::string_view section = "2.2";
  static constexpr std::string_view meaning = "A bank connection of a member and the bank accounts linked to it";
  static constexpr Meaning meanings[] = {
      {"id", "Bank connection id"},
      {"error_code", "Error code from the data provider; null when there is no error"},
      {"error_message", "Error message from the data provider; null when there is no error"},
      {"bank", "Name of the bank of this connection"},
      {"transactions_eligible_from_date",
       "Start date of eligibility of transactions on this connection; date form `YYYY-MM-DD`"},
      {"consent_expires_at",
       "End of consent for this connection; date and time with fractional seconds, in the form "
       "`YYYY-MM-DD HH:MM:SS.ffff`; no zone is given and none is added"},
      {"accounts", "Bank accounts linked to the connection; may be empty"},
  };

  std::string_view id{};
  nullable<std::string_view> error_code{};
  nullable<std::string_view> error_message{};
  std::string_view bank{};
  std::chrono::year_month_day transactions_eligible_from_date{};
  maybe_absent<LocalTimestamp> consent_expires_at{};
  std::span<const Account> accounts{};
};

}}  // namespace bankhook::BANKHOOK_STRUCTS
