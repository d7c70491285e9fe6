// SPDX-License-Identifier: MIT
// The lifecycles: every answer of a machine, handed over once as plain Python values; and machines with other rows.
#include "bound.hpp"
#include "library.hpp"
#include "records.hpp"
#include "tracker.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

RecordClass transition_class("Transition", 6);
RecordClass final_class("FinalState", 3);
RecordClass step_class("Step", 3);

/// A bankhook.types.Lifecycle: the answers of a machine, whose rows have these objects.
template <class M>
pybind11::object describe(const char* name, const M& machine, const pybind11::tuple& rows, const pybind11::tuple& changes) {
  pybind11::dict steps, reasons;
  for (std::size_t place = 0; place <= machine.states().size(); ++place) {
    const auto from = place == 0 ? std::nullopt : std::optional(machine.states()[place - 1]);
    for (const auto trigger : machine.triggers()) {
      const pybind11::tuple pair = pybind11::make_tuple(to_object(from), to_object(trigger));
      const auto step = machine.step(from, trigger);
      const auto row = static_cast<std::size_t>(step.transition - machine.transitions().data());
      steps[pair] = step_class.make(step.verdict, step.to, pybind11::object(rows[row]));
      if (const std::string why = machine.why_not(from, trigger); !why.empty()) reasons[pair] = why;
    }
  }
  const auto finals = tuple_of(machine.final_states(),
                               [](const auto& one) { return final_class.make(one.state, one.evidence, one.section); });
  using pybind11::literals::operator""_a;
  return pybind11::module_::import("bankhook._records")
      .attr("Lifecycle")("name"_a = name, "states"_a = tuple_of(machine.states()),
                         "triggers"_a = tuple_of(machine.triggers()), "transitions"_a = rows, "final_states"_a = finals,
                         "_steps"_a = steps, "_reasons"_a = reasons, "_mermaid"_a = to_mermaid(machine),
                         "_dot"_a = to_dot(machine), "_changes"_a = changes);
}

/// Adds a machine to those that are known, with the rows and final states that it views unless they are the library's.
template <class M>
pybind11::object add_machine(const char* name, const M& machine, RowsOf<M> rows, EndsOf<M> ends,
                             const pybind11::tuple& changes) {
  const pybind11::tuple objects = tuple_of(machine.transitions(), [](const auto& row) {
    return transition_class.make(row.from, row.trigger, row.to, row.evidence, row.section, row.before);
  });
  const pybind11::object lifecycle = describe(name, machine, objects, changes);
  known_machines<M>.push_back({machine, std::move(rows), std::move(ends), objects, lifecycle});
  return lifecycle;
}

/// The same text, held for good: a table views its sections.
std::string_view kept_section(PyObject* text) {
  static std::set<std::string, std::less<>>& kept = *new std::set<std::string, std::less<>>();
  return *kept.emplace(text_argument("with_row: section", text)).first;
}

/// The built-in machine with other rows: a `(state, trigger, to, expected, evidence, section)` for each change, which were
/// checked; without a trigger, a state that is not final. No section: that of the row before.
template <class M>
pybind11::object remade(const char* name, const pybind11::tuple& changes) {
  const auto& all = known_machines<M>;
  const M& given = all.front().machine;
  RowsOf<M> rows(given.transitions().begin(), given.transitions().end());
  EndsOf<M> ends(given.final_states().begin(), given.final_states().end());
  std::string changed;
  for (const pybind11::handle change : changes) {
    PyObject *state = nullptr, *trigger = nullptr, *to = nullptr, *evidence = nullptr, *section = nullptr;
    int is_expected = 0;
    take(change, "OOOpOO", &state, &trigger, &to, &is_expected, &evidence, &section);
    const auto from = enumerator_of<typename M::State>(state);
    const auto by = enumerator_of<typename M::Trigger>(trigger);
    changed = from ? detail::plain_name(*from) : "start";
    if (by) changed.append(" by ").append(detail::plain_name(*by));
    else std::erase_if(ends, [&](const auto& end) { return end.state == from; });
    for (auto& row : rows) {
      if (row.from != from || row.trigger != by) continue;
      row.to = enumerator_of<typename M::State>(to);
      row.evidence = enumerator_of<Evidence>(evidence).value_or(Evidence::assumed);
      if (section != Py_None) row.section = kept_section(section);
      row.before = is_expected != 0 ? StateBefore::stated : StateBefore::unknown;
    }
  }
  for (const auto& known : all) {
    const bool has_rows = std::ranges::equal(known.machine.transitions(), rows);
    if (has_rows && std::ranges::equal(known.machine.final_states(), ends)) return known.lifecycle;
  }
  const auto machine = M::make({rows, ends});
  if (!machine) fail(PyExc_ValueError, "%s: this makes no lifecycle: %s", changed.c_str(), machine.error().c_str());
  return add_machine<M>(name, *machine, std::move(rows), std::move(ends), changes);  // they stay where they are if moved
}

/// The lifecycle of this name with other rows.
pybind11::object remade_lifecycle(Text name, const pybind11::tuple& changes) {
  return name.text == "connection_lifecycle" ? remade<ConnectionLifecycle>("connection_lifecycle", changes)
                                             : remade<TransactionLifecycle>("transaction_lifecycle", changes);
}

}  // namespace

void register_lifecycles(pybind11::module_& module) {
  module.attr("transaction_lifecycle") =
      add_machine<TransactionLifecycle>("transaction_lifecycle", transaction_lifecycle, {}, {}, pybind11::tuple());
  module.attr("connection_lifecycle") =
      add_machine<ConnectionLifecycle>("connection_lifecycle", connection_lifecycle, {}, {}, pybind11::tuple());
  module.def("_remade", checking("_remade", remade_lifecycle));
}

}  // namespace bankhook::python
