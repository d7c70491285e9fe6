# SPDX-License-Identifier: MIT
"""The page of results: what each reader takes, throughput over file size, also as a chart, and the bars with their figures."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import bankhook
from machine import this_machine
from tables.runs import Seconds

__all__ = ["Memory", "Result", "written_chart", "written_page"]

_PEERS = ("polars", "DuckDB", "pyarrow")
_PARSE = "bankhook.diagnose_lines (parse alone)"


class Memory(NamedTuple):
    """The most memory that reading an archive takes, over what reading none takes, in bytes."""

    size: int
    used: int


class Result(NamedTuple):
    """An archive, and what was measured with it."""

    name: str
    size: int
    seconds: dict[str, list[Seconds]]
    """What each reader took in each round."""
    speeds: dict[int, list[float]]
    """Bytes a second of processor time in each round, by megabytes."""
    memory: Memory


class Bar(NamedTuple):
    """What bankhook has to be, and what it was in each round, as ratios."""

    name: str
    least: float
    ratios: list[float]


def written_page(results: list[Result], rounds: int, made: str) -> str:
    """Returns the page as Markdown."""
    return "\n".join(_lines(results, rounds, made)) + "\n"


def written_chart(results: list[Result], path: Path) -> None:
    """Throughput over file size: a line of medians for each archive, and at each size a bar from the worst round to the best."""
    altair: Any = import_module("altair")
    rows = [
        {
            "archive": result.name,
            "MB": size,
            "worst": min(taken) / 1e6,
            "median": median(taken) / 1e6,
            "best": max(taken) / 1e6,
        }
        for result in results
        for size, taken in result.speeds.items()
    ]
    x = altair.X(
        "MB:Q", scale=altair.Scale(type="log", base=2), axis=altair.Axis(values=list(results[0].speeds), grid=False)
    )
    y = altair.Y("median:Q", title="MB/s of processor time", scale=altair.Scale(zero=True))
    color = altair.Color("archive:N", title=None, scale=altair.Scale(range=["#1b7f5c", "#9aa5b1"]))
    base = altair.Chart(altair.Data(values=rows)).encode(x=x, color=color)
    lines = base.mark_line(point=True).encode(y=y)
    bars = base.mark_rule().encode(y="worst:Q", y2="best:Q")
    chart = (lines + bars).properties(title="Throughput of one thread, by size of the file", width=560, height=240)
    chart.save(path)


def _lines(results: list[Result], rounds: int, made: str) -> Iterator[str]:
    peers = ", ".join(f"{name} {version(name)}" for name in ("polars", "duckdb", "pyarrow", "msgspec"))
    yield "# Archives as tables"
    yield ""
    yield f"`./dev bench --tables`{made and f', {made}'}, {this_machine()}:"
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
            processor, wall = (median(one[i] for one in taken) for i in range(2))
            yield f"| {name} | {result.size / 1e6 / processor:,.0f} | {result.size / 1e6 / wall:,.0f} |"
    yield from _throughput(results)
    yield ""
    yield "## Bars"
    yield ""
    yield "Ratios of the same round: their median, which the bar is for, and the worst of the rounds."
    yield ""
    yield "| bar | archive | median | worst | |"
    yield "|---|---|---:|---:|---|"
    for result in results:
        for bar in _bars(result):
            middle = median(bar.ratios)
            figures = f"{middle:.2f} | {min(bar.ratios):.2f} | {_verdict(middle >= bar.least)}"
            yield f"| {bar.name}: at least {bar.least:g} times | {result.name} | {figures} |"
        size, used = result.memory
        figures = f"{used / 1e6:.0f} MB | | {_verdict(used < 200e6)}"
        yield f"| memory over the input: under 200 MB | {result.name}, {size / 1e6:,.0f} MB | {figures} |"


def _throughput(results: list[Result]) -> Iterator[str]:
    yield ""
    yield "## Throughput over file size"
    yield ""
    yield "![Throughput of one thread, by size of the file](tables.svg)"
    yield ""
    yield "MB/s of processor time, of one thread; in brackets those of the worst round:"
    yield ""
    yield f"| MB | {' | '.join(result.name for result in results)} |"
    yield f"|---:|{'---:|' * len(results)}"
    for size in results[0].speeds:
        found = (result.speeds[size] for result in results)
        yield f"| {size:,} | {' | '.join(f'{median(taken) / 1e6:,.0f} ({min(taken) / 1e6:,.0f})' for taken in found)} |"


def _bars(result: Result) -> Iterator[Bar]:
    def ratios(*names: str, clock: bool = False, own: str = "bankhook") -> list[float]:
        """How many times as long the fastest of these readers takes, in each round."""
        rounds = zip(*(result.seconds[name] for name in names), strict=True)
        fastest = (min(one.wall if clock else one.processor for one in taken) for taken in rounds)
        ours = (one.wall if clock else one.processor for one in result.seconds[own])
        return [theirs / mine for theirs, mine in zip(fastest, ours, strict=True)]

    yield Bar("the fastest of polars, DuckDB and pyarrow", 3, ratios(*_PEERS))
    yield Bar("msgspec and pyarrow", 10, ratios("msgspec and pyarrow"))
    yield Bar("parse alone", 0.5, ratios(_PARSE))
    yield Bar("two threads to one, by the clock", 1.6, ratios("bankhook", clock=True, own="bankhook, two threads"))
    rounds = [min(of_round) / max(of_round) for of_round in zip(*result.speeds.values(), strict=True)]
    yield Bar("throughput over file size is flat: the slowest size to the fastest", 0.85, rounds)


def _verdict(is_reached: bool) -> str:
    return "reached" if is_reached else "**missed**"
