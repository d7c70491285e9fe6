// SPDX-License-Identifier: MIT
// The lifecycles: every answer of a machine, handed over once as plain Python values; and machines with other rows.
#include "functions.hpp"
#include "library.hpp"
#include "lifecycles.hpp"
#include "records.hpp"
#include "register.hpp"
#include "to_python.hpp"
#include "values.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

RecordClass<6> transition_class;
RecordClass<3> final_class;
RecordClass<3> step_class;

template <class Values>
pybind11::tuple members_of(const Values& values) {
  return tuple_of(values.size(), [&](std::size_t i) { return member_of(values[i]); });
}

/// A bankhook.Lifecycle: the answers of a machine, whose rows have these objects.
template <class M>
pybind11::object describe(const char* name, const M& machine, const std::vector<PyObject*>& rows,
                          const pybind11::tuple& changes) {
  pybind11::dict steps;
  pybind11::dict allowed;
  pybind11::dict reasons;
  for (std::size_t place = 0; place <= machine.states().size(); ++place) {
    const auto from = place == 0 ? std::nullopt : std::optional(machine.states()[place - 1]);
    allowed[member_of(from)] = members_of(machine.allowed(from));
    for (const auto trigger : machine.triggers()) {
      const pybind11::tuple pair = pybind11::make_tuple(member_of(from), member_of(trigger));
      const auto step = machine.step(from, trigger);
      const auto row = static_cast<std::size_t>(step.transition - machine.transitions().data());
      steps[pair] = step_class.make(member_of(step.verdict), member_of(step.to),
                                    pybind11::reinterpret_borrow<pybind11::object>(rows[row]));
      if (const std::string why = machine.why_not(from, trigger); !why.empty()) reasons[pair] = why;
    }
  }
  const auto transitions =
      tuple_of(rows.size(), [&](std::size_t i) { return pybind11::reinterpret_borrow<pybind11::object>(rows[i]); });
  const auto finals = tuple_of(machine.final_states().size(), [&](std::size_t i) {
    const auto& one = machine.final_states()[i];
    return final_class.make(member_of(one.state), member_of(one.evidence), steal(text_to_python(one.section)));
  });
  using pybind11::literals::operator""_a;
  return pybind11::module_::import("bankhook._records")
      .attr("Lifecycle")("name"_a = name, "states"_a = members_of(machine.states()),
                         "triggers"_a = members_of(machine.triggers()), "transitions"_a = transitions,
                         "final_states"_a = finals, "steps"_a = steps, "allowed"_a = allowed, "reasons"_a = reasons,
                         "mermaid"_a = to_mermaid(machine), "dot"_a = to_dot(machine), "changes"_a = changes);
}

/// Adds a machine to those that are known, with the rows that it views unless they are the library's.
template <class M>
PyObject* add_machine(const char* name, const M& machine,
                      std::vector<Transition<typename M::State, typename M::Trigger>> rows,
                      const pybind11::tuple& changes) {
  std::vector<PyObject*> objects;
  for (const auto& row : machine.transitions()) {
    objects.push_back(transition_class
                          .make(member_of(row.from), member_of(row.trigger), member_of(row.to), member_of(row.evidence),
                                steal(text_to_python(row.section)), member_of(row.before))
                          .release()
                          .ptr());
  }
  PyObject* const lifecycle = describe(name, machine, objects, changes).release().ptr();
  known_machines<M>.push_back({machine, std::move(rows), std::move(objects), lifecycle});
  return lifecycle;
}

template <class M>
void register_lifecycle(pybind11::module_& module, const char* name, const M& machine) {
  module.attr(name) = pybind11::handle(add_machine<M>(name, machine, {}, pybind11::tuple()));
}

/// The enumerator whose object in Python equals `text`, or nothing.
template <Enumeration E>
std::optional<E> enumerator_of(pybind11::handle text) {
  for (std::size_t i = 0; i < enumerator_count<E>; ++i) {
    if (text.equal(pybind11::handle(enum_members<E>[i]))) return static_cast<E>(i);
  }
  return std::nullopt;
}

/// The built-in machine with other rows: a `(state, trigger, to, expected)` for each change, which were checked.
template <class M>
pybind11::object remade(const char* name, const pybind11::tuple& changes) {
  using State = typename M::State;
  using Trigger = typename M::Trigger;
  const auto& all = known_machines<M>;
  const auto given = all.front().machine.transitions();
  std::vector<Transition<State, Trigger>> rows(given.begin(), given.end());
  for (const pybind11::handle change : changes) {
    const pybind11::tuple parts = pybind11::reinterpret_borrow<pybind11::tuple>(change);
    const auto from = enumerator_of<State>(parts[0]);
    const auto trigger = enumerator_of<Trigger>(parts[1]);
    for (Transition<State, Trigger>& row : rows) {
      if (row.from != from || row.trigger != trigger) continue;
      row = {from,
             *trigger,
             enumerator_of<State>(parts[2]),
             Evidence::assumed,
             row.section,
             parts[3].cast<bool>() ? StateBefore::stated : StateBefore::unknown};
    }
  }
  for (const auto& known : all) {
    if (std::ranges::equal(known.machine.transitions(), rows))
      return pybind11::reinterpret_borrow<pybind11::object>(known.lifecycle);
  }
  const auto machine = M::make({rows, all.front().machine.final_states()});
  if (!machine) {
    PyErr_Format(PyExc_ValueError, "this row makes no lifecycle: %s", std::string(to_string(machine.error().kind)).c_str());
    throw pybind11::error_already_set();
  }
  // The rows stay where they are when their vector is moved.
  return pybind11::reinterpret_borrow<pybind11::object>(add_machine<M>(name, *machine, std::move(rows), changes));
}

PyObject* remade_lifecycle(PyObject*, PyObject* arguments) {
  PyObject *name = nullptr, *changes = nullptr;
  if (PyArg_ParseTuple(arguments, "UO!:_remade", &name, &PyTuple_Type, &changes) == 0) return nullptr;
  const auto given = pybind11::reinterpret_borrow<pybind11::tuple>(changes);
  const bool is_connection = pybind11::handle(name).equal(pybind11::str("connection_lifecycle"));
  return (is_connection ? remade<ConnectionLifecycle>("connection_lifecycle", given)
                        : remade<TransactionLifecycle>("transaction_lifecycle", given))
      .release()
      .ptr();
}

PyMethodDef functions[] = {
    with_several<remade_lifecycle>(
        "_remade", "(name: str, changes: tuple[tuple[str | None, str, str | None, bool], ...], /) -> Lifecycle[Any, Any]",
        "The lifecycle of this name with other rows."),
    {},
};

}  // namespace

void register_lifecycles(pybind11::module_& module) {
  transition_class.find("Transition");
  final_class.find("FinalState");
  step_class.find("Step");
  register_lifecycle(module, "transaction_lifecycle", transaction_lifecycle);
  register_lifecycle(module, "connection_lifecycle", connection_lifecycle);
  add_functions(module, functions);
}

}  // namespace bankhook::python
