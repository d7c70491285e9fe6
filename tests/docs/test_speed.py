# SPDX-License-Identifier: MIT
"""The sentences on speed in the README are those of the figures that the benchmarks wrote, of sources that were committed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_speed_in_the_readme_is_that_of_the_results(tmp_path: Path) -> None:
    readme, script = ROOT / "README.md", ROOT / "benchmarks" / "headline.py"
    written = tmp_path / "README.md"
    written.write_bytes(readme.read_bytes())
    subprocess.run([sys.executable, str(script), str(written)], check=True)
    assert written.read_text(encoding="utf-8") == readme.read_text(encoding="utf-8")
    said = subprocess.run([sys.executable, str(script)], check=True, capture_output=True, text=True).stdout
    leads = re.findall(r"([\d.]+)\s+times", said)
    assert len(leads) == 8
    assert all(float(lead) > 1 for lead in leads)


def test_the_speed_names_each_library_that_is_in_the_tables() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = (ROOT / "benchmarks" / "results" / "gcc-native.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| ([A-Za-z./]+) [\d.]+ \|", table, re.MULTILINE))
    assert {"simdjson", "RapidJSON", "nlohmann/json", "Boost.JSON"} <= named
    assert all(name in readme for name in named)


def test_no_page_has_figures_of_sources_that_were_not_committed() -> None:
    pages = [ROOT / "README.md", *(ROOT / "benchmarks" / "results").glob("*.*"), *(ROOT / "docs").rglob("*.md")]
    texts = {page.relative_to(ROOT): page.read_text(encoding="utf-8") for page in pages}
    assert sum(bool(re.search(r"commit [0-9a-f]{7}", text)) for text in texts.values()) > 3
    assert [page for page, text in texts.items() if "-dirty" in text] == []
