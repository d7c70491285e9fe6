# SPDX-License-Identifier: MIT
"""What commands print: styled and as wide as the terminal, and never with a control character from a file."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING, Any

import click

from bankhook import _core
from bankhook._render.progress import When, has_colours, set_colours
from bankhook.cli.links import linked

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
    "say_wrapped",
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

_PAGE = 80  # columns of a terminal that does not know its width

Style = dict[str, Any]
"""Arguments of `styled`."""


def plain(text: str) -> str:
    """Return the text without characters that a terminal would act on."""
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)


def complain(message: str, program: str = "bankhook: ") -> None:
    """Print a message on standard error, in lines that fit its terminal; a failure to write it is ignored."""
    most = _columns(sys.stderr) if sys.stderr.isatty() else None
    try:
        for line in _fitted([(f"{program}{plain(message)}", {})], most, 0, 2):
            sys.stderr.write(line + "\n")
        sys.stderr.flush()
    except OSError:
        pass


def styled(text: str, *, fg: str | None = None, bold: bool = False, rule: str | None = None) -> str:
    """Return the text in colours if standard output shows them; the id of a rule in it becomes a link."""
    if rule is not None:
        text = text.replace(rule, linked(rule), 1)
    if not (text and (fg or bold)) or not has_colours(sys.stdout):
        return text
    front, back = COLOURS[fg] if fg else (None, None)
    return click.style(text, fg=front, bg=back, bold=bold or None)


def width() -> int | None:
    """Return how many characters a line of the terminal has; None without one: lines then have the length they need."""
    return _columns(sys.stdout) if sys.stdout.isatty() else None


def _columns(terminal: IO[str]) -> int:
    if os.environ.get("COLUMNS"):  # which shutil reads; without it, that asks for the size of standard output only
        return max(20, shutil.get_terminal_size().columns)
    with contextlib.suppress(OSError):
        return max(20, os.get_terminal_size(terminal.fileno()).columns or _PAGE)
    return _PAGE


def wrapped(*parts: tuple[str, Style], first: int = 0, rest: int = 2) -> Iterator[str]:
    """Return styled texts, with a blank between two of them, in lines that fit the terminal.

    The first line is indented by `first` blanks, the others by `rest`. A word that is longer than a line is broken.
    """
    return _fitted(parts, width(), first, rest)


def _fitted(parts: Sequence[tuple[str, Style]], most: int | None, first: int, rest: int) -> Iterator[str]:
    if most is None:
        yield " " * first + " ".join(styled(text, **style) for text, style in parts)
        return
    line, column, is_empty, is_first = " " * first, first, True, True
    for text, style in parts:
        words: list[str] = []  # of this part, in this line
        for word in _pieces(text, most - rest):
            size = _core._cells(word)
            if not is_empty and column + 1 + size > most:
                yield (line + styled(" ".join(words), **style)).rstrip()
                line, column, is_empty, is_first, words = " " * rest, rest, True, False, []
            if not word and is_empty and not is_first:
                continue  # gaps between columns have no place where a line starts
            column += size + (not is_empty)
            if not is_empty and not words:
                line += " "
            words.append(word)
            is_empty = False
        line += styled(" ".join(words), **style)
    yield line


def say_wrapped(*parts: tuple[str, Style], first: int = 0, rest: int = 2) -> None:
    """Print styled texts in lines that fit the terminal."""
    for line in wrapped(*parts, first=first, rest=rest):
        say(line)


def _pieces(text: str, most: int) -> Iterator[str]:
    """Yield the words of a text; longer ones in pieces that fit a line."""
    for word in text.split(" "):
        if _core._cells(word) <= most:
            yield word
            continue
        piece = ""
        for character in word:
            if piece and _core._cells(piece + character) > most:
                yield piece
                piece = ""
            piece += character
        yield piece


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

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise  # as wherever else something is written

    colours = has_colours(sys.stdout)
    return Output(
        file=sys.stdout,
        no_color=not colours,
        force_terminal=colours or None,
        color_system="256" if colours else None,
        width=width() or 120,
        highlight=False,
        emoji=False,
        markup=False,
    )
