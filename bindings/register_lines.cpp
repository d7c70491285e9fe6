// SPDX-License-Identifier: MIT
// The iterator of `parse_lines`: parts of an archive are read at once, without the interpreter's lock.
#include "archive_parts.hpp"
#include "bind.hpp"
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
void refuse_line(const ArchiveReader& reader, const ArchiveLine& line) {
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
  ArchiveReader& reader = archive_reader(object);
  const Busy busy(reader);
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
pybind11::object close_reader(PyObject* object) {
  ArchiveReader& reader = held<ArchiveReader>(object);
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
PyObject* make_reader(PyObject*, PyObject* source, PyObject* refuse, PyObject* of, PyObject* is_numbered) {
  return make_holder<ArchiveReader>({borrow(source), borrow(refuse), wanted_event(of), is_numbered == Py_True});
}

int traverse(PyObject* object, visitproc visit, void* arg) {
  const ArchiveReader& reader = held<ArchiveReader>(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(reader.source.ptr());
  Py_VISIT(reader.refuse.ptr());
  return 0;
}

pybind11::object last_column(PyObject* object) { return number(last_element(held<ArchiveReader>(object)).column); }

}  // namespace

ArchiveReader& archive_reader(PyObject* object) {
  if (Py_TYPE(object) != class_of<ArchiveReader>) refuse_argument("archive_reader", "a reader", object);
  auto& reader = held<ArchiveReader>(object);
  if (!reader.source) fail(PyExc_ValueError, "the archive was closed");
  return reader;
}

void register_lines(pybind11::module_& module) {
  make_holder_class<ArchiveReader>(module, "_ArchiveReader",
                                   {.slots = {slot(Py_tp_traverse, traverse), slot(Py_tp_iter, PyObject_SelfIter),
                                              slot(Py_tp_iternext, guarded<iterate>)},
                                    .methods = {method<close_reader>("close"), method<last_column>("column")},
                                    .flags = Py_TPFLAGS_HAVE_GC});
  add_functions(module, {method<make_reader>("_read_archive")});
}

}  // namespace bankhook::python
