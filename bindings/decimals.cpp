// SPDX-License-Identifier: MIT
// The one place that knows how CPython's _decimal lays out its objects: looked at when the module starts, never assumed.
#include "python_types.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace bankhook::python {
namespace {

/// The versions of CPython that the tests run with. With any other, decimals are made by their constructor.
constexpr bool is_tested = PY_MAJOR_VERSION == 3 && PY_MINOR_VERSION == 11;

/// An object of the C class Decimal. There is no public way around a call of its constructor with a str, which takes four
/// times as long as reading the whole field.
struct Laid {
  PyObject_HEAD Py_hash_t hash;
  std::uint8_t flags;
  Py_ssize_t exponent;
  Py_ssize_t digits;
  Py_ssize_t words;
  Py_ssize_t room;
  std::uint64_t* data;      ///< to `inside`, where the words fit
  std::uint64_t inside[4];  ///< of 19 digits each, so that our 64 bits fill one
};

constexpr std::uint8_t negative = 1;
constexpr std::uint8_t is_inside = 16 | 32;  ///< neither the number nor its words are freed on their own

PyTypeObject* decimal_type = nullptr;
PyObject* create = nullptr;  ///< create_decimal of a context so precise that nothing is rounded
bool is_known = false;       ///< whether this interpreter lays them out as `Laid` says

/// Sets all but the head of the object.
void lay_out(const Decimal& value, Laid& out) {
  const std::uint64_t magnitude = detail::text::magnitude_of(value.unscaled());
  out.hash = -1;  // not computed yet
  out.flags = is_inside | (value.unscaled() < 0 ? negative : 0);
  out.exponent = -Py_ssize_t{value.scale()};
  out.digits = detail::text::digit_count(magnitude);
  out.words = 1;
  out.room = std::ssize(out.inside);
  out.data = out.inside;
  out.inside[0] = magnitude;
}

PyObject* constructed(const Decimal& value) {
  char digits[Decimal::max_printed];
  const char* const end = value.print(digits);
  const pybind11::object text = steal(text_to_python({digits, end}));
  return text ? PyObject_CallOneArg(create, text.ptr()) : nullptr;
}

/// Whether what the constructor makes of `value` is what `lay_out` writes.
bool is_laid_out_so(const Decimal& value) {
  const pybind11::object object = checked(steal(constructed(value)));
  const Laid& real = *reinterpret_cast<const Laid*>(object.ptr());
  Laid ours{};
  lay_out(value, ours);
  return Py_TYPE(object.ptr()) == decimal_type && real.hash == ours.hash && real.flags == ours.flags &&
         real.exponent == ours.exponent && real.digits == ours.digits && real.words == ours.words &&
         real.room == ours.room && real.data == real.inside && real.inside[0] == ours.inside[0];
}

/// Zeros, signs, exponents and all numbers of digits.
bool are_laid_out_so() {
  if (decimal_type->tp_basicsize != sizeof(Laid) || decimal_type->tp_itemsize != 0) return false;
  if (decimal_type->tp_alloc != PyType_GenericAlloc || PyType_IS_GC(decimal_type)) return false;
  for (const Decimal special : {Decimal(0), Decimal(0, 2), Decimal(0, -3), Decimal(1, 1000), Decimal(INT64_MIN, 19)})
    if (!is_laid_out_so(special)) return false;
  std::int64_t unscaled = 0;
  for (int count = 1; count < 19; ++count) {
    unscaled = unscaled * 10 + 9;
    if (!is_laid_out_so(Decimal(unscaled, count)) || !is_laid_out_so(Decimal(-unscaled - 1, -count))) return false;
  }
  return true;
}

}  // namespace

bool prepare_decimals() {
  const pybind11::module_ decimal = pybind11::module_::import("decimal");
  const pybind11::object context = decimal.attr("Context")(pybind11::arg("prec") = decimal.attr("MAX_PREC"),
                                                           pybind11::arg("Emin") = decimal.attr("MIN_EMIN"),
                                                           pybind11::arg("Emax") = decimal.attr("MAX_EMAX"));
  decimal_type = reinterpret_cast<PyTypeObject*>(pybind11::object(decimal.attr("Decimal")).release().ptr());
  create = pybind11::object(context.attr("create_decimal")).release().ptr();
  const char* const wanted = std::getenv("BANKHOOK_DECIMALS");
  const bool is_turned_off = wanted != nullptr && std::string_view(wanted) == "constructed";  // whatever the version is
  return is_known = is_tested && !is_turned_off && are_laid_out_so();
}

PyObject* decimal_class() { return reinterpret_cast<PyObject*>(decimal_type); }

PyObject* value_to_python(const Decimal& value) {
  if (!is_known) [[unlikely]]
    return constructed(value);
  PyObject* const made = decimal_type->tp_alloc(decimal_type, 0);
  if (made != nullptr) lay_out(value, *reinterpret_cast<Laid*>(made));
  return made;
}

}  // namespace bankhook::python
