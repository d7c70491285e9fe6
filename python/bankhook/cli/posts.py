# SPDX-License-Identifier: MIT
"""Bodies sent over HTTP: several at a time, at a rate, each with its answer, or with the reason why there is no answer."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    import httpx

__all__ = ["Answer", "Posting", "post_all", "read_apart"]

_Label = TypeVar("_Label")
_Item = TypeVar("_Item")
_READ_AT_MOST = 1 << 16
_USUAL_HEADERS = (("content-type", "application/json"), ("user-agent", "bankhook"))


class Answer(NamedTuple):
    """What came of a delivery."""

    status: int | None
    """The status of the answer; None if there was none."""
    problem: str | None
    """Why there is no answer: "timeout", "no connection" or "no answer"; None if there is one."""
    seconds: float
    """From the start of the request to the end of the answer."""

    @property
    def is_accepted(self) -> bool:
        """Whether the answer is a 2xx."""
        return self.status is not None and 200 <= self.status < 300


class Posting(NamedTuple):
    """How bodies are sent."""

    headers: tuple[tuple[str, str], ...] = ()
    """Sent with each body, besides a `Content-Type` of JSON."""
    timeout: float = 10.0
    """Seconds that a request may take in all."""
    concurrency: int = 1
    """How many requests are open at most. With 1, bodies arrive in their order."""
    rate: float | None = None
    """How many requests start in a second at most; None: as many as possible."""


async def post_all(
    url: str,
    posts: AsyncIterable[tuple[_Label, bytes]] | Iterable[tuple[_Label, bytes]],
    posting: Posting,
    take: Callable[[_Label, Answer], None],
) -> None:
    """Send each body once, and pass its label and its answer to `take`, in the order of the answers.

    Redirects are not followed, and neither proxies nor credentials of the environment are used. At most 64 KiB of an
    answer are read. An iterable that is not asynchronous may block: it is read in a thread of its own.
    """
    coming = _Turns(posts, posting.rate)

    async def work(client: httpx.AsyncClient) -> None:
        while (post := await coming.next()) is not None:
            label, body = post
            take(label, await _answer(client, url, posting, body))

    async with _client(posting) as client, asyncio.TaskGroup() as workers:
        for _ in range(posting.concurrency):
            workers.create_task(work(client))


def _client(posting: Posting) -> httpx.AsyncClient:
    import httpx

    given = {name.lower() for name, _ in posting.headers}
    usual = [(name, value) for name, value in _USUAL_HEADERS if name not in given]
    headers = [*usual, *posting.headers]
    limits = httpx.Limits(max_connections=posting.concurrency, max_keepalive_connections=posting.concurrency)
    return httpx.AsyncClient(headers=headers, limits=limits, timeout=None, follow_redirects=False, trust_env=False)


async def _answer(client: httpx.AsyncClient, url: str, posting: Posting, body: bytes) -> Answer:
    import httpx

    status, problem = None, None
    start = time.perf_counter()
    try:
        async with asyncio.timeout(posting.timeout), client.stream("POST", url, content=body) as response:
            size = 0
            async for part in response.aiter_raw():
                size += len(part)
                if size > _READ_AT_MOST:
                    break
            status = response.status_code
    except (TimeoutError, httpx.TimeoutException):
        problem = "timeout"
    except (httpx.ConnectError, httpx.InvalidURL, OSError, UnicodeError):  # some names cannot be one
        problem = "no connection"
    except httpx.HTTPError:
        problem = "no answer"
    return Answer(None if problem else status, problem, time.perf_counter() - start)


class _Turns(Generic[_Label]):
    """What is to be sent, for several workers: each gets the next one when it is due."""

    def __init__(self, posts: AsyncIterable[tuple[_Label, bytes]] | Iterable[tuple[_Label, bytes]], rate: float | None):
        self._posts = aiter(posts if isinstance(posts, AsyncIterable) else read_apart(posts))
        self._turn = asyncio.Lock()
        self._pause = 0.0 if rate is None else 1.0 / rate
        self._due = 0.0

    async def next(self) -> tuple[_Label, bytes] | None:
        """Return the next one, or None if there is no more."""
        async with self._turn:
            post = await anext(self._posts, None)
            if post is not None and self._pause:
                now = time.monotonic()
                self._due = max(self._due, now)
                await asyncio.sleep(self._due - now)
                self._due += self._pause
            return post


async def read_apart(posts: Iterable[_Item]) -> AsyncIterator[_Item]:
    """Iterate in daemon threads: a source that waits for its next line neither stops the others nor the end of the process."""
    source = iter(posts)
    while True:
        coming = concurrent.futures.Future[_Item | None]()
        threading.Thread(target=_next, args=(source, coming), name="bankhook-posts", daemon=True).start()
        item = await asyncio.wrap_future(coming)
        if item is None:
            return
        yield item


def _next(source: Iterator[_Item], coming: concurrent.futures.Future[_Item | None]) -> None:
    coming.set_running_or_notify_cancel()
    try:
        coming.set_result(next(source, None))
    except Exception as error:
        coming.set_exception(error)
