// SPDX-License-Identifier: MIT
// The classes of the reflected structs: spec sections 2 and 6, and what a tracker's queries return.
#include "class.hpp"
#include "classes.hpp"
#include "register.hpp"

namespace bankhook::python {
namespace {

/// `First | Second | ...`, for annotations.
template <class First, class... Rest>
pybind11::object any_event(std::type_identity<std::variant<First, Rest...>>) {
  auto any = pybind11::reinterpret_borrow<pybind11::object>(reinterpret_cast<PyObject*>(class_of<First>));
  ((any = any | pybind11::handle(reinterpret_cast<PyObject*>(class_of<Rest>))), ...);
  return any;
}

}  // namespace

void register_classes(pybind11::module_& module) {
  for_each_class([&]<class T>() {
    register_class<T>(module);
    return true;
  });
  module.attr("AnyEvent") = any_event(std::type_identity<AnyEvent>());
}

}  // namespace bankhook::python
