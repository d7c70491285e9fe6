# SPDX-License-Identifier: MIT
"""The figures of the README are those that the benchmarks wrote."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def summary(name: str, page: str) -> str:
    """What stands between the markers of that name."""
    text = (ROOT / page).read_text(encoding="utf-8")
    (found,) = re.findall(rf"<!-- {name}:begin -->\n(.*?)<!-- {name}:end -->", text, re.DOTALL)
    return str(found)


@pytest.mark.parametrize(("name", "results"), [("speed", "gcc-native"), ("python", "python")])
def test_the_speed_in_the_readme_is_that_of_the_results(name: str, results: str) -> None:
    assert summary(name, "README.md") == summary(name, f"benchmarks/results/{results}.md")


def test_the_speed_in_the_readme_has_a_row_for_each_library() -> None:
    rows = re.findall(r"^\| \**([A-Za-z./]+)", summary("speed", "README.md"), re.MULTILINE)
    assert {"bankhook", "simdjson", "RapidJSON", "nlohmann/json", "Boost.JSON"} <= set(rows)
