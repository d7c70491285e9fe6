// SPDX-License-Identifier: MIT
// The tables of archives: their names, their schemas and their streams, in the capsules of Arrow's PyCapsule interface.
#include "functions.hpp"
#include "records.hpp"
#include "register.hpp"
#include "table_batches.hpp"
#include "table_threads.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

/// The tables by the names that Python gives them.
template <class T>
constexpr std::string_view table_name = reflect::type_wire_name<T>.view();
template <>
constexpr std::string_view table_name<UnknownEvent> = "unknown_events";
template <>
constexpr std::string_view table_name<Connection> = "connections";
template <>
constexpr std::string_view table_name<Account> = "accounts";
template <>
constexpr std::string_view table_name<RejectedLine> = "rejected";

/// Calls `f.template operator()<T>()` for each table until it returns false.
template <class F>
bool for_each_table(F&& f) {
  return []<class... Events>(F& call, std::type_identity<std::variant<Events...>>) {
    return (call.template operator()<Events>() && ...) && call.template operator()<Connection>() &&
           call.template operator()<Account>() && call.template operator()<RejectedLine>();
  }(f, std::type_identity<AnyEvent>());
}

/// What a table is asked for with.
struct TableRequest {
  const char* name = nullptr;
  ColumnOptions options{};
  std::vector<std::string_view> columns{};  ///< of the strs in `held`
  pybind11::object held{};
};

/// Reads `(name, columns, scale, nanoseconds)`; false with an exception.
bool read_request(PyObject* given, TableRequest& request) {
  int is_nano = 0;
  PyObject* columns = nullptr;
  if (PyArg_ParseTuple(given, "sOip", &request.name, &columns, &request.options.scale, &is_nano) == 0) return false;
  request.held = checked(steal(PySequence_Tuple(columns)));
  for (const pybind11::handle column : pybind11::reinterpret_borrow<pybind11::tuple>(request.held))
    request.columns.push_back(text_argument("columns", column.ptr()));
  request.options.unit = is_nano != 0 ? TimeUnit::nanoseconds : TimeUnit::microseconds;
  request.options.columns = request.columns;
  return true;
}

/// Raises ValueError if the table cannot be had; false then.
template <class T>
bool can_have(TableRequest& request) {
  for (const std::string_view& column : request.columns) {
    ColumnOptions only = request.options;
    only.columns = std::span(&column, 1);
    const auto error = columns::TableWriter<T>::error_of(only);
    if (error != ColumnErrc::unknown_column) continue;
    PyErr_Format(PyExc_ValueError, "the table %s has no column %s", request.name, std::string(column).c_str());
    return false;
  }
  if (!columns::TableWriter<T>::error_of(request.options)) return true;
  PyErr_SetString(PyExc_ValueError, "scale: expected 0 to 37");
  return false;
}

/// What `make.template operator()<T>()` returns for the table of this name.
template <class Make>
PyObject* for_table_named(TableRequest& request, Make make) {
  PyObject* made = nullptr;
  const bool is_unknown = for_each_table([&]<class T>() {
    if (table_name<T> != request.name) return true;
    if (can_have<T>(request)) made = make.template operator()<T>();
    return false;
  });
  if (is_unknown) PyErr_Format(PyExc_ValueError, "there is no table %s", request.name);
  return made;
}

/// A capsule that owns `Struct`, and releases what a consumer has not taken out of it.
template <class Struct, class Fill>
PyObject* capsule_of(const char* name, Fill fill) {
  auto owned = std::make_unique<Struct>();
  fill(*owned);
  PyObject* const capsule = PyCapsule_New(owned.get(), name, [](PyObject* self) {
    const std::unique_ptr<Struct> released(static_cast<Struct*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self))));
    if (released->release != nullptr) released->release(released.get());
  });
  if (capsule != nullptr) owned.release();
  else owned->release(owned.get());
  return capsule;
}

/// Whether a consumer's schema, None or a capsule, has the names of these columns; false with an exception. Other types are
/// no error: a consumer has to look at what it gets.
bool has_names(const ArrowSchema& schema, PyObject* requested) {
  if (requested == Py_None) return true;
  const auto* const other = static_cast<const ArrowSchema*>(PyCapsule_GetPointer(requested, "arrow_schema"));
  if (other == nullptr) return false;
  const auto name_of = [](const ArrowSchema* column) {
    return std::string_view(column->name == nullptr ? "" : column->name);
  };
  const std::span ours(schema.children, static_cast<std::size_t>(schema.n_children));
  const std::span theirs(other->children, static_cast<std::size_t>(other->n_children));
  if (other->release != nullptr && std::ranges::equal(ours, theirs, {}, name_of, name_of)) return true;
  PyErr_SetString(PyExc_ValueError, "requested_schema: expected the columns of the table, in its order; select takes some");
  return false;
}

PyObject* table_schema(PyObject*, PyObject* arguments) {
  TableRequest request;
  if (!read_request(arguments, request)) return nullptr;
  fix_names();
  return for_table_named(request, [&]<class T>() {
    const columns::TableWriter<T> writer(request.options);
    return capsule_of<ArrowSchema>("arrow_schema", [&](ArrowSchema& out) { writer.schema(out); });
  });
}

PyObject* table_stream(PyObject*, PyObject* arguments) {
  TableRequest request;
  PyObject *table = nullptr, *sources = nullptr, *requested = nullptr;
  Py_ssize_t rows = 0, threads = 1;
  if (PyArg_ParseTuple(arguments, "O!OnnO:_table_stream", &PyTuple_Type, &table, &sources, &rows, &threads, &requested) ==
      0)
    return nullptr;
  if (!read_request(table, request)) return nullptr;
  request.options.batch_rows = static_cast<std::size_t>(rows);
  fix_names();
  return for_table_named(request, [&]<class T>() -> PyObject* {
    ArrowSchema schema{};
    columns::TableWriter<T>(request.options).schema(schema);
    const bool is_fine = has_names(schema, requested);
    schema.release(&schema);
    if (!is_fine) return nullptr;
    const pybind11::object iterator = checked(steal(PyObject_GetIter(sources)));  // opens what can be opened only once
    const std::size_t most = std::size_t{4} * std::max(1U, std::thread::hardware_concurrency());
    const std::size_t count = std::min(static_cast<std::size_t>(threads), most);
    std::unique_ptr<columns::Batches> batches;
    if (count > 1) {
      batches = std::make_unique<OfProcess>(std::make_unique<ThreadedBatches<T>>(iterator, request.options, count));
    } else {
      batches = std::make_unique<TableBatches<T>>(iterator, request.options);
    }
    return capsule_of<ArrowArrayStream>(
        "arrow_array_stream", [&](ArrowArrayStream& out) { columns::StreamState::hand_over(std::move(batches), out); });
  });
}

PyObject* count_fork(PyObject*) {
  ++forks;
  Py_RETURN_NONE;
}

PyMethodDef table_functions[] = {
    with_none<count_fork>("_count_fork", "() -> None", "This process was forked off another one just now."),
    with_several<table_schema>("_table_schema",
                               "(name: str, columns: Iterable[str], scale: int, nanoseconds: bool, /) -> object",
                               "The schema of a table, in a capsule."),
    with_several<table_stream>(
        "_table_stream",
        "(table: tuple[str, Iterable[str], int, bool], sources: Iterable[object], rows: int, "
        "threads: int, requested: object | None, /) -> object",
        "The batches of a table, of so many rows at most, in a capsule. The sources, as the bindings' TableSources takes\n"
        "them, are read when the consumer asks for a batch."),
    {},
};

}  // namespace

int errno_of(pybind11::error_already_set& raised, std::string& message) {
  if (raised.matches(PyExc_KeyboardInterrupt)) {
    message = "interrupted";
    return EINTR;
  }
  if (raised.matches(PyExc_MemoryError)) return ENOMEM;
  message = lossy_text_of(raised.type().attr("__name__")) + ": " + lossy_text_of(raised.value());
  return EIO;
}

void register_tables(pybind11::module_& module) {
  add_functions(module, table_functions);
  pybind11::list names;
  for_each_table([&]<class T>() {
    names.append(std::string(table_name<T>));
    return true;
  });
  module.attr("_table_names") = pybind11::tuple(names);
  const pybind11::object at_fork = pybind11::module_::import("os").attr("register_at_fork");
  at_fork(pybind11::arg("after_in_child") = module.attr("_count_fork"));
}

}  // namespace bankhook::python
