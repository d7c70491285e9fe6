# SPDX-License-Identifier: MIT
"""The stub says what the compiled module is: its signatures and docstrings come from there, and what the structs are is there."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import pytest

import bankhook
from bankhook import _core
from installed import need_packages
from python.parsed import CLASSES, one_of_each
from stub import stub

ROOT = Path(__file__).parents[2]
STUB = ROOT / "python" / "bankhook" / "_core.pyi"


def test_the_stub_is_what_the_module_gives() -> None:
    assert STUB.read_text(encoding="utf-8") == stub(), "run: PYTHONPATH=tools build/venv/bin/python -m stub"


@pytest.mark.compiler
@pytest.mark.slow
def test_stubtest_finds_in_the_module_what_the_stub_says() -> None:
    need_packages("mypy")
    command = [sys.executable, "-m", "mypy.stubtest", "bankhook._core", "--concise", "--mypy-config-file", "pyproject.toml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    # Objects are made elsewhere than in __init__, whose arguments are those that __signature__ shows. Classes of pybind11 have
    # its metaclass.
    explained = (
        '__init__ is inconsistent, stub does not have *args parameter "args"',
        "__signature__ is not present in stub",
        "is inconsistent, metaclass differs",
    )
    lines = (done.stdout + done.stderr).splitlines()
    assert all(any(line.endswith(one) for line in lines) for one in explained), lines
    assert [line for line in lines if not line.endswith(explained)] == []


def test_the_package_is_typed_where_it_is_installed() -> None:
    assert files("bankhook").joinpath("py.typed").is_file()
    assert files("bankhook").joinpath("_core.pyi").is_file()


def test_everything_public_in_the_module_is_in_the_stub() -> None:
    text = stub()
    for name, value in vars(_core).items():
        if not name.startswith("__"):
            kind = "class" if inspect.isclass(value) else "def" if callable(value) else name
            assert f"{kind} {name}" in text or f"{name}: " in text


@pytest.mark.parametrize("value", one_of_each(), ids=lambda value: type(value).__name__)
def test_fields_have_the_types_of_the_tables(value: Any) -> None:
    for field in bankhook.fields(type(value)):
        name, read = field.name, field.type
        names = {type(getattr(value, name)).__name__, type(getattr(value, name)).__mro__[-2].__name__}
        plain = read.replace("datetime.", "").replace("None", "NoneType").replace("Literal[", "str | [")
        assert any(part.split("[")[0] in names for part in plain.split(" | ")), f"{name} is no {read}"


def test_any_event_is_what_parse_gives() -> None:
    assert set(_core._classes) == set(CLASSES)
    assert {type(event) for event in one_of_each() if hasattr(event, "raw")} == set(get_args(bankhook.AnyEvent))
