// SPDX-License-Identifier: MIT
// The C++ side of bankhook.JointAccounts: which account ids are one real account (spec 2.3).
#include "bound.hpp"
#include "classes.hpp"
#include "records.hpp"
#include "tracker.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {
namespace {

/// Anything that has accounts, or may have them: an account, a connection, a customer or an event.
void add_accounts(JointAccounts& ids, pybind11::handle item) {
  if (!visit_value(item.ptr(), [&](const MayHoldAccounts auto& value) { ids.add(value); }))
    refuse_argument("JointAccounts", "Account, Connection, ConnectedCustomer, an event or a Tracker", item.ptr());
}

/// The id that stands for the real account.
pybind11::object canonical_id(const JointAccounts& ids, pybind11::handle account_id) {
  const auto id = id_argument("JointAccounts.canonical", account_id.ptr());
  if (!id) return borrow(account_id);  // what no account can be called stands for itself
  const std::string_view found = ids.canonical(*id);
  return found.data() == id->data() ? borrow(account_id) : to_object(std::string(found));
}

/// A text that stands for the real account.
pybind11::object key_of(const JointAccounts& ids, pybind11::handle account_id) {
  const auto id = id_argument("JointAccounts.key", account_id.ptr());
  return id ? to_object(ids.key(*id)) : checked(steal(PyUnicode_FromFormat("account:%U", account_id.ptr())));
}

/// The ids of each real account that has more than one.
pybind11::tuple joint_groups(const JointAccounts& ids) {
  std::vector<std::vector<std::string>> kept;  // of their own: making objects may run other code, which may add
  for (const auto& group : ids.groups()) kept.emplace_back(group.begin(), group.end());
  return tuple_of(kept, [](const auto& group) { return tuple_of(group); });
}

/// All accounts as they are known.
pybind11::object all_accounts(const JointAccounts& ids) { return copied(ids.accounts()); }

std::size_t account_count(const JointAccounts& ids) { return ids.size(); }

pybind11::object make_ids(PyTypeObject*, PyObject* tuple, PyObject* keywords) {
  Arguments{tuple, keywords}.take(":JointAccountIds", {});
  return pybind11::cast(JointAccounts());
}

}  // namespace

void register_joint_accounts(pybind11::module_& module) {
  open_class<JointAccounts>(module, "JointAccountIds", guarded<make_ids>)
      .def("add", checking("JointAccounts.add", add_accounts), bound_docstring("JointAccountIds.add"))
      .def("canonical", checking("JointAccounts.canonical", canonical_id), bound_docstring("JointAccountIds.canonical"))
      .def("key", checking("JointAccounts.key", key_of), bound_docstring("JointAccountIds.key"))
      .def("groups", checking("JointAccounts.groups", joint_groups), bound_docstring("JointAccountIds.groups"))
      .def("accounts", checking("JointAccounts.accounts", all_accounts), bound_docstring("JointAccountIds.accounts"))
      .def("__len__", checking("JointAccounts.__len__", account_count));
  close_class<JointAccounts>();
}

}  // namespace bankhook::python
