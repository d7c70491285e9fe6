// SPDX-License-Identifier: MIT
// The tables of archives and trackers: their names, schemas and streams, in the capsules of Arrow's PyCapsule interface.
#include "bound.hpp"
#include "records.hpp"
#include "table_batches.hpp"
#include "tracker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
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

template <detail::columns::Tabular T>
KnownTable of_archives(std::string_view name) {
  constexpr auto decoder = [](const ColumnOptions& options, KeptFields kept) -> std::unique_ptr<TableDecoder> {
    return std::make_unique<DecoderOf<T>>(options, kept);
  };
  return {name, detail::columns::table_of<T>, decoder, nullptr, detail::columns::needs_order<T>};
}

/// A table of a tracker, whose rows `query` gives.
template <class T, std::vector<T> (Tracker::*query)() const>
KnownTable of_tracker(std::string_view name) {
  constexpr auto batches = [](const Tracker& tracker, const ColumnOptions& options,
                              std::string_view table) -> OwnedBatches {
    const std::vector<T> rows = (tracker.*query)();
    detail::columns::LineRejection unfit;
    if (!std::ranges::all_of(rows, [&](const T& row) { return detail::columns::fits(row, options, unfit); }))
      fail(PyExc_ValueError, "%s: %s: expected %s, found %s", table.data(), unfit.path.c_str(), unfit.expected.c_str(),
           unfit.found.c_str());
    return std::make_unique<detail::columns::StateBatches<T>>(rows, options);
  };
  return {name, detail::columns::table_of<T>, nullptr, batches};
}

template <class... Events>
std::vector<KnownTable> tables_with(std::type_identity<std::variant<Events...>>) {
  return {of_archives<Events>(std::is_same_v<Events, UnknownEvent> ? "unknown_events"
                                                                   : detail::reflect::type_wire_name<Events>.view())...,
          of_archives<Connection>("connections"),
          of_archives<Account>("accounts"),
          of_archives<RejectedLine>("rejected"),
          of_archives<FindingRow>("findings"),
          of_archives<OutcomeRow>("outcomes"),
          of_tracker<TrackedMember, &Tracker::members>("tracked_members"),
          of_tracker<TrackedConnection, &Tracker::connections>("tracked_connections"),
          of_tracker<TrackedTransaction, &Tracker::transactions>("tracked_transactions")};
}
const std::vector<KnownTable> tables = tables_with(std::type_identity<AnyEvent>());

/// Calls `take` for each wanted column within `parent` with its path, its type as Arrow spells it, and itself; a list is
/// followed by the type of its elements. `start` leads to the parent.
void for_each_column(const detail::columns::Column& parent, const std::string& start, const auto& take) {
  for (const detail::columns::Column& column : parent.children) {
    if (!column.is_wanted) continue;
    const std::string path = start.empty() ? column.name : start + "." + column.name;
    const bool is_list = column.kind == detail::columns::Kind::list;
    const detail::columns::Column& holder = is_list ? column.children.front() : column;
    take(path, is_list ? column.format + holder.format : column.format, column);
    for_each_column(holder, path, take);
  }
}

/// What a table is asked for with.
struct TableRequest {
  const KnownTable* table = nullptr;
  ColumnOptions options{};                  ///< which view `columns`
  std::vector<std::string_view> columns{};  ///< of the strs that were given, as the names are
  std::vector<KeptField> kept{};

  [[nodiscard]] detail::columns::Column wanted() const { return *table->columns(options, kept); }
  [[nodiscard]] bool has(std::string_view path) const {
    ColumnOptions only = options;
    only.columns = std::span(&path, 1);
    return table->columns(only, kept).has_value();
  }
};

/// Throws ValueError with the closest column of the table.
[[noreturn]] void refuse_column(PyObject* column, const TableRequest& request) {
  pybind11::list known;
  for_each_column(request.wanted(), {}, [&](const std::string& path, const auto&, const auto&) { known.append(path); });
  const pybind11::object closest =
      pybind11::module_::import("bankhook._records.closest").attr("did_you_mean_path")(pybind11::handle(column), known);
  fail(PyExc_ValueError, "the table %s has no column %U%U", request.table->name.data(), column, closest.ptr());
}

/// Reads `(name, columns, scale, nanoseconds, keep)`, which the result views; of what is kept, `(name, is_time)`. Throws
/// ValueError if the table cannot be had.
TableRequest request_of(pybind11::handle given) {
  TableRequest request;
  const char* name = nullptr;
  int is_nano = 0;
  PyObject *columns = nullptr, *keep = nullptr;
  take(given, "sO!ipO!", &name, &PyTuple_Type, &columns, &request.options.scale, &is_nano, &PyTuple_Type, &keep);
  const auto table = std::ranges::find(tables, name, &KnownTable::name);
  if (table == tables.end()) fail(PyExc_ValueError, "there is no table %s", name);
  request.table = &*table;
  request.options.unit = is_nano != 0 ? TimeUnit::nanoseconds : TimeUnit::microseconds;
  if (!table->columns(request.options, {})) fail(PyExc_ValueError, "scale: expected 0 to 37");
  for (const pybind11::handle one : pybind11::tuple(borrow(keep))) {
    PyObject* field = nullptr;
    int is_time = 0;
    take(one, "Up", &field, &is_time);
    const std::string_view text = text_argument("tables: keep", field);
    if (request.has(text)) fail(PyExc_ValueError, "tables: keep: the table %s has a column %U already", name, field);
    request.kept.push_back({text, is_time != 0});
  }
  for (const pybind11::handle column : pybind11::tuple(borrow(columns))) {
    const std::string_view text = request.columns.emplace_back(text_argument("columns", column.ptr()));
    if (!request.has(text)) refuse_column(column.ptr(), request);
  }
  request.options.columns = request.columns;
  return request;
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
void check_names(const TableRequest& request, PyObject* requested) {
  if (requested == Py_None) return;
  const auto* const given = static_cast<const ArrowSchema*>(PyCapsule_GetPointer(requested, "arrow_schema"));
  if (given == nullptr) throw pybind11::error_already_set();
  const bool is_released = given->release == nullptr;
  const detail::columns::Column table = request.wanted();
  std::vector<std::string_view> ours, theirs;
  for (const detail::columns::Column& column : table.children) {
    if (column.is_wanted) ours.emplace_back(column.name);
  }
  for (std::int64_t i = 0; !is_released && i < given->n_children; ++i) {
    const char* const name = given->children[i]->name;
    theirs.emplace_back(name == nullptr ? "" : name);
  }
  if (is_released || ours != theirs)
    fail(PyExc_ValueError, "requested_schema: expected the columns of the table, in its order; select takes some");
}

/// The schema of a table, in a capsule.
pybind11::object table_schema(pybind11::handle request) {
  const detail::columns::Column table = request_of(request).wanted();
  return capsule_of<ArrowSchema>("arrow_schema", [&](ArrowSchema& out) { detail::columns::hand_over_schema(table, out); });
}

/// The columns of a table and those within them: path, type as Arrow spells it, whether it can be null, meaning.
pybind11::list table_columns(pybind11::handle request) {
  pybind11::list rows;
  for_each_column(request_of(request).wanted(), {},
                  [&](const std::string& path, const std::string& format, const detail::columns::Column& column) {
                    rows.append(pybind11::make_tuple(path, format, column.is_nullable, column.meaning));
                  });
  return rows;
}

/// Reads the sources, as TableSources takes them, when the consumer asks for a batch; what can be opened only once is
/// opened here.
OwnedBatches archive_batches(const TableRequest& request, PyObject* sources, std::size_t threads) {
  const pybind11::object iterator = checked(steal(PyObject_GetIter(sources)));
  const std::size_t most = request.table->needs_order ? 1 : 4 * std::max(1U, std::thread::hardware_concurrency());
  const std::size_t count = std::clamp<std::size_t>(threads, 1, most);
  return std::make_unique<TableBatches>(iterator, *request.table, request.options, request.kept, count);
}

/// The batches of a table, of so many rows at most, in a capsule: of sources, by so many threads, or of what a tracker
/// tracks now.
pybind11::object table_stream(pybind11::handle table, pybind11::handle given, std::size_t rows, std::size_t threads,
                              pybind11::handle requested) {
  TableRequest request = request_of(table);
  request.options.batch_rows = rows;
  check_names(request, requested.ptr());
  const KnownTable& of = *request.table;
  OwnedBatches batches = of.of_tracker == nullptr
                             ? archive_batches(request, given.ptr(), threads)
                             : of.of_tracker(tracker_argument("_table_stream", given.ptr()), request.options, of.name);
  return capsule_of<ArrowArrayStream>("arrow_array_stream",
                                      [&](ArrowArrayStream& out) { out = detail::columns::stream_of(std::move(batches)); });
}

}  // namespace

void register_tables(pybind11::module_& module) {
  module.def("_table_columns", checking("_table_columns", table_columns));
  module.def("_table_schema", checking("_table_schema", table_schema));
  module.def("_table_stream", checking("_table_stream", table_stream));
  pybind11::list names;
  for (const KnownTable& table : tables) {
    if (table.decoder != nullptr) names.append(to_object(table.name));
  }
  module.attr("_table_names") = pybind11::tuple(names);
  pthread_atfork(nullptr, nullptr, [] { ++forks; });
}

}  // namespace bankhook::python
