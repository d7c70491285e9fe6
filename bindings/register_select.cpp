// SPDX-License-Identifier: MIT
// select: paths that are compiled once, and a function from payloads to tuples of the values there.
#include "classes.hpp"
#include "closest.hpp"
#include "docs_objects.hpp"
#include "findings.hpp"
#include "functions.hpp"
#include "parse.hpp"
#include "path.hpp"
#include "register.hpp"

#include <structmember.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

constexpr std::size_t events = std::variant_size_v<AnyEvent>;

/// A path for each event; none where the event has no such value.
using EventPaths = std::array<std::optional<Path>, events>;

struct Selector {
  PyObject_HEAD vectorcallfunc call;
  PyObject* paths;
  std::vector<EventPaths>* compiled;
};

PyTypeObject* selector_type = nullptr;
PyObject* select_function = nullptr;

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
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return EventPaths{compile_path<std::variant_alternative_t<I, AnyEvent>>(path)...};
  }(std::make_index_sequence<events>());
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
  if (PyVectorcall_NARGS(flags) != 1 || keywords != nullptr)
    return PyErr_Format(PyExc_TypeError, "a selector takes one payload");
  const pybind11::object bytes = payload_bytes(arguments[0], "a selector");
  if (!bytes) return nullptr;
  const std::vector<EventPaths>& paths = *reinterpret_cast<Selector*>(self)->compiled;
  const std::string_view text = text_of(bytes);
  if (text.size() < long_text) [[likely]] {
    BorrowedArena arena;
    return values_in(parse(text, arena.get()), paths, bytes);
  }
  Arena memory;
  const auto event = unlocked(true, [&] { return parse(text, memory); });
  return event ? values_in(*event, paths, bytes) : nullptr;
}

PyObject* make_selector(PyObject* paths, std::vector<EventPaths> compiled) {
  auto* const self = PyObject_New(Selector, selector_type);
  if (self == nullptr) return nullptr;
  self->call = [](PyObject* me, PyObject* const* arguments, std::size_t flags, PyObject* keywords) {
    return guarded<call>(me, arguments, flags, keywords);
  };
  self->paths = Py_NewRef(paths);
  self->compiled = new std::vector<EventPaths>(std::move(compiled));
  return reinterpret_cast<PyObject*>(self);
}

/// ValueError with the closest path; always null.
PyObject* refuse_path(PyObject* path) {
  pybind11::list known;
  const auto add = [&](const std::string& each) { known.append(each); };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (for_each_path<std::variant_alternative_t<I, AnyEvent>>({}, add), ...);
  }(std::make_index_sequence<events>());
  pybind11::object hint = closest_to(path, known, "did_you_mean_path");
  if (pybind11::len(hint) == 0)
    hint = pybind11::str(
        "; paths look like 'initialTransaction.amount', 'customer.connections[].id' or "
        "'connection.accounts[0].id'");
  return PyErr_Format(PyExc_ValueError, "select(): %.200R leads to no text, number, date or listed value in any event%U",
                      path, hint.ptr());
}

PyObject* select(PyObject*, PyObject* paths) {
  fix_names();
  std::vector<EventPaths> compiled;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(paths); ++i) {
    PyObject* const path = PyTuple_GET_ITEM(paths, i);
    compiled.push_back(compile(without_root(text_argument("select()", path))));
    const auto leads_somewhere = [](const std::optional<Path>& steps) { return steps.has_value(); };
    if (std::ranges::none_of(compiled.back(), leads_somewhere)) {
      return refuse_path(path);
    }
  }
  return make_selector(paths, std::move(compiled));
}

void destroy_selector(PyObject* self) {
  auto* const selector = reinterpret_cast<Selector*>(self);
  PyTypeObject* const type = Py_TYPE(self);
  Py_DECREF(selector->paths);
  delete selector->compiled;
  PyObject_Free(self);
  Py_DECREF(type);
}

PyObject* represent_selector(PyObject* self) {
  const auto* const selector = reinterpret_cast<Selector*>(self);
  const pybind11::object text = steal(PyObject_Repr(selector->paths));
  return text ? PyUnicode_FromFormat("select%U", text.ptr()) : nullptr;
}

/// What a pickle calls: compiling again.
PyObject* reduce_selector(PyObject* self) {
  return Py_BuildValue("OO", select_function, reinterpret_cast<Selector*>(self)->paths);
}

PyMemberDef fields_of_selector[] = {
    {"paths", T_OBJECT_EX, offsetof(Selector, paths), READONLY, "The paths, as they were given.\n\ntuple[str, ...]"},
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Selector, call), READONLY, nullptr},
    {},
};
PyMethodDef methods_of_selector[] = {
    with_none<reduce_selector>("__reduce__", "(self) -> tuple[Any, ...]", "The paths."),
    {},
};
PyType_Slot selector_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy_selector)},
    {Py_tp_repr, reinterpret_cast<void*>(guarded<represent_selector, PyObject*>)},
    {Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
    {Py_tp_members, fields_of_selector},
    {Py_tp_methods, methods_of_selector},
    {Py_tp_doc, const_cast<char*>("What `select` gives: called with a payload, a tuple of the values at its paths.")},
    {},
};
PyType_Spec selector_spec = {
    .name = "bankhook.Selector",
    .basicsize = sizeof(Selector),
    .itemsize = 0,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = selector_slots,
};

PyMethodDef select_functions[] = {
    with_several<select>("select", "(*paths: str) -> Selector", docs::select),
    {},
};

}  // namespace

void register_select(pybind11::module_& module) {
  const pybind11::object type = steal(PyType_FromSpec(&selector_spec));
  if (!type) throw pybind11::error_already_set();
  add_functions(module, select_functions);
  note_bound("Selector.__reduce__", methods_of_selector[0].ml_doc);
  note_signature("Selector.__call__", "(self, payload: Buffer | str, /) -> tuple[Any, ...]");
  selector_type = reinterpret_cast<PyTypeObject*>(pybind11::object(type).release().ptr());
  module.attr("Selector") = type;
  select_function = pybind11::object(module.attr("select")).release().ptr();
}

}  // namespace bankhook::python
