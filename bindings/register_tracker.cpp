// SPDX-License-Identifier: MIT
// Tracker: events in, outcomes out; snapshots, copies, pickles.
#include "class.hpp"
#include "classes.hpp"
#include "guarded.hpp"
#include "outcome.hpp"
#include "parse.hpp"
#include "register.hpp"
#include "show.hpp"
#include "tracker.hpp"

#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {
namespace {

namespace py = pybind11;

/// tp_new: an object is complete from the first moment on, so `Tracker.__new__(Tracker)` is a tracker like any other.
PyObject* make_tracker(PyTypeObject*, PyObject* arguments, PyObject* keywords) {
  static const char* names[] = {"accept_late", "unlist", nullptr};
  PyObject* accept_late = Py_False;
  PyObject* unlist = Py_True;
  if (PyArg_ParseTupleAndKeywords(arguments, keywords, "|$O!O!:Tracker", const_cast<char**>(names), &PyBool_Type,
                                  &accept_late, &PyBool_Type, &unlist) == 0)
    return nullptr;
  const TrackerOptions options{.accept_late = accept_late == Py_True, .unlist = unlist == Py_True};
  return py::cast(PyTracker{Tracker(options)}).release().ptr();
}

void set_tracker_slots(PyHeapTypeObject* heap_type) {
  heap_type->ht_type.tp_new = guarded<make_tracker>;
  heap_type->ht_type.tp_init = initialise_nothing;
}

/// `act(event)` for an event of any class, else a TypeError that names the method.
template <class Act>
py::object with_event(const char* method, const py::handle& object, Act act) {
  py::object result;
  const bool is_none = for_each_class([&]<class T>() {
    if constexpr (is_event<T>) {
      if (Py_TYPE(object.ptr()) != class_of<T>) return true;
      result = act(value_of<T>(object.ptr()));
      return false;
    } else return true;
  });
  if (is_none) {
    throw py::type_error(std::string("Tracker.") + method + ": expected an event, found " + Py_TYPE(object.ptr())->tp_name);
  }
  return result;
}

py::tuple member_ids(const PyTracker& self) {
  std::vector<std::string> kept;  // of their own: making objects may run other code, which may change the tracker
  for (const TrackedMember& held : self.tracker.members()) kept.emplace_back(held.customer.id);
  py::list texts;
  for (const std::string& id : kept) texts.append(checked(steal(text_to_python(id))));
  return py::tuple(texts);
}

py::bytes snapshot(const PyTracker& self) { return py::bytes(self.tracker.snapshot()); }

/// An option that is None keeps the snapshot's value.
PyTracker restored_tracker(const py::object& bytes, const std::optional<bool>& accept_late,
                           const std::optional<bool>& unlist) {
  if (PyUnicode_Check(bytes.ptr()) || PyObject_CheckBuffer(bytes.ptr()) == 0) {
    throw py::type_error(std::string("Tracker.restore: expected bytes, found ") + Py_TYPE(bytes.ptr())->tp_name);
  }
  const py::object held = checked(payload_bytes(bytes.ptr(), "Tracker.restore"));
  auto read = unlocked(true, [&] { return Tracker::restore(text_of(held)); });
  if (!read) throw py::error_already_set();
  auto& restored = *read;
  if (!restored) {
    const std::string text(message(restored.error()));
    PyErr_SetString(py::module_::import("bankhook._follow").attr("SnapshotError").ptr(), text.c_str());
    throw py::error_already_set();
  }
  TrackerOptions options = restored->options();
  options.accept_late = accept_late.value_or(options.accept_late);
  options.unlist = unlist.value_or(options.unlist);
  restored->set_options(options);
  return {std::move(*restored)};
}

void merge(PyTracker& self, const PyTracker& other) {
  const auto merged = self.tracker.merge(other.tracker);
  if (merged) return;
  const std::string text(message(merged.error()));
  PyErr_SetString(py::module_::import("bankhook._follow").attr("MergeError").ptr(), text.c_str());
  throw py::error_already_set();
}

py::tuple reduce(const PyTracker& self) {
  return py::make_tuple(py::module_::import("bankhook._follow").attr("restore_tracker"), py::make_tuple(snapshot(self)));
}

void register_events_of(py::class_<PyTracker>& tracker) {
  tracker
      .def(
          "peek",
          [](const PyTracker& self, const py::object& event) {
            return with_event("peek", event,
                              [&](const auto& known) { return outcome_to_python(self.tracker.peek(known)); });
          },
          py::arg("event"), py::pos_only(),
          "peek(self, event, /)\n--\n\nReturn what `apply` would return, and change nothing.")
      .def(
          "apply",
          [](PyTracker& self, const py::object& event) {
            return with_event("apply", event,
                              [&](const auto& known) { return outcome_to_python(self.tracker.apply(known)); });
          },
          py::arg("event"), py::pos_only(), "apply(self, event, /)\n--\n\nApply the event and return what it meant.");
}

void register_storage(py::class_<PyTracker>& tracker) {
  tracker
      .def("snapshot", &snapshot,
           "snapshot(self, /)\n--\n\nReturn the state and the options as bytes; equal trackers give equal bytes.")
      .def_static("restore", &restored_tracker, py::arg("snapshot"), py::pos_only(), py::kw_only(),
                  py::arg("accept_late").noconvert() = py::none(), py::arg("unlist").noconvert() = py::none(),
                  "restore(snapshot, /, *, accept_late=None, unlist=None)\n--\n\nReturn a tracker with the state and the "
                  "options of a snapshot; an option that is given replaces the snapshot's.")
      .def("merge", &merge, py::arg("other"), py::pos_only(),
           "merge(self, other, /)\n--\n\nAdds all that another tracker of other members holds; MergeError, and no change, "
           "where they share a key.")
      .def("__reduce__", &reduce)
      .def("__copy__", [](const PyTracker& self) { return PyTracker(self); })
      .def(
          "__deepcopy__", [](const PyTracker& self, const py::dict&) { return PyTracker(self); }, py::arg("memo"))
      .def(
          "__eq__", [](const PyTracker& self, const PyTracker& other) { return self.tracker == other.tracker; },
          py::is_operator())
      .def("__len__", [](const PyTracker& self) { return self.tracker.member_count(); })
      .def("__contains__",
           [](const PyTracker& self, const py::object& id) {
             const auto text = PyUnicode_Check(id.ptr()) ? utf8_of(id.ptr()) : std::nullopt;
             return text && self.tracker.member(*text).has_value();
           })
      .def("__iter__", [](const PyTracker& self) { return py::iter(member_ids(self)); })
      .def("_repr_html_", [](const py::object& self) { return checked(steal(show(self.ptr(), nullptr))); })
      .def("__repr__",
           [](const PyTracker& self) {
             const Tracker& held = self.tracker;
             return "<bankhook.Tracker of " + std::to_string(held.member_count()) + " members, " +
                    std::to_string(held.connection_count()) + " connections, " + std::to_string(held.transaction_count()) +
                    " transactions>";
           })
      .def_property_readonly(
          "accept_late", [](const PyTracker& self) { return self.tracker.options().accept_late; },
          "Whether a `create` or `created` for something already known is applied.")
      .def_property_readonly(
          "unlist", [](const PyTracker& self) { return self.tracker.options().unlist; },
          "Whether a connection that is no longer listed becomes unlisted.")
      .def_property_readonly(
          "memory", [](const PyTracker& self) { return self.tracker.memory(); }, "Bytes of memory that the tracker holds.");
}

}  // namespace

void register_tracker(pybind11::module_& module) {
  py::options options;
  options.disable_function_signatures();  // pybind11's are for people; inspect.signature reads CPython's own form
  prepare_outcomes(module);
  register_class<Membership>(module);
  register_class<TrackedMember>(module);
  register_class<TrackedConnection>(module);
  register_class<TrackedTransaction>(module);
  py::class_<PyTracker> tracker(module, "Tracker",
                                "Tracker(*, accept_late=False, unlist=True)\n--\n\n"
                                "Follows every member, bank connection and initial transaction through their events.",
                                py::is_final(), py::custom_type_setup(set_tracker_slots));
  tracker.attr("__hash__") = py::none();
  register_events_of(tracker);
  add_queries(tracker);
  add_batches(tracker);
  register_storage(tracker);
  make_immutable(tracker);
}

}  // namespace bankhook::python
