// SPDX-License-Identifier: MIT
// The iterator of `parse_lines`: parts of an archive are read at once, without the interpreter's lock.
#include "archive_parts.hpp"
#include "bound.hpp"
#include "classes.hpp"
#include "findings.hpp"
#include "records.hpp"
#include "unlocked.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace bankhook::python {
namespace {

constexpr std::size_t every_event = std::variant_size_v<AnyEvent>;

/// Whether there was another part; its lines are the batch then.
bool read_more(ArchiveReader& reader) {
  ArchivePart part;
  if (!reader.parts.next(reader.source.ptr(), part)) return false;
  std::vector<ArchiveLine> lines;
  if (reader.line_size > 0) lines.reserve(part.text.size() / reader.line_size * 9 / 8 + 1);
  {
    const Unlocked without_lock;
    PartReader events(part, reader.arena, reader.parts.lines);
    while (events.next(lines.emplace_back())) {
    }
    lines.pop_back();
  }
  if (!lines.empty()) reader.line_size = part.text.size() / lines.size() + 1;
  reader.elements = std::move(part.elements);
  reader.is_cut = part.is_cut;
  reader.batch.reset(new BatchBlock(part.bytes.ptr(), reader.arena.release(), std::move(lines)));
  reader.next = 0;
  // If a handler raises, the events that were read come when they are asked for again.
  check_signals();
  return true;
}

pybind11::object event_of(const ArchiveLine& line, Block& block) {
  const auto view = [&]<class T>(const T& event) { return make_view(class_of<T>, &event, block); };
  return checked(steal(std::visit(view, *line.event)));
}

/// Of the event that was given or refused last; as of a line, if it is one.
Element last_element(const ArchiveReader& reader) {
  const bool is_element = reader.next > 0 && reader.next <= reader.elements.size();
  return is_element ? reader.elements[reader.next - 1] : Element();
}

/// Reports a line that is no event, or throws its error, which says which line of the archive it is about.
BANKHOOK_COLD void refuse_line(const ArchiveReader& reader, const ArchiveLine& line) {
  const std::size_t line_number = line.number;
  const pybind11::object raw = bytes_of(line.raw);
  if (reader.refuse.ptr() != Py_None) {
    const pybind11::object refuse = reader.refuse;  // the reader may be closed meanwhile
    checked(steal(PyObject_CallFunctionObjArgs(refuse.ptr(), number(line_number).ptr(), raw.ptr(), nullptr)));
    return;
  }
  if (reader.is_cut && reader.next == reader.batch->lines.size()) return;  // why it is cut is raised next
  const Element element = last_element(reader);
  raise_as(line.event.error(), raw, Places::kept, element.before, element.column);
  pybind11::error_already_set raised;
  const std::string index = element.index ? "event " + std::to_string(*element.index) + " in " : "";
  if (raised.matches(values.parse_error))
    raised.value().attr("add_note")("in " + index + "line " + std::to_string(line_number) + " of the archive");
  throw raised;
}

pybind11::object iterate(PyObject* object) {
  ArchiveReader& reader = value_in<ArchiveReader>(object);
  const Busy busy(opened(reader));
  for (;;) {
    if (reader.batch == nullptr || reader.next == reader.batch->lines.size()) {
      if (!read_more(reader)) return {};
      continue;
    }
    const ArchiveLine& line = reader.batch->lines[reader.next++];
    if (!line.event) [[unlikely]] {
      refuse_line(reader, line);
    } else if (line.event->index() == reader.wanted || reader.wanted == every_event) {
      if (!reader.is_numbered) return event_of(line, *reader.batch);
      return pybind11::make_tuple(line.number, event_of(line, *reader.batch));
    }
  }
}

/// Closes the source; the events that were read of it are given no more.
pybind11::object close_reader(ArchiveReader& reader) {
  const Busy busy(reader);
  reader.batch.reset();
  const pybind11::object source = std::exchange(reader.source, {});
  if (!source || PyBytes_CheckExact(source.ptr())) return none();
  return source.attr("close")();
}

/// Which alternative of AnyEvent a class is, their count for None. Throws TypeError for anything else.
std::size_t wanted_event(PyObject* given) {
  if (given == Py_None) return every_event;
  const auto classes = event_classes();
  const auto found = std::ranges::find(classes, reinterpret_cast<PyTypeObject*>(given), &BoundClass::type);
  if (found != classes.end()) return static_cast<std::size_t>(found - classes.begin());
  const bool is_class = PyType_Check(given);
  fail(PyExc_TypeError, "of: expected the class of an event, found %s",
       is_class ? reinterpret_cast<PyTypeObject*>(given)->tp_name : Py_TYPE(given)->tp_name);
}

/// The events in what `source` holds, bytes, or what its `readinto(buffer)` gives; `refuse(line, raw)` is called for lines
/// that are not events; if it is None, their error is raised.
ArchiveReader make_reader(pybind11::handle source, pybind11::handle refuse, pybind11::handle of, bool is_numbered) {
  return {borrow(source), borrow(refuse), wanted_event(of.ptr()), is_numbered};
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(object));
  if (!pybind11::detail::is_holder_constructed(object)) return 0;  // while it is made
  const ArchiveReader& reader = value_in<ArchiveReader>(object);
  Py_VISIT(reader.source.ptr());
  Py_VISIT(reader.refuse.ptr());
  return 0;
}

std::size_t last_column(const ArchiveReader& reader) { return last_element(reader).column; }

/// Slots of CPython, which `for` calls for each event.
void add_slots(PyHeapTypeObject* type) {
  type->ht_type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type->ht_type.tp_traverse = traverse;
  type->ht_type.tp_iter = PyObject_SelfIter;
  type->ht_type.tp_iternext = guarded<iterate>;
}

}  // namespace

ArchiveReader& opened(ArchiveReader& reader) {
  if (!reader.source) fail(PyExc_ValueError, "the archive was closed");
  return reader;
}

void register_lines(pybind11::module_& module) {
  open_class<ArchiveReader>(module, "_ArchiveReader", nullptr, add_slots)
      .def("close", checking("_ArchiveReader.close", close_reader))
      .def("column", checking("_ArchiveReader.column", last_column));
  close_class<ArchiveReader>();
  module.def("_read_archive", checking("_read_archive", make_reader));
}

}  // namespace bankhook::python
