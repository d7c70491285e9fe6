// SPDX-License-Identifier: MIT
// The tables of archives and trackers: their names, schemas and streams, in the capsules of Arrow's PyCapsule interface.
#include "functions.hpp"
#include "records.hpp"
#include "register.hpp"
#include "table_batches.hpp"
#include "table_columns.hpp"
#include "table_names.hpp"
#include "table_threads.hpp"
#include "tracker.hpp"

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
#include <vector>

namespace bankhook::python {
namespace {

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
    const auto table = columns::table_of<T>(only);
    if (table || table.error() != ColumnErrc::unknown_column) continue;
    refuse_column(request.name, column, *columns::table_of<T>({}));
    return false;
  }
  if (columns::table_of<T>(request.options)) return true;
  PyErr_SetString(PyExc_ValueError, "scale: expected 0 to 37");
  return false;
}

PyObject* no_table(const TableRequest& request) {
  return PyErr_Format(PyExc_ValueError, "there is no table %s", request.name);
}

/// What `make.template operator()<T>()` returns for the table of this name.
template <class Make>
PyObject* for_table_named(TableRequest& request, Make make) {
  PyObject* made = nullptr;
  const auto make_named = [&]<class T>() {
    if (table_name<T> != request.name) return true;
    if (can_have<T>(request)) made = make.template operator()<T>();
    return false;
  };
  const bool is_unknown = for_each_table(make_named) && for_each_tracked_table(make_named);
  if (is_unknown) no_table(request);
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

/// The same for the columns of a table.
template <class T>
bool has_names_of(const TableRequest& request, PyObject* requested) {
  if (requested == Py_None) return true;
  ArrowSchema schema{};
  columns::hand_over_schema(*columns::table_of<T>(request.options), schema);
  const bool is_fine = has_names(schema, requested);
  schema.release(&schema);
  return is_fine;
}

PyObject* capsule_of_stream(std::unique_ptr<columns::Batches> batches) {
  return capsule_of<ArrowArrayStream>("arrow_array_stream",
                                      [&](ArrowArrayStream& out) { out = columns::stream_of(std::move(batches)); });
}

PyObject* table_schema(PyObject*, PyObject* arguments) {
  TableRequest request;
  if (!read_request(arguments, request)) return nullptr;
  fix_names();
  return for_table_named(request, [&]<class T>() {
    const columns::Column table = *columns::table_of<T>(request.options);
    return capsule_of<ArrowSchema>("arrow_schema", [&](ArrowSchema& out) { columns::hand_over_schema(table, out); });
  });
}

PyObject* table_columns(PyObject*, PyObject* arguments) {
  TableRequest request;
  if (!read_request(arguments, request)) return nullptr;
  return for_table_named(request, [&]<class T>() {
    pybind11::list rows;
    add_described(*columns::table_of<T>(request.options), {}, rows);
    return rows.release().ptr();
  });
}

/// What reads and decodes the sources of an iterator. A table whose rows depend on those before them is made by one thread.
template <class T>
std::unique_ptr<columns::Batches> batches_of(const pybind11::object& sources, const ColumnOptions& options,
                                             std::size_t threads) {
  if constexpr (!columns::needs_order<T>) {
    const std::size_t most = std::size_t{4} * std::max(1U, std::thread::hardware_concurrency());
    const std::size_t count = std::min(threads, most);
    if (count > 1) return std::make_unique<OfProcess>(std::make_unique<ThreadedBatches<T>>(sources, options, count));
  }
  return std::make_unique<TableBatches<T>>(sources, options);
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
    if (!has_names_of<T>(request, requested)) return nullptr;
    if constexpr (columns::Tabular<T>) {
      const pybind11::object iterator = checked(steal(PyObject_GetIter(sources)));  // opens what can be opened only once
      return capsule_of_stream(batches_of<T>(iterator, request.options, static_cast<std::size_t>(threads)));
    } else {
      return no_table(request);
    }
  });
}

/// The rows of a table of a tracker.
template <class T>
std::vector<T> tracked(const Tracker& tracker) {
  if constexpr (std::is_same_v<T, TrackedMember>) return tracker.members();
  else if constexpr (std::is_same_v<T, TrackedConnection>) return tracker.connections();
  else return tracker.transactions();
}

PyObject* tracked_stream(PyObject*, PyObject* arguments) {
  TableRequest request;
  PyObject *table = nullptr, *tracker = nullptr, *requested = nullptr;
  Py_ssize_t batch_rows = 0;
  if (PyArg_ParseTuple(arguments, "O!O!nO:_tracked_stream", &PyTuple_Type, &table, class_of<Tracker>, &tracker, &batch_rows,
                       &requested) == 0)
    return nullptr;
  if (!read_request(table, request)) return nullptr;
  request.options.batch_rows = static_cast<std::size_t>(batch_rows);
  fix_names();
  return for_table_named(request, [&]<class T>() -> PyObject* {
    if (!has_names_of<T>(request, requested)) return nullptr;
    if constexpr (columns::Tabular<T>) {
      return no_table(request);
    } else {
      const std::vector<T> found = tracked<T>(tracker_of(tracker));
      const std::span<const T> rows(found);
      if (const auto unfit = columns::unfit_of(rows, request.options)) {
        PyErr_Format(PyExc_ValueError, "%s: %s: expected %s, found %s", request.name, unfit->path.c_str(),
                     unfit->expected.c_str(), unfit->found.c_str());
        return nullptr;
      }
      return capsule_of_stream(std::make_unique<columns::StateBatches<T>>(rows, request.options));
    }
  });
}

PyObject* count_fork(PyObject*) {
  ++forks;
  Py_RETURN_NONE;
}

PyMethodDef table_functions[] = {
    with_none<count_fork>("_count_fork", "() -> None", "This process was forked off another one just now."),
    with_several<table_columns>(
        "_table_columns",
        "(name: str, columns: Iterable[str], scale: int, nanoseconds: bool, /) -> list[tuple[str, str, bool, str]]",
        "The columns of a table and those within them: path, type as Arrow spells it, whether it can be null, meaning."),
    with_several<table_schema>("_table_schema",
                               "(name: str, columns: Iterable[str], scale: int, nanoseconds: bool, /) -> object",
                               "The schema of a table, in a capsule."),
    with_several<table_stream>(
        "_table_stream",
        "(table: tuple[str, Iterable[str], int, bool], sources: Iterable[object], rows: int, "
        "threads: int, requested: object | None, /) -> object",
        "The batches of a table, of so many rows at most, in a capsule. The sources, as the bindings' TableSources takes\n"
        "them, are read when the consumer asks for a batch."),
    with_several<tracked_stream>(
        "_tracked_stream",
        "(table: tuple[str, Iterable[str], int, bool], tracker: Tracker, rows: int, requested: object | None, /) -> object",
        "What a tracker tracks now, in a capsule; in batches of so many rows at most."),
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
