# SPDX-License-Identifier: MIT
"""Archives one after the other: one that cannot be read is said, and the rest is read."""

from __future__ import annotations

from collections.abc import Callable

from bankhook.cli.archives import Archive, Unreadable, shown_name, total_size
from bankhook.cli.progress import Bar
from bankhook.cli.terminal import complain, say_json

__all__ = ["read_each"]


def read_each(names: tuple[str, ...], take: Callable[[Archive, Bar], None], *, as_json: bool) -> int:
    """Gives each archive to `take`, with the bar that shows how far the reading is. How many could not be read to their end."""
    unreadable = 0
    with Bar(total_size(names)) as bar:
        for name in names:
            try:
                archive = Archive(name)
                try:
                    take(archive, bar)
                finally:
                    bar.pass_by(archive.position)
            except Unreadable as fault:
                unreadable += 1
                bar.hide()
                complain(f"{shown_name(name)}: {fault}")
                if as_json:
                    say_json({"type": "unreadable", "file": shown_name(name), "reason": str(fault)})
    return unreadable
