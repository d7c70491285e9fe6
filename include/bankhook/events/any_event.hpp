// SPDX-License-Identifier: MIT
// The list of events: every event that the library knows, and the one that it does not.
#pragma once

#include <bankhook/events/bank_connections_update_v2.hpp>
#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/reflect/meaning.hpp>

#include <string_view>
#include <type_traits>
#include <variant>

namespace bankhook::inline BANKHOOK_ABI {

/// An event whose name the specification does not list: kept verbatim, so that nothing is lost.
struct UnknownEvent {
  static constexpr std::string_view section = "6";
  static constexpr std::string_view meaning = "An event whose name the specification does not list, kept verbatim";
  static constexpr Meaning meanings[] = {
      {"event", "Name of the event"},
      {"raw", "The payload from brace to brace, as it was received"},
  };

  std::string_view event{};
  std::string_view raw{};
};

/// Spec 6: any event. A new event is one struct and one entry here.
using AnyEvent = std::variant<BankConnectionsUpdateV2, InitialTransactionUpdate, UnknownEvent>;

}  // namespace bankhook::inline BANKHOOK_ABI

namespace bankhook::inline BANKHOOK_ABI::detail {

template <class Event, class T>
inline constexpr bool is_one_of = false;
template <class... Events, class T>
inline constexpr bool is_one_of<std::variant<Events...>, T> = (std::is_same_v<T, Events> || ...);

}  // namespace bankhook::inline BANKHOOK_ABI::detail
