// SPDX-License-Identifier: MIT
// The tables of archives and of trackers: the names that Python gives them, and a call for each of them.
#pragma once

#include "library.hpp"

#include <string_view>
#include <type_traits>
#include <variant>

namespace bankhook::python {

/// The tables by the names that Python gives them.
template <class T>
inline constexpr std::string_view table_name = reflect::type_wire_name<T>.view();
template <>
inline constexpr std::string_view table_name<UnknownEvent> = "unknown_events";
template <>
inline constexpr std::string_view table_name<Connection> = "connections";
template <>
inline constexpr std::string_view table_name<Account> = "accounts";
template <>
inline constexpr std::string_view table_name<RejectedLine> = "rejected";
template <>
inline constexpr std::string_view table_name<FindingRow> = "findings";
template <>
inline constexpr std::string_view table_name<OutcomeRow> = "outcomes";
template <>
inline constexpr std::string_view table_name<TrackedMember> = "tracked_members";
template <>
inline constexpr std::string_view table_name<TrackedConnection> = "tracked_connections";
template <>
inline constexpr std::string_view table_name<TrackedTransaction> = "tracked_transactions";

/// Calls `f.template operator()<T>()` for each of these tables until it returns false.
template <class... T, class F>
bool for_each_of(F& f) {
  return (f.template operator()<T>() && ...);
}
/// The same for each table of archives.
template <class F>
bool for_each_table(F&& f) {
  return []<class... Events>(F& call, std::type_identity<std::variant<Events...>>) {
    return for_each_of<Events..., Connection, Account, RejectedLine, FindingRow, OutcomeRow>(call);
  }(f, std::type_identity<AnyEvent>());
}
/// The same for each table of a tracker.
template <class F>
bool for_each_tracked_table(F&& f) {
  return for_each_of<TrackedMember, TrackedConnection, TrackedTransaction>(f);
}

}  // namespace bankhook::python
