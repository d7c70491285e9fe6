# SPDX-License-Identifier: MIT
"""Pictures of commands for the README: each is run in a terminal, and what it prints becomes an SVG, light and dark.

Run `build/venv/bin/python tools/pictures.py`: it writes docs/pictures/, those of the notebooks, too
(`screenshots.py`), and the outputs of the notebooks themselves (`notebooks.py`).
"""

from __future__ import annotations

import fcntl
import html
import os
import pty
import re
import struct
import sys
import tempfile
import termios
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from rich.text import Text

import notebooks
import screenshots

__all__ = ["COLUMNS", "FOLDER", "PALETTE", "PICTURES", "picture", "printed", "texts"]

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
COLUMNS = 96

# Mistakes that people make: an amount as text, another spelling of a value, and of a date.
PAYLOAD = """{
  "event": "initial_transaction_update", "eventType": "rejected",
  "customer": {"id": "member-0001", "externalId": "cust-1"},
  "initialTransaction": {
    "id": "it-0001", "amount": "19.90", "storeExternalId": "store-17",
    "status": "rejected", "rejectionReason": "purchase_not_found",
    "transactionDate": "03/05/2026", "transactionId": null, "date": "2026-05-04T10:15:30.000Z"}}
"""
PICTURES = {"check": "bankhook check --show-values purchase.json"}
"""The command of each picture."""

PALETTE = {  # light and dark: at least 4.5:1 on the background
    "fg": ("#24292f", "#e6edf3"),
    "bg": ("#f6f8fa", "#161b22"),
    "dim": ("#57606a", "#9198a1"),
    "red": ("#b3261e", "#ff8b84"),
    "green": ("#116329", "#56d364"),
    "yellow": ("#7d4e00", "#e3b341"),
    "blue": ("#0550ae", "#79c0ff"),
    "magenta": ("#8250df", "#d2a8ff"),
    "cyan": ("#0b6b74", "#56d4dd"),
}
_ANSI = {1: "red", 2: "green", 3: "yellow", 4: "blue", 5: "magenta", 6: "cyan", 8: "dim"}
_ADVANCE, _LINE, _MARGIN = 8.4, 20, 16


def printed(command: str) -> bytes:
    """What the command prints in a terminal of that width, in a folder that holds the payload."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "purchase.json").write_text(PAYLOAD, encoding="utf-8")
        child, terminal = pty.fork()
        if child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
            os.chdir(folder)
            environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)}
            environment.pop("NO_COLOR", None)
            os.execve(sys.executable, [sys.executable, "-m", *command.split()], environment)
        output = b""
        try:
            while part := os.read(terminal, 65536):
                output += part
        except OSError:  # that is how a terminal says that its process has ended
            pass
        os.close(terminal)
        os.waitpid(child, 0)
    return output


def picture(command: str, output: bytes) -> str:
    """The command and what it printed, as an SVG that follows the reader's light or dark setting."""
    lines = [Text("$ " + command, "bold"), *Text.from_ansi(output.decode().replace("\r", "").rstrip("\n")).split("\n")]
    width = round(max(line.cell_len for line in lines) * _ADVANCE + 2 * _MARGIN)
    height = len(lines) * _LINE + 2 * _MARGIN
    rows = "\n".join(_row(line, _MARGIN + (number + 1) * _LINE - 6) for number, line in enumerate(lines))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">\n'
        f"<title>{html.escape(command)}</title>\n<style>{_style()}</style>\n"
        f'<rect width="{width}" height="{height}" rx="8" class="bg"/>\n{rows}\n</svg>\n'
    )


def texts(svg: str) -> list[str]:
    """The lines of text of a picture."""
    rows = re.findall(r"<text .*?>(.*)</text>", svg)
    return [html.unescape(re.sub(r"<.*?>", "", row)).replace("\N{NO-BREAK SPACE}", " ") for row in rows]


def _style() -> str:
    def rules(scheme: int) -> str:
        return "".join(f".{name}{{fill:{colours[scheme]}}}" for name, colours in PALETTE.items())

    font = "text{font:14px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}.bold{font-weight:700}"
    return f"{font}{rules(0)}@media(prefers-color-scheme:dark){{{rules(1)}}}"


def _row(line: Text, y: int) -> str:
    """One line; each stretch of one style says where it starts and how wide it is, so that carets are right in any font."""
    boxes, stretches = list[str](), list[str]()
    ends = sorted({0, len(line.plain), *(edge for span in line.spans for edge in (span.start, span.end))})
    for start, end in pairwise(ends):
        text = line.plain[start:end]
        if not text.strip():
            continue
        look = _look(line, start)
        x, width = _MARGIN + start * _ADVANCE, len(text) * _ADVANCE
        if look.background:
            boxes.append(f'<rect x="{x:.1f}" y="{y - 14}" width="{width:.1f}" height="19" fill="{look.background}"/>')
        escaped = html.escape(text).replace(" ", "\N{NO-BREAK SPACE}")
        stretches.append(f'<tspan x="{x:.1f}" textLength="{width:.1f}" {look.attributes}>{escaped}</tspan>')
    return f'{"".join(boxes)}<text y="{y}">{"".join(stretches)}</text>'


class _Look(NamedTuple):
    attributes: str
    background: str | None


def _look(line: Text, position: int) -> _Look:
    bold, colour, exact, background = line.style == "bold", "fg", "", None
    for span in line.spans:
        if span.start <= position < span.end and not isinstance(span.style, str):
            style = span.style
            bold = bold or bool(style.bold)
            colour = "dim" if style.dim else colour
            if style.color is not None and style.color.number is not None:
                colour = _ANSI.get(style.color.number, colour)
                exact = style.color.get_truecolor().hex if style.color.number > 15 else exact
            if style.bgcolor is not None and style.bgcolor.number is not None:
                background = style.bgcolor.get_truecolor().hex
    fill = f' style="fill:{exact}"' if exact else ""
    return _Look(f'class="{colour}{" bold" if bold else ""}"{fill}', background)


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for name, command in PICTURES.items():
        (FOLDER / f"{name}.svg").write_text(picture(command, printed(command)), encoding="utf-8")
    notebooks.write()
    screenshots.write()


if __name__ == "__main__":
    main()
