# SPDX-License-Identifier: MIT
"""There is one way to bind: tables of functions and slots. pybind11 holds references and is no way to make a class."""

from __future__ import annotations

import re
from pathlib import Path

BINDINGS = Path(__file__).parents[2] / "bindings"
OTHER_WAYS = re.compile(r"pybind11::(class_|detail|cpp_function|custom_type_setup)|\.def(_\w+)?\(|\bPyMethodDef&|_CAPI\b")


def test_no_class_and_no_function_is_bound_in_another_way() -> None:
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted(BINDINGS.iterdir())
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if OTHER_WAYS.search(line)
    ]
    assert found == []
    assert OTHER_WAYS.search('module.def("f", &f)') and OTHER_WAYS.search("pybind11::class_<T> bound(module)")
