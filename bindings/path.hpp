// SPDX-License-Identifier: MIT
// A path like `customer.connections[].id`, compiled for one struct, and the value that it leads to.
#pragma once

#include "library.hpp"
#include "to_python.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::python {

/// One step of a path: a field by its index, one element of an array, or all of them.
struct PathStep {
  static constexpr std::size_t all = static_cast<std::size_t>(-1);
  std::size_t index = all;
};

using Path = std::vector<PathStep>;

/// What may stand before the names: findings have it.
inline std::string_view without_root(std::string_view path) { return path.substr(path.starts_with("$.") ? 2 : 0); }

/// The steps from a `T` along `path`, or nothing where `T` has no such value, or the value is an object.
template <class T>
std::optional<Path> compile_path(std::string_view path, Path steps = {});

template <class T>
std::optional<Path> compile_element(std::string_view path, Path steps) {
  const std::size_t close = path.find(']');
  if (!path.starts_with('[') || close == path.npos) return std::nullopt;
  const std::string_view digits = path.substr(1, close - 1);
  PathStep step;
  if (!digits.empty()) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), step.index);
    if (error != std::errc() || end != digits.data() + digits.size() || step.index == PathStep::all) return std::nullopt;
  }
  steps.push_back(step);
  path.remove_prefix(close + 1);
  if constexpr (reflect::Structure<T>) {
    if (!path.starts_with('.')) return std::nullopt;
    path.remove_prefix(1);
  }
  return compile_path<T>(path, std::move(steps));
}

template <class T>
std::optional<Path> compile_field(std::string_view rest, Path steps) {
  if constexpr (reflect::Structure<T>) {
    if (!rest.starts_with('.')) return std::nullopt;
    return compile_path<T>(rest.substr(1), std::move(steps));
  } else {
    return compile_path<T>(rest, std::move(steps));
  }
}

template <class T>
std::optional<Path> compile_path(std::string_view path, Path steps) {
  if constexpr (reflect::Array<T>) {
    return compile_element<std::remove_const_t<typename T::element_type>>(path, std::move(steps));
  } else if constexpr (std::is_same_v<T, UnknownEvent>) {
    if (path != reflect::wire_name<T, 0>.view()) return std::nullopt;  // nothing else of it is known
    steps.push_back({0});
    return steps;
  } else if constexpr (reflect::Structure<T>) {
    const std::string_view name = path.substr(0, path.find_first_of(".["));
    std::optional<Path> found;
    reflect::for_each_field<T>([&]<std::size_t I>() {
      if (name != reflect::wire_name<T, I>.view()) return true;
      steps.push_back({I});
      found = compile_field<reflect::FieldType<T, I>>(path.substr(name.size()), std::move(steps));
      return false;
    });
    return found;
  } else {
    return path.empty() ? std::optional(std::move(steps)) : std::nullopt;
  }
}

/// Calls `take` with each path from a `T` to a value; `start` leads to the `T`. An array's elements are `[]`.
template <class T>
void for_each_path(const std::string& start, const auto& take) {
  if constexpr (reflect::Array<T>) {
    for_each_path<std::remove_const_t<typename T::element_type>>(start + "[]", take);
  } else if constexpr (reflect::Structure<T>) {
    reflect::for_each_field<T>([&]<std::size_t I>() {
      const bool is_known = !std::is_same_v<T, UnknownEvent> || I == 0;
      const std::string name(reflect::wire_name<T, I>.view());
      if (is_known) for_each_path<reflect::FieldType<T, I>>(start.empty() ? name : start + "." + name, take);
      return is_known;
    });
  } else take(start);
}

/// The value that `steps` lead to from `value`; a new reference. ABSENT where an element or field is missing.
template <class T>
PyObject* value_at(const T& value, std::span<const PathStep> steps);

template <class T>
PyObject* element_at(std::span<const T> items, std::span<const PathStep> steps) {
  const std::size_t index = steps.front().index;
  if (index != PathStep::all) {
    return index < items.size() ? value_at(items[index], steps.subspan(1)) : Py_NewRef(values.absent);
  }
  return sequence_of(PyTuple_New, items, [&](const T& item) { return value_at(item, steps.subspan(1)); });
}

/// A function a field: which one a path takes is known only when it is compiled.
template <class T>
inline constexpr auto field_values = []<std::size_t... I>(std::index_sequence<I...>) {
  using Getter = PyObject* (*)(const T&, std::span<const PathStep>);
  return std::array<Getter, sizeof...(I)>{
      [](const T& value, std::span<const PathStep> rest) { return value_at(reflect::field<I>(value), rest); }...};
}(std::make_index_sequence<reflect::field_count<T>>());

template <class T>
PyObject* value_at(const T& value, std::span<const PathStep> steps) {
  if constexpr (reflect::OptionalValue<T>) return value ? value_at(*value, steps) : Py_NewRef(missing<T>());
  else if constexpr (reflect::Array<T>) return element_at(value, steps);
  else if constexpr (reflect::Structure<T>) return field_values<T>[steps[0].index](value, steps.subspan(1));
  else return PythonType<T>::to_python(value);
}

}  // namespace bankhook::python
