// SPDX-License-Identifier: MIT
// Numbers of the wire as Python's, and any JSON as json.loads gives it: what an unknown event holds.
#include "wire.hpp"

#include "decimals.hpp"

#include <array>
#include <charconv>
#include <optional>

namespace bankhook::python {
namespace {

/// The shortest digits of the float that is nearest to these; nothing if no float is as large or as small.
struct Nearest {
  double value = 0;
  std::array<char, 32> digits{};
  std::size_t size = 0;

  [[nodiscard]] std::string_view text() const { return {digits.data(), size}; }
};

std::optional<Nearest> nearest_float(std::string_view digits) {
  Nearest nearest;
  const char* const end = digits.data() + digits.size();
  if (std::from_chars(digits.data(), end, nearest.value).ec != std::errc()) return std::nullopt;
  const auto printed = std::to_chars(nearest.digits.data(), nearest.digits.data() + nearest.digits.size(), nearest.value);
  nearest.size = static_cast<std::size_t>(printed.ptr - nearest.digits.data());
  return nearest;
}

pybind11::object decimal_from(std::string_view digits) {
  const pybind11::object text = checked(steal(text_to_python(digits)));
  return checked(steal(PyObject_CallOneArg(decimal_class(), text.ptr())));
}

bool has_fraction(std::string_view digits) { return digits.find_first_of(".eE") != digits.npos; }

/// An int, or a Decimal for thousands of digits, of which Python makes no int.
pybind11::object whole_number(std::string_view digits) {
  pybind11::object number = steal(PyLong_FromString(std::string(digits).c_str(), nullptr, 10));
  if (number) return number;
  if (PyErr_ExceptionMatches(PyExc_ValueError) == 0) throw pybind11::error_already_set();
  PyErr_Clear();
  return decimal_from(digits);
}

/// Walks a text that was read before, so that nothing of it has to be checked: its nesting is bounded, too.
class Walker {
 public:
  Walker(std::string_view json, const WireNumbers& numbers) : rest_(json), numbers_(numbers) {}

  pybind11::object value() {
    skip_space();
    switch (rest_.front()) {
      case '{': return object();
      case '[': return array();
      case '"': return string();
      case 't': return skip(4), truth(true);
      case 'f': return skip(5), truth(false);
      case 'n': return skip(4), none();
      default: return number_here();
    }
  }

 private:
  void skip(std::size_t count) { rest_.remove_prefix(count); }
  void skip_space() { skip(rest_.find_first_not_of(" \t\n\r")); }

  /// Whether the next character is this one; then it is skipped. After it and before it may be space.
  bool takes(char c) {
    skip_space();
    if (rest_.front() != c) return false;
    skip(1);
    return true;
  }

  pybind11::object object() {
    const pybind11::object dict = checked(steal(PyDict_New()));
    for (skip(1); !takes('}'); takes(',')) {
      skip_space();
      const pybind11::object name = string();
      takes(':');
      if (PyDict_SetItem(dict.ptr(), name.ptr(), value().ptr()) != 0) throw pybind11::error_already_set();
    }
    return dict;
  }

  pybind11::object array() {
    const pybind11::object list = checked(steal(PyList_New(0)));
    for (skip(1); !takes(']'); takes(',')) {
      if (!check_signals(++turns_) || PyList_Append(list.ptr(), value().ptr()) != 0) throw pybind11::error_already_set();
    }
    return list;
  }

  pybind11::object string() {
    std::size_t end = rest_.find_first_of("\"\\", 1);
    const bool has_escapes = rest_[end] == '\\';
    while (rest_[end] == '\\') end = rest_.find_first_of("\"\\", end + 2);
    const std::string_view quoted = rest_.substr(0, end + 1);
    skip(end + 1);
    if (!has_escapes) return checked(steal(text_to_python(quoted.substr(1, quoted.size() - 2))));
    arena_.reset();
    const auto decoded = json::read<std::string_view>(quoted, arena_);
    if (!decoded) throw std::bad_alloc();  // it was read before: nothing else can fail
    return checked(steal(text_to_python(*decoded)));
  }

  pybind11::object number_here() {
    const std::string_view digits = rest_.substr(0, rest_.find_first_not_of("+-.0123456789eE"));
    skip(digits.size());
    return has_fraction(digits) ? numbers_.of(digits) : whole_number(digits);
  }

  std::string_view rest_;
  const WireNumbers& numbers_;
  Arena arena_{};
  std::size_t turns_ = 0;
};

}  // namespace

WireNumbers::WireNumbers(PyObject* function) : function_(function == Py_None ? nullptr : function) {
  if (function_ == nullptr || PyCallable_Check(function_) != 0) return;
  PyErr_Format(PyExc_TypeError, "number: expected a function of digits, found %s", Py_TYPE(function_)->tp_name);
  throw pybind11::error_already_set();
}

pybind11::object WireNumbers::of(const Decimal& value) const {
  char buffer[Decimal::max_printed];
  const std::string_view digits(buffer, static_cast<std::size_t>(value.print(buffer) - buffer));
  if (!has_fraction(digits)) return whole_number(digits);
  if (function_ != nullptr) return of(digits);
  const auto nearest = nearest_float(digits);
  const auto exact = nearest ? Decimal::parse(nearest->text()) : std::unexpected(Errc::decimal_out_of_range);
  if (exact && *exact == value) return checked(steal(PyFloat_FromDouble(nearest->value)));
  return checked(steal(PythonType<Decimal>::to_python(value)));
}

PyObject* PythonType<Decimal>::to_wire(const Decimal& value, const WireNumbers& numbers) {
  return numbers.of(value).release().ptr();
}

pybind11::object WireNumbers::of(std::string_view digits) const {
  if (function_ != nullptr) {
    const pybind11::object text = checked(steal(text_to_python(digits)));
    return checked(steal(PyObject_CallOneArg(function_, text.ptr())));
  }
  pybind11::object decimal = decimal_from(digits);
  const auto nearest = nearest_float(digits);
  if (!nearest) return decimal;
  const int is_exact = PyObject_RichCompareBool(decimal_from(nearest->text()).ptr(), decimal.ptr(), Py_EQ);
  if (is_exact < 0) throw pybind11::error_already_set();
  return is_exact == 1 ? checked(steal(PyFloat_FromDouble(nearest->value))) : decimal;
}

pybind11::object json_to_python(std::string_view json, const WireNumbers& numbers) { return Walker(json, numbers).value(); }

}  // namespace bankhook::python
