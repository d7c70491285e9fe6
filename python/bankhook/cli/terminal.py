# SPDX-License-Identifier: MIT
"""What commands print: styled and as wide as the terminal, and never with a control character from a file."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import IO, TYPE_CHECKING, TypeAlias

from bankhook import _core
from bankhook._render.progress import has_colours

if TYPE_CHECKING:
    from rich.console import Console

Part: TypeAlias = str | tuple[str, str]
"""A text, or a text and its style: `bold`, a colour, or both."""

# Control characters, ends of lines and marks of writing direction would change the text around them, and invisible
# characters can hide something; the joiners that some scripts and emoji need may stay, and so may tabs.
_UNFIT = re.compile(f"(?![\t\u200c\u200d\ufe0f])[{_core._hidden_characters}]")
_NO_ASCII = re.compile("[^\x20-\x7e]")

# Text and background of the fixed part of the 256 colours, so that the contrast does not depend on the terminal's theme.
COLOURS = {"red": (231, 160), "yellow": (16, 214), "green": (231, 28)}

_has_said = False
so_far = SimpleNamespace(status=0)
"""The exit status that a command has if the pipe that it writes to is closed now: what was found stays found."""


def plain(text: str) -> str:
    """Return the text without characters that a terminal would act on."""
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)


def complain(message: str, program: str = "bankhook: ") -> None:
    """Print a message on standard error, in lines that fit its terminal; a failure to write it is ignored."""
    with contextlib.suppress(OSError):
        _print(sys.stderr, [f"{program}{message}"], _columns(sys.stderr) if sys.stderr.isatty() else None, 0, 2)
        sys.stderr.flush()


def width() -> int | None:
    """Return how many characters a line of the terminal has; None without one: lines then have the length they need."""
    return _columns(sys.stdout) if sys.stdout.isatty() else None


def _columns(terminal: IO[str]) -> int:
    with contextlib.suppress(OSError):  # shutil, which reads COLUMNS, asks for the size of standard output only
        if not os.environ.get("COLUMNS"):
            return max(20, os.get_terminal_size(terminal.fileno()).columns or 80)
    return max(20, shutil.get_terminal_size().columns)


def say(*parts: Part, first: int = 0, rest: int | None = 2) -> None:
    """Print texts, with a blank between two of them, on standard output, in lines that fit the terminal.

    The first line is indented by `first` blanks, the others by `rest`; None for a line that fits already. A word that is
    longer than a line is broken.
    """
    global _has_said
    _has_said = True
    _print(sys.stdout, parts, None if rest is None else width(), first, rest or 0)


def _print(stream: IO[str], parts: Sequence[Part], most: int | None, first: int, rest: int) -> None:
    texts = [(plain(part), "") if isinstance(part, str) else (plain(part[0]), part[1]) for part in parts]
    if most is None and not (has_colours(stream) and any(style for _, style in texts)):
        stream.write(f"{' ' * first}{' '.join(text for text, _ in texts)}\n")
        return
    from rich.text import Text

    screen = _console(has_colours(stream), None)
    whole = Text(" ").join(Text(text, style_of(style)) for text, style in texts)
    lines = [whole] if most is None else whole.wrap(screen, most - max(first, rest), overflow="fold")
    for number, line in enumerate(lines):
        line.rstrip()
        with screen.capture() as shown:
            screen.print(line, end="", soft_wrap=True)
        stream.write(f"{' ' * (rest if number else first)}{shown.get()}\n")


def gap(*, is_first: bool = False) -> None:
    """Print an empty line between what was printed and what comes; none where what comes is the first."""
    global _has_said
    if is_first:
        _has_said = False
    elif _has_said:
        sys.stdout.write("\n")


def style_of(style: str) -> str:
    """Return a style in the words of rich, with a background for each colour."""
    return " ".join("color({}) on color({})".format(*COLOURS[word]) if word in COLOURS else word for word in style.split())


def say_json(value: object) -> None:
    """Print an object, or its text, on standard output, in one line of JSON.

    What a terminal would act on, or standard output cannot encode, is escaped.
    """
    import json

    text = value if isinstance(value, str) else dumped(value)
    unfit = _UNFIT if sys.stdout.encoding.lower().startswith("utf") else _NO_ASCII
    sys.stdout.write(unfit.sub(lambda found: json.dumps(found[0])[1:-1], text) + "\n")


def dumped(value: object) -> str:
    """Return an object in one line of JSON."""
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def console() -> Console:
    """Return standard output for trees and tables; as wide as a page if it is not a terminal."""
    global _has_said
    _has_said = True
    return _console(has_colours(sys.stdout), width() or 120)


@functools.cache
def _console(has_colours: bool, columns: int | None) -> Console:
    from rich.console import Console

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise  # as wherever else something is written

    return Output(
        no_color=not has_colours,
        force_terminal=has_colours or None,
        color_system="256" if has_colours else None,
        width=columns,
        highlight=False,
        emoji=False,
        markup=False,
    )
