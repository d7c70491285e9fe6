// SPDX-License-Identifier: MIT
// 2.2 Connection: one bank connection of a member and the accounts linked to it.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/domain/account.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/text/timestamp.hpp>

#include <chrono>
#include <span>
#include <string_view>

namespace bankhook {

/// Spec 2.2. Views live as long as the payload and arena, or the owner, they were read from.
struct Connection {
  static constexpr std::string_view section = "2.2";

  std::string_view id{};                       ///< Bank connection id
  nullable<std::string_view> error_code{};     ///< Error code from the data provider; null without an error
  nullable<std::string_view> error_message{};  ///< Error message from the data provider; null without one
  std::string_view bank{};                     ///< Name of the bank of this connection
  std::chrono::year_month_day transactions_eligible_from_date{};  ///< Start of eligibility of transactions
  maybe_absent<LocalTimestamp> consent_expires_at{};              ///< End of consent; no zone is given and none is added
  std::span<const Account> accounts{};                            ///< Bank accounts linked to the connection; may be empty
};

}  // namespace bankhook
