# SPDX-License-Identifier: MIT
"""What is printed of deliveries that were sent: a line for each with its answer, and a summary of the answers."""

from __future__ import annotations

import asyncio
import collections
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import click

from bankhook._render.progress import Bar
from bankhook.cli import options
from bankhook.cli.options import Chosen, option
from bankhook.cli.posts import Answer, post_all, read_apart
from bankhook.cli.shapes import ANSWER, ANSWERED
from bankhook.cli.target import allow_remote, checked_url, headers
from bankhook.cli.terminal import plain, say, say_json

F = TypeVar("F", bound="Callable[..., Any]")
_CONCURRENCY = "Keep at most N requests open at a time; with 1, deliveries keep their order."


def sending(function: F) -> F:
    """Add the options of commands that send."""
    seconds = option("--timeout", "How long to wait for each answer.", options.Number(0.001, 3600), 10.0, metavar="SECONDS")
    function = headers(allow_remote(options.as_json(function)))
    return option("--concurrency", _CONCURRENCY, click.IntRange(1, 256), 1)(seconds(function))


class Label(NamedTuple):
    """What a line says of a delivery."""

    number: int
    event: str | None
    """Name of the event; None if it cannot be read."""
    key: str | None
    """The id of the connection or transaction; None if it cannot be read."""


def send_each(
    chosen: Chosen, posts: AsyncIterable[tuple[Label, bytes]] | Iterable[tuple[Label, bytes]], *, total: int | None
) -> int:
    """Send the deliveries, print what came of them, and return the exit status: 1 where one was not answered with 2xx.

    If the source raises click.ClickException, that is raised after what was sent until then is reported.
    """
    url = checked_url(chosen.url, is_remote_allowed=chosen.allow_remote)
    problems: list[click.ClickException] = []

    async def all_of() -> AsyncIterator[tuple[Label, bytes]]:
        try:
            async for post in posts if isinstance(posts, AsyncIterable) else read_apart(posts):
                yield post
        except click.ClickException as problem:
            problems.append(problem)

    how = {name: getattr(chosen, name) for name in ("headers", "timeout", "concurrency")}
    with Bar(total, counts=True) as bar:
        report = _Report(bar, as_json=chosen.as_json)
        try:
            asyncio.run(post_all(url, all_of(), report.take, **how))
        except ExceptionGroup as group:  # an output or an archive that failed under several workers
            raise group.exceptions[0] from None
    status = report.close()
    for problem in problems:
        raise problem
    return status


class _Report:
    def __init__(self, bar: Bar, *, as_json: bool) -> None:
        self._bar = bar
        self._as_json = as_json
        self._statuses = collections.Counter[int]()
        self._problems = collections.Counter[str]()
        self._is_fine = True
        self._start = time.perf_counter()

    def take(self, label: Label, answer: Answer) -> None:
        """Count an answer and print its line."""
        self._is_fine &= answer.is_accepted
        if answer.status is not None:
            self._statuses[answer.status] += 1
        else:
            self._problems[answer.problem or "no answer"] += 1
        self._bar.hide()
        if self._as_json:
            about = {"status": answer.status, "problem": answer.problem, "milliseconds": _milliseconds(answer.seconds)}
            say_json(ANSWER.of(**label._asdict(), **about))
        else:
            _say(label, answer)
        self._bar.update(self._statuses.total() + self._problems.total())

    def close(self) -> int:
        """Print the summary and return the exit status."""
        seconds = time.perf_counter() - self._start
        sent = self._statuses.total() + self._problems.total()
        answers, problems = sorted(self._statuses.items()), sorted(self._problems.items())
        if self._as_json:
            counts = {"answers": {str(status): count for status, count in answers}, "problems": dict(problems)}
            say_json(ANSWERED.of(sent=sent, **counts, seconds=round(seconds, 3)))
        elif not sent:
            say("nothing was sent")
        else:
            parts = [f"{count:,} answered {status}" for status, count in answers]
            parts += [f"{count:,} without an answer: {problem}" for problem, count in problems]
            a_second = f"{sent / seconds:,.0f} a second" if sent > 1 else "1 delivery"
            say((f"{sent:,} sent in {seconds:.1f} s ({a_second}): {', '.join(parts)}", "bold"))
        return 0 if self._is_fine else 1


def _say(label: Label, answer: Answer) -> None:
    """Print the columns."""
    result = str(answer.status) if answer.status is not None else str(answer.problem)
    event, key = (plain(text) if text else "-" for text in (label.event, label.key))
    colour, milliseconds = "green" if answer.is_accepted else "red", f"{_milliseconds(answer.seconds):,}"
    about = f"{label.number:>7,}  {event:<26}  {key:<28} "
    say(about, (f"{result:<13}", colour), f"{milliseconds:>8} ms", rest=4)


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 1)
