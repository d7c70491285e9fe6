# SPDX-License-Identifier: MIT
"""Fields by their paths, several in one text: `line,initialTransaction.{id,amount}`."""

from __future__ import annotations

import click

__all__ = ["expanded"]


def expanded(text: str) -> tuple[str, ...]:
    """Return the paths that a selection lists, each once, with braces replaced by what they stand for."""
    paths = [path for part in _split(text) for path in _each(part.strip())]
    if not all(paths):
        raise click.UsageError("--select: expected names with commas between them, found an empty one")
    return tuple(dict.fromkeys(paths))


def _split(text: str) -> list[str]:
    """Split at the commas that are not in braces."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if depth < 0:
            break
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    if depth != 0:
        raise click.UsageError("--select: the braces do not match")
    return parts


def _each(part: str) -> list[str]:
    """Replace the first pair of braces, and those in what it gives."""
    start = part.find("{")
    if start < 0:
        return [part]
    depth, end = 0, start
    for end in range(start, len(part)):
        depth += (part[end] == "{") - (part[end] == "}")
        if depth == 0:
            break
    return [
        path for inside in _split(part[start + 1 : end]) for path in _each(part[:start] + inside.strip() + part[end + 1 :])
    ]
