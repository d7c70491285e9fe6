// SPDX-License-Identifier: MIT
// The results and the state of a tracker as Python objects, and what the state of one member has in common with it.
#pragma once

#include "bind.hpp"
#include "bound.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "library.hpp"
#include "object.hpp"
#include "records.hpp"
#include "unlocked.hpp"

#include <Python.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {

template <class M>
using RowsOf = std::vector<Transition<typename M::State, typename M::Trigger>>;

template <class M>
using EndsOf = std::vector<FinalState<typename M::State>>;

/// A machine with its rows, and the objects that stand for them. Held for good: trackers view the rows, outcomes name them.
template <class M>
struct KnownMachine {
  M machine;
  RowsOf<M> rows;              ///< of the machine, unless they are the library's
  EndsOf<M> ends;              ///< its final states; the same
  pybind11::tuple objects;     ///< bankhook.types.Transition, one for each row
  pybind11::object lifecycle;  ///< bankhook.types.Lifecycle
};

/// The first one is the built-in one.
template <class M>
inline std::deque<KnownMachine<M>>& known_machines = *new std::deque<KnownMachine<M>>();

/// The bankhook.types.Lifecycle that stands for a machine of a tracker: built in, or taken by `take_lifecycle`.
template <class M>
pybind11::object lifecycle_of(const M& machine) {
  const auto rows_of = [](const auto& known) { return known.machine.transitions().data(); };
  return std::ranges::find(known_machines<M>, machine.transitions().data(), rows_of)->lifecycle;
}

/// The bankhook.types.Transition of a row of any of them.
template <Enumeration State, Enumeration Trigger>
pybind11::object to_python(const Transition<State, Trigger>& row) {
  for (const auto& known : known_machines<CompleteMachine<State, Trigger>>) {
    const auto rows = known.machine.transitions();
    const auto found = std::ranges::find(rows, &row, [](const auto& each) { return &each; });
    if (found != rows.end()) return known.objects[static_cast<std::size_t>(found - rows.begin())];
  }
  return none();
}

/// Takes the machine of a bankhook.types.Lifecycle of the same states, unless None is given. Throws TypeError for any other
/// object.
template <class M>
void take_lifecycle(const char* name, PyObject* given, M& machine) {
  if (given == Py_None) return;
  const auto known = std::ranges::find(known_machines<M>, given, [](const auto& one) { return one.lifecycle.ptr(); });
  if (known == known_machines<M>.end()) refuse_argument(name, "a lifecycle with these states, or None", given);
  machine = known->machine;
}

/// The bankhook.types.Rule or Transition that a verdict rests on, or None.
pybind11::object reason_to_python(const Reason& reason);

/// bankhook.types.Outcome.
pybind11::object outcome_to_python(const Outcome& outcome);

/// How often there is something of each text, or of none.
using TextCounts = std::map<std::optional<std::string_view>, std::size_t>;
/// A dict of them, in which None stands for no text.
inline pybind11::dict counts_to_python(const TextCounts& counts) {
  pybind11::dict dict;
  for (const auto& [text, count] : counts) dict[to_object(text)] = count;
  return dict;
}

/// A tuple of objects with deep copies of `items` in a block of their own, which any of them keeps.
template <class T>
pybind11::tuple copied(const std::vector<T>& items) {
  std::span<const T> copies(items);
  Arena arena;
  if (!detail::reflect::move_into(copies, arena)) throw std::bad_alloc();
  const Share<Block> block(new Block(nullptr, arena.release()));
  return tuple_of(copies, [&](const T& copy) { return steal(make_view(class_of<T>, &copy, *block)); });
}

/// The one object of an answer, or None.
template <class T>
pybind11::object first_or_none(const std::optional<T>& value) {
  return value ? checked(steal(make_owned(*value))) : none();
}

/// What can be asked of a bankhook.Tracker: by id, by member, by state. The quick ones are rows.
std::vector<PyMethodDef> quick_queries();
void add_queries(pybind11::class_<Tracker>& tracker);

/// The tracker that an argument is. Throws TypeError for any other object.
inline Tracker& tracker_argument(const char* function, PyObject* object) {
  if (Py_TYPE(object) != class_of<Tracker>) refuse_argument(function, "Tracker", object);
  return value_in<Tracker>(object);
}

}  // namespace bankhook::python
