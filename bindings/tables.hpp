// SPDX-License-Identifier: MIT
// The tables of archives and of trackers by the names that Python gives them, and their columns by their paths.
#pragma once

#include "bind.hpp"
#include "library.hpp"
#include "python_types.hpp"

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace bankhook::python {

/// Calls `f.template operator()<T>(name)` for each table of archives until it returns false.
template <class F>
bool for_each_table(F&& f) {
  const auto of_event = [&]<class T>() {
    if constexpr (std::is_same_v<T, UnknownEvent>) return f.template operator()<T>("unknown_events");
    else return f.template operator()<T>(reflect::type_wire_name<T>.view());
  };
  const auto of_all = [&]<class... Events>(std::type_identity<std::variant<Events...>>) {
    return (of_event.template operator()<Events>() && ...);
  };
  return of_all(std::type_identity<AnyEvent>()) && f.template operator()<Connection>("connections") &&
         f.template operator()<Account>("accounts") && f.template operator()<RejectedLine>("rejected") &&
         f.template operator()<FindingRow>("findings") && f.template operator()<OutcomeRow>("outcomes");
}

/// The same for each table of a tracker.
template <class F>
bool for_each_tracked_table(F&& f) {
  return f.template operator()<TrackedMember>("tracked_members") &&
         f.template operator()<TrackedConnection>("tracked_connections") &&
         f.template operator()<TrackedTransaction>("tracked_transactions");
}

/// Calls `take` for each wanted column within `parent` with its path, its type as Arrow spells it, and itself; a list is
/// followed by the type of its elements. `start` leads to the parent.
template <class Take>
void for_each_column(const columns::Column& parent, const std::string& start, const Take& take) {
  for (const columns::Column& column : parent.children) {
    if (!column.is_wanted) continue;
    const std::string path = start.empty() ? column.name : start + "." + column.name;
    const bool is_list = column.kind == columns::Kind::list;
    const columns::Column& holder = is_list ? column.children.front() : column;
    take(path, is_list ? column.format + holder.format : column.format, column);
    for_each_column(holder, path, take);
  }
}

/// Throws ValueError with the closest column of the table.
[[noreturn]] inline void refuse_column(const char* name, std::string_view column, const columns::Column& table) {
  pybind11::list known;
  for_each_column(table, {}, [&](const std::string& path, const std::string&, const auto&) { known.append(path); });
  const pybind11::object given = checked(steal(text_to_python(column)));
  fail(PyExc_ValueError, "the table %s has no column %U%U", name, given.ptr(),
       closest_to(given.ptr(), known, "did_you_mean_path").ptr());
}

}  // namespace bankhook::python
