# SPDX-License-Identifier: MIT
"""The page of results: the worst shape of each operation, beside what is ordinary; and its chart."""

from __future__ import annotations

import platform
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import bankhook
from complexity.measure import Measured
from complexity.operations import Operation
from complexity.shapes import SHAPES
from machine import this_machine

__all__ = ["Taken", "written_chart", "written_page"]

_TIMES, _GROWTH, _MEMORY = 4.0, 1.4, 256.0
_FELT = 0.02
"""Seconds: how what takes less with the largest input grows from the smallest one is noise."""


class Taken(NamedTuple):
    """What an operation takes with its controls, and with each hostile shape."""

    operation: Operation
    controls: list[Measured]
    shapes: dict[str, Measured]

    @property
    def control(self) -> float:
        """Nanoseconds a byte of the slowest one."""
        return max(one.by_byte(one.largest) for one in self.controls)

    def times(self, one: Measured) -> float:
        """How many times as long a byte takes as in the control."""
        return one.by_byte(one.largest) / self.control

    def growth(self, one: Measured) -> float:
        """As `Measured.growth`, of what is long enough to measure."""
        return one.growth if one.seconds[one.largest] > _FELT else 0.0

    def memory(self, one: Measured) -> float:
        """Bytes a byte."""
        return one.memory[one.largest] / one.largest

    def worst(self, figure: Callable[[Measured], float]) -> tuple[str, float]:
        """The shape with the largest one."""
        return max(((name, figure(one)) for name, one in self.shapes.items()), key=lambda one: one[1])

    @property
    def figures(self) -> Iterator[tuple[str, float, float]]:
        """For time, growth and memory: the worst shape, its figure, the bound."""
        for figure, bound in ((self.times, _TIMES), (self.growth, _GROWTH), (self.memory, _MEMORY)):
            yield (*self.worst(figure), bound)

    @property
    def is_within(self) -> bool:
        """Whether no bound is exceeded."""
        return all(reached <= bound for _, reached, bound in self.figures)


def written_page(taken: list[Taken], shapes: int, made: str) -> str:
    """Returns the page as Markdown."""
    return "\n".join(_lines(taken, shapes, made)) + "\n"


def _lines(taken: list[Taken], shapes: int, made: str) -> Iterator[str]:
    largest = round(max(one.largest for one in taken[0].controls) / 1e6, 1)
    yield "# Hostile input"
    yield ""
    yield f"`./dev bench --complexity`{made and f', {made}'}, {this_machine()}:"
    yield f"bankhook {bankhook.__version__}, CPython {platform.python_version()}. {shapes} shapes of input that only somebody"
    yield f"hostile writes, each of up to {largest:g} MB, through everything public that takes what strangers send. Each is"
    yield "measured in processes of its own. What takes 5 seconds or 300 MB is measured with no larger input."
    yield ""
    yield "- **Time**: nanoseconds of the processor a byte, the quickest of a few rounds, and how many times that of the"
    yield f"  slowest control. At most {_TIMES:g}. Controls of a payload: an ordinary bank event of that size, the same cut off,"
    yield "  an unlisted event of small fields. Of an archive: an ordinary one, one that lacks a field in each line, lines of"
    yield "  `{}`. Of joint accounts: an event of many accounts instead of those lines."
    yield "- **Growth**: the power of the size that time grows with, from the smallest input to the largest: 1 is linear, 2"
    yield f"  quadratic. At most {_GROWTH:g}, because larger input leaves the caches of the processor."
    yield "- **Memory**: the most bytes that are needed for a byte of input, beside the input."
    yield f"  At most {_MEMORY:g}, because a line of two bytes that is collected is an object of some 450."
    yield ""
    yield "![Time a byte over the size of the input, of the worst shape of each operation](complexity.svg)"
    yield ""
    yield "| operation | controls, ns | worst, ns | times | worst shape | growth (controls) | steepest | memory (controls) |"
    yield "|---|--:|--:|--:|---|--:|---|--:|"
    for one in taken:
        (slow, times, _), (steep, growth, _), (_, memory, _) = one.figures
        cells = [
            one.operation.name,
            ", ".join(f"{control.by_byte(control.largest):.2f}" for control in one.controls),
            f"{times * one.control:.2f}",
            _bounded(times, _TIMES),
            slow,
            f"{_bounded(growth, _GROWTH)} ({max(map(one.growth, one.controls)):.1f})",
            steep if growth else "",
            f"{_bounded(memory, _MEMORY)} ({max(map(one.memory, one.controls)):.1f})",
        ]
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield "## Beyond a bound"
    yield ""
    yield from list(_missed(taken)) or ["Nothing."]
    yield ""
    yield "Python's own modules unpack archives. Alone, they take nanoseconds a byte of the same input:"
    yield ""
    yield from _unpacking()


def _bounded(reached: float, bound: float) -> str:
    return f"{reached:.1f}" if reached <= bound else f"**{reached:.1f}**"


def _missed(taken: list[Taken]) -> Iterator[str]:
    for one in taken:
        kinds = (("time", one.times, _TIMES), ("growth", one.growth, _GROWTH), ("memory", one.memory, _MEMORY))
        for kind, figure, bound in kinds:
            beyond = {name: figure(by) for name, by in one.shapes.items() if figure(by) > bound}
            if beyond:
                shown = "; ".join(f"{name} ({reached:.1f})" for name, reached in beyond.items())
                yield f"- {one.operation.name}, {kind}: {shown}."


def _unpacking() -> Iterator[str]:
    zstandard = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    for name, module in (("empty frames of Zstandard", zstandard), ("empty parts of gzip", "gzip")):
        data = next(shape for shape in SHAPES if shape.name == name).of(1_000_000)
        file = import_module(module).open(BytesIO(data))
        start = time.process_time()
        file.read()
        yield f"- {name}, `{module}`: {1e9 * (time.process_time() - start) / len(data):.0f}"


def written_chart(taken: list[Taken], path: Path) -> None:
    """A line for the worst shape of each operation, beside its control."""
    altair: Any = import_module("altair")
    rows = [
        {"operation": one.operation.name, "MB": size / 1e6, "ns": measured.by_byte(size), "input": name}
        for one in taken
        for name, measured in (("worst shape", one.shapes[one.worst(one.times)[0]]), ("ordinary", one.controls[0]))
        for size in measured.seconds
    ]
    sizes = sorted(round(size / 1e6) for size in taken[0].controls[0].seconds)
    x = altair.X("MB:Q", scale=altair.Scale(type="log", base=2), axis=altair.Axis(values=sizes, grid=False))
    y = altair.Y("ns:Q", title="ns a byte", scale=altair.Scale(type="log"))
    color = altair.Color("input:N", title=None, scale=altair.Scale(range=["#9aa5b1", "#1b7f5c"]))
    facet = altair.Facet("operation:N", columns=4, title=None, sort=[one.operation.name for one in taken])
    chart = altair.Chart(altair.Data(values=rows)).mark_line(point=True).encode(x=x, y=y, color=color, facet=facet)
    chart.properties(title="Processor time a byte, by size of the input", width=170, height=110).save(path)
