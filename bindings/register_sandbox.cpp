// SPDX-License-Identifier: MIT
// The sandbox: its operations give events parsed from the bytes that it would send; the class around it is Python's.
#include "bind.hpp"
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

Sandbox& sandbox_of(PyObject* self) { return held<Sandbox>(self); }

/// The event, read back from the bytes as which it is sent: it has `raw`, and owns its memory.
template <class Event>
PyObject* outgoing(const std::expected<Event, SandboxError>& event) {
  if (!event) throw_as_python("SandboxError", to_string(event.error()), name_of(event.error()));
  return read_event(bytes_of(serialize(*event)), false);
}

pybind11::object python_fault(const std::optional<Fault>& fault) {
  if (!fault) return none();
  const bool is_rule = fault->detectable.detected_by == DetectedBy::rule;
  const pybind11::object rule = is_rule ? to_object(rule_of(fault->detectable.rule).id()) : none();
  return fault_class.make(fault->kind, fault->number, fault->what, fault->field, fault->offset, fault->late_by,
                          fault->detectable.detected_by, rule);
}

/// The bytes are copied before anything else is made, because what else is made may run Python, and Python the sandbox.
pybind11::object next_delivery(PyObject* self) {
  const Delivery delivery = sandbox_of(self).next();
  const pybind11::object payload = bytes_of(delivery.payload);
  const pybind11::object clean =
      delivery.payload.data() == delivery.original.data() ? payload : bytes_of(delivery.original);
  return delivery_class.make(payload, delivery.number, python_fault(delivery.fault), clean);
}

/// A purchase of the caller's, each part as strictly as the constructors take it; None is a part that it does not have.
PyObject* send(PyObject* self, PyObject* member, PyObject* amount, PyObject* store_external_id, PyObject* place_id,
               PyObject* store_name, PyObject* transaction_date) {
  Submission submission;
  PyObject* const parts[] = {amount, store_external_id, place_id, store_name, transaction_date};
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    const detail::json::FieldRow& field = detail::json::field_rows<Submission>[i];
    if (parts[i] != Py_None)
      value_from_python(parts[i], *field.type, field.of(&submission), {"Sandbox.send_initial_transaction", field.name});
  }
  return outgoing(
      sandbox_of(self).send_initial_transaction(text_argument("Sandbox.send_initial_transaction", member), submission));
}

PyObject* send_made_up(PyObject* self, PyObject* member) {
  return outgoing(sandbox_of(self).send_initial_transaction(text_argument("Sandbox.send_initial_transaction", member)));
}

PyObject* validate(PyObject* self, PyObject* transaction, PyObject* matched) {
  const bool is_matched = pybind11::bool_(borrow(matched));
  return outgoing(sandbox_of(self).validate(text_argument("Sandbox.validate", transaction), is_matched));
}

PyObject* reject(PyObject* self, PyObject* transaction, PyObject* reason) {
  const auto known = enumerator_argument<RejectionReason>("Sandbox.reject", reason);
  return outgoing(sandbox_of(self).reject(text_argument("Sandbox.reject", transaction), known));
}

/// An operation on a member or a connection by its id.
template <auto operation>
PyObject* operate(PyObject* self, PyObject* id) {
  return outgoing((sandbox_of(self).*operation)(text_argument("Sandbox", id)));
}

PyObject* event_count(PyObject* self) { return PyLong_FromUnsignedLongLong(sandbox_of(self).event_count()); }
PyObject* copy_sandbox(PyObject* self) { return make_holder(Sandbox(sandbox_of(self))); }

PyObject* member_at(PyObject* self, PyObject* index) {
  const std::size_t at = PyLong_AsSize_t(index);
  if (PyErr_Occurred() != nullptr) return nullptr;
  if (at < sandbox_of(self).member_count()) return make_owned(sandbox_of(self).member(at));
  fail(PyExc_IndexError, "the sandbox has no such member");
}

/// What bankhook.Sandbox calls with checked arguments: sizes and shares in the order of SandboxOptions and Faults, start
/// and pace in milliseconds.
PyObject* make_sandbox(PyObject*, const pybind11::tuple& arguments) {
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
  return make_holder(unlocked(options.members >= many_members, [&] { return Sandbox(seed, options); }));
}

PyObject* refuse_new(PyTypeObject*, PyObject*, PyObject*) { fail(PyExc_TypeError, "_Sandbox is made by bankhook.Sandbox"); }

}  // namespace

void register_sandbox(pybind11::module_& module) {
  make_holder_class<Sandbox>(
      module, "_Sandbox",
      {.slots = {slot(Py_tp_new, guarded<refuse_new>)},
       .methods = {method<operate<&Sandbox::create_connection>>("create_connection"),
                   method<operate<&Sandbox::create_accounts>>("create_accounts"),
                   method<operate<&Sandbox::update_accounts>>("update_accounts"),
                   method<operate<&Sandbox::desynchronise>>("desynchronise"),
                   method<operate<&Sandbox::resynchronise>>("resynchronise"),
                   method<operate<&Sandbox::delete_connection>>("delete_connection"),
                   method<operate<&Sandbox::disable>>("disable"), method<operate<&Sandbox::enable>>("enable"),
                   method<send_made_up>("send_made_up"), method<send>("send"), method<validate>("validate"),
                   method<reject>("reject"), method<next_delivery>("next"), method<event_count>("event_count"),
                   method<copy_sandbox>("copy"), method<member_at>("member")}});
  add_functions(module, {method<make_sandbox>("_make_sandbox")});
  module.attr("_choices") = tuple_of(Sandbox::choices, [](const SandboxChoice& choice) {
    return choice_class.make(choice.name, choice.section, choice.question, tuple_of(choice.values), choice.default_value,
                             choice.evidence);
  });
}

}  // namespace bankhook::python
