# SPDX-License-Identifier: MIT
"""Classes are bound by pybind11, with functions that check their arguments; what is quicker by hand stands in named files."""

from __future__ import annotations

import re
from pathlib import Path

BINDINGS = Path(__file__).parents[2] / "bindings"
# Classes of CPython's rows and slots: a call through pybind11 would take a multiple of theirs.
RAW = {"register_classes.cpp", "register_select.cpp"}
ROWS = re.compile(r"\bmake_class\($|\bmake_class\(\w+,")
# A pointer to a member function takes None as its object, and what pybind11 itself refuses it shows.
UNCHECKED = re.compile(
    r"\.def(_\w+)?\((?!$|\"\w+\",( checking\(| asking<|$))"
    r"|checking\(\"[\w.]+\", &|pybind11::(init|cpp_function)|\bPyMethodDef&|_CAPI\b"
)


def lines() -> list[tuple[str, str]]:
    paths = sorted(BINDINGS.glob("*.[ch]pp"))
    return [(path.name, line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def test_classes_of_rows_stand_in_the_files_that_are_named_only() -> None:
    assert {name for name, line in lines() if ROWS.search(line)} - {"bind.cpp", "bind.hpp"} == RAW


def test_each_function_of_pybind11_checks_its_arguments() -> None:
    assert [f"{name}: {line.strip()}" for name, line in lines() if UNCHECKED.search(line)] == []
    assert sum(".def(" in line for _, line in lines()) > 20
    for line in ('.def("f", &f)', '.def("f", checking("f", &T::f))', ".def(pybind11::init<>())", '.def_property("f", f)'):
        assert UNCHECKED.search(line)
