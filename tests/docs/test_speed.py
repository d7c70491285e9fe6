# SPDX-License-Identifier: MIT
"""The sentence on speed in the README is that of the figures that the benchmarks wrote."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_speed_in_the_readme_is_that_of_the_results() -> None:
    script = ROOT / "benchmarks" / "headline.py"
    sentence = subprocess.run([sys.executable, str(script)], check=True, capture_output=True, text=True).stdout
    assert f"<!-- speed:begin -->\n{sentence}<!-- speed:end -->" in (ROOT / "README.md").read_text(encoding="utf-8")
    leads = re.findall(r"([\d.]+) times", sentence)
    assert len(leads) == 7
    assert all(float(lead) > 1 for lead in leads)


def test_the_speed_names_each_library_that_is_in_the_tables() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = (ROOT / "benchmarks" / "results" / "gcc-native.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| ([A-Za-z./]+) [\d.]+ \|", table, re.MULTILINE))
    assert {"simdjson", "RapidJSON", "nlohmann/json", "Boost.JSON"} <= named
    assert all(name in readme for name in named)
