# SPDX-License-Identifier: MIT
"""Finds the phrases that this repository does not use.

`phrases.tsv` lists each phrase, what to write instead, and the texts in which it is right. Not in the list is what only a
reader can decide: "where" that means "if", "member" for a field.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LIST = Path(__file__).with_name("phrases.tsv")
TEXTS = {
    "",
    ".cmake",
    ".cpp",
    ".css",
    ".hpp",
    ".ipynb",
    ".js",
    ".md",
    ".py",
    ".pyi",
    ".sh",
    ".toml",
    ".tsv",
    ".txt",
    ".yml",
}
# Payloads have the service's words, and the list has the phrases themselves.
LEFT_OUT = ("LICENSE", "tests/data/", "tests/fuzz/corpus/", "tools/phrases.tsv", "tests/architecture/test_phrases.py")


class Phrase(NamedTuple):
    """One row of the list."""

    text: str
    instead: str
    allowed: tuple[str, ...]

    def is_in(self, line: str) -> bool:
        """Return whether the line has the phrase, in words or in a name, outside the texts in which it is right."""
        for allowed in self.allowed:
            line = line.replace(allowed, "")
        words = r"[\s_]+".join(map(re.escape, self.text.split()))
        return re.search(rf"(?<![^\W\d_]){words}(?![^\W\d_])", line, re.IGNORECASE) is not None


class Line(NamedTuple):
    """A line of a file."""

    path: str
    number: int
    text: str


def main() -> int:
    """Print each phrase with its place; return 1 if there is one."""
    found = list(findings(lines(ROOT)))
    print("".join(f"{finding}\n" for finding in found), end="")
    return 1 if found else 0


def phrases() -> list[Phrase]:
    """Return the rows of the list."""
    with LIST.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [Phrase(row["phrase"], row["write"], tuple(filter(None, (row["except"] or "").split(", ")))) for row in rows]


def findings(lines: Iterable[Line]) -> Iterator[str]:
    """Yield a sentence for each phrase in these lines."""
    listed = phrases()
    for line in lines:
        for phrase in listed:
            if phrase.is_in(line.text):
                yield f'{line.path}:{line.number}: "{phrase.text}"; write: {phrase.instead}'


def is_checked(path: str) -> bool:
    """Return whether the file is text of this repository."""
    return Path(path).suffix in TEXTS and not path.startswith(LEFT_OUT)


def lines(root: Path) -> Iterator[Line]:
    """Yield every line of the files that git tracks or would track."""
    listed = ("git", "-c", "core.quotePath=false", "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    paths = subprocess.run(listed, cwd=root, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    for path in paths.split("\0"):
        if is_checked(path) and (root / path).is_file():
            for number, text in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
                yield Line(path, number, text)


if __name__ == "__main__":
    sys.exit(main())
