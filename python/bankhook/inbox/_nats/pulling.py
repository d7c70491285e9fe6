# SPDX-License-Identifier: MIT
"""A worker's requests to one consumer: what the server sent and the worker did not take is for other workers at once."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from typing import Self

import nats.errors
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from bankhook.inbox._nats.connection import Connection

__all__ = ["Pull", "give_back"]

PULL = 5.0  # seconds that a request for a message stands; after that, or after an outage, there is a new one
LATE = 0.5  # seconds after which a request is made again, of which the server did not say that it has ended
PAUSE = 0.1  # seconds until the next request, if the server refused one
ENDED = "408"  # the status of a request that stood for its time


async def give_back(connection: Connection, message: Msg) -> None:
    """Let others have a message, at once instead of when this worker has been silent for long enough.

    This waits until the server knows it. If another worker asks and leaves before that, server 2.9 sends the message to
    nobody until it gives up waiting for an acknowledgement.
    """
    with contextlib.suppress(nats.errors.Error, TimeoutError, OSError):
        if connection.client.is_connected:
            await connection.client.request(message.reply, Msg.Ack.Nak, timeout=connection.timeout)
        else:
            await message.nak()


class Pull:
    """Takes messages one at a time, in an `async with` block.

    The client's own pull subscription forgets a request that is cancelled, and the server does not: a message that it
    sends then is lost until it gives up waiting for the acknowledgement. Here the server first confirms that it sends no
    more, and then all that came until then is given back.
    """

    def __init__(self, connection: Connection, stream: str, consumer: str) -> None:
        self._connection = connection
        self._consumer = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        self._inbox = connection.client.new_inbox()
        self._subscription: Subscription | None = None
        self._messages: deque[Msg] = deque()
        self._changed = asyncio.Event()
        self._status = ""
        self._is_stopped = False

    async def __aenter__(self) -> Self:
        """Subscribe to what the server answers."""
        self._subscription = await self._connection.client.subscribe(self._inbox, cb=self._answered)  # pyright: ignore[reportUnknownMemberType]
        return self

    async def __aexit__(self, *exception: object) -> None:
        """End the subscription, and give back what came before the server knew."""
        assert self._subscription is not None
        try:
            with contextlib.suppress(nats.errors.Error, TimeoutError, OSError):
                if self._connection.client.is_connected:
                    async with asyncio.timeout(self._connection.timeout):
                        await self._subscription.drain()  # type: ignore[no-untyped-call]
                else:  # its requests ended with the connection
                    await self._subscription.unsubscribe()
        finally:
            while self._messages:
                await give_back(self._connection, self._messages.popleft())

    def stop(self) -> None:
        """Make the call of `next` that waits, and those that follow, return None."""
        self._is_stopped = True
        self._changed.set()

    async def next(self) -> Msg | None:
        """Return the next message; None after `stop`."""
        while not self._is_stopped:
            if self._messages:
                return self._messages.popleft()
            await self._ask()
            if self._status not in ("", ENDED):
                await self._wait(PAUSE)
        return None

    async def _ask(self) -> None:
        """Ask for a message, and wait until it comes, or until the request ends."""
        self._status = ""
        request = {"batch": 1, "expires": int(PULL * 1e9)}
        try:
            await self._connection.client.publish(self._consumer, json.dumps(request).encode(), self._inbox)
        except (nats.errors.Error, OSError) as error:  # it is not connected, and has too much to send already
            self._status = type(error).__name__
        else:
            await self._wait(PULL + LATE)

    async def _wait(self, seconds: float) -> None:
        if self._is_stopped:
            return
        self._changed.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._changed.wait()

    async def _answered(self, message: Msg) -> None:
        status = (message.headers or {}).get("Status")
        if status is None:
            self._messages.append(message)
        else:
            self._status = status
        self._changed.set()
