// SPDX-License-Identifier: MIT
// The sandbox: its operations give events parsed from the bytes that it would send; the class around it is Python's.
#include "classes.hpp"
#include "findings.hpp"
#include "from_python.hpp"
#include "functions.hpp"
#include "parse.hpp"
#include "records.hpp"
#include "register.hpp"
#include "tracker.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace bankhook::python {
namespace {

RecordClass<4> delivery_class;
RecordClass<8> fault_class;
PyObject* refusal_class = nullptr;

Sandbox& sandbox_of(PyObject* self) { return held<Sandbox>(self); }

/// The event, read back from the bytes as which it is sent: it has `raw`, and owns its memory.
template <class Event>
PyObject* outgoing(const std::expected<Event, SandboxError>& event) {
  if (!event) {
    const std::string text(to_string(event.error()));
    const std::string name(name_of(event.error()));
    PyErr_SetObject(refusal_class, checked(steal(Py_BuildValue("ss", text.c_str(), name.c_str()))).ptr());
    return nullptr;
  }
  const pybind11::object bytes = bytes_of(serialize(*event));
  Arena arena;
  const auto read = parse_as<Event>(text_of(bytes), arena);
  return read ? make_root(*read, bytes.ptr(), arena) : raise_as<Event>(read.error(), bytes);
}

pybind11::object python_fault(const std::optional<Fault>& fault) {
  if (!fault) return none();
  const bool is_rule = fault->detectable.detected_by == DetectedBy::rule;
  const pybind11::object rule = is_rule ? steal(text_to_python(rule_of(fault->detectable.rule).id())) : none();
  return fault_class.make(member_of(fault->kind), number(fault->number), steal(text_to_python(fault->what)),
                          steal(text_to_python(fault->field)), number(fault->offset), number(fault->late_by),
                          member_of(fault->detectable.detected_by), rule);
}

/// The bytes are copied before anything else is made, because what else is made may run Python, and Python the sandbox.
PyObject* next_delivery(PyObject* self) {
  const Delivery delivery = sandbox_of(self).next();
  const pybind11::object payload = bytes_of(delivery.payload);
  const pybind11::object clean =
      delivery.payload.data() == delivery.original.data() ? payload : bytes_of(delivery.original);
  return delivery_class.make(payload, number(delivery.number), python_fault(delivery.fault), clean).release().ptr();
}

/// A purchase of the caller's, each part as strictly as the constructors take it.
PyObject* send(PyObject* self, PyObject* arguments) {
  PyObject *member = nullptr, *amount = nullptr, *store_external_id = nullptr, *place_id = nullptr, *store_name = nullptr,
           *transaction_date = nullptr;
  if (PyArg_ParseTuple(arguments, "OOOOOO:send", &member, &amount, &store_external_id, &place_id, &store_name,
                       &transaction_date) == 0)
    return nullptr;
  Arena arena;
  Kept kept;
  const auto place = [&](std::string_view name) { return Place{"Sandbox.send_initial_transaction", name, arena, kept}; };
  Submission submission;
  nullable<std::string_view> in_field_id;
  nullable<std::string_view> in_field_name;
  if (!value_from_python(amount, submission.amount, place("amount")) ||
      !value_from_python(store_external_id, submission.store_external_id, place("store_external_id")) ||
      !value_from_python(place_id, in_field_id, place("place_id")) ||
      !value_from_python(store_name, in_field_name, place("store_name")) ||
      !value_from_python(transaction_date, submission.transaction_date, place("transaction_date")))
    return nullptr;
  submission.place_id = in_field_id.value_or("");
  submission.store_name = in_field_name.value_or("");
  return outgoing(
      sandbox_of(self).send_initial_transaction(text_argument("Sandbox.send_initial_transaction", member), submission));
}

PyObject* send_made_up(PyObject* self, PyObject* member) {
  return outgoing(sandbox_of(self).send_initial_transaction(text_argument("Sandbox.send_initial_transaction", member)));
}

PyObject* validate(PyObject* self, PyObject* arguments) {
  PyObject* transaction = nullptr;
  int is_matched = 0;
  if (PyArg_ParseTuple(arguments, "Op:validate", &transaction, &is_matched) == 0) return nullptr;
  return outgoing(sandbox_of(self).validate(text_argument("Sandbox.validate", transaction), is_matched != 0));
}

PyObject* reject(PyObject* self, PyObject* arguments) {
  PyObject *transaction = nullptr, *reason = nullptr;
  if (PyArg_ParseTuple(arguments, "OO:reject", &transaction, &reason) == 0) return nullptr;
  const auto known = OpenEnum<RejectionReason>::of(text_argument("Sandbox.reject", reason)).known();
  if (known) return outgoing(sandbox_of(self).reject(text_argument("Sandbox.reject", transaction), *known));
  const std::string listing(reflect::listing<RejectionReason>.view());
  return PyErr_Format(PyExc_ValueError, "Sandbox.reject: expected %s", listing.c_str());
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
  return PyErr_Format(PyExc_IndexError, "the sandbox has no such member");
}

/// Sizes and shares in the order of SandboxOptions and Faults, start and pace in milliseconds; the Python side has checked
/// them.
PyObject* make_sandbox(PyObject*, PyObject* arguments) {
  fix_names();
  unsigned long long seed = 0;
  std::array<unsigned, 6> sizes{};
  long long start = 0, pace = 0;
  std::array<double, 6> shares{};
  PyObject *connections = nullptr, *transactions = nullptr, *chosen = nullptr;
  if (PyArg_ParseTuple(arguments, "K(IIIIII)(LL)(OO)(dddddd)O!:_make_sandbox", &seed, &sizes[0], &sizes[1], &sizes[2],
                       &sizes[3], &sizes[4], &sizes[5], &start, &pace, &connections, &transactions, &shares[0], &shares[1],
                       &shares[2], &shares[3], &shares[4], &shares[5], &PyList_Type, &chosen) == 0)
    return nullptr;
  SandboxOptions options{.members = sizes[0],
                         .programmes = sizes[1],
                         .connections = sizes[2],
                         .accounts = sizes[3],
                         .transactions = sizes[4],
                         .lateness = sizes[5],
                         .start = std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(start)),
                         .pace = std::chrono::milliseconds(pace),
                         .faults = {shares[0], shares[1], shares[2], shares[3], shares[4], shares[5]}};
  if (!take_lifecycle("Sandbox: connection_lifecycle", connections, options.connection_lifecycle) ||
      !take_lifecycle("Sandbox: transaction_lifecycle", transactions, options.transaction_lifecycle))
    return nullptr;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(chosen); ++i) {
    const char *name = nullptr, *value = nullptr;
    if (PyArg_ParseTuple(PyList_GET_ITEM(chosen, i), "ss", &name, &value) == 0) return nullptr;
    if (!sandbox::choose(options.choices, name, value)) return PyErr_Format(PyExc_ValueError, "no such choice: %s", name);
  }
  constexpr std::uint32_t many_members = 100'000;  // each of them is made at once
  auto made = unlocked(options.members >= many_members, [&] { return Sandbox(seed, options); });
  return made ? make_holder(std::move(*made)) : nullptr;
}

/// Rows for bankhook._records.Choice.
pybind11::tuple described_choices() {
  RecordClass<6> choice_class;
  choice_class.find("Choice");
  return tuple_of(Sandbox::choices.size(), [&](std::size_t i) {
    const SandboxChoice& choice = Sandbox::choices[i];
    const pybind11::tuple answers =
        tuple_of(choice.values.size(), [&](std::size_t j) { return steal(text_to_python(choice.values[j])); });
    return choice_class.make(steal(text_to_python(choice.name)), steal(text_to_python(choice.section)),
                             steal(text_to_python(choice.question)), answers, steal(text_to_python(choice.default_value)),
                             member_of(choice.evidence));
  });
}

/// One is made by `_make_sandbox` alone.
PyObject* refuse_new(PyTypeObject*, PyObject*, PyObject*) {
  return PyErr_Format(PyExc_TypeError, "_Sandbox is made by bankhook.Sandbox");
}

constexpr const char* operation = "(self, id: str, /) -> BankConnectionsUpdateV2";

PyMethodDef methods_of_sandbox[] = {
    with_one<operate<&Sandbox::create_connection>>("create_connection", operation, ""),
    with_one<operate<&Sandbox::create_accounts>>("create_accounts", operation, ""),
    with_one<operate<&Sandbox::update_accounts>>("update_accounts", operation, ""),
    with_one<operate<&Sandbox::desynchronise>>("desynchronise", operation, ""),
    with_one<operate<&Sandbox::resynchronise>>("resynchronise", operation, ""),
    with_one<operate<&Sandbox::delete_connection>>("delete_connection", operation, ""),
    with_one<operate<&Sandbox::disable>>("disable", operation, ""),
    with_one<operate<&Sandbox::enable>>("enable", operation, ""),
    with_one<send_made_up>("send_made_up", "(self, member: str, /) -> InitialTransactionUpdate", ""),
    with_several<send>("send",
                       "(self, member: str, amount: Decimal | int, store_external_id: str | None, place_id: str | None, "
                       "store_name: str | None, "
                       "transaction_date: datetime.date, /) -> InitialTransactionUpdate",
                       ""),
    with_several<validate>("validate", "(self, transaction: str, matched: bool, /) -> InitialTransactionUpdate", ""),
    with_several<reject>("reject", "(self, transaction: str, reason: str, /) -> InitialTransactionUpdate", ""),
    with_none<next_delivery>("next", "(self) -> Delivery", ""),
    with_none<event_count>("event_count", "(self) -> int", ""),
    with_none<copy_sandbox>("copy", "(self) -> _Sandbox", ""),
    with_one<member_at>("member", "(self, index: int, /) -> Customer", ""),
    {},
};

PyMethodDef sandbox_functions[] = {
    with_several<make_sandbox>(
        "_make_sandbox",
        "(seed: int, sizes: tuple[int, ...], times: tuple[int, int], lifecycles: tuple[object, object], "
        "shares: tuple[float, ...], choices: list[tuple[str, str]], /) -> _Sandbox",
        "What bankhook.Sandbox calls with checked arguments."),
    {},
};

}  // namespace

void register_sandbox(pybind11::module_& module) {
  delivery_class.find("Delivery");
  fault_class.find("Fault");
  refusal_class = reinterpret_cast<PyObject*>(record_class("bankhook._records", "SandboxError"));
  class_of<Sandbox> =
      make_class(module, "_Sandbox", sizeof(Holder<Sandbox>),
                 {slot(Py_tp_new, refuse_new), slot(Py_tp_dealloc, destroy_holder<Sandbox>),
                  slot(Py_tp_methods, methods_of_sandbox), slot(Py_tp_doc, "The sandbox inside of bankhook.Sandbox.")});
  make_immutable(class_of<Sandbox>);
  add_functions(module, sandbox_functions);
  module.attr("_choices") = described_choices();
}

}  // namespace bankhook::python
