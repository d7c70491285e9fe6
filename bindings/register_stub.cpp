// SPDX-License-Identifier: MIT
// What tools/stub writes the stub from: every class with its members and their types.
#include "annotations.hpp"
#include "classes.hpp"
#include "functions.hpp"
#include "register.hpp"

namespace bankhook::python {
namespace {

/// (name, type when read, type that the constructor takes, whether it asks for it)
template <class T, std::size_t I>
pybind11::tuple describe_member() {
  const std::string read = member_annotation<T, I>();
  const std::string taken = std::is_same_v<T, UnknownEvent> ? read : taken_annotation<reflect::MemberType<T, I>>();
  return pybind11::make_tuple(std::string(member_names<T>[I]), read, taken, is_required<T, I>);
}

/// ((class, members...)...), resources first.
PyObject* describe(PyObject*) {
  pybind11::list classes;
  for_each_class([&]<class T>() {
    pybind11::list members;
    reflect::for_each_member<T>([&]<std::size_t I>() {
      members.append(describe_member<T, I>());
      return true;
    });
    const auto type = reinterpret_cast<PyObject*>(class_of<T>);
    classes.append(pybind11::make_tuple(pybind11::reinterpret_borrow<pybind11::object>(type), members, is_event<T>));
    return true;
  });
  return classes.release().ptr();
}

PyMethodDef stub_functions[] = {
    with_none<describe>("_describe",
                        "_describe()\n--\n\nEvery class, its members with their types, and whether it is an "
                        "event."),
    {},
};

}  // namespace

void register_stub(pybind11::module_& module) { add_functions(module, stub_functions); }

}  // namespace bankhook::python
