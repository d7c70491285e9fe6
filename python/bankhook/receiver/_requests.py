# SPDX-License-Identifier: MIT
"""Reading the body of a request within limits of size, memory and time, and the requests that are turned away."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope

from bankhook._render.unlisted import path_without_unlisted
from bankhook.inbox import Delivery
from bankhook.receiver._peers import Trusted

LIMITED = "bankhook.limits"
"""The extension of an ASGI scope whose server has the limits of `http_protocol`."""

DRAIN_FACTOR = 4
"""A body that is too large is read on to this many times the limit, so that its sender gets the answer."""

GRACE_SECONDS = 5.0
LEAST_RATE = 4096
"""Bytes a second of a body that is not complete after `GRACE_SECONDS`."""

PEER_BODIES = 64
"""How many bodies of one peer may be incomplete at a time."""


class TurnedAway(HTTPException):
    """A request that is answered without storing anything; its detail is a sentence without values of the request."""


CLOSE = {"connection": "close"}


class _Reading:
    """A body of which a part is here."""

    __slots__ = ("chunks", "held", "peer", "refusal", "size", "start", "task")

    def __init__(self, peer: str, start: float) -> None:
        self.peer, self.start, self.task = peer, start, asyncio.current_task()
        self.chunks: list[bytes] = []
        self.size = self.held = 0
        """What came, and what of that is in memory; a body that is too large is read on, but not kept."""
        self.refusal: TurnedAway | None = None


class Bodies:
    """Reads bodies. What is read counts until `release`, so that all of them together have a bound, too.

    If there is no room for a body that is coming, the one is turned away of which nothing has come for longest: who
    stalls gives way to who sends. So one peer cannot take the places of others.
    """

    def __init__(self, *, max_body: int, max_total: int, seconds: float, trusted: Trusted) -> None:
        """Take the limits: bytes of one body, bytes of all bodies that are not stored yet, time for one body."""
        self._max_body, self._max_total, self._seconds, self._trusted = max_body, max_total, seconds, trusted
        self._total = 0
        self._reading: dict[_Reading, None] = {}  # the one of which nothing has come for longest is the first
        self._peers: Counter[str] = Counter()

    def check_size(self, headers: Headers) -> None:
        """Raise TurnedAway (413) if the headers say that the body is too large."""
        declared = headers.get("content-length", "0")
        size = int(declared) if len(declared) < 20 else sys.maxsize  # Python refuses to read thousands of digits
        if size > self._max_body:
            raise self._too_large(CLOSE if size > self._max_body * DRAIN_FACTOR else None)

    async def read(self, scope: Scope, receive: Receive) -> bytes:
        """Return the body; the caller releases it.

        Raises TurnedAway if it is too large (413) or too slow (408), or if too much is in memory (503); ClientDisconnect if
        it is cut.
        """
        reading = _Reading(self._trusted.peer(scope), asyncio.get_running_loop().time())
        self._reading[reading] = None
        if reading.peer:
            self._peers[reading.peer] += 1
            if self._peers[reading.peer] > PEER_BODIES:
                self._cut(next(one for one in self._reading if one.peer == reading.peer), _full())
        try:
            await self._collect(receive, reading)
        except BaseException as error:
            self._end(reading)
            self.release(reading.held)
            if reading.refusal is None or not isinstance(error, asyncio.CancelledError):
                raise
            if reading.task is not None and reading.task.uncancel() > 0:
                raise  # something else has cancelled it, too
            raise reading.refusal from None
        self._end(reading)
        return b"".join(reading.chunks)

    def release(self, size: int) -> None:
        """Count a body of this size as no longer in memory."""
        self._total -= size

    def replace(self, body: bytes, unpack: Callable[[bytes, int], bytes]) -> bytes:
        """Return the body unpacked, of which the caller releases the size; raises TurnedAway, and has released the packed one.

        `unpack` takes the body and the limit of bytes.
        """
        self.release(len(body))
        body = unpack(body, self._max_body)
        if self._total + len(body) > self._max_total:
            raise _full()
        self._total += len(body)
        return body

    def end_late(self, now: float) -> None:
        """Turn away (408) what takes too long, or is slower than the least rate."""
        for reading in list(self._reading):
            age = now - reading.start
            if age > self._seconds or (age > GRACE_SECONDS and reading.size < age * LEAST_RATE):
                self._cut(reading, TurnedAway(408, "the body took too long", CLOSE))

    async def _collect(self, receive: Receive, reading: _Reading) -> None:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            chunk: bytes = message.get("body", b"")
            reading.size += len(chunk)
            if reading.size <= self._max_body:
                reading.chunks.append(chunk)
                reading.held += len(chunk)
                self._total += len(chunk)
            is_last = not message.get("more_body", False)
            if reading.size > self._max_body * (1 if is_last else DRAIN_FACTOR):
                raise self._too_large(CLOSE)
            if self._total > self._max_total or not is_last:
                self._reading[reading] = self._reading.pop(reading)  # now the last one
                while self._total > self._max_total:
                    stalest = next(iter(self._reading))
                    if stalest is reading:
                        raise _full()
                    self._cut(stalest, _full())
            if is_last:
                return

    def _cut(self, reading: _Reading, refusal: TurnedAway) -> None:
        """Turn a body away whose task waits for more of it."""
        reading.refusal = refusal
        self._end(reading)
        self.release(reading.held)
        reading.chunks.clear()
        reading.held = 0
        if reading.task is not None:
            reading.task.cancel()

    def _end(self, reading: _Reading) -> None:
        if self._reading.pop(reading, self) is None and reading.peer:
            self._peers[reading.peer] -= 1
            if not self._peers[reading.peer]:
                del self._peers[reading.peer]

    def _too_large(self, headers: dict[str, str] | None) -> TurnedAway:
        return TurnedAway(413, f"the body has more than {self._max_body} bytes", headers)


def _full() -> TurnedAway:
    return TurnedAway(503, "too many bodies are in memory", CLOSE | {"retry-after": "1"})


def explained(delivery: Delivery) -> bytes:
    """Return the findings as JSON; they contain no value of the payload, and no name that the specification does not list."""
    kept = ("rule", "section", "evidence", "expected", "found")
    findings = [
        {name: str(getattr(finding, name)) for name in kept} | {"path": path_without_unlisted(finding)}
        for finding in delivery.findings
    ]
    return json.dumps({"findings": findings}, ensure_ascii=False).encode()
