# SPDX-License-Identifier: MIT
"""The figures of the README are those that the benchmarks wrote."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def summary(page: str) -> str:
    """What stands between the markers."""
    (found,) = re.findall(
        r"<!-- speed:begin -->\n(.*?)<!-- speed:end -->", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL
    )
    return str(found)


def test_the_speed_in_the_readme_is_that_of_the_results() -> None:
    assert summary("README.md") == summary("benchmarks/results/gcc-native.md")


def test_the_speed_in_the_readme_has_a_row_for_each_library() -> None:
    rows = re.findall(r"^\| \**([A-Za-z./]+)", summary("README.md"), re.MULTILINE)
    assert {"bankhook", "simdjson", "RapidJSON", "nlohmann/json", "Boost.JSON"} <= set(rows)
