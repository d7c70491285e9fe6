// SPDX-License-Identifier: MIT
// The value types as Python's: of each what it is called, what makes it, what reads it and what it is on the wire.
#pragma once

#include "library.hpp"
#include "values.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace bankhook::python {

/// Copies `text` to `out`, and returns whether all of it is ASCII: eight bytes at once, the last ones overlapping, because
/// ids are 8 to 40 bytes long.
inline bool copy_ascii(std::string_view text, Py_UCS1* out) {
  constexpr std::uint64_t high_bits = 0x8080808080808080;
  std::uint64_t any = 0;
  const auto copy_word = [&](std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    std::memcpy(out + at, &word, sizeof word);
    any |= word;
  };
  if (text.size() < sizeof any) {
    for (const char c : text) any |= * out++ = static_cast<unsigned char>(c);
    return (any & high_bits) == 0;
  }
  for (std::size_t at = 0; at + sizeof any <= text.size(); at += sizeof any) copy_word(at);
  copy_word(text.size() - sizeof any);
  return (any & high_bits) == 0;
}

/// Text that was checked by the reader, as str.
inline PyObject* text_to_python(std::string_view text) {
  const auto size = static_cast<Py_ssize_t>(text.size());
  PyObject* const result = PyUnicode_New(size, 0x7F);
  if (result == nullptr || copy_ascii(text, PyUnicode_1BYTE_DATA(result))) [[likely]]
    return result;
  Py_DECREF(result);
  return PyUnicode_DecodeUTF8(text.data(), size, nullptr);
}

/// Where a value belongs, for messages, and what keeps what it views until it is complete.
struct Place {
  std::string_view type;
  std::string_view field;
  Arena& arena;
  Kept& kept;
  bool takes_mappings = false;   ///< for resources
  const Place* outer = nullptr;  ///< the resource that was given as a mapping and lies in another one
  std::ptrdiff_t index = -1;     ///< in the field's array, if it is one of its elements

  /// `Account.account_hash`, `Connection.accounts[2]`, `BankConnectionsUpdateV2.connection.accounts[2].id`
  [[nodiscard]] std::string name() const;
};

/// TypeError: `Account.account_hash: expected str or None, found int`; always false.
bool refuse_type(const Place& place, const char* expected, PyObject* found);
/// ValueError: the same for a value of the right type; `expected` says what would be right.
bool refuse_value(const Place& place, std::string_view expected);

class WireNumbers;

/// What a value without parts is in Python: a specialization for each type, and what goes by type asks it. It has
/// - `annotation`, `taken` and `note`, see Annotated;
/// - `to_python(value)`: a new reference, or null with an exception set;
/// - `from_python(object, out, place)`, as strictly as the reader takes JSON: false, with a Python error set, where the
///   object does not fit; text that `out` views lives as long as the object;
/// - if JSON has another value for it, `to_wire(value, numbers)`: that one, as `to_python` or by throwing what Python
/// raises.
template <class T>
struct PythonType;

/// How a type checker writes the values, what a constructor takes for them, and what neither says of them.
template <FixedString annotation_, FixedString taken_ = annotation_, FixedString note_ = "">
struct Annotated {
  static constexpr std::string_view annotation = annotation_.view(), taken = taken_.view(), note = note_.view();
};

/// A value without parts in the form of the wire, as str: what is quoted there, and has no escapes, without its
/// quotes.
template <class T>
PyObject* written(const T& value) {
  if constexpr (reflect::Text<T>) return text_to_python(value);
  else if constexpr (reflect::OpenEnumeration<T>) return text_to_python(value.text());
  else {
    const std::string json = serialize(value);
    const bool is_quoted = json.front() == '"';
    return text_to_python(std::string_view(json).substr(is_quoted, json.size() - 2 * is_quoted));
  }
}

template <>
struct PythonType<std::string_view> : Annotated<"str"> {
  static PyObject* to_python(std::string_view value) { return text_to_python(value); }
  static bool from_python(PyObject* object, std::string_view& out, const Place& place);
};

template <>
struct PythonType<std::uint64_t> : Annotated<"int", "int", "0 or more"> {
  static PyObject* to_python(std::uint64_t value) { return PyLong_FromUnsignedLongLong(value); }
  static bool from_python(PyObject* object, std::uint64_t& out, const Place& place);
};

template <>
struct PythonType<Decimal> : Annotated<"Decimal", "Decimal | int", "with the digits that were written"> {
  /// With the places that it was written with, whatever the context of the caller; see decimals.cpp.
  static PyObject* to_python(const Decimal& value);
  static bool from_python(PyObject* object, Decimal& out, const Place& place);
  static PyObject* to_wire(const Decimal& value, const WireNumbers& numbers);
};

template <>
struct PythonType<std::chrono::year_month_day> : Annotated<"datetime.date"> {
  static PyObject* to_python(std::chrono::year_month_day value);
  static bool from_python(PyObject* object, std::chrono::year_month_day& out, const Place& place);
  static PyObject* to_wire(std::chrono::year_month_day value, const WireNumbers&) { return written(value); }
};

/// Python's datetime holds microseconds: further fraction digits are cut off here, and kept in the object and its JSON.
template <>
struct PythonType<LocalTimestamp> : Annotated<"datetime.datetime", "datetime.datetime", "naive"> {
  static PyObject* to_python(const LocalTimestamp& value);
  static bool from_python(PyObject* object, LocalTimestamp& out, const Place& place);
  static PyObject* to_wire(const LocalTimestamp& value, const WireNumbers&) { return written(value); }
};

template <>
struct PythonType<Timestamp>
    : Annotated<"datetime.datetime", "datetime.datetime", "aware if an offset is written, else naive"> {
  static PyObject* to_python(const Timestamp& value);
  static bool from_python(PyObject* object, Timestamp& out, const Place& place);
  static PyObject* to_wire(const Timestamp& value, const WireNumbers&) { return written(value); }
};

/// Any other value with a form of its own is the text of that form.
template <QuotedForm T>
struct PythonType<T> : Annotated<"str"> {
  static PyObject* to_python(const T& value) { return written(value); }
  static bool from_python(PyObject* object, T& out, const Place& place) {
    std::string_view text;
    if (!PythonType<std::string_view>::from_python(object, text, place)) return false;
    out = T();
    return T::scan(text, out) || refuse_value(place, bankhook::detail::words_of(T::form_error).expected);
  }
};

template <class E>
struct PythonType<OpenEnum<E>>
    : Annotated<join_literals(FixedString<reflect::type_name<E>.size()>(reflect::type_name<E>), FixedString(" | str")),
                "str", "a text that is not listed yet stays a str"> {
  static PyObject* to_python(const OpenEnum<E>& value) {
    const auto known = value.known();
    return known ? Py_NewRef(enum_members<E>[static_cast<std::size_t>(*known)]) : text_to_python(value.text());
  }
  static bool from_python(PyObject* object, OpenEnum<E>& out, const Place& place) {
    std::string_view text;
    if (!PythonType<std::string_view>::from_python(object, text, place)) return false;
    out = OpenEnum<E>::of(text);
    return true;
  }
  static PyObject* to_wire(const OpenEnum<E>& value, const WireNumbers&) { return written(value); }
};

/// The text of a tag is made once.
template <reflect::Tag T>
struct PythonType<T> {
  static constexpr auto literal =
      join_literals(FixedString("Literal[\""), FixedString<T::text().size()>(T::text()), FixedString("\"]"));
  static constexpr std::string_view annotation = literal.view(), taken = annotation, note = "always the same";

  static PyObject* to_python(const T&) {
    static PyObject* text = nullptr;
    if (text == nullptr) text = text_to_python(T::text());
    return Py_XNewRef(text);
  }
  static bool from_python(PyObject* object, T&, const Place& place) {
    std::string_view text;
    if (!PythonType<std::string_view>::from_python(object, text, place)) return false;
    return text == T::text() || refuse_value(place, T::text());
  }
};

}  // namespace bankhook::python
