# SPDX-License-Identifier: MIT
"""The snippets of the pages: where they stand, what they are, and what the page says that they print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["RUN", "Snippet", "agrees", "files", "pages", "snippets"]

ROOT = Path(__file__).resolve().parents[2]
# A block of one of these languages is run; of another one it is read only.
RUN = ("cmake", "cpp", "python", "sh")

_FENCE = re.compile(r"^(?P<fence>`{3,})(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=fence)$\n*", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"^(?:#|//) (?P<name>[\w./]+\.(?:py|cpp|hpp|txt|json|ndjson))\n")


@dataclass(frozen=True)
class Snippet:
    """A fenced block of a page."""

    page: Path
    line: int
    language: str
    text: str
    file: str | None
    """The file that the block is, where its first line is a comment that names one: it is written, and not run."""
    output: str | None
    """What it prints: the block of `text` that follows it at once."""

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def pages() -> list[Path]:
    """Every page for readers."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def snippets(page: Path, *languages: str) -> list[Snippet]:
    """The snippets of a page in these languages (else in all that are run), in order."""
    return [snippet for snippet in _all(page) if snippet.language in (languages or RUN)]


def _all(page: Path) -> Iterator[Snippet]:
    text = page.read_text(encoding="utf-8")
    blocks = list(_FENCE.finditer(text))
    for block, following in zip(blocks, [*blocks[1:], None], strict=False):
        is_output = following is not None and following.start() == block.end() and following["language"] == "text"
        named = _FILE.match(block["text"])
        yield Snippet(
            page,
            text.count("\n", 0, block.start("text")) + 1,
            block["language"],
            block["text"],
            named["name"] if named else None,
            following["text"] if following is not None and is_output else None,
        )


def files(page: Path, folder: Path) -> None:
    """Writes the files that the page shows into a folder."""
    for snippet in snippets(page):
        if snippet.file is not None:
            target = folder / snippet.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(snippet.text, encoding="utf-8")


def agrees(printed: str, promised: str) -> bool:
    """Whether a text is what the page says; `...` there stands for anything."""
    pattern = ".*?".join(re.escape(part) for part in promised.strip().split("..."))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None
