# SPDX-License-Identifier: MIT
"""What commands print: styled only on a terminal, and never with a control character from a file."""

from __future__ import annotations

import os
import re
import sys
from typing import IO, TYPE_CHECKING, Any

import click

from bankhook import _core

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["complain", "console", "has_colours", "json_text", "plain", "say", "say_json", "styled"]

# Control characters, ends of lines and marks of writing direction would change the text around them, and invisible
# characters can hide something; the joiners that some scripts and emoji need may stay, and so may tabs.
_UNFIT = re.compile(f"(?![\t\u200c\u200d\ufe0f])[{_core._hidden_characters}]")
_NO_ASCII = re.compile("[^\x20-\x7e]")


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


def has_colours(stream: IO[str]) -> bool:
    """Return whether a stream is a terminal that shows colours, unless the user has turned them off."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def styled(text: str, **style: Any) -> str:
    """Return the text in colours if standard output shows them."""
    return click.style(text, **style) if has_colours(sys.stdout) else text


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

    is_terminal = sys.stdout.isatty()
    return Console(
        file=sys.stdout,
        no_color=not has_colours(sys.stdout),
        width=None if is_terminal else 120,
        highlight=False,
        emoji=False,
        markup=False,
    )
