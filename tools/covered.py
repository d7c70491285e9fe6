# SPDX-License-Identifier: MIT
"""Prints how many lines `./dev coverage` found covered, by the tests of users and by all: `covered.py FOLDER`.

Fails where all tests together cover less than `LEAST` of either language.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

LEAST = 0.97


def lines(report: Path) -> tuple[int, int]:
    """Return the covered lines, and all, of a summary by gcovr or coverage.py."""
    found = json.loads(report.read_text(encoding="utf-8"))
    if report.name.startswith("cpp-"):
        return found["line_covered"], found["line_total"]
    return found["totals"]["covered_lines"], found["totals"]["num_statements"]


def main(folder: Path) -> int:
    """Print a line for each language; return 1 if too little of one is covered, else 0."""
    failed = 0
    for language, name in (("include/", "cpp"), ("python/", "python")):
        user, total = lines(folder / f"{name}-user.json")
        text = f"{language:9} {user:,} of {total:,} lines by the tests of users ({user / total:.1%})"
        if (everything := folder / f"{name}-all.json").exists():
            covered, total = lines(everything)
            text += (
                f", {covered:,} of {total:,} by all ({covered / total:.1%}): {user / covered:.3f} of them by those of users"
            )
            if covered < LEAST * total:
                text += f"; at least {LEAST:.0%} wanted"
                failed = 1
        print(text)
    return failed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
