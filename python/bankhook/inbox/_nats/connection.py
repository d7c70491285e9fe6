# SPDX-License-Identifier: MIT
"""A connection to NATS whose calls end within a bounded time, and raise InboxError if they fail."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, ConsumerInfo, DeliverPolicy, PubAck, RawStreamMsg
from nats.js.errors import APIError, NoStreamResponseError, NotFoundError

from bankhook.inbox._protocol import InboxError

__all__ = ["Changed", "Connection", "Message"]

BATCH = 256
# The server's error codes for a write that expected another revision, and for a second message where only one is allowed.
WRONG_SEQUENCE = (10071, 10164)


class Changed(Exception):
    """Nothing was written, because another writer changed the value after it was read."""


class Lost(Exception):
    """A message did not arrive, although the server sent it."""


class Message(NamedTuple):
    """A message to publish."""

    subject: str
    data: bytes
    headers: dict[str, str]


class Connection:
    """A client that connects again by itself; while it is not connected, calls wait, but not longer than the timeout."""

    def __init__(self, servers: Sequence[str], timeout: float, credentials: str | None) -> None:
        self._servers = list(servers)
        self._credentials = credentials
        self.timeout = timeout
        self.client = Client()
        self.js: JetStreamContext = self.client.jetstream(timeout=timeout)  # pyright: ignore[reportUnknownMemberType]
        self._is_up = asyncio.Event()
        self._replies = ""
        self._numbers = itertools.count()
        self._unanswered: dict[str, asyncio.Future[PubAck]] = {}

    def another(self) -> Connection:
        """Return one to the same servers, for another event loop; it is not open."""
        return Connection(self._servers, self.timeout, self._credentials)

    async def open(self) -> None:
        """Connect; InboxError if no server answers within the timeout."""
        async with self.bounded("connect"):
            await self.client.connect(
                self._servers,
                user_credentials=self._credentials,
                connect_timeout=max(1, int(self.timeout)),
                reconnect_time_wait=0,  # the wait is in `_error`: the client takes whole seconds only
                max_reconnect_attempts=-1,
                error_cb=self._error,
                disconnected_cb=self._disconnected,
                reconnected_cb=self._reconnected,
            )
            self._replies = self.client.new_inbox()
            await self.client.subscribe(f"{self._replies}.*", cb=self._answered)  # pyright: ignore[reportUnknownMemberType]
        self._is_up.set()

    async def close(self) -> None:
        """Close the connection; what is unanswered fails."""
        await self._disconnected()
        with contextlib.suppress(nats.errors.Error, OSError):  # the server has gone, and something was left to send
            await self.client.close()

    @contextlib.asynccontextmanager
    async def bounded(self, what: str) -> AsyncGenerator[Callable[[], None]]:
        """Run a block for at most the timeout, and turn the errors of the client into InboxError.

        What it gives begins the timeout again, for a block that has got on.
        """
        with self.errors(what):
            async with asyncio.timeout(self.timeout) as limit:
                yield lambda: limit.reschedule(asyncio.get_running_loop().time() + self.timeout)

    @contextlib.contextmanager
    def errors(self, what: str) -> Generator[None]:
        """Turn the errors of the client into InboxError. Values never appear in them: subjects are hashes and numbers."""
        try:
            yield
        except TimeoutError as error:
            raise InboxError(f"NATS: {what}: no answer from {self} within {self.timeout:g} s") from error
        except APIError as error:
            raise InboxError(f"NATS: {what}: {error.description or error}") from error
        except (nats.errors.Error, OSError) as error:
            raise InboxError(f"NATS: {what}: {error}") from error

    async def wait(self) -> None:
        """Wait until it is connected."""
        await self._is_up.wait()

    async def publish(self, messages: Sequence[Message]) -> list[PubAck | BaseException]:
        """Publish messages in this order, and wait until each is stored or failed, at the latest when the connection ends.

        The client has such a call, but its future never ends where the server answers with an error.
        """
        futures: dict[str, asyncio.Future[PubAck]] = {}
        try:
            for message in messages:
                reply = f"{self._replies}.{next(self._numbers)}"
                futures[reply] = self._unanswered[reply] = asyncio.get_running_loop().create_future()
                await self.client.publish(message.subject, message.data, reply, headers=message.headers)
            return await asyncio.gather(*futures.values(), return_exceptions=True)
        finally:
            for reply, future in futures.items():
                del self._unanswered[reply]
                future.cancel()

    async def _answered(self, message: Msg) -> None:
        """Hand the answer of the server to the call of `publish` that waits for it."""
        future = self._unanswered.get(message.subject)
        if future is None or future.done():
            return
        if not message.data:
            future.set_exception(NoStreamResponseError())
        elif "error" in (answer := json.loads(message.data)):
            error = answer["error"]
            future.set_exception(APIError(error.get("code"), error.get("description"), error.get("err_code")))
        else:
            future.set_result(PubAck.from_response(answer))

    async def write(
        self, subject: str, data: bytes = b"", *, last: int | None = None, headers: dict[str, str] | None = None
    ) -> int:
        """Store one message and return its number; if `last` is given, only if that is the last number of the subject."""
        wanted = dict(headers or {})
        if last is not None:
            wanted["Nats-Expected-Last-Subject-Sequence"] = str(last)
        async with self.bounded("write"):
            try:
                return (await self.js.publish(subject, data, headers=wanted or None, timeout=self.timeout)).seq
            except APIError as error:
                if error.err_code in WRONG_SEQUENCE or "per subject exceeded" in (error.description or ""):
                    raise Changed from error
                raise

    async def last(self, stream: str, subject: str, *, direct: bool) -> RawStreamMsg | None:
        """Return the last message of a subject."""
        async with self.bounded("read"):
            with contextlib.suppress(NotFoundError):
                return await self.js.get_msg(stream, subject=subject, direct=direct)
        return None

    async def numbered(self, stream: str, number: int, *, direct: bool) -> RawStreamMsg | None:
        """Return the message of this number."""
        async with self.bounded("read"):
            with contextlib.suppress(NotFoundError):
                return await self.js.get_msg(stream, seq=number, direct=direct)
        return None

    async def remove(self, stream: str, number: int) -> bool:
        """Delete the message of this number, and return whether there was one."""
        async with self.bounded("delete"):
            try:
                return await self.js.delete_msg(stream, number)
            except APIError:  # a code of its own, 400 or 500 by version of the server, if it is not there
                if await self.numbered(stream, number, direct=False) is None:
                    return False
                raise

    async def first(self, stream: str, subject: str) -> RawStreamMsg | None:
        """Return the first message of a subject, which may have wildcards."""
        async with self.bounded("read"):
            with contextlib.suppress(NotFoundError):
                return await self.js.get_msg(stream, seq=1, subject=subject, next=True)
        return None

    async def count(self, stream: str, subject: str) -> int:
        """Count the messages of a subject, which may have wildcards."""
        info = await self._made_reader(stream, subject, 1, headers_only=True)
        await self._delete_reader(stream, info)
        return info.num_pending or 0

    async def scan(
        self,
        stream: str,
        subject: str,
        *,
        start: int = 1,
        until: int | None = None,
        headers_only: bool = False,
        at_once: int = BATCH,
    ) -> AsyncGenerator[Msg]:
        """Iterate over what a stream has of a subject when this begins, in order; what was not fetched yet stays there."""
        if until is None:
            async with self.bounded("read"):
                until = (await self.js.stream_info(stream)).state.last_seq
        last = until
        while start <= last:
            begun = start
            info = await self._made_reader(stream, subject, start, headers_only=headers_only)
            try:
                async with contextlib.aclosing(self._fetched(stream, info, at_once)) as fetched:
                    async for message in fetched:
                        start = message.metadata.sequence.stream + 1
                        if start > last + 1:
                            return
                        yield message
                return
            except (Lost, nats.errors.Error, OSError) as error:  # go on from there with another reader
                if start == begun:
                    with self.errors("read"):
                        raise nats.errors.TimeoutError from error
            finally:
                await self._delete_reader(stream, info)

    async def _fetched(self, stream: str, info: ConsumerInfo, at_once: int) -> AsyncGenerator[Msg]:
        """What a reader gets. The server sends each message once, so one that is lost on the way is missed by its number."""
        pull = await self.js.pull_subscribe_bind(info.name, stream)
        try:
            pending, expected = info.num_pending or 0, 1
            while pending > 0:
                for message in await pull.fetch(min(at_once, pending), timeout=self.timeout):
                    if message.metadata.sequence.consumer != expected:
                        raise Lost
                    expected, pending = expected + 1, message.metadata.num_pending
                    yield message
        finally:
            with contextlib.suppress(nats.errors.Error, OSError):
                await pull.unsubscribe()

    async def _made_reader(self, stream: str, subject: str, start: int, *, headers_only: bool) -> ConsumerInfo:
        config = ConsumerConfig(
            filter_subject=subject,
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
            opt_start_seq=max(1, start),
            ack_policy=AckPolicy.NONE,
            inactive_threshold=60,
            headers_only=headers_only or None,
            mem_storage=True,
            num_replicas=1,
        )
        async with self.bounded("read"):
            return await self.js.add_consumer(stream, config)  # pyright: ignore[reportUnknownMemberType]

    async def _delete_reader(self, stream: str, info: ConsumerInfo) -> None:
        with contextlib.suppress(nats.errors.Error, TimeoutError, OSError):  # the server deletes it after a minute
            async with asyncio.timeout(self.timeout):
                await self.js.delete_consumer(stream, info.name)

    async def _error(self, error: Exception) -> None:
        """Wait between two attempts to connect; the calls that wait for the connection say what is wrong."""
        if not self.client.is_connected:
            await asyncio.sleep(0.1)

    async def _disconnected(self) -> None:
        self._is_up.clear()
        for future in self._unanswered.values():
            if not future.done():
                future.set_exception(nats.errors.ConnectionClosedError())

    async def _reconnected(self) -> None:
        self._is_up.set()

    def __str__(self) -> str:
        """The servers, without user and password."""
        return ", ".join(f"{url.hostname}:{url.port or 4222}" for url in map(urlsplit, self._servers))
