# SPDX-License-Identifier: MIT
"""Small changes of the code, one at a time, each of which a test has to notice: `./dev mutate`.

Why our own: of the tools for C++, Mull needs clang with an LLVM of its own and is not in Debian, nor is Dextool, written in D.
For Python there are cosmic-ray and mutmut. They would save the 60 lines of `python.py`, and need as many of settings and to
read what they found; mutmut runs the tests in forks of its own process, and tests of an inbox fork and are killed.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Key", "Mutant"]

Key = tuple[str, str, str]


class Mutant(NamedTuple):
    """A change of the characters [start, end) of a file."""

    path: str
    start: int
    end: int
    change: str  # for people
    becomes: str  # the text instead; in C++ a format with `m`, which is whether the change is on, and the parts
    parts: tuple[tuple[int, int], ...] = ()  # of the text, which may have changes of their own

    def key(self, text: str, before: set[Key]) -> Key:
        """Return what names it however the lines above it change: the file, the line, the change, and which one of several."""
        line = text[text.rfind("\n", 0, self.start) + 1 :].partition("\n")[0].strip()
        key, count = (self.path, line, self.change), 1
        while key in before:
            count += 1
            key = (self.path, line, f"{self.change} ({count})")
        before.add(key)
        return key
