# SPDX-License-Identifier: MIT
"""Ctrl-C stops long work when the part at hand is done, also if the work is called by C code that looks for no signal."""

from __future__ import annotations

import _thread
import gc
import signal
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from operator import call
from typing import Any

import pytest

import bankhook
from bankhook import _core
from bankhook._archive._source import Container, OpenedSource
from bankhook.inbox import salvage
from python.parsed import connections_update

LARGE = b'{"event":"x","p":[' + b"1," * 4_000_000 + b"1]}"
FEW = [bankhook.Account(id=f"acc-{number}", account_hash=None) for number in range(2000)]
CONNECTION: Any = connections_update().connection.replace(accounts=FEW)
FIELDS = {name: getattr(CONNECTION, name) for name in type(CONNECTION).__match_args__}
UPDATE = connections_update().replace(connection=CONNECTION)
LINES = b"".join(delivery.payload + b"\n" for delivery in bankhook.Sandbox(members=20_000).deliveries(20_000))


@pytest.fixture(autouse=True)
def ctrl_c() -> Iterator[None]:
    """Python's own handler, whatever the program that runs the tests installed."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    gc.disable()  # whose callbacks are Python, and would hear of a signal first
    yield
    gc.enable()
    signal.signal(signal.SIGINT, before)


def is_stopped(work: Callable[[], object]) -> bool:
    """Whether `work` raises for a signal that came before it: between the calls of this loop runs no Python."""
    went_on: list[bool] = []
    calls: list[Callable[[], object]] = [_thread.interrupt_main, work, partial(went_on.append, True)]
    with pytest.raises(KeyboardInterrupt):
        deque(map(call, calls), maxlen=0)
    return not went_on


def tracker() -> bankhook.Tracker:
    tracker = bankhook.Tracker()
    tracker.apply_lines(LINES)
    return tracker


def reader(archive: bytes | OpenedSource) -> Any:
    return _core._read_archive(archive, print, None, False)


WORKS: dict[str, Callable[[], Callable[[], object]]] = {
    "parse": lambda: partial(bankhook.parse, LARGE),
    "diagnose": lambda: partial(bankhook.diagnose, LARGE),
    "salvage": lambda: partial(salvage, LARGE),
    "is_clean": lambda: partial(bankhook.is_clean, LARGE),
    "explain": lambda: partial(bankhook.explain, bankhook.diagnose(LARGE[:-1]), LARGE),
    "select": lambda: partial(bankhook.select("event"), LARGE),
    "an array of values": lambda: partial(bankhook.select("connection.accounts[].id"), UPDATE.to_json()),
    "an array of objects": lambda: partial(getattr, CONNECTION, "accounts"),
    "construct": lambda: partial(bankhook.Connection, **FIELDS),
    "from_dict": lambda: partial(bankhook.Connection.from_dict, CONNECTION.to_dict()),
    "to_dict": lambda: CONNECTION.to_dict,
    "repr": lambda: partial(repr, CONNECTION),
    "restore a tracker": lambda: partial(bankhook.Tracker.restore, tracker().snapshot()),
    "what a tracker holds": lambda: tracker().connections,
    "make a sandbox": lambda: partial(
        _core._make_sandbox, 0, (100_000, 3, 4, 4, 200, 8), (0, 10_000), (None, None), (0.0,) * 6, []
    ),
    "the lines of an archive": lambda: partial(_core._diagnose_part, reader(LINES)),
    "a tracker's archive": lambda: partial(_core._apply_part, bankhook.Tracker(), reader(LINES), "contradicts", None),
    "an archive of envelopes": lambda: partial(_core._diagnose_part, reader(OpenedSource(LINES, Container("body")))),
    "a part of an archive": lambda: partial(next, reader(LARGE + b"\n")),
}


@pytest.mark.parametrize("make_work", WORKS.values(), ids=WORKS)
def test_an_interrupt_stops(make_work: Callable[[], Callable[[], object]]) -> None:
    assert is_stopped(make_work())


def test_work_of_a_moment_does_not_look_for_signals() -> None:
    """What makes the tests above able to fail."""
    assert not is_stopped(partial(bankhook.parse, b'{"event":"x"}'))


def test_an_archive_is_left_between_two_of_its_parts() -> None:
    whole, interrupted = tracker(), bankhook.Tracker()
    assert is_stopped(partial(_core._apply_part, interrupted, reader(LINES), "contradicts", None))
    assert 0 < len(interrupted) < len(whole) / 2


def test_what_was_interrupted_may_be_done_again() -> None:
    lines = reader(b'{"event":"a"}\n' + LARGE + b'\n{"event":"b"}\n' + b'{"event":"c"}\n')
    read: list[Any] = []
    for _ in range(2):
        assert is_stopped(partial(read.extend, lines))
    read.extend(lines)
    assert [event.event for event in read] == ["a", "x", "b", "c"]


def test_a_signal_whose_handler_raises_nothing_is_only_heard() -> None:
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    found: list[Any] = []
    calls: list[Callable[[], object]] = [_thread.interrupt_main, partial(found.extend, map(bankhook.is_clean, (LARGE,)))]
    deque(map(call, calls), maxlen=0)
    assert (heard, found) == ([signal.SIGINT], [False])
