# SPDX-License-Identifier: MIT
"""The map of the specification, read: sections, rows, and whether each link of a row leads to what it names."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Link", "Row", "faults", "rows"]

_SECTION = re.compile(r"^##+ (\d+(?:\.\d+)?) ")
_LINK = re.compile(r"\[([^\]]+)\]\[([^\]]+)\]")
_TARGET = re.compile(r"^\[([^\]]+)\]: (\S+)$", re.MULTILINE)
_CPP_TEST = re.compile(r'^TEST_CASE\(\s*"([^"]*)"', re.MULTILINE)
_PYTHON_TEST = re.compile(r"^def (test_\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Link:
    """A name, and the file that should hold it."""

    name: str
    path: Path


@dataclass(frozen=True)
class Row:
    """A line of a table: what the specification says in this section, and what holds it."""

    section: str
    statement: str
    code: tuple[Link, ...]
    tests: tuple[Link, ...]

    @property
    def is_open(self) -> bool:
        """Whether this is a place where the specification says that something is not shown."""
        return "not shown" in self.statement


def rows(page: Path) -> list[Row]:
    """Every row of the page's tables; the header rows are left out."""
    text = page.read_text(encoding="utf-8")
    targets = {name: (page.parent / path).resolve() for name, path in _TARGET.findall(text)}
    found: list[Row] = []
    section = ""
    for line in text.splitlines():
        if heading := _SECTION.match(line):
            section = heading[1]
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")] if line.startswith("|") else []
        if len(cells) < 3 or cells[0].startswith(("---", "statement", "not shown", ":-")):
            continue
        links = [Link(name.strip("`"), targets[alias]) for name, alias in _LINK.findall(" ".join(cells[1:]))]
        tests = tuple(link for link in links if "tests" in link.path.parts)
        found.append(Row(section, cells[0], tuple(link for link in links if link not in tests), tests))
    return found


def faults(row: Row) -> list[str]:
    """What is wrong with the links of a row; nothing where each leads to what it names."""
    wrong = [f"{link.path.name} has no {link.name}" for link in row.code if not _is_declared(link)]
    wrong += [f"{link.path.name} has no test {link.name!r}" for link in row.tests if not _is_tested(link)]
    if not row.code:
        wrong.append("no code is named")
    if not row.tests:
        wrong.append("no test is named")
    return wrong


def _is_declared(link: Link) -> bool:
    """Whether the file holds every part of a name like `Customer::external_id`, outside of comments."""
    if not link.path.is_file():
        return False
    code = re.sub(r"//[^\n]*", "", link.path.read_text(encoding="utf-8"))
    return all(re.search(rf"\b{re.escape(part)}\b", code) for part in re.split(r"::|\.", link.name))


def _is_tested(link: Link) -> bool:
    if not link.path.is_file():
        return False
    text = link.path.read_text(encoding="utf-8")
    return link.name in {*_CPP_TEST.findall(text), *_PYTHON_TEST.findall(text)} or link.name == link.path.stem
