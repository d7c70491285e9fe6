# SPDX-License-Identifier: MIT
"""Runs the Python snippets of a page one after the other, as a reader would, and says what each of them printed.

A program of its own: reads `[[line, text], ...]` as JSON, and writes `[[printed, [[line, words], ...]], ...]`: all that a
snippet printed, and what each call of `print` on which line did.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from typing import Any


def main() -> None:
    """Stops at the first snippet that raises, with the lines of the page in the traceback."""
    page, blocks = sys.argv[1], json.load(sys.stdin)
    sys.path.insert(0, "")  # as in a reader's session, which imports the files that the page shows
    said: list[tuple[str, list[tuple[int, str]]]] = []
    calls: list[tuple[int, str]] = []

    def recorded(*values: Any, **options: Any) -> None:
        words = io.StringIO()
        elsewhere: dict[str, Any] = {**options, "file": words}
        print(*values, **elsewhere)
        calls.append((sys._getframe(1).f_lineno, words.getvalue()))
        print(*values, **options)

    names: dict[str, Any] = {"__name__": "__main__", "print": recorded}
    for line, text in blocks:
        calls.clear()
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("\n" * (line - 1) + text, page, "exec", dont_inherit=True), names)
        said.append((printed.getvalue(), [*calls]))
    json.dump(said, sys.stdout)


main()
