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
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

/// The steps of a path: a field by its index, one element of an array, or all of them.
using Path = std::vector<std::size_t>;
using Steps = std::span<const std::size_t>;
constexpr std::size_t every_element = static_cast<std::size_t>(-1);

/// The fields of an object that have paths: of an unknown event, nothing but its name is known.
std::span<const detail::json::FieldRow> fields_with_paths(const detail::json::FieldTable& table) {
  return &table == &detail::json::field_table<UnknownEvent> ? table.fields.first(1) : table.fields;
}

/// Adds the paths to all values in a value of this type, which is at `path`; elements of arrays are `[]`.
BANKHOOK_COLD void add_paths(const detail::json::ValueType& type, const std::string& path, pybind11::list& paths) {
  if (type.is_optional()) return add_paths(*type.inner, path, paths);
  if (type.kind == Kind::array) return add_paths(*type.inner, path + "[]", paths);
  if (type.kind != Kind::object) return paths.append(path);
  for (const detail::json::FieldRow& field : fields_with_paths(*type.table))
    add_paths(*field.type, path + (path.empty() ? "" : ".") + std::string(field.wire_name()), paths);
}

/// The length of `[]` or `[12]`, with which the path begins, and its step; 0 if it begins with nothing like that.
std::size_t take_index(std::string_view path, std::size_t& step) {
  const std::size_t end = path.find(']');
  if (!path.starts_with('[') || end == path.npos) return 0;
  const char* const last = path.data() + end;
  const auto read = std::from_chars(path.data() + 1, last, step);
  const bool is_number = read.ec == std::errc() && read.ptr == last && step != every_element;
  return end == 1 || is_number ? end + 1 : 0;
}

/// Adds the steps along `path` from a value of this type; false if it leads to no value, or to an object.
bool add_steps(const detail::json::ValueType& type, std::string_view path, bool is_start, Path& steps) {
  if (type.is_optional()) return add_steps(*type.inner, path, is_start, steps);
  if (type.kind == Kind::array) {
    const std::size_t size = take_index(path, steps.emplace_back(every_element));
    return size > 0 && add_steps(*type.inner, path.substr(size), false, steps);
  }
  if (type.kind != Kind::object) return path.empty();
  if (!is_start && !path.starts_with('.')) return false;
  path.remove_prefix(is_start ? 0 : 1);
  const std::size_t before = steps.size();
  for (std::size_t i = 0; i < fields_with_paths(*type.table).size(); ++i) {
    const detail::json::FieldRow& field = type.table->fields[i];
    if (!path.starts_with(field.wire_name())) continue;
    steps.resize(before);
    steps.push_back(i);
    if (add_steps(*field.type, path.substr(field.wire_name().size()), false, steps)) return true;
  }
  return false;
}

/// The value that `steps` lead to from `value`; a new reference. ABSENT where an element or field is missing.
template <class T>
PyObject* value_at(const T& value, Steps steps);

/// A function a field: which one a path takes is known only when it is compiled.
template <class T, std::size_t I>
PyObject* field_at(const T& value, Steps rest) {
  return value_at(detail::reflect::field<I>(value), rest);
}
template <class T>
inline constexpr auto field_getters = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array{field_at<T, I>...};
}(std::make_index_sequence<detail::reflect::field_count<T>>());

template <class T>
PyObject* elements_at(std::span<const T> items, Steps steps) {
  const std::size_t index = steps[0];
  const Steps rest = steps.subspan(1);
  if (index == every_element)
    return tuple_of(items, [&](const T& item) { return steal(value_at(item, rest)); }).release().ptr();
  return index < items.size() ? value_at(items[index], rest) : Py_NewRef(values.absent);
}

template <class T>
PyObject* value_at(const T& value, Steps steps) {
  if constexpr (detail::reflect::OptionalValue<T>) return value ? value_at(*value, steps) : Py_NewRef(missing<T>());
  else if constexpr (detail::reflect::Array<T>) return elements_at(value, steps);
  else if constexpr (detail::reflect::Structure<T>) return field_getters<T>[steps[0]](value, steps.subspan(1));
  else return value_to_python(value);
}

/// A path for each event; none where the event has no such value.
using EventPaths = std::array<std::optional<Path>, std::variant_size_v<AnyEvent>>;

struct Selector {
  vectorcallfunc call;
  pybind11::object paths;
  std::vector<EventPaths> compiled;
};
struct SelectorObject {
  Head head;
  Selector value;
};
Selector& selector_in(PyObject* self) { return reinterpret_cast<SelectorObject*>(self)->value; }
void end_selector(PyObject* self) { selector_in(self).~Selector(); }

/// An arena that is kept from payload to payload. Making Python values may run the garbage collector, and that any Python,
/// this function included: a call within a call gets an arena of its own.
struct BorrowedArena {
  inline static std::unique_ptr<Arena> kept;
  std::unique_ptr<Arena> own = kept ? std::move(kept) : std::make_unique<Arena>();
  ~BorrowedArena() { kept = std::move(own); }
};

EventPaths compile(std::string_view path) {
  EventPaths found;
  std::ranges::transform(event_classes(), found.begin(), [&](const BoundClass& cls) {
    std::optional<Path> steps(std::in_place);
    return add_steps(cls.value, path, true, *steps) ? steps : std::nullopt;
  });
  return found;
}

/// The values along the paths in what was parsed, as a tuple.
PyObject* values_in(const detail::ParsedEvent& parsed, const std::vector<EventPaths>& paths,
                    const pybind11::object& bytes) {
  if (!parsed) return raise_as(parsed.error(), bytes);
  const auto in = [&](const auto& event) {
    return tuple_of(paths, [&, index = parsed->index()](const EventPaths& of_events) {
      return of_events[index] ? steal(value_at(event, *of_events[index])) : borrow(values.absent);
    });
  };
  return std::visit(in, *parsed).release().ptr();
}

PyObject* call(PyObject* self, PyObject* const* arguments, std::size_t flags, PyObject* keywords) {
  if (PyVectorcall_NARGS(flags) != 1 || keywords != nullptr) fail(PyExc_TypeError, "a selector takes one payload");
  const pybind11::object bytes = payload_bytes(arguments[0], "Selector.__call__");
  const std::vector<EventPaths>& paths = selector_in(self).compiled;
  const std::string_view text = text_of(bytes);
  bankhook::detail::base::prefetch_text(text.data(), text.size());
  if (text.size() < long_text) [[likely]] {
    const BorrowedArena arena;
    arena.own->reset();
    return values_in(parse(text, *arena.own), paths, bytes);
  }
  Arena memory;
  return values_in(unlocked(true, [&] { return parse(text, memory); }), paths, bytes);
}

/// ValueError with the closest path.
BANKHOOK_COLD void refuse_path(pybind11::handle path) {
  pybind11::list known;
  for (const BoundClass& cls : event_classes()) add_paths(cls.value, {}, known);
  pybind11::module_::import("bankhook._records.closest").attr("refuse_path")(path, known);
}

pybind11::object select(PyObject*, const pybind11::tuple& arguments) {
  Selector selector{guarded<call>, arguments, {}};
  for (const pybind11::handle path : arguments) {
    std::string_view text = text_argument("select()", path.ptr());
    if (text.starts_with("$.")) text.remove_prefix(2);  // findings have it
    const EventPaths& compiled = selector.compiled.emplace_back(compile(text));
    if (std::ranges::none_of(compiled, [](const auto& steps) { return steps.has_value(); })) refuse_path(path);
  }
  pybind11::object made = checked(steal(class_of<Selector>->tp_alloc(class_of<Selector>, 0)));
  ::new (&selector_in(made.ptr())) Selector(std::move(selector));
  return made;
}

PyObject* represent_selector(PyObject* self) { return PyUnicode_FromFormat("select%R", selector_in(self).paths.ptr()); }

pybind11::object paths_of(PyObject* self) { return selector_in(self).paths; }

/// What a pickle calls: compiling again.
pybind11::object reduce_selector(PyObject* self) {
  return pybind11::make_tuple(pybind11::module_::import("bankhook._core").attr("select"), paths_of(self));
}

}  // namespace

void register_select(pybind11::module_& module) {
  class_of<Selector> = make_class(
      module, "Selector",
      {.size = sizeof(SelectorObject),
       .slots = {slot(Py_tp_dealloc, destroy<end_selector>), slot(Py_tp_repr, guarded<represent_selector>),
                 slot(Py_tp_call, PyVectorcall_Call)},
       .methods = {method<reduce_selector>("__reduce__")},
       .properties = {property<paths_of>("paths")},
       .members = {{"__vectorcalloffset__", T_PYSSIZET, offsetof(SelectorObject, value.call), READONLY, nullptr}},
       .flags = Py_TPFLAGS_HAVE_VECTORCALL});
  add_functions(module, {method<select>("select")});
}

}  // namespace bankhook::python
