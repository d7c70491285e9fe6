# SPDX-License-Identifier: MIT
"""The README on an index, which has no files beside it: no link and no picture of it is a path."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

import pytest

from readme import dynamic_metadata

ROOT = Path(__file__).parents[2]


def targets(text: str) -> list[str]:
    return [link or picture for link, picture in re.findall(r'\]\(([^)]*)\)|(?:href|src|srcset)="([^"]*)"', text)]


def test_the_installed_package_describes_itself_without_paths() -> None:
    described = importlib.metadata.metadata("bankhook")["Description"]
    assert described.startswith("# bankhook\n")
    assert [target for target in targets(described) if not target.startswith("https://")] == []


@pytest.mark.parametrize("address", ["https://code.example/owner/name", "https://code.example/owner/name/", ""])
def test_what_the_readme_links_to_is_found_at_the_address_that_is_given(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("BANKHOOK_ADDRESS", address)
    text = dynamic_metadata("readme", {})["text"]
    version = importlib.metadata.version("bankhook")
    own = f"https://code.example/owner/name/(?:blob|raw)/v{version}/"
    kept = [one for one in targets((ROOT / "README.md").read_text(encoding="utf-8")) if not one.endswith("-dark.png")]
    expected = [re.sub("^#", "README.md#", one) for one in kept if address or "://" in one]
    assert [re.sub(own, "", one) for one in targets(text)] == expected
    assert [one for one in re.findall(f'{own}[^)"]*', text) if ("/raw/" in one) != one.endswith(("png", "svg"))] == []
    assert "*The command `bankhook check` reports" in text or address
    assert dynamic_metadata("urls", {}) == ({"Source": "https://code.example/owner/name"} if address else {})
