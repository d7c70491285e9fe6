// SPDX-License-Identifier: MIT
// Dates and date-times as Python's own.
#include "python_types.hpp"

#include <datetime.h>

namespace bankhook::python {
namespace {

/// The calendar and clock of a date-time, without a zone or with `zone`.
template <class T>
PyObject* datetime_of(const T& value, PyObject* zone) {
  if (PyDateTimeAPI == nullptr) PyDateTime_IMPORT;
  const text::DateTime& fields = value.fields();
  return PyDateTimeAPI->DateTime_FromDateAndTime(
      static_cast<int>(fields.date.year()), static_cast<int>(static_cast<unsigned>(fields.date.month())),
      static_cast<int>(static_cast<unsigned>(fields.date.day())), fields.hour, fields.minute, fields.second,
      static_cast<int>(fields.nanosecond / 1000), zone, PyDateTimeAPI->DateTimeType);
}

}  // namespace

PyObject* PythonType<std::chrono::year_month_day>::to_python(std::chrono::year_month_day value) {
  if (PyDateTimeAPI == nullptr) PyDateTime_IMPORT;
  return PyDate_FromDate(static_cast<int>(value.year()), static_cast<int>(static_cast<unsigned>(value.month())),
                         static_cast<int>(static_cast<unsigned>(value.day())));
}

PyObject* PythonType<LocalTimestamp>::to_python(const LocalTimestamp& value) { return datetime_of(value, Py_None); }

PyObject* PythonType<Timestamp>::to_python(const Timestamp& value) {
  if (PyDateTimeAPI == nullptr) PyDateTime_IMPORT;
  if (!value.has_offset()) return datetime_of(value, Py_None);
  if (value.offset().count() == 0) return datetime_of(value, PyDateTime_TimeZone_UTC);
  PyObject* const delta = PyDelta_FromDSU(0, static_cast<int>(value.offset().count() * 60), 0);
  PyObject* const zone = delta == nullptr ? nullptr : PyTimeZone_FromOffset(delta);
  Py_XDECREF(delta);
  if (zone == nullptr) return nullptr;
  PyObject* const result = datetime_of(value, zone);
  Py_DECREF(zone);
  return result;
}

}  // namespace bankhook::python
