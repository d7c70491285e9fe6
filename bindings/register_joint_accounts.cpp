// SPDX-License-Identifier: MIT
// The C++ side of bankhook.JointAccounts: which account ids are one real account (spec 2.3).
#include "class.hpp"
#include "classes.hpp"
#include "guarded.hpp"
#include "instance.hpp"
#include "outcome.hpp"
#include "register.hpp"

#include <pybind11/stl.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

namespace py = pybind11;

/// Anything that holds accounts, or none of them.
void add(JointAccounts& self, const py::object& item) {
  const bool is_none = for_each_class([&]<class T>() {
    if (Py_TYPE(item.ptr()) != class_of<T>) return true;
    const T& value = value_of<T>(item.ptr());
    if constexpr (requires { self.add(value); }) {
      self.add(value);
      return false;
    } else if constexpr (std::is_same_v<T, TrackedConnection>) {
      self.add(value.connection);
      return false;
    } else return true;
  });
  if (is_none) {
    throw py::type_error(std::string("JointAccounts: expected Account, Connection, ConnectedCustomer or an event, found ") +
                         Py_TYPE(item.ptr())->tp_name);
  }
}

/// tp_new: complete from the first moment on.
PyObject* make_empty(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {nullptr};
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, ":JointAccountIds", const_cast<char**>(names)) == 0) return nullptr;
  return py::cast(JointAccounts()).release().ptr();
}

void set_slots_of_ids(PyHeapTypeObject* heap_type) {
  heap_type->ht_type.tp_new = guarded<make_empty>;
  heap_type->ht_type.tp_init = initialise_nothing;
}

py::object text(std::string_view value) { return checked(steal(text_to_python(value))); }

py::str canonical(const JointAccounts& self, const py::str& account_id) {
  const auto id = utf8_of(account_id.ptr());
  if (!id) return account_id;  // what no account can be called stands for itself
  const std::string_view found = self.canonical(*id);
  return found.data() == id->data() ? account_id : py::str(text(std::string(found)));
}

py::object key(const JointAccounts& self, const py::str& account_id) {
  const auto id = utf8_of(account_id.ptr());
  return id ? text(self.key(*id)) : py::object(py::str("account:") + account_id);
}

/// A row's account id, if it has a valid one, and a number that equal keys share.
struct Row {
  std::optional<std::string> account;
  std::size_t key = 0;
};

Row row_of(const py::handle& pair) {
  const auto [account, key] = pair.cast<std::pair<py::object, std::size_t>>();
  Row row{.account = std::nullopt, .key = key};
  if (PyUnicode_Check(account.ptr())) {
    if (const auto id = utf8_of(account.ptr())) row.account = std::string(*id);
  } else if (!account.is_none()) {
    throw py::type_error(std::string("bank_account_id: expected str or None, found ") + Py_TYPE(account.ptr())->tp_name);
  }
  return row;
}

/// The positions of the rows that stay.
std::vector<std::size_t> kept_rows(const JointAccounts& self, const py::list& pairs) {
  std::vector<Row> rows;
  for (const py::handle pair : pairs) rows.push_back(row_of(pair));
  return self.deduplicate(rows, &Row::account, &Row::key);
}

py::tuple groups(const JointAccounts& self) {
  std::vector<std::vector<std::string>> kept;  // of their own: making objects may run other code, which may add
  for (const auto& group : self.groups()) kept.emplace_back(group.begin(), group.end());
  py::list all;
  for (const auto& group : kept) {
    py::list ids;
    for (const std::string& id : group) ids.append(text(id));
    all.append(py::tuple(ids));
  }
  return py::tuple(all);
}

}  // namespace

void register_joint_accounts(pybind11::module_& module) {
  py::class_<JointAccounts> bound(module, "JointAccountIds", "Which account ids are one real account (spec 2.3).",
                                  py::is_final(), py::custom_type_setup(set_slots_of_ids));
  bound.def("add", &add, py::arg("item"), py::pos_only(), "The accounts of an account, connection, customer or event.")
      .def("canonical", &canonical, py::arg("account_id"), py::pos_only(), "The id that stands for the real account.")
      .def("key", &key, py::arg("account_id"), py::pos_only(), "A text that stands for the real account.")
      .def("kept", &kept_rows, py::arg("pairs"), py::pos_only(),
           "The positions of the rows that stay, of pairs of an account id or None and a number that equal keys share.")
      .def("groups", &groups, "The ids of each real account that has more than one.")
      .def(
          "accounts", [](const JointAccounts& self) { return copied(self.accounts()); }, "All accounts as they are known.")
      .def("__len__", [](const JointAccounts& self) { return self.size(); });
  make_immutable(bound);
}

}  // namespace bankhook::python
