// SPDX-License-Identifier: MIT
// The sandbox: its operations give events parsed from the bytes that it would send; the class around it is Python's.
#include "bound.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "records.hpp"
#include "tracker.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <iterator>
#include <optional>
#include <string>

namespace bankhook::python {
namespace {

RecordClass delivery_class("Delivery", 4);
RecordClass fault_class("Fault", 8);
RecordClass choice_class("Choice", 6);

/// The event, read back from the bytes as which it is sent: it has `raw`, and owns its memory.
template <class Event>
pybind11::object outgoing(const std::expected<Event, SandboxError>& event) {
  if (!event) throw_as_python("SandboxError", to_string(event.error()), name_of(event.error()));
  return checked(steal(read_event(bytes_of(serialize(*event)), false)));
}

pybind11::object python_fault(const std::optional<Fault>& fault) {
  if (!fault) return none();
  const bool is_rule = fault->detectable.detected_by == DetectedBy::rule;
  const pybind11::object rule = is_rule ? to_object(rule_of(fault->detectable.rule).id()) : none();
  return fault_class.make(fault->kind, fault->number, fault->what, fault->field, fault->offset, fault->late_by,
                          fault->detectable.detected_by, rule);
}

/// The bytes are copied before anything else is made, because what else is made may run Python, and Python the sandbox.
pybind11::object next_delivery(Sandbox& sandbox) {
  const Delivery delivery = sandbox.next();
  const pybind11::object payload = bytes_of(delivery.payload);
  const pybind11::object clean =
      delivery.payload.data() == delivery.original.data() ? payload : bytes_of(delivery.original);
  return delivery_class.make(payload, delivery.number, python_fault(delivery.fault), clean);
}

/// A purchase of the caller's, each part as strictly as the constructors take it; None is a part that it does not have.
pybind11::object send(Sandbox& sandbox, Text member, pybind11::handle amount, pybind11::handle store_external_id,
                      pybind11::handle place_id, pybind11::handle store_name, pybind11::handle transaction_date) {
  Submission submission;
  const pybind11::handle parts[] = {amount, store_external_id, place_id, store_name, transaction_date};
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    const detail::json::FieldRow& field = detail::json::field_rows<Submission>[i];
    if (parts[i].ptr() != Py_None)
      value_from_python(parts[i].ptr(), *field.type, field.of(&submission),
                        {"Sandbox.send_initial_transaction", field.name});
  }
  return outgoing(sandbox.send_initial_transaction(member, submission));
}

pybind11::object send_made_up(Sandbox& sandbox, Text member) { return outgoing(sandbox.send_initial_transaction(member)); }

pybind11::object validate(Sandbox& sandbox, Text transaction, pybind11::handle matched) {
  const bool is_matched = pybind11::bool_(borrow(matched));
  return outgoing(sandbox.validate(transaction, is_matched));
}

pybind11::object reject(Sandbox& sandbox, Text transaction, pybind11::handle reason) {
  return outgoing(sandbox.reject(transaction, enumerator_argument<RejectionReason>("Sandbox.reject", reason.ptr())));
}

/// An operation on a member or a connection by its id.
template <auto operation>
pybind11::object operate(Sandbox& sandbox, Text id) {
  return outgoing((sandbox.*operation)(id));
}

std::uint64_t event_count(const Sandbox& sandbox) { return sandbox.event_count(); }
Sandbox copy_sandbox(const Sandbox& sandbox) { return sandbox; }

pybind11::object member_at(const Sandbox& sandbox, std::size_t index) {
  if (index < sandbox.member_count()) return checked(steal(make_owned(sandbox.member(index))));
  throw pybind11::index_error("the sandbox has no such member");
}

/// What bankhook.Sandbox calls with checked arguments: sizes and shares in the order of SandboxOptions and Faults, start
/// and pace in milliseconds.
pybind11::object make_sandbox(PyObject*, const pybind11::tuple& arguments) {
  unsigned long long seed = 0;
  long long start = 0, pace = 0;
  SandboxOptions options;
  PyObject *connections = nullptr, *transactions = nullptr, *chosen = nullptr;
  Faults& faults = options.faults;
  take(arguments, "K(IIIIII)(LL)(OO)(dddddd)O!:_make_sandbox", &seed, &options.members, &options.programmes,
       &options.connections, &options.accounts, &options.transactions, &options.lateness, &start, &pace, &connections,
       &transactions, &faults.duplicate, &faults.reorder, &faults.drop, &faults.truncate, &faults.mutate, &faults.future,
       &PyList_Type, &chosen);
  options.start = std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(start));
  options.pace = std::chrono::milliseconds(pace);
  take_lifecycle("Sandbox: connection_lifecycle", connections, options.connection_lifecycle);
  take_lifecycle("Sandbox: transaction_lifecycle", transactions, options.transaction_lifecycle);
  for (const pybind11::handle choice : pybind11::reinterpret_borrow<pybind11::list>(chosen)) {
    const char *name = nullptr, *value = nullptr;
    take(choice, "ss", &name, &value);
    if (!detail::sandbox::choose(options.choices, name, value)) fail(PyExc_ValueError, "no such choice: %s", name);
  }
  constexpr std::uint32_t many_members = 100'000;  // each of them is made at once
  return pybind11::cast(unlocked(options.members >= many_members, [&] { return Sandbox(seed, options); }));
}

}  // namespace

void register_sandbox(pybind11::module_& module) {
  open_class<Sandbox>(module, "_Sandbox", nullptr)
      .def("create_connection", checking("Sandbox.create_connection", operate<&Sandbox::create_connection>))
      .def("create_accounts", checking("Sandbox.create_accounts", operate<&Sandbox::create_accounts>))
      .def("update_accounts", checking("Sandbox.update_accounts", operate<&Sandbox::update_accounts>))
      .def("desynchronise", checking("Sandbox.desynchronise", operate<&Sandbox::desynchronise>))
      .def("resynchronise", checking("Sandbox.resynchronise", operate<&Sandbox::resynchronise>))
      .def("delete_connection", checking("Sandbox.delete_connection", operate<&Sandbox::delete_connection>))
      .def("disable", checking("Sandbox.disable", operate<&Sandbox::disable>))
      .def("enable", checking("Sandbox.enable", operate<&Sandbox::enable>))
      .def("send_made_up", checking("Sandbox.send_initial_transaction", send_made_up))
      .def("send", checking("Sandbox.send_initial_transaction", send))
      .def("validate", checking("Sandbox.validate", validate))
      .def("reject", checking("Sandbox.reject", reject))
      .def("next", checking("Sandbox.next", next_delivery))
      .def("event_count", checking("Sandbox.event_count", event_count))
      .def("copy", checking("Sandbox.copy", copy_sandbox))
      .def("member", checking("Sandbox.member", member_at));
  close_class<Sandbox>();
  add_functions(module, {method<make_sandbox>("_make_sandbox")});
  module.attr("_choices") = tuple_of(Sandbox::choices, [](const SandboxChoice& choice) {
    return choice_class.make(choice.name, choice.section, choice.question, tuple_of(choice.values), choice.default_value,
                             choice.evidence);
  });
}

}  // namespace bankhook::python
