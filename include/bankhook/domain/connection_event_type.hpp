// SPDX-License-Identifier: MIT
// 6.2 eventType of a bank connection: what its event says that happened to it.
#pragma once

#include <bankhook/base/compiler.hpp>

#include <cstdint>

namespace bankhook::inline BANKHOOK_ABI {

/// The types of a bank-connection event (spec 6.2). Which trigger yields which of them, except creation and the account
/// update, is not shown.
enum class ConnectionEventType : std::uint8_t { create, update, delete_ };

}  // namespace bankhook::inline BANKHOOK_ABI
