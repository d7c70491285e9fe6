# SPDX-License-Identifier: MIT
"""What commands print: styled and as wide as the terminal, and never with a control character from a file."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from bankhook import _core
from bankhook._render.progress import When, has_colours, set_colours

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "COLOURS",
    "Style",
    "When",
    "complain",
    "console",
    "has_colours",
    "json_text",
    "plain",
    "say",
    "say_json",
    "set_colours",
    "styled",
    "width",
    "wrapped",
]

# Control characters, ends of lines and marks of writing direction would change the text around them, and invisible
# characters can hide something; the joiners that some scripts and emoji need may stay, and so may tabs.
_UNFIT = re.compile(f"(?![\t\u200c\u200d\ufe0f])[{_core._hidden_characters}]")
_NO_ASCII = re.compile("[^\x20-\x7e]")

# Text and background of the fixed part of the 256 colours, so that the contrast does not depend on the terminal's theme.
COLOURS = {"red": (231, 160), "yellow": (16, 214), "green": (231, 28), "cyan": (231, 24)}

Style = dict[str, Any]
"""Arguments of `styled`."""


def plain(text: str) -> str:
    """Return the text without characters that a terminal would act on."""
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)


def complain(message: str) -> None:
    """Print one line on standard error; a failure to write it is ignored."""
    try:
        sys.stderr.write(f"bankhook: {plain(message)}\n")
        sys.stderr.flush()
    except OSError:
        pass


def styled(text: str, *, fg: str | None = None, bold: bool = False) -> str:
    """Return the text in colours if standard output shows them."""
    if not (text and (fg or bold)) or not has_colours(sys.stdout):
        return text
    front, back = COLOURS[fg] if fg else (None, None)
    return click.style(text, fg=front, bg=back, bold=bold or None)


def width() -> int | None:
    """Return how many characters a line of the terminal has; None without one: lines then have the length they need."""
    return max(20, shutil.get_terminal_size().columns) if sys.stdout.isatty() else None


def wrapped(*parts: tuple[str, Style], first: int = 0, rest: int = 2) -> Iterator[str]:
    """Yield styled texts, with a blank between two of them, in lines that fit the terminal.

    The first line is indented by `first` blanks, the others by `rest`. A word that is longer than a line is broken.
    """
    most = width()
    if most is None:
        yield " " * first + " ".join(styled(text, **style) for text, style in parts)
        return
    from rich.cells import cell_len

    line, column, is_empty = " " * first, first, True
    for text, style in parts:
        words: list[str] = []  # of this part, in this line
        for word in _pieces(text, most - rest):
            size = cell_len(word)
            if not is_empty and column + 1 + size > most:
                yield (line + styled(" ".join(words), **style)).rstrip()
                line, column, is_empty, words = " " * rest, rest, True, []
            column += size + (not is_empty)
            if not is_empty and not words:
                line += " "
            words.append(word)
            is_empty = False
        line += styled(" ".join(words), **style)
    yield line


def _pieces(text: str, most: int) -> Iterator[str]:
    """Yield the words of a text; longer ones in pieces that fit a line."""
    from rich.cells import cell_len, chop_cells

    for word in text.split(" "):
        yield from [word] if cell_len(word) <= most else chop_cells(word, most)


def say(text: str = "") -> None:
    """Print a line on standard output."""
    sys.stdout.write(text + "\n")


def say_json(value: object) -> None:
    """Print an object on standard output, in one line of JSON."""
    import json

    say(json_text(json.dumps(value, ensure_ascii=False, separators=(",", ":"))))


def json_text(text: str) -> str:
    """Escape in one line of JSON what a terminal would act on or standard output cannot encode."""
    import json

    unfit = _UNFIT if sys.stdout.encoding.lower().startswith("utf") else _NO_ASCII
    return unfit.sub(lambda found: json.dumps(found[0])[1:-1], text)


def console() -> Console:
    """Return standard output for trees and tables; as wide as a page if it is not a terminal."""
    from rich.console import Console

    colours = has_colours(sys.stdout)
    return Console(
        file=sys.stdout,
        no_color=not colours,
        force_terminal=colours or None,
        color_system="256" if colours else None,
        width=width() or 120,
        highlight=False,
        emoji=False,
        markup=False,
    )
