# SPDX-License-Identifier: MIT
"""Requests to a receiver without a socket, and payloads to send."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
from starlette.types import ASGIApp

import bankhook
import bankhook.inbox
from bankhook.receiver import Receiver, anyone
from bankhook.receiver._page.routes import routes

__all__ = ["CREATED", "answer", "asking", "eventually", "is_green", "is_red", "page", "running"]

_sandbox = bankhook.Sandbox(seed=1, members=1)
CREATED: bytes = _sandbox.send_initial_transaction(_sandbox.member(0)).raw


@contextlib.asynccontextmanager
async def asking(receiver: Receiver, app: ASGIApp | None = None) -> AsyncGenerator[httpx.AsyncClient, None]:
    """Run the lifespan of a receiver, and give a client of it, or of the application in which it is mounted."""
    async with receiver.lifespan():
        transport = httpx.ASGITransport(app or receiver)
        async with httpx.AsyncClient(transport=transport, base_url="http://receiver") as client:
            yield client


async def answer(receiver: Receiver, body: bytes = CREATED, **scope: Any) -> tuple[int, dict[str, str]]:
    """The status and the headers that the application answers a request with that a server gives it."""
    sent: list[Any] = []
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await receiver({"type": "http", "method": "POST", "path": "/webhook", "headers": [], **scope}, receive, send)
    return sent[0]["status"], {name.decode(): value.decode() for name, value in sent[0]["headers"]}


@contextlib.asynccontextmanager
async def page(folder: Path, *payloads: bytes) -> AsyncGenerator[httpx.AsyncClient, None]:
    """The page of an inbox that has these deliveries, asked by a browser on this machine."""
    inbox = bankhook.inbox.open(folder / "inbox.db")
    async with asking(Receiver(inbox, verify=anyone)._serve_beside(routes(inbox))) as client:
        client.base_url = httpx.URL("http://127.0.0.1:8000")
        transport = client._transport
        assert isinstance(transport, httpx.ASGITransport)
        for payload in payloads:
            assert (await client.post("/webhook", content=payload)).status_code == 204
        yield client


def running(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Make a test of a coroutine function; one that hangs ends after four minutes."""

    def run() -> None:
        async def limited() -> None:
            async with asyncio.timeout(240):
                await test()

        asyncio.run(limited())

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    return run


async def eventually(holds: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait until something holds."""
    while True:
        answer = holds()
        if answer if isinstance(answer, bool) else await answer:
            return
        await asyncio.sleep(0.001)


async def is_red(client: httpx.AsyncClient, path: str = "/readyz") -> bool:
    """Whether a receiver says that it is not well, after a while."""
    await asyncio.sleep(0.05)
    return (await client.get(path)).status_code == 503


async def is_green(client: httpx.AsyncClient, path: str = "/readyz") -> bool:
    """Whether it says that it is well."""
    return not await is_red(client, path)
