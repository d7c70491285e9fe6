// SPDX-License-Identifier: MIT
// The C++ side of bankhook.JointAccounts: which account ids are one real account (spec 2.3).
#include "bind.hpp"
#include "classes.hpp"
#include "records.hpp"
#include "tracker.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {
namespace {

JointAccounts& accounts_of(PyObject* self) { return held<JointAccounts>(self); }

/// Anything that has accounts, or may have them: an account, a connection, a customer or an event.
PyObject* add_accounts(PyObject* self, PyObject* item) {
  if (!visit_value(item, [&](const MayHoldAccounts auto& value) { accounts_of(self).add(value); }))
    refuse_argument("JointAccounts", "Account, Connection, ConnectedCustomer, an event or a Tracker", item);
  Py_RETURN_NONE;
}

/// tp_new: complete from the first moment on.
PyObject* make_empty(PyTypeObject*, PyObject* tuple, PyObject* keywords) {
  Arguments{tuple, keywords}.take(":JointAccountIds", {});
  return make_holder(JointAccounts());
}

/// The id that stands for the real account.
PyObject* canonical_id(PyObject* self, PyObject* account_id) {
  const auto id = id_argument("JointAccounts.canonical", account_id);
  if (!id) return Py_NewRef(account_id);  // what no account can be called stands for itself
  const std::string_view found = accounts_of(self).canonical(*id);
  return found.data() == id->data() ? Py_NewRef(account_id) : text_to_python(std::string(found));
}

/// A text that stands for the real account.
PyObject* key_of(PyObject* self, PyObject* account_id) {
  const auto id = id_argument("JointAccounts.key", account_id);
  return id ? text_to_python(accounts_of(self).key(*id)) : PyUnicode_FromFormat("account:%U", account_id);
}

/// The ids of each real account that has more than one.
pybind11::object joint_groups(PyObject* self) {
  std::vector<std::vector<std::string>> kept;  // of their own: making objects may run other code, which may add
  for (const auto& group : accounts_of(self).groups()) kept.emplace_back(group.begin(), group.end());
  return tuple_of(kept, [](const auto& ids) { return tuple_of(ids); });
}

/// All accounts as they are known.
pybind11::object all_accounts(PyObject* self) { return copied(accounts_of(self).accounts()); }

Py_ssize_t account_count(PyObject* self) { return static_cast<Py_ssize_t>(accounts_of(self).size()); }

}  // namespace

void register_joint_accounts(pybind11::module_& module) {
  make_holder_class<JointAccounts>(
      module, "JointAccountIds",
      {.slots = {slot(Py_tp_new, guarded<make_empty>), slot(Py_sq_length, account_count)},
       .methods = {method<add_accounts>("add"), method<canonical_id>("canonical"), method<key_of>("key"),
                   method<joint_groups>("groups"), method<all_accounts>("accounts")}});
}

}  // namespace bankhook::python
