# SPDX-License-Identifier: MIT
"""Pictures of what notebooks display and of the page of `bankhook listen`, light and dark, as headless Chromium shows them.

`tools/pictures.py` writes them to docs/pictures/. Each has a description of what it shows, so that a test can compare it with the
notebook of today without comparing pixels. Pages show them by `<!-- derived: screenshot NAME -->`.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import hashlib
import shutil
import struct
import subprocess
import sys
import tempfile
import urllib.request
import zlib
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import bankhook
import bankhook.inbox
import notebooks

__all__ = [
    "FOLDER",
    "SCHEMES",
    "SHOTS",
    "Shot",
    "described",
    "html_of",
    "markup",
    "path_of",
    "size_of",
    "summary",
    "write",
]

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
WIDTH, SCALE = 760, 1.5  # of a page in the documentation, in pixels of CSS, and how many real ones each has
PAGE_WIDTH = 1240  # of the page of `bankhook listen`, as on a desktop
SCHEMES = {"light": ("#ffffff", "#1f2328"), "dark": ("#131416", "#d8dbe0")}
"""Background and text of each scheme."""

_MAGIC = b"\x89PNG\r\n\x1a\n"
_KEYWORD = b"Description\0\0\0\0\0"  # not compressed, in no language


class Shot(NamedTuple):
    """A cell whose last value is shown; without one, the page."""

    alt: str
    notebook: str = ""
    cell: str = ""


SHOTS = {
    "event": Shot("An event as a tree of its fields; null and absent fields are marked", "first_event", "parse"),
    "findings": Shot(
        "Findings of a payload, each with its rule, its evidence and the marked place", "first_event", "diagnose"
    ),
    "outcome": Shot(
        "The outcome of a late event: its verdict, and the reason in a sentence", "prototype_a_consumer", "surprise"
    ),
    "page": Shot("The page of `bankhook listen`: deliveries with their state, event and member, the newest first"),
    "timeline": Shot(
        "A member's connections as bars and transactions as points over time", "prototype_a_consumer", "timeline"
    ),
}
"""The pictures by their names."""


def html_of(name: str) -> str:
    """The HTML that a picture shows."""
    shot = SHOTS[name]
    if not shot.notebook:
        with _listening() as url, urllib.request.urlopen(url) as answer:
            return str(answer.read().decode())
    cells = notebooks.executed(notebooks.FOLDER / f"{shot.notebook}.ipynb").cells
    (outputs,) = (cell.outputs for cell in cells if cell.id == shot.cell)
    return notebooks.seen(outputs[-1])


@contextlib.contextmanager
def _listening() -> Generator[str, None, None]:
    """Run `bankhook listen` on an inbox with some deliveries, and give the address of its page."""
    with tempfile.TemporaryDirectory() as folder:
        inbox = Path(folder) / "inbox.db"
        asyncio.run(_fill(inbox))
        command = [sys.executable, "-m", "bankhook", "listen", "--inbox", str(inbox), "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                yield next(line.split()[1] for line in process.stdout if line.startswith("page "))
            finally:
                process.terminate()


async def _fill(file: Path) -> None:
    """Store some deliveries and handle most of them; one of them is broken, and a handler fails for another one."""
    handlers = bankhook.Handlers()

    @handlers.on_validated(name="credit")
    def credit(event: bankhook.InitialTransactionUpdate) -> None:
        if event.initial_transaction.amount > 40:
            raise ValueError

    sandbox = bankhook.Sandbox(seed=2, members=3, faults={"truncate": 0.1})
    start = datetime.datetime(2026, 5, 4, 9, 30, tzinfo=datetime.UTC)
    bodies = [delivery.payload for delivery in sandbox.deliveries(8)]
    arrivals = [
        bankhook.inbox.examine(body, received=start + datetime.timedelta(seconds=47 * number))
        for number, body in enumerate(bodies)
    ]
    async with bankhook.inbox.open(file, attempts=1) as inbox:
        await inbox.append(arrivals[:7])
        await inbox.drain(handlers)
        await inbox.append(arrivals[7:])


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
    width = min(size_of(path_of(name, "light").read_bytes())[0] / SCALE, WIDTH)
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
        chrome: Any = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
        try:
            for name, shot in SHOTS.items():
                html = html_of(name)
                for scheme, (background, ink) in SCHEMES.items():
                    page, part = Path(folder) / "page.html", "main" if shot.notebook else "body"
                    page.write_text(_page(html, background, ink), encoding="utf-8")
                    features = [{"name": "prefers-color-scheme", "value": scheme}]
                    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
                    with contextlib.nullcontext(page.as_uri()) if shot.notebook else _listening() as url:
                        chrome.set_window_size(WIDTH + 100 if shot.notebook else PAGE_WIDTH, 4000)
                        chrome.get(url)
                        png = chrome.find_element(By.TAG_NAME, part).screenshot_as_png
                    path_of(name, scheme).write_bytes(_with_description(png, summary(html)))
        finally:
            chrome.quit()


def _page(html: str, background: str, ink: str) -> str:
    look = f"html{{background:{background};color:{ink}}}body{{margin:0}}main{{width:{WIDTH - 24}px;padding:12px}}"
    return f'<!doctype html><meta charset="utf-8"><style>{look}</style><main>{html}</main>'
