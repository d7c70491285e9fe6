// SPDX-License-Identifier: MIT
// The columns of a table by their paths: what a table is shown with, and the error that no column has the name asked for.
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

/// Adds for each wanted column within `parent` its path, its type as Arrow spells it, whether it can be null, and its
/// meaning; a list is followed by the type of its elements. `start` leads there.
inline void add_described(const columns::Column& parent, const std::string& start, pybind11::list& rows) {
  for (const columns::Column& column : parent.children) {
    if (!column.is_wanted) continue;
    const std::string path = start.empty() ? column.name : start + "." + column.name;
    const bool is_list = column.kind == columns::Kind::list;
    const columns::Column& holder = is_list ? column.children.front() : column;
    const std::string format = is_list ? column.format + holder.format : column.format;
    rows.append(pybind11::make_tuple(path, format, column.is_nullable, column.meaning));
    add_described(holder, path, rows);
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
