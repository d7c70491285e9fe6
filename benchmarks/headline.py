# SPDX-License-Identifier: MIT
"""The two sentences on speed in the README, from the tables of the results: printed, or put into the page that is named."""

from __future__ import annotations

import math
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

RESULTS = Path(__file__).resolve().parent / "results"
COLUMNS = 96


def _rows(page: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of the tables in a page's summary: the first cell and the others."""
    text = (RESULTS / page).read_text(encoding="utf-8")
    for line in text[: re.search(r"<!-- \w+:end -->", text).start()].splitlines():  # type: ignore[union-attr]
        if line.startswith("| "):
            first, *others = (cell.strip() for cell in line.strip("|").split("|"))
            yield first, others


def _times(cells: list[str]) -> list[float]:
    """How many times as long it takes, as the cells say in brackets."""
    return [float(found[1]) for cell in cells if (found := re.search(r"\(([\d.]+)\)", cell))]


def _least(times: Iterable[float]) -> str:
    """The smallest, rounded down."""
    lead = min(times)
    return f"{math.floor(lead * 10) / 10}" if lead < 10 else f"{math.floor(lead)}"


def _leads() -> dict[str, float]:
    """The least lead over each library by any compiler on any corpus in the specification's order."""
    peers = dict[str, float]()
    for page in sorted(RESULTS.glob("*-*.md")):
        text = page.read_text(encoding="utf-8")
        for corpus, table in re.findall(r"^### parse: (.+)\n\n((?:\|.*\n)+)", text, re.MULTILINE):
            if not re.search(r"(everyday|heavy|transaction|ids|UUIDs)$", corpus):
                continue
            for row in table.splitlines()[2:]:
                method, *_, times = (cell.strip() for cell in row.strip("|").split("|"))
                library = method.split(",")[0]
                if "bankhook" not in library and library not in {"memcpy", "counting quotes"}:
                    peers[library] = min(peers.get(library, math.inf), float(times))
    return peers


def _processor() -> str:
    """What the page was measured on, as it says beneath its title."""
    return (RESULTS / "gcc-native.md").read_text(encoding="utf-8").splitlines()[2].split(" (")[0].split(",")[0]


def _cpp() -> str:
    peers = _leads()
    first, *others = sorted(peers, key=peers.__getitem__)
    rest = [f"{_least([peers[peer]])} times {peer}" for peer in others]
    return (
        f"In C++, on an {_processor()}, `parse` is at least "
        f"{_least([peers[first]])} times as fast as {first}, {', '.join(rest[:-1])} and {rest[-1]}"
    )


def _python() -> str:
    rows = dict(_rows("python.md"))

    def least(row: str) -> tuple[str, str]:
        return _least([float(cell.split()[0]) for cell in rows[row]]), _least(_times(rows[row]))

    (msgspec, pydantic), (of_all, pydantic_of_all) = least("`parse`"), least("`parse`, all fields read")
    return (
        f"in Python, {msgspec} times as fast as msgspec and {pydantic} times pydantic, "
        f"{of_all} and {pydantic_of_all} if every field is read"
    )


def headline() -> str:
    """With the worst figure of each library over the kinds of events, and what no figure there says."""
    worst = "the worst of the [measured](benchmarks/results) corpora, minified and in the specification's order"
    smaller = (
        "With blanks or unlisted fields the lead over simdjson is smaller; in other orders or indented, there may be none"
    )
    text = f"{_cpp()}; {_python()}: {worst}. {smaller}."
    return textwrap.fill(text, COLUMNS, break_long_words=False, break_on_hyphens=False) + "\n"


def main() -> None:
    """Print them, or write them into the page."""
    if len(sys.argv) == 1:
        print(headline(), end="")
        return
    page = Path(sys.argv[1])
    before, begin, rest = page.read_text(encoding="utf-8").partition("<!-- speed:begin -->\n")
    _, end, after = rest.partition("<!-- speed:end -->\n")
    page.write_text(before + begin + headline() + end + after, encoding="utf-8")


if __name__ == "__main__":
    main()
