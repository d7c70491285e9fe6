// SPDX-License-Identifier: MIT
// The iterator of `parse_lines`: parts of an archive are read at once, without the interpreter's lock.
#include "batch.hpp"
#include "class.hpp"
#include "functions.hpp"
#include "register.hpp"
#include "unlocked.hpp"

#include <structmember.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

/// What goes on after the Python object.
struct Reading {
  Arena arena{};                ///< keeps what the reader remembers of lengths from part to part
  std::size_t before = 0;       ///< lines before the next part
  BatchBlock* batch = nullptr;  ///< held with a share of its own
  std::size_t next = 0;         ///< in the batch
  bool busy = false;            ///< a part is being read
};

struct EventIterator {
  PyObject_HEAD PyObject* more;  ///< () -> (bytes, begin, end) of whole lines, None at the end
  PyObject* refuse;              ///< (line number, raw) for each line that is no event
  Reading* reading;
};

PyTypeObject* iterator_type = nullptr;

void drop_batch(Reading& reading) {
  if (reading.batch != nullptr) std::exchange(reading.batch, nullptr)->release();
}

/// Whole lines in bytes.
struct Part {
  PyObject* bytes = nullptr;  ///< borrowed
  std::string_view lines{};
};

/// Of what `more()` gives: bytes, and where in them the lines begin and end. False with an exception for anything else.
bool part_of(const pybind11::object& given, Part& out) {
  Py_ssize_t begin = 0, end = 0;
  if (!PyTuple_Check(given.ptr()) || PyArg_ParseTuple(given.ptr(), "Snn", &out.bytes, &begin, &end) == 0) {
    if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_TypeError, "expected bytes, begin and end of whole lines");
    return false;
  }
  if (begin < 0 || begin > end || end > PyBytes_GET_SIZE(out.bytes)) {
    PyErr_SetString(PyExc_ValueError, "expected a begin and an end in the bytes");
    return false;
  }
  out.lines = {PyBytes_AS_STRING(out.bytes) + begin, static_cast<std::size_t>(end - begin)};
  return true;
}

void take_batch(Reading& reading, const Part& part, Arena& memory, std::vector<ArchiveLine> lines, std::size_t before) {
  reading.before = before;
  drop_batch(reading);
  reading.batch = new BatchBlock(part.bytes, memory.release(), std::move(lines));
  reading.batch->take();
  reading.next = 0;
}

/// Whether there was another part; its lines are the batch then. False with or without an exception.
bool read_more(EventIterator& self) {
  Reading& reading = *self.reading;
  const pybind11::object given = steal(PyObject_CallNoArgs(self.more));
  Part part;
  if (!given || given.is_none() || !part_of(given, part)) return false;
  std::vector<ArchiveLine> lines;
  lines.reserve(reading.batch == nullptr ? 0 : reading.batch->lines.size() * 9 / 8);  // parts are much alike
  std::size_t before = 0;
  {
    const Unlocked without_lock;
    before = parse_lines(part.lines, reading.arena, lines, reading.before);
  }
  take_batch(reading, part, reading.arena, std::move(lines), before);
  return PyErr_CheckSignals() == 0;  // if a handler raises, the events that were read come when they are asked for again
}

PyObject* event_of(const ArchiveLine& line, Block& block) {
  return std::visit(
      [&]<class T>(const T& event) { return make_view(class_of<T>, static_cast<const void*>(&event), block); },
      *line.event);
}

/// Tells of a line that is no event; false with an exception where the listener raised one.
bool refuse_line(EventIterator& self, const ArchiveLine& line) {
  const auto size = static_cast<Py_ssize_t>(line.raw.size());
  const pybind11::object raw = steal(PyBytes_FromStringAndSize(line.raw.data(), size));
  const pybind11::object number = raw ? steal(PyLong_FromSize_t(line.number)) : raw;
  if (!number) return false;
  const pybind11::object done = steal(PyObject_CallFunctionObjArgs(self.refuse, number.ptr(), raw.ptr(), nullptr));
  return static_cast<bool>(done);
}

PyObject* next_event(EventIterator& self) {
  Reading& reading = *self.reading;
  for (;;) {
    if (reading.batch == nullptr || reading.next == reading.batch->lines.size()) {
      if (!read_more(self)) return nullptr;
      continue;
    }
    const ArchiveLine& line = reading.batch->lines[reading.next++];
    if (line.event) [[likely]]
      return event_of(line, *reading.batch);
    if (!refuse_line(self, line)) return nullptr;
  }
}

PyObject* iterate(PyObject* object) {
  auto& self = *reinterpret_cast<EventIterator*>(object);
  if (std::exchange(self.reading->busy, true))
    return PyErr_Format(PyExc_RuntimeError, "these events are being read by another thread or from within");
  PyObject* const event = guarded<next_event, EventIterator&>(self);
  self.reading->busy = false;
  return event;
}

PyObject* make_iterator(PyObject*, PyObject* arguments) {
  PyObject* more = nullptr;
  PyObject* refuse = nullptr;
  if (PyArg_ParseTuple(arguments, "OO:_events", &more, &refuse) == 0) return nullptr;
  fix_names();
  auto reading = std::make_unique<Reading>();
  auto* const self = PyObject_GC_New(EventIterator, iterator_type);
  if (self == nullptr) return nullptr;
  self->more = Py_NewRef(more);
  self->refuse = Py_NewRef(refuse);
  self->reading = reading.release();
  PyObject_GC_Track(self);
  return reinterpret_cast<PyObject*>(self);
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  auto* const self = reinterpret_cast<EventIterator*>(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->more);
  Py_VISIT(self->refuse);
  return 0;
}

void destroy(PyObject* object) {
  auto* const self = reinterpret_cast<EventIterator*>(object);
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  drop_batch(*self->reading);
  delete self->reading;
  Py_DECREF(self->more);
  Py_DECREF(self->refuse);
  PyObject_GC_Del(object);
  Py_DECREF(type);
}

PyType_Slot slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_iter, reinterpret_cast<void*>(PyObject_SelfIter)},
    {Py_tp_iternext, reinterpret_cast<void*>(iterate)},
    {Py_tp_doc, const_cast<char*>("The events of an archive, in its order.")},
    {},
};
PyType_Spec spec = {
    .name = "bankhook._core._EventIterator",
    .basicsize = sizeof(EventIterator),
    .itemsize = 0,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
PyMethodDef line_functions[] = {
    {"_events", guarded<make_iterator>, METH_VARARGS,
     "_events(more, refuse, /)\n--\n\nThe events in what `more()` gives, (bytes, begin, end) of whole lines, until it "
     "gives None; "
     "`refuse(line, raw)` is told of lines that are none."},
    {},
};

}  // namespace

void register_lines(pybind11::module_& module) {
  const pybind11::object type = steal(PyType_FromSpec(&spec));
  if (!type) throw pybind11::error_already_set();
  add_functions(module, line_functions);
  iterator_type = reinterpret_cast<PyTypeObject*>(pybind11::object(type).release().ptr());
}

}  // namespace bankhook::python
