# SPDX-License-Identifier: MIT
"""What stores deliveries without an event loop: by any thread, and in each process by a connection of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, InboxError, Query, examine
from inbox.history import found

BODIES = [one.payload for one in bankhook.Sandbox(seed=9, members=3).deliveries(40)]


def stored(url: str) -> list[bankhook.inbox.Delivery]:
    async def read() -> list[bankhook.inbox.Delivery]:
        async with bankhook.inbox.open(url, create=False) as inbox:
            return await found(inbox, Query())

    return asyncio.run(read())


def test_what_is_appended_is_what_an_inbox_has(url: str) -> None:
    given = [examine(body, headers={"A": "b"}) for body in (*BODIES, b"{")]
    with bankhook.inbox.appender(url) as inbox:
        numbers = [*inbox.append(given[:5]), *inbox.append([]), *inbox.append(given[5:])]
        assert stored(url) == [one.replace(number=number) for one, number in zip(given, numbers, strict=True)]
        for wrong, error in (([BODIES[0]], TypeError), (given[0], TypeError), ([given[0].replace(body="{}")], TypeError)):
            with pytest.raises(error):
                inbox.append(wrong)  # type: ignore[arg-type]
    with inbox:  # which connects again
        assert [*inbox.append(given[-1:])] == [len(given) + 1]
    assert stored(url)[-1].state is DeliveryState.QUARANTINED


def test_threads_take_turns(url: str) -> None:
    inbox = bankhook.inbox.appender(url)

    def append(number: int) -> int:
        return inbox.append([examine(b'{"event":"%d"}' % number)])[0]

    with inbox, ThreadPoolExecutor(8) as threads:
        numbers = [*threads.map(append, range(100))]
    assert {one.number: one.event for one in stored(url)} == {number: str(n) for n, number in enumerate(numbers)}


@pytest.mark.parametrize("count_of_threads", [1, 3])
def test_a_forked_process_appends_by_itself_whatever_its_parent_does(url: str, count_of_threads: int) -> None:
    inbox = bankhook.inbox.appender(url)
    inbox.append([examine(b'{"event":"first"}')])
    stop, count = threading.Event(), 0

    def append() -> None:
        nonlocal count
        while not stop.is_set():
            inbox.append([examine(b'{"event":"parent"}')])
            count += 1

    def fork() -> list[int]:
        children = list[int]()
        for _ in range(5):
            if (child := os.fork()) == 0:
                with contextlib.suppress(BaseException):
                    for _ in range(5):
                        inbox.append([examine(b'{"event":"child"}')])
                    os._exit(0)
                os._exit(1)
            children.append(child)
        return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]

    with inbox, ThreadPoolExecutor(4) as threads:
        appending = threads.submit(append)
        ends = [end for forking in [threads.submit(fork) for _ in range(count_of_threads)] for end in forking.result()]
        stop.set()
        appending.result()
        inbox.append([examine(b'{"event":"last"}')])
    events = [one.event for one in stored(url)]
    assert ends == [0] * 5 * count_of_threads
    assert (events[0], events[-1]) == ("first", "last")
    assert (events.count("parent"), events.count("child"), len(events)) == (count, 5 * len(ends), count + 5 * len(ends) + 2)


def test_an_appender_says_what_is_wrong_and_goes_on_when_it_can(tmp_path: Path) -> None:
    folder = tmp_path / "later"
    inbox = bankhook.inbox.appender(folder / "inbox.db")
    with pytest.raises(InboxError, match="cannot open the inbox: No such file or directory"):
        inbox.append([examine(b"{}")])
    folder.mkdir()
    assert [*inbox.append([examine(b"{}")])] == [1]
    (folder / "inbox.db-wal").unlink()
    with pytest.raises(InboxError, match="restart this process"):
        inbox.append([examine(b"{}")])
    with pytest.raises(TypeError, match=r"url: expected a path or a URL|expected str"):
        bankhook.inbox.appender(5)  # type: ignore[arg-type]
