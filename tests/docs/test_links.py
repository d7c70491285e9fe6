# SPDX-License-Identifier: MIT
"""Links lead somewhere: those of the pages at the root, and, by what `./dev docs` calls, those of the built pages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"])
def test_the_files_that_a_page_links_to_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in target]
    assert [target for target in targets if not (ROOT / target).exists()] == []


def followed(site: Path) -> subprocess.CompletedProcess[str]:
    """What `./dev docs` says to built pages."""
    command = [sys.executable, str(ROOT / "docs" / "_ext" / "links.py"), str(site)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_links_between_built_pages_are_followed_with_their_anchors(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text('<a href="two.html#here">x</a> <a href="https://example.org/">y</a>')
    (tmp_path / "two.html").write_text('<p id="here"><a href="#here">z</a>')
    assert followed(tmp_path).returncode == 0
    (tmp_path / "two.html").write_text('<p id="there"><img src="gone.svg">')
    said = followed(tmp_path)
    assert said.returncode == 1
    assert said.stderr.splitlines() == ["one.html: two.html#here", "two.html: gone.svg"]
