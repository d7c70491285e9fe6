// SPDX-License-Identifier: MIT
// The queries of bankhook.Tracker: what it holds as kit objects of their own.
#include "from_python.hpp"
#include "outcome.hpp"
#include "tracker.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <ranges>
#include <string_view>
#include <vector>

namespace bankhook::python {
namespace {

namespace py = pybind11;

/// The text in a str: an id, a status. Half a surrogate pair is in no payload.
std::string_view text_in(const py::str& text) {
  const auto utf8 = utf8_of(text.ptr());
  if (!utf8) throw py::value_error("expected str without surrogates");
  return *utf8;
}

/// The one object of an answer, or None.
template <class T>
py::object first_or_none(const std::optional<T>& value) {
  return value ? py::object(copied(std::vector{*value})[0]) : py::none();
}

template <class Range>
auto listed(Range&& range) {
  std::vector<std::ranges::range_value_t<Range>> items;
  for (auto&& item : range) items.push_back(item);
  return items;
}

py::tuple connections(const PyTracker& self, const std::optional<py::str>& member_id) {
  Arena arena;
  return copied(member_id ? self.tracker.connections_of(text_in(*member_id), arena)
                          : listed(self.tracker.connections(arena)));
}

py::tuple transactions(const PyTracker& self, const std::optional<py::str>& member_id,
                       const std::optional<py::str>& status) {
  std::vector<HeldTransaction> items =
      member_id ? self.tracker.transactions_of(text_in(*member_id)) : listed(self.tracker.transactions());
  if (status) {
    const auto wanted = OpenEnum<TransactionStatus>::of(text_in(*status));
    std::erase_if(items, [&](const HeldTransaction& held) { return held.initial_transaction.status != wanted; });
  }
  return copied(items);
}

py::tuple consents_ending_before(const PyTracker& self, const py::object& when) {
  Arena arena;
  Kept kept;
  LocalTimestamp moment;
  const Place place{"Tracker", "consents_ending_before", arena, kept};
  if (!from_python(when.ptr(), moment, place)) throw py::error_already_set();
  return copied(self.tracker.consents_ending_before(moment, arena));
}

/// bankhook.Timeline asks the tracker itself for what it shows.
py::object timeline(const py::object& self, const py::str& member_id) {
  return py::module_::import("bankhook._timeline").attr("Timeline")(self, member_id);
}

}  // namespace

void add_queries(py::class_<PyTracker>& tracker) {
  using py::arg;
  tracker
      .def(
          "member",
          [](const PyTracker& self, const py::str& id) { return first_or_none(self.tracker.member(text_in(id))); },
          arg("id"), py::pos_only(), "The member with this id, or None.")
      .def(
          "connection",
          [](const PyTracker& self, const py::str& id) {
            Arena arena;
            return first_or_none(self.tracker.connection(text_in(id), arena));
          },
          arg("id"), py::pos_only(), "The bank connection with this id, deleted or not, or None.")
      .def(
          "transaction",
          [](const PyTracker& self, const py::str& id) { return first_or_none(self.tracker.transaction(text_in(id))); },
          arg("id"), py::pos_only(), "The initial transaction with this id, or None.")
      .def(
          "members", [](const PyTracker& self) { return copied(listed(self.tracker.members())); }, "All members.")
      .def("connections", &connections, arg("member_id") = py::none(),
           "All bank connections, deleted ones too, or those of one member in the order of their ids.")
      .def("transactions", &transactions, arg("member_id") = py::none(), py::kw_only(), arg("status") = py::none(),
           "All initial transactions, or those of one member by creation time; with this status, where one is given.")
      .def(
          "accounts",
          [](const PyTracker& self, const py::str& id) {
            Arena arena;
            return copied(self.tracker.accounts_of(text_in(id), arena));
          },
          arg("member_id"), "The accounts of a member's connections that are not deleted.")
      .def("timeline", &timeline, arg("member_id"), py::pos_only(),
           "A member's connections and transactions over time; a notebook draws it.")
      .def(
          "awaiting_accounts",
          [](const PyTracker& self) {
            Arena arena;
            return copied(self.tracker.awaiting_accounts(arena));
          },
          "Connections, not deleted, whose accounts are still to come (spec 6.2).")
      .def("consents_ending_before", &consents_ending_before, arg("when"), py::pos_only(),
           "Connections, not deleted, whose consent ends before a naive datetime, the earliest first.");
}

}  // namespace bankhook::python
