# SPDX-License-Identifier: MIT
"""Finds the phrases that this repository does not use, in the lines that a branch adds or in the whole tree.

`phrases.tsv` lists each phrase, what to write instead, and the texts in which it is right. What only a reader can judge is not in
the list: "where" that means "if", "member" for a field.
"""

from __future__ import annotations

import argparse
import csv
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LIST = Path(__file__).with_name("phrases.tsv")
MAIN = ("origin/main", "main")
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
# Payloads are the service's words, and the list is the list.
LEFT_OUT = ("LICENSE", "tests/data/", "tools/phrases.tsv", "tests/architecture/test_phrases.py")


class Phrase(NamedTuple):
    """One row of the list."""

    text: str
    instead: str
    allowed: tuple[str, ...]

    def is_in(self, line: str) -> bool:
        """Whether the line has the phrase, in words or in a name, outside the texts in which it is right."""
        for allowed in self.allowed:
            line = line.replace(allowed, "")
        words = r"[\s_]+".join(map(re.escape, self.text.split()))
        return re.search(rf"(?<![^\W\d_]){words}(?![^\W\d_])", line, re.IGNORECASE) is not None


class Line(NamedTuple):
    """A line of a file in the tree."""

    path: str
    number: int
    text: str


def main() -> int:
    """Print each phrase with its place; return 1 if there is one."""
    parser = argparse.ArgumentParser(description="Find the phrases that this repository does not use.")
    parser.add_argument("--all", action="store_true", help="look at the whole tree")
    parser.add_argument("--base", help="look at what was added since this commit, by default since the branch left main")
    options = parser.parse_args()
    lines = whole_tree(ROOT) if options.all else added_lines(ROOT, options.base or branch_point(ROOT))
    found = list(findings(lines))
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


def is_looked_at(path: str) -> bool:
    """Whether the file is text of ours."""
    return Path(path).suffix in TEXTS and not path.startswith(LEFT_OUT)


def whole_tree(root: Path, *which: str) -> Iterator[Line]:
    """Yield every line of the files that git knows or, with `--others`, does not know yet."""
    for path in git(root, "ls-files", *(which or ("--cached", "--others")), "--exclude-standard", "-z").split("\0"):
        if is_looked_at(path) and (root / path).is_file():
            for number, text in enumerate((root / path).read_text(encoding="utf-8").splitlines(), 1):
                yield Line(path, number, text)


def added_lines(root: Path, base: str) -> Iterator[Line]:
    """Yield the lines that the working tree has and the commit does not have."""
    path, number = "", 0
    for text in git(root, "diff", "--unified=0", "--no-color", "--no-ext-diff", "--find-renames", base, "--").splitlines():
        if text.startswith("+++ "):
            path = text.removeprefix("+++ b/")
        elif found := re.match(r"@@ -\S+ \+(\d+)", text):
            number = int(found[1])
        elif text.startswith("+"):
            if is_looked_at(path):
                yield Line(path, number, text[1:])
            number += 1
    yield from whole_tree(root, "--others")


def branch_point(root: Path) -> str:
    """Return the commit at which this branch left main; on main itself, the commit before the last one."""
    head = git(root, "rev-parse", "HEAD").strip()
    known = git(root, "for-each-ref", "--format=%(refname:short)").split()
    for name in MAIN:
        if name in known and (base := git(root, "merge-base", "HEAD", name).strip()) != head:
            return base
    return "HEAD~1"


def git(root: Path, *arguments: str) -> str:
    """Return what git prints."""
    command = ["git", "-c", "core.quotePath=false", *arguments]
    return subprocess.run(command, cwd=root, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout


if __name__ == "__main__":
    sys.exit(main())
