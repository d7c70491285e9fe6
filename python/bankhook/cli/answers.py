# SPDX-License-Identifier: MIT
"""What is printed of deliveries that were sent: a line for each with its answer, and a summary of answers and latencies."""

from __future__ import annotations

import array
import asyncio
import collections
import math
import time
from collections.abc import AsyncIterable, Iterable, Iterator
from typing import NamedTuple

import click

from bankhook._render.progress import Bar
from bankhook.cli import options
from bankhook.cli.posts import Answer, Posting, post_all
from bankhook.cli.target import Target
from bankhook.cli.terminal import Style, plain, say, say_json, say_wrapped, width

__all__ = ["Label", "concurrency", "rate", "send_each", "timeout"]

concurrency = click.option(
    "--concurrency",
    default=1,
    type=click.IntRange(1, 256),
    show_default=True,
    metavar="N",
    help="Keep at most N requests open at a time; with 1, deliveries keep their order.",
)
rate = click.option(
    "--rate",
    type=options.NumberRange(0.001, 1e6),
    metavar="N",
    help="Send at most N deliveries per second.",
)
timeout = click.option(
    "--timeout",
    default=10.0,
    type=options.NumberRange(0.001, 3600),
    show_default=True,
    metavar="SECONDS",
    help="How long to wait for each answer.",
)

_COLUMNS = 91
"""How wide a line is with all of its columns."""


class Label(NamedTuple):
    """What a line says of a delivery."""

    number: int
    event: str | None
    """Name of the event; None if it cannot be read."""
    key: str | None
    """The id of the connection or transaction; None if it cannot be read."""


def send_each(
    target: Target,
    posts: AsyncIterable[tuple[Label, bytes]] | Iterable[tuple[Label, bytes]],
    posting: Posting,
    *,
    total: int | None,
    as_json: bool,
) -> int:
    """Send the deliveries, print what came of them, and return the exit status: 1 where one was not answered with 2xx."""
    with Bar(total, counts=True) as bar:
        report = _Report(bar, as_json=as_json)
        try:
            asyncio.run(post_all(target, posts, posting, report.take))
        except ExceptionGroup as group:  # an output or an archive that failed under several workers
            raise group.exceptions[0] from None
    return report.close()


class _Report:
    def __init__(self, bar: Bar, *, as_json: bool) -> None:
        self._bar = bar
        self._as_json = as_json
        self._statuses = collections.Counter[int]()
        self._problems = collections.Counter[str]()
        self._seconds = array.array("d")  # of those that were answered
        self._is_fine = True
        self._start = time.perf_counter()

    def take(self, label: Label, answer: Answer) -> None:
        """Count an answer and print its line."""
        self._is_fine &= answer.is_accepted
        if answer.status is not None:
            self._statuses[answer.status] += 1
            self._seconds.append(answer.seconds)
        else:
            self._problems[answer.problem or "no answer"] += 1
        self._bar.hide()
        if self._as_json:
            say_json(
                {"type": "delivery", **label._asdict(), "status": answer.status, "problem": answer.problem}
                | {"milliseconds": _milliseconds(answer.seconds)}
            )
        else:
            say_wrapped(*_line(label, answer), rest=4)
        self._bar.update(self._statuses.total() + self._problems.total())

    def close(self) -> int:
        """Print the summary and return the exit status."""
        seconds = time.perf_counter() - self._start
        sent = self._statuses.total() + self._problems.total()
        ordered = sorted(self._seconds)
        p50, p99 = (_milliseconds(_percentile(ordered, share)) if ordered else None for share in (0.5, 0.99))
        if self._as_json:
            say_json(
                {
                    "type": "summary",
                    "sent": sent,
                    "answers": {str(status): count for status, count in sorted(self._statuses.items())},
                    "problems": dict(sorted(self._problems.items())),
                    "seconds": round(seconds, 3),
                    "p50": p50,
                    "p99": p99,
                }
            )
        else:
            self._say_summary(sent, seconds, p50, p99)
        return 0 if self._is_fine else 1

    def _say_summary(self, sent: int, seconds: float, p50: float | None, p99: float | None) -> None:
        if not sent:
            say("nothing was sent")
            return
        parts = [f"{count:,} answered {status}" for status, count in sorted(self._statuses.items())]
        parts += [f"{count:,} without an answer: {problem}" for problem, count in sorted(self._problems.items())]
        a_second = f"{sent / seconds:,.0f} a second" if sent > 1 else "1 delivery"
        say_wrapped((f"{sent:,} sent in {seconds:.1f} s ({a_second}): {', '.join(parts)}", {"bold": True}))
        if p50 is not None:
            say_wrapped((f"latency: p50 {p50:,} ms, p99 {p99:,} ms", {}))


def _line(label: Label, answer: Answer) -> Iterator[tuple[str, Style]]:
    """Yield the columns; in a terminal that is too narrow for them, they follow one another without gaps."""
    result = str(answer.status) if answer.status is not None else str(answer.problem)
    event, key = (plain(text) if text else "-" for text in (label.event, label.key))
    colour: Style = {"fg": "green" if answer.is_accepted else "red"}
    if (width() or _COLUMNS) < _COLUMNS:
        yield f"{label.number:,} {event} {key}", {}
        yield result, colour
        yield f"{_milliseconds(answer.seconds):,} ms", {}
    else:
        yield f"{label.number:>7,}  {event:<26}  {key:<28} ", {}
        yield f"{result:<13}", colour
        yield f"{_milliseconds(answer.seconds):>8,} ms", {}


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 1)


def _percentile(ordered: list[float], share: float) -> float:
    """By nearest rank: the least value that at least this share does not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
