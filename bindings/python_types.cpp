// SPDX-License-Identifier: MIT
// Text, counts, dates and date-times as Python's own and back, without a rounding and without a guess.
#include "python_types.hpp"

#include <datetime.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace bankhook::python {
namespace {

/// The calendar and clock of a date-time, without a zone or with `zone`.
PyObject* datetime_of(const auto& value, PyObject* zone) {
  const detail::text::DateTime& fields = value.fields();
  return PyDateTimeAPI->DateTime_FromDateAndTime(
      static_cast<int>(fields.date.year()), static_cast<int>(static_cast<unsigned>(fields.date.month())),
      static_cast<int>(static_cast<unsigned>(fields.date.day())), fields.hour, fields.minute, fields.second,
      static_cast<int>(fields.nanosecond / 1000), zone, PyDateTimeAPI->DateTimeType);
}

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

/// 0, 3 or 4 fraction digits if they hold the fraction, else 6.
int digits_for(std::chrono::microseconds time, int few) {
  return static_cast<std::uint64_t>(time.count()) % detail::text::powers_of_ten[static_cast<std::size_t>(6 - few)] == 0
             ? few
             : 6;
}

/// The offset from UTC in minutes. A subclass may give anything for it.
std::chrono::minutes offset_of(PyObject* object, const Place& place) {
  const pybind11::object held = checked(steal(PyObject_CallMethod(object, "utcoffset", nullptr)));
  PyObject* const delta = held.ptr();
  if (!PyDelta_Check(delta) || PyDateTime_DELTA_GET_MICROSECONDS(delta) != 0 ||
      PyDateTime_DELTA_GET_SECONDS(delta) % 60 != 0)
    refuse_value(place, "datetime with an offset of whole minutes");
  return std::chrono::days(PyDateTime_DELTA_GET_DAYS(delta)) +
         std::chrono::minutes(PyDateTime_DELTA_GET_SECONDS(delta) / 60);
}

/// Whether `object` is an int for us: bool is one to Python only.
bool is_integer(PyObject* object) { return PyLong_Check(object) && !PyBool_Check(object); }

std::string_view text_from_python(PyObject* object, const Place& place) {
  const auto text = PyUnicode_Check(object) ? utf8_of(object) : std::nullopt;
  return text ? *text : text_argument(place.name().c_str(), object);  // which says what is wrong with it
}

std::uint64_t count_from_python(PyObject* object, const Place& place) {
  if (!is_integer(object)) refuse_type(place, "int", object);
  const std::uint64_t value = PyLong_AsUnsignedLongLong(object);
  if (PyErr_Occurred() == nullptr) return value;
  clear_error(PyExc_OverflowError);
  refuse_value(place, "an int from 0 to 2**64 - 1");
}

Decimal decimal_from_python(PyObject* object, const Place& place) {
  auto* const decimal = reinterpret_cast<PyTypeObject*>(decimal_class());
  if (!is_integer(object) && PyObject_TypeCheck(object, decimal) == 0) refuse_type(place, "decimal.Decimal or int", object);
  // The digits of the number itself: what a subclass calls its text does not count.
  const pybind11::object text =
      unless_too_long(steal(PyLong_Check(object) ? PyNumber_ToBase(object, 10) : decimal->tp_str(object)));
  const auto digits = text ? utf8_of(text.ptr()) : std::nullopt;
  const auto parsed = digits ? Decimal::parse(*digits) : std::unexpected(Errc::decimal_out_of_range);
  if (parsed) return *parsed;
  const bool is_long = parsed.error() == Errc::exponent_out_of_range;
  refuse_value(place, is_long ? bankhook::detail::words_of(parsed.error()).expected
                              : "a finite decimal whose digits fit 64 bits with a sign");
}

std::chrono::year_month_day date_from_python(PyObject* object, const Place& place) {
  if (PyDateTime_Check(object) || !PyDate_Check(object)) refuse_type(place, "datetime.date", object);
  const std::chrono::year_month_day date = date_of(object);
  if (!detail::text::is_writable_date(date)) refuse_value(place, "a date that exists");
  return date;
}

LocalTimestamp local_timestamp_from_python(PyObject* object, const Place& place) {
  if (!PyDateTime_Check(object)) refuse_type(place, "datetime.datetime", object);
  if (PyDateTime_DATE_GET_TZINFO(object) != Py_None) refuse_value(place, "datetime without a zone");
  const std::chrono::microseconds time = time_of(object);
  const auto made = LocalTimestamp::make(date_of(object), time, digits_for(time, 4));  // 2.2 shows four digits
  if (!made) refuse_value(place, "datetime of the years 1 to 9999");
  return *made;
}

Timestamp timestamp_from_python(PyObject* object, const Place& place) {
  if (!PyDateTime_Check(object)) refuse_type(place, "datetime.datetime", object);
  const bool is_naive = PyDateTime_DATE_GET_TZINFO(object) == Py_None;
  const std::chrono::minutes offset = is_naive ? std::chrono::minutes() : offset_of(object, place);
  const std::chrono::microseconds time = time_of(object);
  const auto form = is_naive ? OffsetForm::none : offset.count() == 0 ? OffsetForm::z : OffsetForm::hours_colon_minutes;
  const int digits = digits_for(time, time.count() % 1'000'000 == 0 ? 0 : 3);
  const auto made = Timestamp::make(date_of(object), time, digits, offset, form);
  if (!made) refuse_value(place, "datetime with an offset of less than a day");
  return *made;
}

}  // namespace

void prepare_dates() {
  PyDateTime_IMPORT;
  if (PyDateTimeAPI == nullptr) throw pybind11::error_already_set();
}

/// Accented letters, as names of banks have them, are a byte each in a str: CPython's decoder takes three times as long.
PyObject* wide_to_python(std::string_view text) {
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) > 0xC3; }))
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), nullptr);
  PyObject* const result = PyUnicode_New(static_cast<Py_ssize_t>(detail::text::count_characters(text)), 0xFF);
  Py_UCS1* out = result == nullptr ? nullptr : PyUnicode_1BYTE_DATA(result);
  for (std::size_t i = 0; out != nullptr && i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    *out++ = static_cast<Py_UCS1>(c < 0x80 ? c : c << 6 | (text[++i] & 0x3F));
  }
  return result;
}

PyObject* value_to_python(std::chrono::year_month_day value) {
  return PyDate_FromDate(static_cast<int>(value.year()), static_cast<int>(static_cast<unsigned>(value.month())),
                         static_cast<int>(static_cast<unsigned>(value.day())));
}

PyObject* value_to_python(const LocalTimestamp& value) { return datetime_of(value, Py_None); }

PyObject* value_to_python(const Timestamp& value) {
  if (!value.has_offset()) return datetime_of(value, Py_None);
  if (value.offset().count() == 0) return datetime_of(value, PyDateTime_TimeZone_UTC);
  const pybind11::object delta = steal(PyDelta_FromDSU(0, static_cast<int>(value.offset().count() * 60), 0));
  const pybind11::object zone = delta ? steal(PyTimeZone_FromOffset(delta.ptr())) : delta;
  return zone ? datetime_of(value, zone.ptr()) : nullptr;
}

std::string Place::name() const {
  std::string name = outer == nullptr ? std::string(type) : outer->name();
  name.append(".").append(field);
  return index < 0 ? name : name.append("[").append(std::to_string(index)).append("]");
}

void refuse_type(const Place& place, const char* expected, PyObject* found) {
  refuse_argument(place.name().c_str(), expected, found);
}

void refuse_value(const Place& place, std::string_view expected) {
  fail(PyExc_ValueError, "%s: expected %s", place.name().c_str(), std::string(expected).c_str());
}

bool is_mapping(PyObject* object) {
  if (PyDict_Check(object)) return true;
  return pybind11::isinstance(object, pybind11::module_::import("collections.abc").attr("Mapping"));
}

PyObject* kept_dict(PyObject* mapping, Owners& kept) {
  if (PyDict_Check(mapping)) return kept.emplace_back(checked(steal(PyDict_Copy(mapping)))).ptr();
  PyObject* const dict = kept.emplace_back(checked(steal(PyDict_New()))).ptr();
  if (PyDict_Update(dict, mapping) != 0) throw pybind11::error_already_set();
  return dict;
}

PyObject* kept_tuple(PyObject* list, Owners& kept) {
  return kept.emplace_back(checked(steal(PyTuple_Check(list) ? Py_NewRef(list) : PyList_AsTuple(list)))).ptr();
}

void plain_from_python(PyObject* object, const detail::json::ValueType& type, void* out, const Place& place) {
  switch (type.kind) {
    case Kind::integer: *static_cast<std::uint64_t*>(out) = count_from_python(object, place); break;
    case Kind::decimal: *static_cast<Decimal*>(out) = decimal_from_python(object, place); break;
    case Kind::date: *static_cast<std::chrono::year_month_day*>(out) = date_from_python(object, place); break;
    case Kind::local_timestamp: *static_cast<LocalTimestamp*>(out) = local_timestamp_from_python(object, place); break;
    case Kind::timestamp: *static_cast<Timestamp*>(out) = timestamp_from_python(object, place); break;
    default:
      if (type.assign(text_from_python(object, place), out) == Errc::none) break;
      refuse_value(place, type.kind == Kind::tag ? type.text : bankhook::detail::words_of(type.expected).expected);
  }
}

}  // namespace bankhook::python
