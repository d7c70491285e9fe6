// SPDX-License-Identifier: MIT
// The C++ side of bankhook.JointAccounts: which account ids are one real account (spec 2.3).
#include "classes.hpp"
#include "functions.hpp"
#include "outcome.hpp"
#include "register.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::python {
namespace {

JointAccounts& accounts_of(PyObject* self) { return held<JointAccounts>(self); }

/// Anything that has accounts, or may have them.
PyObject* add_accounts(PyObject* self, PyObject* item) {
  bool has_accounts = true;
  const bool is_ours = with_struct(Py_TYPE(item), [&]<class T>() {
    const T& value = value_of<T>(item);
    if constexpr (requires { accounts_of(self).add(value); }) accounts_of(self).add(value);
    else if constexpr (std::is_same_v<T, TrackedConnection>) accounts_of(self).add(value.connection);
    else has_accounts = false;
  });
  if (is_ours && has_accounts) return Py_NewRef(Py_None);
  return refuse_argument("JointAccounts", "Account, Connection, ConnectedCustomer or an event", item);
}

/// tp_new: complete from the first moment on.
PyObject* make_empty(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {nullptr};
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, ":JointAccountIds", const_cast<char**>(names)) == 0) return nullptr;
  return make_holder(JointAccounts());
}

/// The UTF-8 of an id; none for what no account can be called. Throws TypeError for any other object.
std::optional<std::string_view> id_argument(const char* function, PyObject* account_id) {
  if (PyUnicode_Check(account_id)) return utf8_of(account_id);
  refuse_argument(function, "str", account_id);
  throw pybind11::error_already_set();
}

PyObject* canonical_id(PyObject* self, PyObject* account_id) {
  const auto id = id_argument("JointAccounts.canonical", account_id);
  if (!id) return Py_NewRef(account_id);  // what no account can be called stands for itself
  const std::string_view found = accounts_of(self).canonical(*id);
  return found.data() == id->data() ? Py_NewRef(account_id) : text_to_python(std::string(found));
}

PyObject* key_of(PyObject* self, PyObject* account_id) {
  const auto id = id_argument("JointAccounts.key", account_id);
  return id ? text_to_python(accounts_of(self).key(*id)) : PyUnicode_FromFormat("account:%U", account_id);
}

/// A row's account id, if it has a valid one, and a number that equal keys share.
struct Row {
  std::optional<std::string> account{};
  std::size_t key = 0;
};

Row row_of(PyObject* pair) {
  PyObject* account = nullptr;
  Row row;
  if (PyArg_ParseTuple(pair, "On;expected pairs of an account id and a number", &account, &row.key) == 0)
    throw pybind11::error_already_set();
  if (PyUnicode_Check(account)) {
    if (const auto id = utf8_of(account)) row.account = std::string(*id);
  } else if (account != Py_None) {
    refuse_argument("bank_account_id", "str or None", account);
    throw pybind11::error_already_set();
  }
  return row;
}

/// The positions of the rows that stay.
PyObject* kept_rows(PyObject* self, PyObject* given) {
  const pybind11::object pairs = checked(steal(PySequence_Tuple(given)));
  std::vector<Row> rows;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(pairs.ptr()); ++i) {
    PyObject* const pair = PyTuple_GET_ITEM(pairs.ptr(), i);
    if (!PyTuple_Check(pair)) return refuse_argument("JointAccountIds.kept", "pairs", pair);
    rows.push_back(row_of(pair));
  }
  const std::vector<std::size_t> kept = accounts_of(self).deduplicate(rows, &Row::account, &Row::key);
  return PySequence_List(tuple_of(kept.size(), [&](std::size_t i) { return number(kept[i]); }).ptr());
}

PyObject* joint_groups(PyObject* self) {
  std::vector<std::vector<std::string>> kept;  // of their own: making objects may run other code, which may add
  for (const auto& group : accounts_of(self).groups()) kept.emplace_back(group.begin(), group.end());
  return tuple_of(kept.size(),
                  [&](std::size_t i) {
                    const std::vector<std::string>& ids = kept[i];
                    return tuple_of(ids.size(), [&](std::size_t j) { return steal(text_to_python(ids[j])); });
                  })
      .release()
      .ptr();
}

PyObject* all_accounts(PyObject* self) { return copied(accounts_of(self).accounts()).release().ptr(); }

Py_ssize_t account_count(PyObject* self) { return static_cast<Py_ssize_t>(accounts_of(self).size()); }

PyMethodDef methods_of_ids[] = {
    with_one<add_accounts>(
        "add", "(self, item: Account | Connection | ConnectedCustomer | TrackedConnection | AnyEvent, /) -> None",
        "The accounts of an account, connection, customer or event."),
    with_one<canonical_id>("canonical", "(self, account_id: str, /) -> str", "The id that stands for the real account."),
    with_one<key_of>("key", "(self, account_id: str, /) -> str", "A text that stands for the real account."),
    with_one<kept_rows>("kept", "(self, pairs: list[tuple[str | None, int]], /) -> list[int]",
                        "The positions of the rows that stay, of pairs of an account id or "
                        "None and a number that equal keys share."),
    with_none<joint_groups>("groups", "(self) -> tuple[tuple[str, ...], ...]",
                            "The ids of each real account that has more than one."),
    with_none<all_accounts>("accounts", "(self) -> tuple[Account, ...]", "All accounts as they are known."),
    {},
};

}  // namespace

void register_joint_accounts(pybind11::module_& module) {
  class_of<JointAccounts> = make_class(
      module, "JointAccountIds", sizeof(Holder<JointAccounts>),
      {slot(Py_tp_new, guarded<make_empty, PyTypeObject*, PyObject*, PyObject*>), slot(Py_tp_init, initialise_nothing),
       slot(Py_tp_dealloc, destroy_holder<JointAccounts>), slot(Py_tp_methods, methods_of_ids),
       slot(Py_sq_length, account_count), slot(Py_tp_doc, "Which account ids are one real account (spec 2.3).")});
  note_signature("JointAccountIds.__init__", "(self) -> None");
  make_immutable(class_of<JointAccounts>);
}

}  // namespace bankhook::python
