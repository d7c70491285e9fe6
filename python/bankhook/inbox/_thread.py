# SPDX-License-Identifier: MIT
"""One thread for handlers, which does not hold up the end of the process if a handler does not end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import SimpleQueue
from typing import Any, TypeVar

__all__ = ["HandlerThread"]

T = TypeVar("T")
Task = tuple[Future[Any], Callable[[], Any]]


class HandlerThread(Executor):
    """Runs what is submitted, in order. Unlike the threads of ThreadPoolExecutor, Python does not wait for it at exit."""

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        threading.Thread(target=_work, args=(self._tasks,), name="bankhook-inbox-runner", daemon=True).start()

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Run a function after what was submitted before."""
        future: Future[T] = Future()
        self._tasks.put((future, lambda: function(*arguments, **named)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the thread once it has run what was submitted; this waits for nothing, and cancels nothing."""
        self._tasks.put(None)


def _work(tasks: SimpleQueue[Task | None]) -> None:
    while (task := tasks.get()) is not None:
        future, call = task
        if future.set_running_or_notify_cancel():
            try:
                result = call()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
        del task, future, call  # whoever waits has what it needs; the next task may be long in coming
