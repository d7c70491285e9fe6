// SPDX-License-Identifier: MIT
// The sandbox: its operations give events parsed from the bytes that it would send; the class around it is Python's.
#include "classes.hpp"
#include "findings.hpp"
#include "from_python.hpp"
#include "parse.hpp"
#include "register.hpp"

#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

using pybind11::object;

PyObject* delivery_class = nullptr;
PyObject* fault_class = nullptr;
PyObject* refusal_class = nullptr;

object require_object(PyObject* made) {
  if (made == nullptr) throw pybind11::error_already_set();
  return steal(made);
}
void require(bool fine) {
  if (!fine) throw pybind11::error_already_set();
}

object bytes_of(std::string_view text) {
  return require_object(PyBytes_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

/// The event, read back from the bytes as which it is sent: it has `raw`, and owns its memory.
template <class Event>
object outgoing(const std::expected<Event, SandboxError>& event) {
  if (!event) {
    const std::string text(message(event.error()));
    PyErr_SetObject(refusal_class, pybind11::make_tuple(text, std::string(name_of(event.error()))).ptr());
    throw pybind11::error_already_set();
  }
  const object bytes = bytes_of(serialize(*event));
  Arena arena;
  const auto read = parse_as<Event>(text_of(bytes), arena);
  if (!read) return require_object(raise_as<Event>(read.error(), bytes));
  return require_object(make_root(*read, bytes.ptr(), arena));
}

object python_fault(const std::optional<Fault>& fault) {
  if (!fault) return pybind11::none();
  pybind11::list rules;
  if (fault->detectable.detected_by == DetectedBy::rule) {
    rules.append(std::string(rule_of(fault->detectable.rule).id()));
    if (fault->detectable.or_rule != fault->detectable.rule)
      rules.append(std::string(rule_of(fault->detectable.or_rule).id()));
  }
  return pybind11::handle(fault_class)(member_of(fault->kind), fault->number, std::string(fault->what),
                                       std::string(fault->field), fault->offset, fault->late_by,
                                       member_of(fault->detectable.detected_by), pybind11::tuple(rules));
}

/// The bytes are copied before anything else is made, because what else is made may run Python, and Python the sandbox.
object next_delivery(Sandbox& sandbox) {
  const Delivery delivery = sandbox.next();
  const object payload = bytes_of(delivery.payload);
  const object clean = delivery.payload.data() == delivery.original.data() ? payload : bytes_of(delivery.original);
  const pybind11::tuple parts = pybind11::make_tuple(payload, delivery.number, python_fault(delivery.fault), clean);
  const pybind11::tuple arguments = pybind11::make_tuple(parts);
  return require_object(PyTuple_Type.tp_new(reinterpret_cast<PyTypeObject*>(delivery_class), arguments.ptr(), nullptr));
}

/// A purchase of the caller's, each part as strictly as the constructors take it.
object send(Sandbox& sandbox, const std::string& member, const object& amount, const object& store_external_id,
            const object& place_id, const object& store_name, const object& transaction_date) {
  Arena arena;
  Kept kept;
  const auto place = [&](std::string_view name) { return Place{"Sandbox.send_initial_transaction", name, arena, kept}; };
  Submission submission;
  nullable<std::string_view> in_field_id;
  nullable<std::string_view> in_field_name;
  require(value_from_python(amount.ptr(), submission.amount, place("amount")) &&
          value_from_python(store_external_id.ptr(), submission.store_external_id, place("store_external_id")) &&
          value_from_python(place_id.ptr(), in_field_id, place("place_id")) &&
          value_from_python(store_name.ptr(), in_field_name, place("store_name")) &&
          value_from_python(transaction_date.ptr(), submission.transaction_date, place("transaction_date")));
  submission.place_id = in_field_id.value_or("");
  submission.store_name = in_field_name.value_or("");
  return outgoing(sandbox.send_initial_transaction(member, submission));
}

object reject(Sandbox& sandbox, const std::string& transaction, const std::string& reason) {
  const auto known = OpenEnum<RejectionReason>::of(reason).known();
  if (!known) {
    throw pybind11::value_error("Sandbox.reject: expected a reason of " +
                                std::string(reflect::listing<RejectionReason>.view()));
  }
  return outgoing(sandbox.reject(transaction, *known));
}

using Sizes = std::array<std::uint32_t, 6>;
using Shares = std::array<double, 6>;

/// Sizes and shares in the order of SandboxOptions and Faults; the Python side has checked them.
std::unique_ptr<Sandbox> make_sandbox(std::uint64_t seed, const Sizes& sizes, const Shares& shares,
                                      const std::vector<std::pair<std::string, std::string>>& chosen) {
  fix_names();
  SandboxOptions options{.members = sizes[0],
                         .programmes = sizes[1],
                         .connections = sizes[2],
                         .accounts = sizes[3],
                         .transactions = sizes[4],
                         .lateness = sizes[5],
                         .faults = {shares[0], shares[1], shares[2], shares[3], shares[4], shares[5]}};
  for (const auto& [name, value] : chosen) {
    if (!sandbox::choose(options.choices, name, value)) throw pybind11::value_error("no such choice: " + name);
  }
  constexpr std::uint32_t many_members = 100'000;  // each of them is made at once
  auto made = unlocked(options.members >= many_members, [&] { return std::make_unique<Sandbox>(seed, options); });
  require(made.has_value());
  return std::move(*made);
}

/// Rows for bankhook._deliveries.Choice.
pybind11::tuple described_choices() {
  const object choice_class = pybind11::module_::import("bankhook._deliveries").attr("Choice");
  pybind11::list rows;
  for (const Choice& choice : Sandbox::choices) {
    pybind11::list values_of_choice;
    for (const std::string_view value : choice.values) values_of_choice.append(std::string(value));
    rows.append(choice_class(std::string(choice.name), std::string(choice.section), std::string(choice.question),
                             pybind11::tuple(values_of_choice), std::string(choice.default_value),
                             member_of(choice.evidence)));
  }
  return pybind11::tuple(rows);
}

/// One is made by `_make_sandbox` alone: an object without a sandbox inside would be read as if it had one.
PyObject* refuse_new(PyTypeObject*, PyObject*, PyObject*) {
  return PyErr_Format(PyExc_TypeError, "_Sandbox is made by bankhook.Sandbox");
}

template <auto operation>
object operate(Sandbox& sandbox, const std::string& id) {
  return outgoing((sandbox.*operation)(id));
}

void bind_operations(pybind11::class_<Sandbox>& bound) {
  bound.def("create_connection", operate<&Sandbox::create_connection>)
      .def("create_accounts", operate<&Sandbox::create_accounts>)
      .def("update_accounts", operate<&Sandbox::update_accounts>)
      .def("desynchronise", operate<&Sandbox::desynchronise>)
      .def("resynchronise", operate<&Sandbox::resynchronise>)
      .def("delete_connection", operate<&Sandbox::delete_connection>)
      .def("disable", operate<&Sandbox::disable>)
      .def("send_made_up",
           [](Sandbox& sandbox, const std::string& member) { return outgoing(sandbox.send_initial_transaction(member)); })
      .def("send", &send)
      .def("validate",
           [](Sandbox& sandbox, const std::string& id, bool matched) { return outgoing(sandbox.validate(id, matched)); })
      .def("reject", &reject);
}

}  // namespace

void register_sandbox(pybind11::module_& module) {
  const pybind11::module_ package = pybind11::module_::import("bankhook._deliveries");
  delivery_class = object(package.attr("Delivery")).release().ptr();
  fault_class = object(package.attr("Fault")).release().ptr();
  refusal_class = object(package.attr("SandboxError")).release().ptr();
  pybind11::class_<Sandbox> bound(
      module, "_Sandbox", "The sandbox inside of bankhook.Sandbox.", pybind11::is_final(),
      pybind11::custom_type_setup([](PyHeapTypeObject* type) { type->ht_type.tp_new = refuse_new; }));
  bind_operations(bound);
  bound.def("next", &next_delivery)
      .def("events", [](const Sandbox& sandbox) { return sandbox.events(); })
      .def("copy", [](const Sandbox& sandbox) { return std::make_unique<Sandbox>(sandbox); })
      .def("member", [](const Sandbox& sandbox, std::size_t index) {
        if (index >= sandbox.members()) throw pybind11::index_error("the sandbox has no such member");
        return require_object(make_owned(sandbox.member(index)));
      });
  make_immutable(bound);
  module.def("_make_sandbox", &make_sandbox, "What bankhook.Sandbox calls with checked arguments.");
  module.attr("_choices") = described_choices();
}

}  // namespace bankhook::python
