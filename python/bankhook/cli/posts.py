# SPDX-License-Identifier: MIT
"""Bodies sent over HTTP: several at a time, each with its answer, or with the reason why there is no answer."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    import httpx

_Label = TypeVar("_Label")
_Item = TypeVar("_Item")
_READ_AT_MOST = 1 << 16


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


async def post_all(
    url: str,
    posts: AsyncIterable[tuple[_Label, bytes]] | Iterable[tuple[_Label, bytes]],
    take: Callable[[_Label, Answer], None],
    *,
    headers: Iterable[tuple[str, str]] = (),
    timeout: float = 10.0,
    concurrency: int = 1,
) -> None:
    """Send each body once, and pass its label and its answer to `take`, in the order of the answers.

    `timeout` is the seconds that a request may take in all, `concurrency` how many are open at most (with 1, bodies arrive in
    their order). Redirects are not followed, and neither proxies nor credentials of the environment are used. At most 64 KiB
    of an answer are read. An iterable that is not asynchronous may block: it is read in a thread of its own.
    """
    import httpx

    coming = aiter(posts if isinstance(posts, AsyncIterable) else read_apart(posts))
    turn = asyncio.Lock()

    async def work(client: httpx.AsyncClient) -> None:
        while True:
            async with turn:
                post = await anext(coming, None)
            if post is None:
                return
            take(post[0], await _answer(client, url, post[1], timeout))

    sent = httpx.Headers([("content-type", "application/json"), ("user-agent", "bankhook")])
    sent.update(httpx.Headers(list(headers)))
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    async with (
        httpx.AsyncClient(headers=sent, limits=limits, timeout=None, trust_env=False) as client,
        asyncio.TaskGroup() as workers,
    ):
        for _ in range(concurrency):
            workers.create_task(work(client))


async def _answer(client: httpx.AsyncClient, url: str, body: bytes, timeout: float) -> Answer:
    import httpx

    status, problem = None, None
    start = time.perf_counter()
    try:
        async with asyncio.timeout(timeout), client.stream("POST", url, content=body) as response:
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
