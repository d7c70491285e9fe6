# SPDX-License-Identifier: MIT
"""Threads that run one thing after another, and a lock that threads have in the order in which they ask."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")
Task = tuple[Future[Any], Callable[[], Any]]


class Thread(Executor):
    """Runs what is submitted, in order, by so many. Unlike for those of ThreadPoolExecutor, Python does not wait at exit."""

    def __init__(self, name: str, count: int = 1) -> None:
        self._threads: list[threading.Thread] = []  # none, should the next line fail: __del__ asks
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._threads = [threading.Thread(target=_work, args=(self._tasks,), name=name, daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Run a function after what was submitted before."""
        future: Future[T] = Future()
        self._tasks.put((future, lambda: function(*arguments, **named)))
        return future

    def end(self, seconds: float | None = 0) -> None:
        """End once all is run that was submitted, and wait for that; each thread for so long, if it is not None."""
        self._let_go()
        for thread in self._threads:
            thread.join(seconds)

    def _let_go(self) -> None:
        for _ in self._threads:
            self._tasks.put(None)

    __del__ = _let_go


def _work(tasks: SimpleQueue[Task | None]) -> None:
    while (task := tasks.get()) is not None:
        future, call = task
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(call())
            except BaseException as error:
                future.set_exception(error)
        del task, future, call  # whoever waits has what it needs; the next task may be long in coming


class Turns:
    """A lock that no thread can take again before those that asked earlier."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queue = deque[threading.Condition]()  # the first has the turn, each of the others waits for its own condition
        self.is_over = False  # whether nobody waits any more, and what was done in a turn does not count

    @property
    def is_wanted(self) -> bool:
        """Whether someone waits."""
        return len(self._queue) > 1

    def take(self, timeout: float | None = None) -> bool:
        """Wait for the turn, after all who wait; False if it did not come in so many seconds."""
        mine = threading.Condition(self._lock)
        with mine:
            self._queue.append(mine)
            if mine.wait_for(lambda: self.is_over or self._queue[0] is mine, timeout):
                return True
            self._queue.remove(mine)
            return False

    def release(self) -> None:
        """End the turn: the next one begins."""
        with self._lock:
            self._queue.popleft()
            if self._queue:
                self._queue[0].notify()

    def end(self) -> None:
        """Let all go who wait; from now on nobody does."""
        with self._lock:
            self.is_over = True
            for one in self._queue:
                one.notify()
