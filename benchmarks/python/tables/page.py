# SPDX-License-Identifier: MIT
"""The page of results: what each reader takes, and the bars with their figures."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import version
from typing import NamedTuple

import bankhook
from tables.runs import Seconds

__all__ = ["Result", "written_page"]

_PEERS = ("polars", "DuckDB", "pyarrow")
_PARSE = "bankhook.diagnose_lines (parse alone)"


class Result(NamedTuple):
    """An archive, and what the readers took for it."""

    name: str
    size: int
    seconds: dict[str, Seconds]


def written_page(results: list[Result], flat: dict[int, float], memory: tuple[int, int], rounds: int, made: str) -> str:
    """Returns the page as Markdown."""
    return "\n".join(_lines(results, flat, memory, rounds, made)) + "\n"


def _lines(results: list[Result], flat: dict[int, float], memory: tuple[int, int], rounds: int, made: str) -> Iterator[str]:
    peers = ", ".join(f"{name} {version(name)}" for name in ("polars", "duckdb", "pyarrow", "msgspec"))
    yield "# Archives as tables"
    yield ""
    yield f"`./dev bench --tables`{made and f', {made}'}:"
    yield f"bankhook {bankhook.__version__} and {peers}, Python {platform.python_version()}."
    yield f"One event a line, read from a file into Arrow columns; medians of {rounds} rounds in"
    yield "turns. Each reader has one thread and is given the schema. The others read times as text and amounts as floats;"
    yield "bankhook reads and checks them as what they are. MB/s are of processor time, so that other work on the machine does"
    yield "not count; two threads are compared by the clock."
    for result in results:
        yield ""
        yield f"## {result.name}, {result.size / 1e6:,.0f} MB"
        yield ""
        yield "| reader | MB/s of processor time | MB/s by the clock |"
        yield "|---|---:|---:|"
        for name, taken in result.seconds.items():
            yield f"| {name} | {result.size / 1e6 / taken.processor:,.0f} | {result.size / 1e6 / taken.wall:,.0f} |"
    yield ""
    yield "## Throughput over file size"
    yield ""
    yield "| MB | MB/s of processor time |"
    yield "|---:|---:|"
    for size, speed in flat.items():
        yield f"| {size:,} | {speed / 1e6:,.0f} |"
    yield ""
    yield "## Bars"
    yield ""
    yield "| bar | archive | figure | |"
    yield "|---|---|---:|---|"
    for result in results:
        for what, least, figure in _bars(result.seconds):
            yield f"| {what}: at least {least:g} times | {result.name} | {figure:.1f} | {_verdict(figure >= least)} |"
    used, size = memory
    reached = _verdict(used < 200e6)
    yield f"| memory over the input: under 200 MB | transaction, {size / 1e6:,.0f} MB | {used / 1e6:.0f} MB | {reached} |"
    slowest = min(flat.values()) / max(flat.values())
    yield f"| throughput over file size is flat: slowest to fastest | transaction | {slowest:.2f} | |"


def _bars(taken: dict[str, Seconds]) -> Iterator[tuple[str, float, float]]:
    own = taken["bankhook"].processor
    yield "the fastest of polars, DuckDB and pyarrow", 3, min(taken[name].processor for name in _PEERS) / own
    yield "msgspec and pyarrow", 10, taken["msgspec and pyarrow"].processor / own
    yield "parse alone", 0.5, taken[_PARSE].processor / own
    yield "two threads to one, by the clock", 1.6, taken["bankhook"].wall / taken["bankhook, two threads"].wall


def _verdict(is_reached: bool) -> str:
    return "reached" if is_reached else "**missed**"
