// SPDX-License-Identifier: MIT
// The machines that Python has: the built-in ones, and those that were made of them by changing rows.
#pragma once

#include "library.hpp"

#include <pybind11/pybind11.h>

#include <deque>
#include <functional>
#include <vector>

namespace bankhook::python {

/// A machine with its rows, and the objects that stand for them. Held for good: trackers view the rows, outcomes name them.
template <Enumeration State, Enumeration Trigger>
struct KnownMachine {
  Machine<State, Trigger> machine;
  std::vector<Transition<State, Trigger>> rows;  ///< of the machine, unless they are the library's
  std::vector<PyObject*> objects;                ///< bankhook.Transition, one for each row
  PyObject* lifecycle;                           ///< bankhook.Lifecycle
};

/// The first one is the built-in one.
template <class M>
inline std::deque<KnownMachine<typename M::State, typename M::Trigger>>& known_machines =
    *new std::deque<KnownMachine<typename M::State, typename M::Trigger>>();

/// The one that a bankhook.Lifecycle stands for, or nullptr.
template <class M>
const auto* find_machine(PyObject* lifecycle) {
  for (const auto& known : known_machines<M>) {
    if (known.lifecycle == lifecycle) return &known;
  }
  return static_cast<const KnownMachine<typename M::State, typename M::Trigger>*>(nullptr);
}

/// The bankhook.Lifecycle that stands for a machine of a tracker; borrowed.
template <class M>
PyObject* lifecycle_of(const M& machine) {
  for (const auto& known : known_machines<M>) {
    if (known.machine.transitions().data() == machine.transitions().data()) return known.lifecycle;
  }
  return known_machines<M>.front().lifecycle;
}

/// The bankhook.Transition of a row of any of them; borrowed.
template <Enumeration State, Enumeration Trigger>
PyObject* row_object(const Transition<State, Trigger>* row) {
  const std::less<> is_before;
  for (const auto& known : known_machines<Machine<State, Trigger>>) {
    const auto* const first = known.machine.transitions().data();
    if (!is_before(row, first) && is_before(row, first + known.objects.size()))
      return known.objects[static_cast<std::size_t>(row - first)];
  }
  return Py_None;
}

}  // namespace bankhook::python
