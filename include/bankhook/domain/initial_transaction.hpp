// SPDX-License-Identifier: MIT
// 2.4 Initial transaction: a purchase that the consumer submitted, its status and the reasons of a rejection.
#pragma once

#include <bankhook/base/compiler.hpp>
#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/meaning.hpp>
#include <bankhook/reflect/value_kinds.hpp>
#include <bankhook/reflect/wire_names.hpp>
#include <bankhook/text/decimal.hpp>
#include <bankhook/text/timestamp.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// Spec 2.4 and 3.1: the states of an initial transaction; also the event types of 6.3.
enum class TransactionStatus : std::uint8_t { created, validated, rejected };

/// Spec 2.4: why an initial transaction was rejected.
enum class RejectionReason : std::uint8_t { purchase_not_found, bank_consent_expired };

}}  // namespace bankhook::BANKHOOK_STRUCTS

namespace bankhook { inline namespace BANKHOOK_ABI {

/// Spec 2.4: the table of the reasons.
template <>
inline constexpr std::array meanings_of<RejectionReason>{
    Meaning{"purchase_not_found", "The transaction could not be found in the service"},
    Meaning{"bank_consent_expired", "The bank consent has expired"},
};

}}  // namespace bankhook::BANKHOOK_ABI

namespace bankhook { inline namespace BANKHOOK_PLACED {

/// An initial transaction (spec 2.4). Views live as long as the payload and arena, or the owner, they were read from.
struct InitialTransaction {
  static constexpr std::string_view section = "2.4";
  /// 2.4, Note: `placeId` stands for a name that the specification does not give.
  static constexpr std::array renamed{Renamed{"place_id", detail::given_place_id_name}};
  static constexpr std::string_view meaning = "A purchase that the consumer submitted, and what became of it";
  static constexpr Meaning meanings[] = {
      {"id", "Initial transaction identifier"},
      {"amount", "Amount of the initial transaction; exact, and no currency is shown"},
      {"store_external_id",
       "Store id in the consumer's repository; null when the store was created in the field and no client identifier "
       "exists yet"},
      {"place_id", "Map-provider place id of the store; present only when storeExternalId is null"},
      {"store_name", "Store name; present only when storeExternalId is null"},
      {"status", "One of `created`, `validated`, `rejected`"},
      {"rejection_reason",
       "Reason when rejected; null in the examples for non-rejected states; allowed values: `purchaseNotFound`, "
       "`bankConsentExpired`"},
      {"transaction_date", "Date of the transaction as declared by the consumer, `YYYY-MM-DD`"},
      {"transaction_id",
       "Id of the matching transaction in the service; set only if matched automatically, otherwise null"},
      {"date", "Creation time of the initial transaction, ISO 8601 date-time"},
  };

  std::string_view id{};
  Decimal amount{};
  nullable<std::string_view> store_external_id{};
  maybe_absent<std::string_view> place_id{};
  maybe_absent<std::string_view> store_name{};
  OpenEnum<TransactionStatus> status{};
  nullable<OpenEnum<RejectionReason>> rejection_reason{};
  std::chrono::year_month_day transaction_date{};
  nullable<std::string_view> transaction_id{};
  Timestamp date{};
};

}}  // namespace bankhook::BANKHOOK_PLACED
