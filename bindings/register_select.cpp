// SPDX-License-Identifier: MIT
// select: paths that are compiled once, and a function from payloads to tuples of the values there.
#include "bind.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "python_types.hpp"

#include <structmember.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

/// One step of a path: a field by its index, one element of an array, or all of them.
struct PathStep {
  static constexpr std::size_t all = static_cast<std::size_t>(-1);
  std::size_t index = all;
};

using Path = std::vector<PathStep>;

/// A path to a value, an array's elements being `[]`, with its steps.
struct KnownPath {
  std::string text{};
  Path steps{};

  [[nodiscard]] KnownPath after(std::string_view name, std::size_t index) const {
    KnownPath longer = *this;
    longer.text.append(text.empty() || index == PathStep::all ? "" : ".").append(name);
    longer.steps.push_back({index});
    return longer;
  }
};

/// Adds the paths to all values in a value of this type, to which `at` leads.
void add_paths(const json::ValueType& type, const KnownPath& at, std::vector<KnownPath>& paths) {
  if (type.is_optional()) return add_paths(*type.inner, at, paths);
  if (type.kind == Kind::array) return add_paths(*type.inner, at.after("[]", PathStep::all), paths);
  if (type.kind != Kind::object) return paths.push_back(at);
  for (std::size_t i = 0; i < type.table->fields.size(); ++i) {
    const json::FieldRow& field = type.table->fields[i];
    add_paths(*field.type, at.after(field.wire_name(), i), paths);
    if (type.table == &json::field_table<UnknownEvent>) return;  // nothing but the name of it is known
  }
}

/// Takes the indexes out of `path`, which then has `[]` there; none if one of them is no number.
std::optional<Path> take_indexes(std::string& path) {
  Path indexes;
  for (std::size_t open = path.find('['); open != path.npos; open = path.find('[', open + 1)) {
    PathStep step;
    const char* const end = path.data() + std::min(path.find(']', open), path.size());
    const char* const begin = path.data() + open + 1;
    if (begin != end) {
      const auto read = std::from_chars(begin, end, step.index);
      if (read.ec != std::errc() || read.ptr != end || step.index == PathStep::all) return std::nullopt;
    }
    indexes.push_back(step);
    path.erase(open + 1, static_cast<std::size_t>(end - begin));
  }
  return indexes;
}

/// The steps along `path`, or nothing where an event of the class has no such value, or the value is an object.
std::optional<Path> compile_path(const BoundClass& cls, std::string path) {
  const auto indexes = take_indexes(path);
  std::vector<KnownPath> paths;
  add_paths(cls.value, {}, paths);
  const auto found = std::ranges::find(paths, path, &KnownPath::text);
  if (!indexes || found == paths.end()) return std::nullopt;
  auto next = indexes->begin();
  for (PathStep& step : found->steps) {
    if (step.index == PathStep::all) step = *next++;
  }
  return found->steps;
}

/// The value that `steps` lead to from `value`; a new reference. ABSENT where an element or field is missing.
template <class T>
PyObject* value_at(const T& value, std::span<const PathStep> steps);

template <class T>
PyObject* element_at(std::span<const T> items, std::span<const PathStep> steps) {
  const std::size_t index = steps.front().index;
  if (index != PathStep::all) {
    return index < items.size() ? value_at(items[index], steps.subspan(1)) : Py_NewRef(values.absent);
  }
  return sequence_of(PyTuple_New, items, [&](const T& item) { return value_at(item, steps.subspan(1)); });
}

/// A function a field: which one a path takes is known only when it is compiled.
template <class T>
inline constexpr auto field_values = []<std::size_t... I>(std::index_sequence<I...>) {
  using Getter = PyObject* (*)(const T&, std::span<const PathStep>);
  return std::array<Getter, sizeof...(I)>{
      [](const T& value, std::span<const PathStep> rest) { return value_at(reflect::field<I>(value), rest); }...};
}(std::make_index_sequence<reflect::field_count<T>>());

template <class T>
PyObject* value_at(const T& value, std::span<const PathStep> steps) {
  if constexpr (reflect::OptionalValue<T>) return value ? value_at(*value, steps) : Py_NewRef(missing<T>());
  else if constexpr (reflect::Array<T>) return element_at(value, steps);
  else if constexpr (reflect::Structure<T>) return field_values<T>[steps[0].index](value, steps.subspan(1));
  else return value_to_python(value);
}

constexpr std::size_t events = std::variant_size_v<AnyEvent>;

/// A path for each event; none where the event has no such value.
using EventPaths = std::array<std::optional<Path>, events>;

struct Selector {
  vectorcallfunc call;
  pybind11::object paths;
  std::vector<EventPaths> compiled;
};

/// An arena that is kept from payload to payload. Making Python values may run the garbage collector, and that any Python,
/// this function included: a call within a call gets an arena of its own.
class BorrowedArena {
 public:
  BorrowedArena() {
    if (is_lent_) own_.emplace();
    is_lent_ = true;
    get().reset();
  }
  ~BorrowedArena() {
    if (!own_) is_lent_ = false;
  }
  BorrowedArena(const BorrowedArena&) = delete;
  BorrowedArena& operator=(const BorrowedArena&) = delete;
  [[nodiscard]] Arena& get() { return own_ ? *own_ : kept_; }

 private:
  inline static Arena kept_;
  inline static bool is_lent_ = false;
  std::optional<Arena> own_;  // made only where it is needed: what a new one remembers takes its time to clear
};

EventPaths compile(std::string_view path) {
  EventPaths found;
  std::ranges::transform(event_classes(), found.begin(),
                         [&](const auto& cls) { return compile_path(cls, std::string(path)); });
  return found;
}

/// The values along the paths in what was parsed, as a tuple.
PyObject* values_in(const detail::ParsedEvent& parsed, const std::vector<EventPaths>& paths,
                    const pybind11::object& bytes) {
  if (!parsed) return raise_as(parsed.error(), bytes);
  const AnyEvent& event = *parsed;
  pybind11::object tuple = steal(PyTuple_New(static_cast<Py_ssize_t>(paths.size())));
  for (std::size_t i = 0; tuple && i < paths.size(); ++i) {
    const std::optional<Path>& path = paths[i][event.index()];
    PyObject* const item =
        path ? std::visit([&](const auto& known) { return value_at(known, *path); }, event) : Py_NewRef(values.absent);
    if (item == nullptr) return nullptr;
    PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), item);
  }
  return tuple.release().ptr();
}

PyObject* call(PyObject* self, PyObject* const* arguments, std::size_t flags, PyObject* keywords) {
  if (PyVectorcall_NARGS(flags) != 1 || keywords != nullptr) fail(PyExc_TypeError, "a selector takes one payload");
  const pybind11::object bytes = payload_bytes(arguments[0], "a selector");
  const std::vector<EventPaths>& paths = held<Selector>(self).compiled;
  const std::string_view text = text_of(bytes);
  if (text.size() < long_text) [[likely]] {
    BorrowedArena arena;
    return values_in(parse(text, arena.get()), paths, bytes);
  }
  Arena memory;
  return values_in(unlocked(true, [&] { return parse(text, memory); }), paths, bytes);
}

/// ValueError with the closest path.
[[noreturn]] void refuse_path(PyObject* path) {
  pybind11::list known;
  std::vector<KnownPath> paths;
  for (const BoundClass& cls : event_classes()) add_paths(cls.value, {}, paths);
  for (const KnownPath& each : paths) known.append(each.text);
  pybind11::object hint = closest_to(path, known, "did_you_mean_path");
  if (pybind11::len(hint) == 0)
    hint = pybind11::str(
        "; paths look like 'initialTransaction.amount', 'customer.connections[].id' or "
        "'connection.accounts[0].id'");
  fail(PyExc_ValueError, "select(): %.200R leads to no text, number, date or listed value in any event%U", path,
       hint.ptr());
}

PyObject* select(PyObject*, Positional arguments) {
  Selector selector{guarded<call>, borrow(arguments.tuple), {}};
  for (const pybind11::handle path : pybind11::reinterpret_borrow<pybind11::tuple>(arguments.tuple)) {
    std::string_view text = text_argument("select()", path.ptr());
    if (text.starts_with("$.")) text.remove_prefix(2);  // findings have it
    selector.compiled.push_back(compile(text));
    const auto leads_somewhere = [](const std::optional<Path>& steps) { return steps.has_value(); };
    if (std::ranges::none_of(selector.compiled.back(), leads_somewhere)) refuse_path(path.ptr());
  }
  return make_holder(std::move(selector));
}

PyObject* represent_selector(PyObject* self) { return PyUnicode_FromFormat("select%R", held<Selector>(self).paths.ptr()); }

pybind11::object paths_of(PyObject* self) { return held<Selector>(self).paths; }

/// What a pickle calls: compiling again.
pybind11::object reduce_selector(PyObject* self) {
  return pybind11::make_tuple(pybind11::module_::import("bankhook._core").attr("select"), paths_of(self));
}

}  // namespace

void register_select(pybind11::module_& module) {
  class_of<Selector> = make_class(
      module, "Selector",
      {.size = sizeof(Holder<Selector>),
       .slots = {slot(Py_tp_dealloc, destroy_holder<Selector>), slot(Py_tp_repr, guarded<represent_selector>),
                 slot(Py_tp_call, PyVectorcall_Call)},
       .methods = {method<reduce_selector>("__reduce__")},
       .properties = {property<paths_of>("paths")},
       .members = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(Holder<Selector>, value.call), READONLY, nullptr}},
       .flags = Py_TPFLAGS_HAVE_VECTORCALL});
  add_functions(module, {method<select>("select")});
}

}  // namespace bankhook::python
