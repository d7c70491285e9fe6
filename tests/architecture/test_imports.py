# SPDX-License-Identifier: MIT
"""What stands for the compiled module when the layers of the Python package are checked."""

from __future__ import annotations

import ast
from pathlib import Path

from imports import stand_in

ROOT = Path(__file__).parents[2]


def test_the_compiled_module_imports_what_its_stub_and_its_sources_name() -> None:
    text = stand_in(
        "from bankhook._records import Absent\n",
        'import("bankhook._records.errors")',
        'x "bankhook._render" y "bankhook.Selector"',
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
