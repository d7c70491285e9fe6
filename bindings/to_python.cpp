// SPDX-License-Identifier: MIT
// Decimals, dates and date-times as Python's own.
#include "to_python.hpp"

#include <datetime.h>

namespace bankhook::python {
namespace {

/// The calendar and clock of a date-time, without a zone or with `zone`.
template <class T>
PyObject* datetime_of(const T& value, PyObject* zone) {
  if (PyDateTimeAPI == nullptr) PyDateTime_IMPORT;
  const std::chrono::year_month_day date = value.date();
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::microseconds>(value.time_of_day()));
  return PyDateTimeAPI->DateTime_FromDateAndTime(
      static_cast<int>(date.year()), static_cast<int>(static_cast<unsigned>(date.month())),
      static_cast<int>(static_cast<unsigned>(date.day())), static_cast<int>(clock.hours().count()),
      static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
      static_cast<int>(clock.subseconds().count()), zone, PyDateTimeAPI->DateTimeType);
}

}  // namespace

PyObject* to_python(const Decimal& value) {
  char digits[Decimal::max_printed];
  const char* const end = value.print(digits);
  PyObject* const text = text_to_python({digits, end});
  if (text == nullptr) return nullptr;
  PyObject* const result = PyObject_CallOneArg(values.create_decimal, text);
  Py_DECREF(text);
  return result;
}

PyObject* to_python(std::chrono::year_month_day value) {
  if (PyDateTimeAPI == nullptr) PyDateTime_IMPORT;
  return PyDate_FromDate(static_cast<int>(value.year()), static_cast<int>(static_cast<unsigned>(value.month())),
                         static_cast<int>(static_cast<unsigned>(value.day())));
}

PyObject* to_python(const LocalTimestamp& value) { return datetime_of(value, Py_None); }

PyObject* to_python(const Timestamp& value) {
  if (PyDateTimeAPI == nullptr) PyDateTime_IMPORT;
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
