// SPDX-License-Identifier: MIT
// The columns of a table by their paths, for the error that none of them has the name that was asked for.
#pragma once

#include "closest.hpp"
#include "python_types.hpp"

#include <string>
#include <string_view>

namespace bankhook::python {

/// Adds the path of each column within `parent`; `start` leads there.
inline void add_paths(const columns::Column& parent, const std::string& start, pybind11::list& paths) {
  for (const columns::Column& column : parent.children) {
    const bool is_element = parent.kind == columns::Kind::list;  // it has no name of its own in a path
    const std::string path = is_element ? start : start.empty() ? column.name : start + "." + column.name;
    if (!is_element) paths.append(path);
    add_paths(column, path, paths);
  }
}

/// Raises ValueError with the closest column of the table.
inline void refuse_column(const char* name, std::string_view column, const columns::Column& table) {
  pybind11::list known;
  add_paths(table, {}, known);
  const pybind11::object given = steal(text_to_python(column));
  const pybind11::object close = closest_to(checked(given).ptr(), known, "did_you_mean_path");
  PyErr_Format(PyExc_ValueError, "the table %s has no column %U%U", name, given.ptr(), close.ptr());
}

}  // namespace bankhook::python
