// SPDX-License-Identifier: MIT
// Text, counts, decimals, dates and date-times from Python's own, without a rounding and without a guess.
#include "from_python.hpp"

#include "decimals.hpp"

#include <datetime.h>

#include <utility>

namespace bankhook::python {
namespace {

std::chrono::year_month_day date_of(PyObject* object) {
  return {std::chrono::year(PyDateTime_GET_YEAR(object)),
          std::chrono::month(static_cast<unsigned>(PyDateTime_GET_MONTH(object))),
          std::chrono::day(static_cast<unsigned>(PyDateTime_GET_DAY(object)))};
}

std::chrono::microseconds time_of(PyObject* object) {
  return std::chrono::hours(PyDateTime_DATE_GET_HOUR(object)) + std::chrono::minutes(PyDateTime_DATE_GET_MINUTE(object)) +
         std::chrono::seconds(PyDateTime_DATE_GET_SECOND(object)) +
         std::chrono::microseconds(PyDateTime_DATE_GET_MICROSECOND(object));
}

bool is_datetime(PyObject* object) {
  if (PyDateTimeAPI == nullptr) PyDateTime_IMPORT;
  return PyDateTime_Check(object);
}

/// The fewest of `choices` digits that hold the fraction.
int digits_for(std::chrono::microseconds time, int few) {
  std::int64_t unit = 1'000'000;
  for (int i = 0; i < few; ++i) unit /= 10;
  return time.count() % unit == 0 ? few : 6;
}

/// The offset from UTC in minutes; false where it is not whole. A subclass may give anything for it.
bool offset_of(PyObject* object, std::chrono::minutes& out, const Place& place) {
  PyObject* const delta = PyObject_CallMethod(object, "utcoffset", nullptr);
  if (delta == nullptr) return false;
  const bool whole = PyDelta_Check(delta) && PyDateTime_DELTA_GET_MICROSECONDS(delta) == 0 &&
                     PyDateTime_DELTA_GET_SECONDS(delta) % 60 == 0;
  if (whole)
    out = std::chrono::days(PyDateTime_DELTA_GET_DAYS(delta)) +
          std::chrono::minutes(PyDateTime_DELTA_GET_SECONDS(delta) / 60);
  Py_DECREF(delta);
  return whole || refuse_value(place, "datetime with an offset of whole minutes");
}

/// The digits of an exact integer or decimal, a new reference; what a subclass calls its text does not count.
PyObject* digits_of(PyObject* object) {
  auto* const decimal = reinterpret_cast<PyTypeObject*>(decimal_class());
  return PyLong_Check(object) ? PyNumber_ToBase(object, 10) : decimal->tp_str(object);
}

/// Whether `object` is an int for us: bool is one to Python only.
bool is_integer(PyObject* object) { return PyLong_Check(object) && !PyBool_Check(object); }

}  // namespace

std::string Place::name() const {
  std::string name = outer == nullptr ? std::string(type) : outer->name();
  name.append(".").append(field);
  return index < 0 ? name : name.append("[").append(std::to_string(index)).append("]");
}

bool refuse_type(const Place& place, const char* expected, PyObject* found) {
  PyErr_Format(PyExc_TypeError, "%s: expected %s, found %s", place.name().c_str(), expected, Py_TYPE(found)->tp_name);
  return false;
}

bool refuse_value(const Place& place, std::string_view expected) {
  PyErr_Format(PyExc_ValueError, "%s: expected %s", place.name().c_str(), std::string(expected).c_str());
  return false;
}

int is_mapping(PyObject* object) {
  if (PyDict_Check(object)) return 1;
  const pybind11::object abc = steal(PyImport_ImportModule("collections.abc"));
  const pybind11::object mapping = abc ? steal(PyObject_GetAttrString(abc.ptr(), "Mapping")) : abc;
  return mapping ? PyObject_IsInstance(object, mapping.ptr()) : -1;
}

PyObject* kept_dict(PyObject* mapping, Kept& kept) {
  pybind11::object dict = steal(PyDict_Check(mapping) ? PyDict_Copy(mapping) : PyDict_New());
  if (!dict || (!PyDict_Check(mapping) && PyDict_Update(dict.ptr(), mapping) != 0)) return nullptr;
  return kept.emplace_back(std::move(dict)).ptr();
}

PyObject* kept_tuple(PyObject* list, Kept& kept) {
  pybind11::object tuple =
      PyTuple_Check(list) ? pybind11::reinterpret_borrow<pybind11::object>(list) : steal(PyList_AsTuple(list));
  return tuple ? kept.emplace_back(std::move(tuple)).ptr() : nullptr;
}

bool PythonType<std::string_view>::from_python(PyObject* object, std::string_view& out, const Place& place) {
  if (!PyUnicode_Check(object)) return refuse_type(place, "str", object);
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
  if (text == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) return false;
    PyErr_Clear();
    return refuse_value(place, "str without surrogates");
  }
  out = {text, static_cast<std::size_t>(size)};
  return true;
}

bool PythonType<std::uint64_t>::from_python(PyObject* object, std::uint64_t& out, const Place& place) {
  if (!is_integer(object)) return refuse_type(place, "int", object);
  out = PyLong_AsUnsignedLongLong(object);
  if (PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  return refuse_value(place, "an int from 0 to 2**64 - 1");
}

bool PythonType<Decimal>::from_python(PyObject* object, Decimal& out, const Place& place) {
  const bool is_decimal = PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(decimal_class())) != 0;
  if (!is_integer(object) && !is_decimal) return refuse_type(place, "decimal.Decimal or int", object);
  PyObject* const text = digits_of(object);
  if (text == nullptr && PyErr_ExceptionMatches(PyExc_ValueError) == 0) return false;
  PyErr_Clear();  // of an int with thousands of digits, which Python does not print
  const char* const digits = text == nullptr ? nullptr : PyUnicode_AsUTF8(text);
  const auto parsed = digits == nullptr ? std::unexpected(Errc::decimal_out_of_range) : Decimal::parse(digits);
  Py_XDECREF(text);
  if (!parsed) return refuse_value(place, "a finite decimal whose digits fit 64 bits with a sign");
  out = *parsed;
  return true;
}

bool PythonType<std::chrono::year_month_day>::from_python(PyObject* object, std::chrono::year_month_day& out,
                                                          const Place& place) {
  if (is_datetime(object) || !PyDate_Check(object)) return refuse_type(place, "datetime.date", object);
  out = date_of(object);
  return text::is_writable_date(out) || refuse_value(place, "a date that exists");
}

bool PythonType<LocalTimestamp>::from_python(PyObject* object, LocalTimestamp& out, const Place& place) {
  if (!is_datetime(object)) return refuse_type(place, "datetime.datetime", object);
  if (PyDateTime_DATE_GET_TZINFO(object) != Py_None) return refuse_value(place, "datetime without a zone");
  const std::chrono::microseconds time = time_of(object);
  const auto made = LocalTimestamp::make(date_of(object), time, digits_for(time, 4));  // 2.2 shows four digits
  if (!made) return refuse_value(place, "datetime of the years 1 to 9999");
  out = *made;
  return true;
}

bool PythonType<Timestamp>::from_python(PyObject* object, Timestamp& out, const Place& place) {
  if (!is_datetime(object)) return refuse_type(place, "datetime.datetime", object);
  std::chrono::minutes offset{};
  const bool is_naive = PyDateTime_DATE_GET_TZINFO(object) == Py_None;
  if (!is_naive && !offset_of(object, offset, place)) return false;
  const std::chrono::microseconds time = time_of(object);
  const auto form = is_naive ? OffsetForm::none : offset.count() == 0 ? OffsetForm::z : OffsetForm::hours_colon_minutes;
  const int digits = digits_for(time, time.count() % 1'000'000 == 0 ? 0 : 3);
  const auto made = Timestamp::make(date_of(object), time, digits, offset, form);
  if (!made) return refuse_value(place, "datetime with an offset of less than a day");
  out = *made;
  return true;
}

}  // namespace bankhook::python
