// SPDX-License-Identifier: MIT
// 2.3 Account: an entry of a connection's accounts.
#pragma once

#include <bankhook/base/optional.hpp>
#include <bankhook/reflect/equality.hpp>
#include <bankhook/reflect/meaning.hpp>

#include <string_view>

namespace bankhook { inline namespace BANKHOOK_STRUCTS {

/// A bank account (spec 2.3). Views live as long as the payload and arena, or the owner, they were read from.
struct Account {
  static constexpr std::string_view section = "2.3";
  static constexpr std::string_view meaning = "A bank account linked to a connection";
  static constexpr Meaning meanings[] = {
      {"id", "Bank account id assigned by the service"},
      {"account_hash", "Opaque hash of the account IBAN; accounts that share it are the same real bank account"},
  };

  std::string_view id{};
  nullable<std::string_view> account_hash{};
};

}}  // namespace bankhook::BANKHOOK_STRUCTS
