// SPDX-License-Identifier: MIT
// The results and the state of a tracker as Python objects: outcomes, changes, and tracked resources that share one block.
#pragma once

#include "construct.hpp"
#include "library.hpp"
#include "records.hpp"
#include "to_python.hpp"

#include <cstddef>
#include <memory>
#include <new>
#include <optional>
#include <vector>

namespace bankhook::python {

/// The Python classes of outcomes; looked up once by `register_tracker`.
void prepare_outcomes();

/// The bankhook.Rule or Transition that a verdict rests on, or None.
pybind11::object reason_to_python(const Reason& reason);

/// bankhook.Outcome. Throws pybind11::error_already_set.
pybind11::object outcome_to_python(const Outcome& outcome);

/// A tuple of bankhook.Change.
pybind11::tuple changes_to_python(const Changes& changes);

/// A tuple of objects with deep copies of `items` in a block of their own, which any of them keeps.
template <class T>
pybind11::tuple copied(const std::vector<T>& items) {
  Arena arena;
  reflect::detail::ViewedBytes viewed;
  if (items.size() == 1) viewed.add(items.front());
  arena.reserve(items.size() == 1 ? viewed.place(sizeof(T)) + alignof(T) : 4096);
  auto* const copies = static_cast<T*>(arena.allocate(items.size() * sizeof(T), alignof(T)));
  if (copies == nullptr) throw std::bad_alloc();
  std::uninitialized_copy(items.begin(), items.end(), copies);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!reflect::move_into(copies[i], arena)) throw std::bad_alloc();
  }
  auto* const block = new Block(nullptr, arena.release());
  block->take();
  const std::unique_ptr<Block, void (*)(Block*)> share(block, [](Block* shared) { shared->release(); });
  return tuple_of(items.size(), [&](std::size_t i) {
    return check_signals(i + 1) ? steal(make_view(class_of<T>, copies + i, *block)) : pybind11::object();
  });
}

/// The one object of an answer, or None.
template <class T>
PyObject* first_or_none(const std::optional<T>& value) {
  return value ? Py_NewRef(PyTuple_GET_ITEM(copied(std::vector{*value}).ptr(), 0)) : Py_NewRef(Py_None);
}

}  // namespace bankhook::python
