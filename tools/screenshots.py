# SPDX-License-Identifier: MIT
"""Pictures of what notebooks display, light and dark: cells are executed, and headless Chromium shows their last values.

`tools/pictures.py` writes them to docs/pictures/. Each has a description of what it shows, so that a test can compare it with the
notebook of today without comparing pixels. Pages show them by `<!-- derived: screenshot NAME -->`.
"""

from __future__ import annotations

import hashlib
import shutil
import struct
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import notebooks

__all__ = [
    "FOLDER",
    "SCHEMES",
    "SHOTS",
    "Shot",
    "described",
    "last_value",
    "markup",
    "path_of",
    "size_of",
    "summary",
    "write",
]

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
WIDTH, SCALE = 760, 1.5  # of a page in the documentation, in pixels of CSS, and how many real ones each has
SCHEMES = {"light": ("#ffffff", "#1f2328"), "dark": ("#131416", "#d8dbe0")}
"""Background and text of each scheme."""

_MAGIC = b"\x89PNG\r\n\x1a\n"
_KEYWORD = b"Description\0\0\0\0\0"  # not compressed, in no language


class Shot(NamedTuple):
    """A cell whose last value is shown."""

    notebook: str
    cell: str
    alt: str


SHOTS = {
    "event": Shot("first_event", "parse", "An event as a tree of its fields; null and absent fields are marked"),
    "findings": Shot(
        "first_event", "diagnose", "Findings of a payload, each with its rule, its evidence and the marked place"
    ),
    "lifecycle": Shot(
        "first_event", "lifecycle", "The lifecycle of a transaction, with its state filled and assumed steps dashed"
    ),
    "outcome": Shot(
        "prototype_a_consumer", "surprise", "The outcome of a late event: its verdict, and the reason in a sentence"
    ),
    "timeline": Shot(
        "prototype_a_consumer", "timeline", "A member's connections as bars and transactions as points over time"
    ),
}
"""The pictures by their names."""


def last_value(shot: Shot) -> str:
    """The HTML of the cell's last value."""
    cells = notebooks.executed(notebooks.FOLDER / f"{shot.notebook}.ipynb").cells
    (outputs,) = (cell.outputs for cell in cells if cell.id == shot.cell)
    return notebooks.seen(outputs[-1])


def summary(html: str) -> str:
    """What a picture of this HTML shows: its texts with their classes, and a digest of its styles."""
    texts, styles = notebooks.texts(html)
    return "\n".join([*texts, f"styles {hashlib.sha256(styles.encode()).hexdigest()[:16]}"])


def path_of(name: str, scheme: str) -> Path:
    """Where a picture is."""
    return FOLDER / f"{name}-{scheme}.png"


def size_of(png: bytes) -> tuple[int, int]:
    """The width and the height of a picture, in pixels."""
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def described(png: bytes) -> str | None:
    """The description of a picture; None if it has none."""
    return next((body.removeprefix(_KEYWORD).decode() for kind, body in _chunks(png) if kind == b"iTXt"), None)


def _with_description(png: bytes, text: str) -> bytes:
    first, *rest = _chunks(png)
    return _MAGIC + b"".join(_chunk(*each) for each in (first, (b"iTXt", _KEYWORD + text.encode()), *rest))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    if not png.startswith(_MAGIC):
        raise ValueError("expected a PNG")
    at = len(_MAGIC)
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        yield kind, png[at + 8 : at + 8 + size]
        at += size + 12


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def markup(name: str, folder: str) -> str:
    """The picture as a code host shows it, in the reader's scheme; `folder` leads to the pictures."""
    width = size_of(path_of(name, "light").read_bytes())[0] / SCALE
    return (
        f'<picture>\n<source media="(prefers-color-scheme: dark)" srcset="{folder}/{name}-dark.png">\n'
        f'<img alt="{SHOTS[name].alt}" src="{folder}/{name}-light.png" width="{width:.0f}">\n</picture>'
    )


def write() -> None:
    """Write every picture; needs Chromium and its driver, as Debian has them."""
    from selenium import webdriver
    from selenium.webdriver.common.by import By

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    with tempfile.TemporaryDirectory() as folder:
        for argument in (
            "headless=new",
            "no-sandbox",
            "disable-dev-shm-usage",
            "hide-scrollbars",
            f"user-data-dir={folder}/it",
        ):
            options.add_argument(f"--{argument}")
        options.add_argument(f"--force-device-scale-factor={SCALE}")
        options.add_argument(f"--window-size={WIDTH + 100},4000")
        chrome = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        try:
            for name, shot in SHOTS.items():
                html = last_value(shot)
                for scheme, (background, ink) in SCHEMES.items():
                    page = Path(folder) / "page.html"
                    page.write_text(_page(html, background, ink), encoding="utf-8")
                    chrome.get(page.as_uri())
                    png = chrome.find_element(By.TAG_NAME, "main").screenshot_as_png
                    path_of(name, scheme).write_bytes(_with_description(png, summary(html)))
        finally:
            chrome.quit()


def _page(html: str, background: str, ink: str) -> str:
    look = f"html{{background:{background};color:{ink}}}body{{margin:0}}main{{width:{WIDTH - 24}px;padding:12px}}"
    return f'<!doctype html><meta charset="utf-8"><style>{look}</style><main>{html}</main>'
