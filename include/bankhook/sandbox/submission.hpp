// SPDX-License-Identifier: MIT
// What a consumer says in "Send an initial transaction"; its payload is not shown (spec 4), so this one is ours.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/text/decimal.hpp>

#include <chrono>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// A submitted initial transaction. The sandbox copies the texts.
struct Submission {
  Decimal amount{};
  nullable<std::string_view> store_external_id{};  ///< null: the store was created in the field
  std::string_view place_id{};                     ///< of a store created in the field, else not looked at
  std::string_view store_name{};                   ///< of a store created in the field, else not looked at
  std::chrono::year_month_day transaction_date{};
};

}  // namespace bankhook::inline BANKHOOK_ABI
