// SPDX-License-Identifier: MIT
// select: paths that are compiled once, and a function from payloads to tuples of the values there.
#include "bind.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "path.hpp"

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
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return EventPaths{compile_path<std::variant_alternative_t<I, AnyEvent>>(std::string(path))...};
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
  const auto add = [&](const std::string& each, const Path&) { known.append(each); };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (for_each_path<std::variant_alternative_t<I, AnyEvent>>({}, {}, add), ...);
  }(std::make_index_sequence<events>());
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
