// SPDX-License-Identifier: MIT
// A path like `customer.connections[].id`, compiled for one struct, and the value that it leads to.
#pragma once

#include "library.hpp"
#include "python_types.hpp"

#include <algorithm>
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

/// Calls `take` with each path from a `T` to a value and its steps; `start` and `steps` lead to the `T`. An array's
/// elements are `[]`.
template <class T>
void for_each_path(const std::string& start, const Path& steps, const auto& take) {
  const auto after = [&](std::size_t index) {
    Path longer = steps;
    longer.push_back({index});
    return longer;
  };
  if constexpr (reflect::Array<T>) {
    for_each_path<std::remove_const_t<typename T::element_type>>(start + "[]", after(PathStep::all), take);
  } else if constexpr (reflect::Structure<T>) {
    reflect::for_each_field<T>([&]<std::size_t I>() {
      const std::string name(reflect::wire_name<T, I>.view());
      for_each_path<reflect::FieldType<T, I>>(start.empty() ? name : start + "." + name, after(I), take);
      return !std::is_same_v<T, UnknownEvent>;  // nothing but the name of it is known
    });
  } else take(start, steps);
}

/// Takes the indexes out of `path`, which then has `[]` there; none if one of them is no number.
inline std::optional<std::vector<PathStep>> take_indexes(std::string& path) {
  std::vector<PathStep> indexes;
  for (std::size_t open = path.find('['); open != path.npos; open = path.find('[', open + 1)) {
    PathStep step;
    const char* const end = path.data() + std::min(path.find(']', open), path.size());
    const char* const begin = path.data() + open + 1;
    if (begin != end) {
      const auto read = std::from_chars(begin, end, step.index);
      if (read.ec != std::errc() || read.ptr != end || step.index == PathStep::all) return std::nullopt;
    }
    indexes.push_back(step);
    path.erase(open + 1, static_cast<std::size_t>(end - begin));
  }
  return indexes;
}

/// The steps from a `T` along `path`, or nothing where `T` has no such value, or the value is an object.
template <class T>
std::optional<Path> compile_path(std::string path) {
  const auto indexes = take_indexes(path);
  std::optional<Path> found;
  for_each_path<T>({}, {}, [&](const std::string& known, const Path& steps) {
    if (!indexes || known != path) return;
    found = steps;
    auto next = indexes->begin();
    for (PathStep& step : *found) {
      if (step.index == PathStep::all) step = *next++;
    }
  });
  return found;
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
