// SPDX-License-Identifier: MIT
// Why the sandbox does not do what it was asked for: one code a reason, each with its sentence.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstdint>
#include <string_view>

namespace bankhook::inline BANKHOOK_ABI {

/// An operation that cannot be done. Nothing was changed and nothing is outgoing.
enum class SandboxError : std::uint8_t {
  no_such_member,
  no_such_connection,
  no_such_transaction,
  connection_is_gone,
  connection_is_disabled,
  connection_is_not_disabled,
  connection_never_returns,
  connection_is_desynchronised,
  connection_is_synchronised,
  connection_has_no_accounts,
  connection_has_max_accounts,
  lifecycle_excludes_it,
  transaction_is_processed,
  transaction_is_forgotten,
  store_is_incomplete,
  text_is_not_utf8,
  date_has_no_form,
};

/// The sentence of a refusal, for people. Static storage.
[[nodiscard]] constexpr std::string_view to_string(SandboxError refusal) {
  switch (refusal) {
    case SandboxError::no_such_member: return "the sandbox has no member with this id";
    case SandboxError::no_such_connection: return "the sandbox made no connection with this id";
    case SandboxError::no_such_transaction: return "the sandbox made no initial transaction with this id";
    case SandboxError::connection_is_gone: return "the connection was deleted or disabled before";
    case SandboxError::connection_is_disabled: return "the connection is disabled";
    case SandboxError::connection_is_not_disabled: return "the connection is not disabled";
    case SandboxError::connection_never_returns:
      return "the connection is disabled; the choice disabled_connection_returns allows none to come back";
    case SandboxError::connection_is_desynchronised: return "the connection is desynchronised already";
    case SandboxError::connection_is_synchronised: return "the connection is not desynchronised";
    case SandboxError::connection_has_no_accounts:
      return "the connection has no accounts that could be updated; create them first";
    case SandboxError::connection_has_max_accounts: return "the connection has as many accounts as the options allow";
    case SandboxError::lifecycle_excludes_it: return "the lifecycle expects no such event in this state";
    case SandboxError::transaction_is_processed:
      return "the initial transaction was validated or rejected before; the choice preceding_state allows only created";
    case SandboxError::transaction_is_forgotten:
      return "the initial transaction was validated or rejected long before, and the sandbox has forgotten it";
    case SandboxError::store_is_incomplete:
      return "a store without a client identifier needs a place id and a name (section 2.4)";
    case SandboxError::text_is_not_utf8: return "expected well-formed UTF-8";
    case SandboxError::date_has_no_form: return "expected a date of the calendar in the years 0000 to 9999";
  }
  return "unknown refusal";
}

}  // namespace bankhook::inline BANKHOOK_ABI
