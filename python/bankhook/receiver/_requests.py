# SPDX-License-Identifier: MIT
"""Reading the body of a request within limits of size, memory and time, and the requests that are turned away."""

from __future__ import annotations

import asyncio

from starlette.types import Receive, Scope

__all__ = ["Bodies", "Disconnected", "TurnedAway"]

DRAIN_FACTOR = 4
"""A body that is too large is read on to this many times the limit, so that its sender gets the answer."""


class TurnedAway(Exception):
    """A request that is answered without storing anything."""

    def __init__(self, status: int, reason: str, *headers: tuple[bytes, bytes]) -> None:
        """Take the status, a sentence without values of the request, and headers of the answer."""
        super().__init__(reason)
        self.status, self.reason, self.headers = status, reason, headers


class Disconnected(Exception):
    """The client closed the connection before its body was complete."""


CLOSE = (b"connection", b"close")


class Bodies:
    """Reads bodies. What is read counts until `release`, so that all of them together have a bound, too."""

    def __init__(self, *, max_body: int, max_total: int, seconds: float) -> None:
        """Take the limits: bytes of one body, bytes of all bodies that are not stored yet, time for one body."""
        self._max_body, self._max_total, self._seconds = max_body, max_total, seconds
        self._total = 0

    async def read(self, scope: Scope, receive: Receive) -> bytes:
        """Return the body; the caller releases it.

        Raises TurnedAway if it is too large (413) or too slow (408), or if too much is in memory (503); Disconnected if it
        is cut.
        """
        if _declared(scope) > self._max_body * DRAIN_FACTOR:
            raise self._too_large()
        chunks: list[bytes] = []
        try:
            async with asyncio.timeout(self._seconds):
                await self._collect(receive, chunks)
        except BaseException as error:
            self.release(sum(map(len, chunks)))
            if isinstance(error, TimeoutError):
                raise TurnedAway(408, "the body took too long", CLOSE) from None
            raise
        return chunks[0] if len(chunks) == 1 else b"".join(chunks)

    def release(self, size: int) -> None:
        """Count a body of this size as no longer in memory."""
        self._total -= size

    async def _collect(self, receive: Receive, chunks: list[bytes]) -> None:
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Disconnected
            chunk: bytes = message.get("body", b"")
            size += len(chunk)
            if size <= self._max_body:
                chunks.append(chunk)
                self._total += len(chunk)
                if self._total > self._max_total:
                    raise TurnedAway(503, "too many bodies are in memory", CLOSE, (b"retry-after", b"1"))
            is_last = not message.get("more_body", False)
            if size > self._max_body * (1 if is_last else DRAIN_FACTOR):
                raise self._too_large()
            if is_last:
                return

    def _too_large(self) -> TurnedAway:
        return TurnedAway(413, f"the body has more than {self._max_body} bytes", CLOSE)


def _declared(scope: Scope) -> int:
    """Return what the headers give as the size of the body; 0 if they do not."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0
