// SPDX-License-Identifier: MIT
// The iterator of `parse_lines`: parts of an archive are read at once, without the interpreter's lock.
#include "archive_reader.hpp"
#include "class.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "functions.hpp"
#include "records.hpp"
#include "register.hpp"
#include "unlocked.hpp"

#include <structmember.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

PyTypeObject* reader_type = nullptr;
constexpr std::size_t every_event = std::variant_size_v<AnyEvent>;

void drop_batch(Reading& reading) {
  if (reading.batch != nullptr) std::exchange(reading.batch, nullptr)->release();
}

void take_batch(Reading& reading, ArchivePart& part, std::vector<ArchiveLine> lines) {
  drop_batch(reading);
  reading.elements = std::move(part.elements);
  reading.batch = new BatchBlock(part.bytes.ptr(), reading.arena.release(), std::move(lines));
  reading.batch->take();
  reading.next = 0;
}

/// Whether there was another part; its lines are the batch then. False with or without an exception.
bool read_more(ArchiveReader& self) {
  Reading& reading = *self.reading;
  ArchivePart part;
  if (!reading.parts.next(self.source, part)) return false;
  std::vector<ArchiveLine> lines;
  if (reading.line_size > 0) lines.reserve(part.text.size() / reading.line_size * 9 / 8 + 1);
  {
    const Unlocked without_lock;
    with_reader(part, reading, [&](auto& reader) { detail::read_all(reader, lines); });
  }
  if (!lines.empty()) reading.line_size = part.text.size() / lines.size() + 1;
  take_batch(reading, part, std::move(lines));
  return PyErr_CheckSignals() == 0;  // if a handler raises, the events that were read come when they are asked for again
}

PyObject* event_of(const ArchiveLine& line, Block& block) {
  return std::visit(
      [&]<class T>(const T& event) { return make_view(class_of<T>, static_cast<const void*>(&event), block); },
      *line.event);
}

/// The exception that is set says which line of the archive it is about.
void note_line(std::size_t line) {
  pybind11::error_already_set raised;
  const std::string note = "in line " + std::to_string(line) + " of the archive";
  raised.value().attr("add_note")(note);
  raised.restore();
}

/// Reports a line that is no event, or raises its error; false with an exception.
bool refuse_line(ArchiveReader& self, const ArchiveLine& line) {
  const pybind11::object raw = bytes_of(line.raw);
  if (self.refuse != Py_None) {
    const pybind11::object line_number = number(line.number);
    return static_cast<bool>(steal(PyObject_CallFunctionObjArgs(self.refuse, line_number.ptr(), raw.ptr(), nullptr)));
  }
  const std::size_t line_number = line.number;
  raise_as(line.event.error(), raw);
  if (PyErr_ExceptionMatches(values.parse_error) != 0) note_line(line_number);
  return false;
}

PyObject* next_event(ArchiveReader& self) {
  Reading& reading = *self.reading;
  for (;;) {
    if (reading.batch == nullptr || reading.next == reading.batch->lines.size()) {
      if (!read_more(self)) return nullptr;
      continue;
    }
    const ArchiveLine& line = reading.batch->lines[reading.next++];
    if (line.event) [[likely]] {
      if (line.event->index() != self.wanted && self.wanted != every_event) continue;
      if (!self.numbered) return event_of(line, *reading.batch);
      const pybind11::object line_number = number(line.number);
      const pybind11::object event = checked(steal(event_of(line, *reading.batch)));
      return PyTuple_Pack(2, line_number.ptr(), event.ptr());
    }
    if (!refuse_line(self, line)) return nullptr;
  }
}

PyObject* iterate(PyObject* object) {
  ArchiveReader& self = archive_reader(object);
  const Busy busy(*self.reading);
  return next_event(self);
}

/// Closes the source; the events that were read of it are given no more.
PyObject* close_reader(PyObject* object) {
  auto& self = *reinterpret_cast<ArchiveReader*>(object);
  const Busy busy(*self.reading);
  drop_batch(*self.reading);
  const pybind11::object source = steal(std::exchange(self.source, nullptr));
  if (!source || PyBytes_CheckExact(source.ptr())) Py_RETURN_NONE;
  return PyObject_CallMethod(source.ptr(), "close", nullptr);
}

/// Which alternative of AnyEvent a class is, their count for None. Throws TypeError for anything else.
std::size_t wanted_event(PyObject* given) {
  if (given == Py_None) return every_event;
  std::size_t index = 0;
  const bool is_another = for_each_class([&]<class T>() {
    if constexpr (!is_event<T>) return true;
    else return reinterpret_cast<PyObject*>(class_of<T>) != given && ++index > 0;
  });
  if (!is_another) return index;
  const bool is_class = PyType_Check(given);
  PyErr_Format(PyExc_TypeError, "of: expected the class of an event, found %s",
               is_class ? reinterpret_cast<PyTypeObject*>(given)->tp_name : Py_TYPE(given)->tp_name);
  throw pybind11::error_already_set();
}

PyObject* make_reader(PyObject*, PyObject* arguments) {
  PyObject *source = nullptr, *refuse = Py_None, *of = Py_None;
  int numbered = 0;
  if (PyArg_ParseTuple(arguments, "O|OOp:_read_archive", &source, &refuse, &of, &numbered) == 0) return nullptr;
  const std::size_t wanted = wanted_event(of);
  fix_names();
  auto reading = std::make_unique<Reading>();
  auto* const self = PyObject_GC_New(ArchiveReader, reader_type);
  if (self == nullptr) return nullptr;
  self->source = Py_NewRef(source);
  self->refuse = Py_NewRef(refuse);
  self->references = nullptr;
  self->wanted = wanted;
  self->numbered = numbered != 0;
  self->reading = reading.release();
  PyObject_GC_Track(self);
  return reinterpret_cast<PyObject*>(self);
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  auto* const self = reinterpret_cast<ArchiveReader*>(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->source);
  Py_VISIT(self->refuse);
  return 0;
}

void destroy(PyObject* object) {
  auto* const self = reinterpret_cast<ArchiveReader*>(object);
  PyTypeObject* const type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  if (self->references != nullptr) PyObject_ClearWeakRefs(object);
  drop_batch(*self->reading);
  delete self->reading;
  Py_XDECREF(self->source);
  Py_DECREF(self->refuse);
  PyObject_GC_Del(object);
  Py_DECREF(type);
}

/// Of the event that was given or refused last.
PyObject* last_column(PyObject* object) {
  const Reading& reading = *reinterpret_cast<ArchiveReader*>(object)->reading;
  const bool is_element = reading.next > 0 && reading.next <= reading.elements.size();
  return PyLong_FromSize_t(is_element ? reading.elements[reading.next - 1].column : 0);
}

PyMethodDef reader_methods[] = {
    with_none<close_reader>("close", "(self) -> None", "Close the source."),
    with_none<last_column>("column", "(self) -> int", "Characters before the last event or rejected line, on its line."),
    {},
};
PyMemberDef reader_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(ArchiveReader, references), READONLY, nullptr},
    {},
};
PyType_Slot slots[] = {
    slot(Py_tp_dealloc, destroy),
    slot(Py_tp_traverse, traverse),
    slot(Py_tp_iter, PyObject_SelfIter),
    slot(Py_tp_iternext, guarded<iterate, PyObject*>),
    slot(Py_tp_methods, reader_methods),
    slot(Py_tp_members, reader_members),
    slot(Py_tp_doc, "The events of an archive, in its order."),
    {},
};
PyType_Spec spec = {
    .name = "bankhook._core._ArchiveReader",
    .basicsize = sizeof(ArchiveReader),
    .itemsize = 0,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
PyMethodDef line_functions[] = {
    with_several<make_reader>(
        "_read_archive",
        "(source: object, refuse: Callable[[int, bytes], object] | None = None, of: type | None = None, "
        "numbered: bool = False, /) -> _ArchiveReader",
        "The events in what `source` holds, bytes, or what its `read(size)` gives; `refuse(line, raw)` is\n"
        "called for lines that are not events; without it, their error is raised."),
    {},
};

}  // namespace

ArchiveReader& archive_reader(PyObject* object) {
  if (Py_TYPE(object) != reader_type) {
    refuse_argument("archive_reader", "a reader", object);
    throw pybind11::error_already_set();
  }
  auto& reader = *reinterpret_cast<ArchiveReader*>(object);
  if (reader.source != nullptr) return reader;
  PyErr_SetString(PyExc_ValueError, "the archive was closed");
  throw pybind11::error_already_set();
}

void register_lines(pybind11::module_& module) {
  const pybind11::object type = steal(PyType_FromSpec(&spec));
  if (!type) throw pybind11::error_already_set();
  module.attr("_ArchiveReader") = type;
  note_bound("_ArchiveReader.close", reader_methods[0].ml_doc);
  note_bound("_ArchiveReader.column", reader_methods[1].ml_doc);
  note_signature("_ArchiveReader.__iter__", "(self) -> Self");
  note_signature("_ArchiveReader.__next__", "(self) -> Any");
  add_functions(module, line_functions);
  reader_type = reinterpret_cast<PyTypeObject*>(pybind11::object(type).release().ptr());
}

}  // namespace bankhook::python
