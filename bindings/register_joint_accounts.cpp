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
  return refuse_argument("JointAccounts", "Account, Connection, ConnectedCustomer, an event or a Tracker", item);
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

/// A row's account id and hash, if it has them, and a number that equal keys share.
struct Row {
  std::optional<std::string> account{}, hash{};
  std::size_t key = 0;
};

/// The text of a row; nothing for None and for a str that UTF-8 cannot hold.
std::optional<std::string> text_in_row(const char* argument, PyObject* value) {
  std::optional<std::string> text;
  if (PyUnicode_Check(value)) {
    if (const auto utf8 = utf8_of(value)) text = std::string(*utf8);
  } else if (value != Py_None) {
    refuse_argument(argument, "str or None", value);
    throw pybind11::error_already_set();
  }
  return text;
}

Row row_of(PyObject* given) {
  PyObject *account = nullptr, *hash = nullptr;
  Row row;
  if (PyArg_ParseTuple(given, "OOn;expected an account id, a hash and a number", &account, &hash, &row.key) == 0)
    throw pybind11::error_already_set();
  row.account = text_in_row("bank_account_id", account);
  row.hash = text_in_row("account_hash", hash);
  return row;
}

/// Makes the hash that a row carries count for it if none is known of its account. The row then has an id of its own, which
/// no account can have, because another row of the account may carry another hash, or none.
void take_own_hash(JointAccounts& joint, Row& row) {
  if (!row.account || !row.hash || row.hash->empty() || joint.key(*row.account).starts_with("hash:")) return;
  row.account->append("\xFF").append(*row.hash);
  joint.add(Account{*row.account, std::string_view(*row.hash)});
}

/// The positions of the rows that stay.
PyObject* kept_rows(PyObject* self, PyObject* given) {
  const pybind11::object triples = checked(steal(PySequence_Tuple(given)));
  std::vector<Row> rows;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(triples.ptr()); ++i) {
    PyObject* const triple = PyTuple_GET_ITEM(triples.ptr(), i);
    if (!PyTuple_Check(triple)) return refuse_argument("JointAccountIds.kept", "triples", triple);
    rows.push_back(row_of(triple));
  }
  JointAccounts joint = accounts_of(self);
  for (Row& row : rows) take_own_hash(joint, row);
  const std::vector<std::size_t> kept = joint.deduplicate(rows, &Row::account, &Row::key);
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
    with_one<kept_rows>("kept", "(self, triples: list[tuple[str | None, str | None, int]], /) -> list[int]",
                        "The positions of the rows that stay, of triples of an account id or None, a hash or None, and a "
                        "number that equal keys share."),
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
