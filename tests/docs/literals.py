# SPDX-License-Identifier: MIT
"""The payloads that stand written out in pages, notebooks and examples, each with the findings that the text announces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from derived import REGION
from docs.snippets import ROOT, pages

__all__ = ["Block", "in_cells", "in_page", "in_program", "literals"]

# Where an object may start.
_START = re.compile(r'\{\s*"')
# `findings: rule, rule` in a comment of HTML, Python, a shell or C++.
_MARKER = re.compile(r"(?:<!--|#|//) findings: ([\w, ]+?) *(?:-->)?$", re.MULTILINE)
_FENCE = re.compile(r"^(?P<fence>`{3,})[^\n`]*\n(?P<text>.*?)^(?P=fence)$", re.DOTALL | re.MULTILINE)
# What a call prints is not a payload, and may be cut; the pieces of a C++ literal are one text.
_PRINTED = re.compile(r"(?<=\))  # .*$", re.MULTILINE)
_BETWEEN_PIECES = re.compile(r'\)"\s*R"\(')
_OUTPUT = re.compile(r"\n*```text\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block, a cell or a source, with the events that it holds as JSON."""

    place: str
    payloads: tuple[str, ...]
    announced: frozenset[str]
    """The rules that a marker says are broken: all of them, and no other."""
    shown: str
    """What the page says that the block prints: a rule that it names need not be announced."""

    def __str__(self) -> str:
        return self.place


def literals() -> list[Block]:
    """Every block of the README, the other pages, the notebooks and the examples that holds an event."""
    found: list[Block] = []
    for page in [*pages(), ROOT / "CHANGELOG.md"]:
        found += in_page(page)
    for notebook in sorted((ROOT / "notebooks").glob("*.ipynb")):
        found += in_cells(notebook)
    for program in sorted((ROOT / "examples").rglob("*.*")):
        if program.suffix in (".cpp", ".hpp", ".py"):
            found += in_program(program)
    return found


def in_page(page: Path) -> Iterator[Block]:
    """Those of the fenced blocks. A marker stands in the block or on the line before it."""
    # What is derived shows shapes of records, and has tests where it comes from.
    text = REGION.sub(lambda found: "\n" * found[0].count("\n"), page.read_text(encoding="utf-8"))
    for block in _FENCE.finditer(text):
        before = text[: block.start()].rstrip("\n").rpartition("\n")[2]
        output = _OUTPUT.match(text, block.end())
        line = text.count("\n", 0, block.start("text")) + 1
        yield from _of(page, line, block["text"], before + "\n" + block["text"], output[1] if output else "")


def in_cells(notebook: Path) -> Iterator[Block]:
    """Those of the cells; a marker stands in the cell."""
    for number, cell in enumerate(json.loads(notebook.read_text(encoding="utf-8"))["cells"], 1):
        text = "".join(cell["source"])
        yield from _of(notebook, number, text, text, "")


def in_program(program: Path) -> Iterator[Block]:
    """Those of a source; a marker stands anywhere in it."""
    text = program.read_text(encoding="utf-8")
    yield from _of(program, 1, text, text, "")


def _of(source: Path, line: int, text: str, around: str, shown: str) -> Iterator[Block]:
    announced = frozenset(rule.strip() for marker in _MARKER.findall(around) for rule in marker.split(","))
    payloads = tuple(_payloads(_BETWEEN_PIECES.sub("", _PRINTED.sub("", text))))
    if payloads or announced:
        name = source.relative_to(ROOT) if source.is_relative_to(ROOT) else source
        yield Block(f"{name}:{line}", payloads, announced, shown)


def _payloads(text: str) -> Iterator[str]:
    start = _START.search(text)
    while start is not None:
        end = _end_of_object(text, start.start())
        payload = text[start.start() : end]
        is_event = _has_event(payload)
        if is_event:
            yield payload
        start = _START.search(text, end if is_event else start.end())


def _has_event(payload: str) -> bool:
    """Whether `event` is a field of the outermost object; of one that is not JSON, whether it has that name at all."""
    try:
        value = json.loads(payload)
    except ValueError:
        return '"event"' in payload
    return "event" in value


def _end_of_object(text: str, start: int) -> int:
    """Where the object that starts here ends by its braces; at the end of the text if they do not match."""
    depth = 0
    for token in re.compile(r'"(?:[^"\\\n]|\\.)*"|[{}]').finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.end()
    return len(text)
