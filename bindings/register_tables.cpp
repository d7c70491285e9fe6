// SPDX-License-Identifier: MIT
// The tables of archives and trackers: their names, schemas and streams, in the capsules of Arrow's PyCapsule interface.
#include "bind.hpp"
#include "records.hpp"
#include "table_batches.hpp"
#include "tables.hpp"
#include "tracker.hpp"

#include <algorithm>
#include <atomic>
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

/// How often this process was forked off another one since the module was imported there: `register_tables` has Python
/// count.
std::atomic<unsigned> forks{0};

/// Batches whose threads a forked child does not have: it neither waits for them nor touches what they were at.
class OfProcess final : public columns::Batches {
 public:
  explicit OfProcess(std::unique_ptr<columns::Batches> batches) : batches_(std::move(batches)) {}
  ~OfProcess() override {
    if (is_other()) static_cast<void>(batches_.release());
  }

  void schema(ArrowSchema& out) override { batches_->schema(out); }
  int next(ArrowArray& out) override { return is_other() ? EIO : batches_->next(out); }
  [[nodiscard]] const char* last_error() const override {
    return is_other() ? "the stream has threads of another process: make it after the fork" : batches_->last_error();
  }

 private:
  [[nodiscard]] bool is_other() const { return forks != made_in_; }

  std::unique_ptr<columns::Batches> batches_;
  unsigned made_in_ = forks;
};

/// What a table is asked for with.
struct TableRequest {
  const char* name = nullptr;
  ColumnOptions options{};
  std::vector<std::string_view> columns{};  ///< of the strs in `held`
  pybind11::tuple held{};
};

/// Reads `(name, columns, scale, nanoseconds)`.
TableRequest request_of(PyObject* given) {
  TableRequest request;
  int is_nano = 0;
  PyObject* columns = nullptr;
  Positional{given}.take("sOip", &request.name, &columns, &request.options.scale, &is_nano);
  request.held = pybind11::tuple(borrow(columns));
  for (const pybind11::handle column : request.held) request.columns.push_back(text_argument("columns", column.ptr()));
  request.options.unit = is_nano != 0 ? TimeUnit::nanoseconds : TimeUnit::microseconds;
  return request;
}

/// Throws ValueError if the table cannot be had.
template <class T>
void check_request(const TableRequest& request) {
  for (const std::string_view& column : request.columns) {
    ColumnOptions only = request.options;
    only.columns = std::span(&column, 1);
    const auto table = columns::table_of<T>(only);
    if (!table && table.error() == ColumnErrc::unknown_column)
      refuse_column(request.name, column, *columns::table_of<T>({}));
  }
  if (!columns::table_of<T>(request.options)) fail(PyExc_ValueError, "scale: expected 0 to 37");
}

[[noreturn]] PyObject* refuse_table(const TableRequest& request) {
  fail(PyExc_ValueError, "there is no table %s", request.name);
}

/// What `make.template operator()<T>()` returns for the table of this name.
template <class Make>
pybind11::object for_table_named(TableRequest& request, Make make) {
  pybind11::object made;
  request.options.columns = request.columns;
  const auto make_named = [&]<class T>(std::string_view name) {
    if (name != request.name) return true;
    check_request<T>(request);
    made = make.template operator()<T>();
    return false;
  };
  if (for_each_table(make_named) && for_each_tracked_table(make_named)) refuse_table(request);
  return made;
}

/// A capsule that owns `Struct`, and releases what a consumer has not taken out of it.
template <class Struct, class Fill>
pybind11::object capsule_of(const char* name, Fill fill) {
  auto owned = std::make_unique<Struct>();
  fill(*owned);
  pybind11::object capsule = steal(PyCapsule_New(owned.get(), name, [](PyObject* self) {
    const std::unique_ptr<Struct> released(static_cast<Struct*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self))));
    if (released->release != nullptr) released->release(released.get());
  }));
  if (capsule) owned.release();
  else owned->release(owned.get());
  return checked(std::move(capsule));
}

/// Throws ValueError unless a consumer's schema, None or a capsule, has the names of a table's columns. Other types are no
/// error: a consumer has to look at what it gets.
template <class T>
void check_names(const TableRequest& request, PyObject* requested) {
  if (requested == Py_None) return;
  const auto* const given = static_cast<const ArrowSchema*>(PyCapsule_GetPointer(requested, "arrow_schema"));
  if (given == nullptr) throw pybind11::error_already_set();
  const bool is_released = given->release == nullptr;
  const columns::Column table = *columns::table_of<T>(request.options);
  std::vector<std::string_view> ours, theirs;
  for (const columns::Column& column : table.children) {
    if (column.is_wanted) ours.emplace_back(column.name);
  }
  for (std::int64_t i = 0; !is_released && i < given->n_children; ++i) {
    const char* const name = given->children[i]->name;
    theirs.emplace_back(name == nullptr ? "" : name);
  }
  if (is_released || ours != theirs)
    fail(PyExc_ValueError, "requested_schema: expected the columns of the table, in its order; select takes some");
}

pybind11::object capsule_of_stream(std::unique_ptr<columns::Batches> batches) {
  return capsule_of<ArrowArrayStream>("arrow_array_stream",
                                      [&](ArrowArrayStream& out) { out = columns::stream_of(std::move(batches)); });
}

/// The schema of a table, in a capsule.
pybind11::object table_schema(PyObject*, Positional arguments) {
  TableRequest request = request_of(arguments.tuple);
  return for_table_named(request, [&]<class T>() {
    const columns::Column table = *columns::table_of<T>(request.options);
    return capsule_of<ArrowSchema>("arrow_schema", [&](ArrowSchema& out) { columns::hand_over_schema(table, out); });
  });
}

/// The columns of a table and those within them: path, type as Arrow spells it, whether it can be null, meaning.
pybind11::object table_columns(PyObject*, Positional arguments) {
  TableRequest request = request_of(arguments.tuple);
  return for_table_named(request, [&]<class T>() {
    pybind11::list rows;
    for_each_column(*columns::table_of<T>(request.options), {},
                    [&](const std::string& path, const std::string& format, const columns::Column& column) {
                      rows.append(pybind11::make_tuple(path, format, column.is_nullable, column.meaning));
                    });
    return rows;
  });
}

/// What reads and decodes the sources of an iterator. A table whose rows depend on those before them is made by one thread.
template <class T>
std::unique_ptr<columns::Batches> batches_of(const pybind11::object& sources, const ColumnOptions& options,
                                             std::size_t threads) {
  if constexpr (!columns::needs_order<T>) {
    const std::size_t most = std::size_t{4} * std::max(1U, std::thread::hardware_concurrency());
    const std::size_t count = std::min(threads, most);
    if (count > 1) return std::make_unique<OfProcess>(std::make_unique<TableBatches<T>>(sources, options, count));
  }
  return std::make_unique<TableBatches<T>>(sources, options, 1);
}

/// The batches of a table, of so many rows at most, in a capsule. The sources, as TableSources takes them, are read when
/// the consumer asks for a batch.
pybind11::object table_stream(PyObject*, Positional arguments) {
  PyObject *table = nullptr, *sources = nullptr, *requested = nullptr;
  Py_ssize_t rows = 0, threads = 1;
  arguments.take("O!OnnO:_table_stream", &PyTuple_Type, &table, &sources, &rows, &threads, &requested);
  TableRequest request = request_of(table);
  request.options.batch_rows = static_cast<std::size_t>(rows);
  return for_table_named(request, [&]<class T>() -> pybind11::object {
    check_names<T>(request, requested);
    if constexpr (!columns::Tabular<T>) refuse_table(request);
    else {
      const pybind11::object iterator = checked(steal(PyObject_GetIter(sources)));  // opens what can be opened only once
      return capsule_of_stream(batches_of<T>(iterator, request.options, static_cast<std::size_t>(threads)));
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

/// What a tracker tracks now, in a capsule; in batches of so many rows at most.
pybind11::object tracked_stream(PyObject*, Positional arguments) {
  PyObject *table = nullptr, *tracker = nullptr, *requested = nullptr;
  Py_ssize_t batch_rows = 0;
  arguments.take("O!O!nO:_tracked_stream", &PyTuple_Type, &table, class_of<Tracker>, &tracker, &batch_rows, &requested);
  TableRequest request = request_of(table);
  request.options.batch_rows = static_cast<std::size_t>(batch_rows);
  return for_table_named(request, [&]<class T>() -> pybind11::object {
    check_names<T>(request, requested);
    if constexpr (columns::Tabular<T>) refuse_table(request);
    else {
      const std::vector<T> found = tracked<T>(tracker_of(tracker));
      const std::span<const T> rows(found);
      if (const auto unfit = columns::unfit_of(rows, request.options))
        fail(PyExc_ValueError, "%s: %s: expected %s, found %s", request.name, unfit->path.c_str(), unfit->expected.c_str(),
             unfit->found.c_str());
      return capsule_of_stream(std::make_unique<columns::StateBatches<T>>(rows, request.options));
    }
  });
}

/// This process was forked off another one just now.
PyObject* count_fork(PyObject*) {
  ++forks;
  Py_RETURN_NONE;
}

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
  add_functions(module, {method<count_fork>("_count_fork"), method<table_columns>("_table_columns"),
                         method<table_schema>("_table_schema"), method<table_stream>("_table_stream"),
                         method<tracked_stream>("_tracked_stream")});
  pybind11::list names;
  for_each_table([&]<class T>(std::string_view name) {
    names.append(std::string(name));
    return true;
  });
  module.attr("_table_names") = pybind11::tuple(names);
  const pybind11::object at_fork = pybind11::module_::import("os").attr("register_at_fork");
  at_fork(pybind11::arg("after_in_child") = module.attr("_count_fork"));
}

}  // namespace bankhook::python
