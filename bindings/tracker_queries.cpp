// SPDX-License-Identifier: MIT
// The queries of bankhook.Tracker: what it holds as kit objects of their own.
#include "from_python.hpp"
#include "outcome.hpp"
#include "tracker.hpp"

#include <pybind11/stl.h>

#include <cstddef>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

namespace py = pybind11;

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
  std::vector<TrackedTransaction> items =
      member_id ? self.tracker.transactions_of(text_in(*member_id)) : listed(self.tracker.transactions());
  if (status) {
    const auto wanted = OpenEnum<TransactionStatus>::of(text_in(*status));
    std::erase_if(items, [&](const TrackedTransaction& held) { return held.initial_transaction.status != wanted; });
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

/// How many connections there are of each state and transactions of each status; no object of Python for any of them.
auto counts(const PyTracker& self) {
  std::map<std::optional<std::string>, std::size_t> connections;
  std::map<std::string, std::size_t> transactions;
  Arena arena;
  for (const TrackedConnection& held : self.tracker.connections(arena)) {
    ++connections[held.state ? std::optional<std::string>(held.state->text()) : std::nullopt];
    arena.reset();  // of this one's accounts
  }
  for (const TrackedTransaction& held : self.tracker.transactions()) {
    ++transactions[std::string(held.initial_transaction.status.text())];
  }
  return std::pair(std::move(connections), std::move(transactions));
}

/// bankhook.Timeline asks the tracker itself for what it shows.
py::object timeline(const py::object& self, const py::str& member_id) {
  return py::module_::import("bankhook._timeline").attr("Timeline")(self, member_id);
}

}  // namespace

std::string_view text_in(const py::str& text) {
  const auto utf8 = utf8_of(text.ptr());
  if (!utf8) throw py::value_error("expected str without surrogates");
  return *utf8;
}

void add_queries(py::class_<PyTracker>& tracker) {
  using py::arg;
  tracker
      .def(
          "member",
          [](const PyTracker& self, const py::str& id) { return first_or_none(self.tracker.member(text_in(id))); },
          arg("id"), py::pos_only(), "member(self, id, /)\n--\n\nThe member with this id, or None.")
      .def(
          "connection",
          [](const PyTracker& self, const py::str& id) {
            Arena arena;
            return first_or_none(self.tracker.connection(text_in(id), arena));
          },
          arg("id"), py::pos_only(),
          "connection(self, id, /)\n--\n\nThe bank connection with this id, deleted and unlisted ones too, or None.")
      .def(
          "transaction",
          [](const PyTracker& self, const py::str& id) { return first_or_none(self.tracker.transaction(text_in(id))); },
          arg("id"), py::pos_only(), "transaction(self, id, /)\n--\n\nThe initial transaction with this id, or None.")
      .def(
          "members", [](const PyTracker& self) { return copied(listed(self.tracker.members())); },
          "members(self, /)\n--\n\nAll members.")
      .def("connections", &connections, arg("member_id") = py::none(),
           "connections(self, /, member_id=None)\n--\n\nAll bank connections, deleted and unlisted ones too, or those of "
           "one member in "
           "the order of their ids.")
      .def("transactions", &transactions, arg("member_id") = py::none(), py::kw_only(), arg("status") = py::none(),
           "transactions(self, /, member_id=None, *, status=None)\n--\n\nAll initial transactions, or those of one member "
           "by creation time; with this status, where one is given.")
      .def(
          "accounts",
          [](const PyTracker& self, const py::str& id) {
            Arena arena;
            return copied(self.tracker.accounts_of(text_in(id), arena));
          },
          arg("member_id"),
          "accounts(self, /, member_id)\n--\n\nReturn the accounts of a member's connections that are neither deleted nor "
          "unlisted.")
      .def("_counts", &counts,
           "_counts(self, /)\n--\n\nHow many connections of each state and transactions of each status are held.")
      .def("timeline", &timeline, arg("member_id"), py::pos_only(),
           "timeline(self, member_id, /)\n--\n\nA member's connections and transactions over time; a notebook draws it.")
      .def(
          "in_error",
          [](const PyTracker& self) {
            Arena arena;
            return copied(self.tracker.in_error(arena));
          },
          "in_error(self, /)\n--\n\nReturn the connections with an error code or message, neither deleted nor unlisted "
          "(spec 7).")
      .def(
          "awaiting_accounts",
          [](const PyTracker& self) {
            Arena arena;
            return copied(self.tracker.awaiting_accounts(arena));
          },
          "awaiting_accounts(self, /)\n--\n\nReturn the connections, neither deleted nor unlisted, that still have no "
          "accounts (spec 6.2).")
      .def("consents_ending_before", &consents_ending_before, arg("when"), py::pos_only(),
           "consents_ending_before(self, when, /)\n--\n\nConnections, neither deleted nor unlisted, whose consent ends "
           "before a naive datetime, the earliest first.");
}

}  // namespace bankhook::python
