# SPDX-License-Identifier: MIT
"""The layers of the Python package: those of the guide, and what stands for the compiled module when they are checked."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

from imports import stand_in

ROOT = Path(__file__).parents[2]


def test_the_compiled_module_imports_what_its_stub_and_its_sources_name() -> None:
    text = stand_in(
        "from bankhook._records import Absent\n",
        'import("bankhook._records.errors")',
        'x "bankhook._render" y "bankhook.types.Selector"',
    )
    assert text.splitlines() == [
        "from bankhook._records import Absent",
        "import bankhook._records.errors",
        "import bankhook._render",
    ]


def test_the_stub_of_this_tree_is_python() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "bindings").glob("*.cpp")]
    text = stand_in((ROOT / "python" / "bankhook" / "_core.pyi").read_text(encoding="utf-8"), *sources)
    assert "import bankhook." in text
    ast.parse(text)


def test_the_python_layers_in_the_guide_are_those_that_are_checked() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| (`\w+`(?:, `\w+`)*) \|", guide, re.MULTILINE)
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    (checked,) = (contract["layers"] for contract in contracts if contract["id"] == "layers")
    assert [re.findall(r"\w+", modules) for _, modules in rows] == [re.findall(r"\w+", layer) for layer in checked]
    assert [int(layer) for layer, _ in rows] == list(reversed(range(len(checked))))
