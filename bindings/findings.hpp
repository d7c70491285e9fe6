// SPDX-License-Identifier: MIT
// Findings as Python's records and back, the error that carries them, and payloads that become objects.
#pragma once

#include "library.hpp"
#include "unlocked.hpp"
#include "values.hpp"

#include <cstddef>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

namespace bankhook::python {

/// The one of bankhook.rules that stands for a rule.
pybind11::object to_python(const Rule& rule);

/// A bankhook.types.Finding, with None for a missing offset, line and column; its steps are str and int. Throws what Python
/// raises, as all of these do.
pybind11::object finding_to_python(const Finding& finding);
/// bankhook.types.Findings, which shows them in `payload`: bytes, or None without a payload.
pybind11::object to_python(const std::vector<Finding>& findings, PyObject* payload);

/// What `diagnose` finds in a payload (bytes), of the rules that are asked for.
std::vector<Finding> diagnosed(const pybind11::object& bytes, RuleFilter wanted = nullptr);

/// Whether findings keep their offset, line and column: not if the caller never had the text that they are in.
enum class Places : bool { left_out, kept };

/// Raises bankhook.ParseError for `reason`, one of `findings`; always null.
PyObject* raise(Finding reason, std::vector<Finding> findings, Places places = Places::kept);

/// Raises it for something that is in no text.
PyObject* raise_refusal(RuleId rule, detail::json::Path path, std::string_view expected, std::string_view found);

/// Raises ParseError for a payload (bytes) for which `parse_as<T>` gave `error`, with places that count from the start of
/// its line, on which so much precedes it; MemoryError if memory ran out. Always null.
template <class T = AnyEvent>
PyObject* raise_as(const Error& error, const pybind11::object& bytes, Places places = Places::kept,
                   std::size_t bytes_before = 0, std::size_t characters_before = 0) {
  if (error.code == Errc::out_of_memory) return PyErr_NoMemory();
  const std::string_view text = text_of(bytes);
  auto rejection = unlocked(text.size() >= long_text, [&] { return rejection_of<T>(error, text); });
  for (Finding& finding : rejection.findings) {
    if (finding.offset) *finding.offset += bytes_before;
    if (finding.line == 1U) *finding.column += characters_before;
  }
  return raise(rejection.findings[rejection.first], rejection.findings, places);
}

/// Raises ParseError and returns false if `diagnose` finds that a payload (bytes) breaks a rule that is stated.
bool keeps_what_is_stated(const pybind11::object& bytes, Places places);

/// The payload as bytes, a new reference: bytes as they are, all else copied, because it could change.
/// bytearray, memoryview, mmap and str are taken; Throws TypeError, that names the function, for others.
pybind11::object payload_bytes(PyObject* payload, const char* function);

/// The event of a payload (bytes).
PyObject* read_event(const pybind11::object& bytes, bool strict, Places places = Places::kept);
/// An object of `cls` or, for an event's class, of any event's, from JSON (bytes).
PyObject* read_as(PyTypeObject* cls, const pybind11::object& bytes, bool strict, Places places);

}  // namespace bankhook::python
