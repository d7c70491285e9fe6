// SPDX-License-Identifier: MIT
// 2.4 Initial transaction: a purchase that the consumer submitted, its status and the reasons of a rejection.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/open_enum.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>

namespace bankhook {

/// Spec 2.4 and 3.1: the states of an initial transaction; also the event types of 6.3.
enum class TransactionStatus : std::uint8_t { created, validated, rejected };

/// Spec 2.4: why an initial transaction was rejected.
enum class RejectionReason : std::uint8_t {
  purchase_not_found,    ///< The transaction could not be found in the service
  bank_consent_expired,  ///< The bank consent has expired
};

/// Spec 2.4. Views live as long as the payload and arena, or the owner, they were read from.
struct InitialTransaction {
  static constexpr std::string_view section = "2.4";

  std::string_view id{};                           ///< Initial transaction identifier
  Decimal amount{};                                ///< Amount, exact and as it was written; no currency is shown
  nullable<std::string_view> store_external_id{};  ///< Store id in the consumer's repository; null while it has none
  maybe_absent<std::string_view> place_id{};       ///< Map-provider place id; only while store_external_id is null
  maybe_absent<std::string_view> store_name{};     ///< Store name; only while store_external_id is null
  OpenEnum<TransactionStatus> status{};            ///< created, validated or rejected
  nullable<OpenEnum<RejectionReason>> rejection_reason{};  ///< Reason when rejected; null in the examples otherwise
  std::chrono::year_month_day transaction_date{};          ///< Date of the transaction as declared by the consumer
  nullable<std::string_view> transaction_id{};             ///< Matching transaction; set only if matched automatically
  Timestamp date{};                                        ///< Creation time of the initial transaction
};

}  // namespace bankhook
