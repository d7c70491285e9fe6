// SPDX-License-Identifier: MIT
// 2.2 Connection: one bank connection of a member and the accounts linked to it.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/text/timestamp.hpp>

#include <chrono>
#include <span>
#include <string_view>

namespace bankhook {

/// Spec 2.2. Views live as long as the payload and arena, or the owner, they were read from.
struct Connection {
  static constexpr std::string_view section = "2.2";
  static constexpr std::string_view meaning = "A bank connection of a member and the bank accounts linked to it";
  static constexpr reflect::Meaning meanings[] = {
      {"id", "Bank connection id"},
      {"error_code", "Error code from the data provider; null when there is no error"},
      {"error_message", "Error message from the data provider; null when there is no error"},
      {"bank", "Name of the bank of this connection"},
      {"transactions_eligible_from_date", "Day from which on transactions of this connection are eligible"},
      {"consent_expires_at", "End of the consent for this connection; no zone is given and none is added"},
      {"accounts", "Bank accounts linked to the connection; may be none"},
  };

  std::string_view id{};
  nullable<std::string_view> error_code{};
  nullable<std::string_view> error_message{};
  std::string_view bank{};
  std::chrono::year_month_day transactions_eligible_from_date{};
  maybe_absent<LocalTimestamp> consent_expires_at{};
  std::span<const Account> accounts{};
};

}  // namespace bankhook
