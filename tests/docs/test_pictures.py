# SPDX-License-Identifier: MIT
"""The pictures of commands show what the commands print today, and can be read in light and dark."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import pictures
import screenshots
from installed import need_screenshots

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_shows_what_its_command_prints(name: str) -> None:
    command = pictures.PICTURES[name]
    fresh = pictures.picture(command, pictures.printed(command))
    committed = (pictures.FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert pictures.texts(committed) == pictures.texts(fresh), "run tools/pictures.py"
    assert committed == fresh, "run tools/pictures.py"
    ElementTree.fromstring(committed)


def test_each_picture_is_shown_by_a_page_and_each_cell_has_its_pictures() -> None:
    need_screenshots()
    texts = [page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]]
    shown = {Path(name).name for text in texts for name in re.findall(r"pictures/([\w-]+\.\w+)", text)}
    assert {path.name for path in pictures.FOLDER.iterdir()} == shown
    screenshots_there = {
        screenshots.path_of(name, scheme).name for name in screenshots.SHOTS for scheme in screenshots.SCHEMES
    }
    assert screenshots_there | {f"{name}.svg" for name in pictures.PICTURES} == shown


def test_each_line_of_a_picture_fits_its_terminal() -> None:
    for command in pictures.PICTURES.values():
        output = pictures.printed(command).decode()
        assert "\x1b[" in output  # in colours
        text = re.sub(r"\x1b\[[\d;]*m|\x1b\]8;[^;]*;.*?\x1b\\", "", output)
        assert max(map(len, text.split("\r\n"))) <= pictures.COLUMNS


def luminance(colour: str) -> float:
    """The relative luminance of WCAG 2.2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(part * weight for part, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", [name for name in pictures.PALETTE if name != "bg"])
def test_the_colours_of_a_picture_stand_out(name: str, scheme: int) -> None:
    one, other = (luminance(pictures.PALETTE[each][scheme]) for each in (name, "bg"))
    assert (max(one, other) + 0.05) / (min(one, other) + 0.05) >= 4.5
