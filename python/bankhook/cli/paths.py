# SPDX-License-Identifier: MIT
"""Fields by their paths, several in one text: `line,initialTransaction.{id,amount}`."""

from __future__ import annotations

import re

import click

__all__ = ["expanded"]

_INNERMOST = re.compile(r"([^,{}]*)\{([^{}]*)\}([^,{}]*)")


def expanded(text: str) -> tuple[str, ...]:
    """Return the paths that a selection lists, each once, with braces replaced by what they stand for."""
    while found := _INNERMOST.search(text):
        before, inside, after = found.groups()
        each = ",".join(f"{before.strip()}{one.strip()}{after.strip()}" for one in inside.split(","))
        text = text[: found.start()] + each + text[found.end() :]
    if "{" in text or "}" in text:
        raise click.UsageError("--select: the braces do not match")
    paths = [path.strip() for path in text.split(",")]
    if not all(paths):
        raise click.UsageError("--select: expected names with commas between them, found an empty one")
    return tuple(dict.fromkeys(paths))
