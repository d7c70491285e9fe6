# SPDX-License-Identifier: MIT
"""Several threads parse and read at once; objects may be made in one thread and used and dropped in another."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

import bankhook
from python.parsed import payload, rows

NAMES = [row["file"].removesuffix(".json") for row in rows("valid")]
THREADS = 6


def in_threads(work: Callable[[int], None]) -> None:
    """Runs `work(index)` in several threads that begin together."""
    barrier = Barrier(THREADS)

    def begin(index: int) -> None:
        barrier.wait()
        work(index)

    with ThreadPoolExecutor(THREADS) as pool:
        for future in [pool.submit(begin, index) for index in range(THREADS)]:
            future.result()


def test_threads_parse_without_minding_each_other() -> None:
    expected = {name: repr(bankhook.parse(payload(name))) for name in NAMES}

    def work(index: int) -> None:
        for turn in range(40):
            name = NAMES[(turn * (index + 1)) % len(NAMES)]
            assert repr(bankhook.parse(payload(name))) == expected[name]

    in_threads(work)


def test_threads_read_one_event_together() -> None:
    event = bankhook.parse(payload("member_with_many_connections"))
    expected = (repr(event), event.to_json(), hash(event))

    def work(index: int) -> None:
        for _ in range(30):
            assert (repr(event), event.to_json(), hash(event)) == expected

    in_threads(work)


def test_errors_of_one_thread_are_not_those_of_another() -> None:
    def work(index: int) -> None:
        for _ in range(100):
            try:
                bankhook.parse(b" " * index + b"?")
            except bankhook.ParseError as error:
                assert error.offset == index

    in_threads(work)


def test_an_object_outlives_the_thread_that_made_it() -> None:
    with ThreadPoolExecutor(1) as pool:
        events = list(pool.map(lambda name: bankhook.parse(payload(name)), NAMES))
    for name, event in zip(NAMES, events, strict=True):
        assert event == bankhook.parse(payload(name))


def test_an_object_may_be_dropped_in_another_thread() -> None:
    events = [bankhook.parse(payload(name)) for name in NAMES for _ in range(20)]
    each = len(events) // THREADS

    def work(index: int) -> None:
        for _ in range(each):
            events.pop()

    in_threads(work)
    assert len(events) < THREADS


def test_long_payloads_are_read_side_by_side() -> None:
    """Those of megabytes are read without the interpreter's lock."""
    long = b'{"event":"x","p":["' + b"a" * 5_000_000 + b'"]}'
    select = bankhook.select("event")

    def work(index: int) -> None:
        name = f"event-{index}"
        mine = long.replace(b"x", name.encode(), 1)
        for _ in range(5):
            event = bankhook.parse(mine)
            assert (event.event, event.raw) == (name, mine)
            assert select(mine) == (name,)
            assert [finding.path for finding in bankhook.diagnose(mine[:-1])][-1:] == ["$"]

    in_threads(work)


def test_a_tracker_is_restored_while_others_read() -> None:
    tracker = bankhook.Tracker()
    for delivery in bankhook.Sandbox(members=5000).deliveries(30_000):
        tracker.apply(bankhook.parse(delivery.payload))
    snapshot = tracker.snapshot()

    def work(index: int) -> None:
        restored = bankhook.Tracker.restore(snapshot)
        assert len(restored) == len(tracker)
        assert restored.snapshot() == snapshot

    in_threads(work)


@pytest.mark.parametrize(
    "work",
    ["list(bankhook.parse_lines(lines))", "bankhook.diagnose_lines(lines)", "bankhook.diagnose(long)"],
    ids=["parse_lines", "diagnose_lines", "diagnose"],
)
def test_the_interpreter_may_end_while_threads_work(work: str) -> None:
    """Who waits for its lock then has to rest: a stack that is unwound would abort the process."""
    code = f"""
import threading
import bankhook
lines = b"".join(delivery.payload + b"\\n" for delivery in bankhook.Sandbox().deliveries(5000))
long = b'{{"event":"x","p":[' + b"1," * 4_000_000 + b"1]}}"
done = threading.Semaphore(0)
def work():
    while True:
        {work}
        done.release()
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
for _ in range(8):
    done.acquire()
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
