# SPDX-License-Identifier: MIT
"""Passing deliveries on to another URL after they are stored, one after another, and what it answers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Self

import httpx

from bankhook.inbox import Delivery

SECONDS = 10.0
FORWARDED = "bankhook-forwarded"
"""The header that marks what was forwarded: it is not forwarded again, so that two receivers cannot make a loop."""
WAITING_LIMIT = 1_000

Report = Callable[[int, str], None]


class Forwarder:
    """Posts bodies verbatim with their content type, in the order of their numbers; an async context manager.

    It never delays receiving: if the target is too slow, deliveries are not passed on, and that is reported.
    """

    def __init__(self, url: str, report: Report) -> None:
        """Take the target, and what is called with the number of a delivery and what became of it."""
        self._url, self._report = url, report
        self._waiting: asyncio.Queue[tuple[int, Delivery]] = asyncio.Queue(WAITING_LIMIT)
        self._task: asyncio.Task[None]

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name="bankhook: forward")
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._task.cancel()
        await asyncio.wait((self._task,))

    def forward(self, number: int, delivery: Delivery) -> None:
        """Pass a delivery on, soon."""
        try:
            self._waiting.put_nowait((number, delivery))
        except asyncio.QueueFull:
            self._report(number, "not forwarded: too many are waiting")

    async def _run(self) -> None:
        # Proxies of the environment would take a delivery elsewhere, and so would a redirect.
        async with httpx.AsyncClient(timeout=SECONDS, trust_env=False, follow_redirects=False) as client:
            while True:
                number, delivery = await self._waiting.get()
                self._report(number, await self._post(client, delivery))

    async def _post(self, client: httpx.AsyncClient, delivery: Delivery) -> str:
        if any(name == FORWARDED for name, _ in delivery.headers):
            return "not forwarded: it was forwarded to here"
        kinds = [(name, value) for name, value in delivery.headers if name == "content-type"]
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in ((FORWARDED, "1"), *kinds)]
        client.cookies.clear()  # what the target sets is not for the next delivery
        start = time.perf_counter()
        try:
            async with (
                asyncio.timeout(SECONDS),
                client.stream("POST", self._url, content=delivery.body, headers=raw) as answer,
            ):
                status = answer.status_code
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            return f"not forwarded: {type(error).__name__}; `bankhook replay` sends it later"
        return f"forwarded: {status} in {(time.perf_counter() - start) * 1e3:.0f} ms"
