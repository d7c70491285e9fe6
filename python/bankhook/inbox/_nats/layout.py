# SPDX-License-Identifier: MIT
"""What an inbox has on a server: two streams, a bucket, and a consumer for each partition, made on first use."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import re
from typing import Any

from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    ConsumerInfo,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
    StreamInfo,
)
from nats.js.errors import BadRequestError, NotFoundError

from bankhook.inbox._protocol import InboxError

__all__ = ["NO_MEMBER", "Layout", "has_lost_position", "hashed", "shortened"]

NO_MEMBER = "none"
IN_USE = 10058  # what the server calls a stream that exists and is configured differently
OVERLAPS = 10065  # what the server says instead while another process makes the same stream
DUPLICATES = 120.0  # seconds in which the server knows a delivery that it was sent before
# Server 2.9 counts a consumer's position down when it would send a delivery again and whoever asked is gone. Where that
# happens more often than there were deliveries before, the position is below zero, and nothing is delivered any more.
BELOW_ZERO = 1 << 63


LIMIT = 250  # characters of an id that are stored: a header has room for some ids of this length


def shortened(text: str) -> str:
    """An id in the form that is stored: a long one as its first characters and a hash, so that different ones stay different."""
    if len(text) <= LIMIT:
        return text
    return f"{text[: LIMIT - 66]}…#{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()}"


def hashed(*ids: str) -> str:
    """A name for ids in subjects and keys: always the same, and of characters that both allow, whatever is in the ids."""
    text = "\0".join(map(shortened, ids)).encode("utf-8", "surrogatepass")
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()[:24]).decode()


class Layout:
    """The names of one inbox, and how many partitions it has: as many as when it was made."""

    def __init__(self, name: str, *, partitions: int, replicas: int, max_age: float, ack_wait: float) -> None:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
            raise ValueError(f"name of an inbox: expected 1 to 64 of A-Z a-z 0-9 _ -, found {name!r}")
        self.name = name
        self.partitions = partitions
        self.replicas = replicas
        self.max_age = max_age
        self.ack_wait = ack_wait
        self.deliveries = f"{name}_deliveries"
        self.retries = f"{name}_retries"
        self.bucket = f"KV_{name}"
        self.all = f"{name}.deliveries.*.*.*"
        self.events = f"{name}.deliveries.event."
        self.quarantine = f"{name}.deliveries.quarantine.*.*"
        self.retry_subjects = f"{name}.retries.*.*"

    @property
    def is_direct(self) -> bool:
        """Whether any server may answer a read: with replicas one may not have the newest value yet."""
        return self.replicas == 1

    def consumers(self) -> list[str]:
        """The partitions, each the name of its consumer and a part of its subjects."""
        return [*map(str, range(self.partitions)), NO_MEMBER]

    def partition(self, member: str | None) -> str:
        """Where the deliveries of a member are."""
        if member is None:
            return NO_MEMBER
        return str(int.from_bytes(hashlib.sha256(hashed(member).encode()).digest()[:8]) % self.partitions)

    def subject(self, member: str | None, kind: str) -> str:
        """The subject of the deliveries of a member: of kind `event`, `quarantine`, or `*` for both."""
        owner = NO_MEMBER if member is None else hashed(member)
        return f"{self.name}.deliveries.{kind}.{self.partition(member)}.{owner}"

    def retry_subject(self, owner: str, generation: int) -> str:
        """The subject of the message that a member's deliveries wait."""
        return f"{self.name}.retries.{owner}.{generation}"

    def key(self, kind: str, name: str) -> str:
        """The subject of a key of the bucket; `*` as a name means all of a kind."""
        return f"$KV.{self.name}.{kind}.{name}"

    async def make(self, js: JetStreamContext) -> None:
        """Make what is not there yet. Several processes may do so at once: the server makes it once."""
        self._read(await _made(js, self._deliveries()))
        await asyncio.gather(_made(js, self._retries()), _made(js, self._bucket()))
        await self.make_partitions(js)
        self._read_ack_wait(await self.infos(js))
        await js.add_consumer(  # pyright: ignore[reportUnknownMemberType]
            self.retries, self._consumer("retries", self.retry_subjects, -1)
        )

    async def make_partitions(self, js: JetStreamContext) -> None:
        """Make the consumers of partitions that are not there, or have lost their position."""
        infos = await self.infos(js)
        lost = [info.name for info in infos if has_lost_position(info)]
        await asyncio.gather(*(self._forget(js, name) for name in lost))
        present = {info.name for info in infos} - {*lost}
        await asyncio.gather(
            *(
                js.add_consumer(  # pyright: ignore[reportUnknownMemberType]
                    self.deliveries, self._consumer(name, f"{self.name}.deliveries.event.{name}.*", 1)
                )
                for name in self.consumers()
                if name not in present
            ),
        )

    async def _forget(self, js: JetStreamContext, consumer: str) -> None:
        """Delete a consumer, so that it begins again with the first delivery.

        Members know which of theirs were handled; the handlers of deliveries without a member are called again.
        """
        with contextlib.suppress(NotFoundError):
            if has_lost_position(await js.consumer_info(self.deliveries, consumer)):  # else another process was faster
                await js.delete_consumer(self.deliveries, consumer)

    async def find(self, js: JetStreamContext) -> None:
        """Read how the inbox was made, and make nothing; InboxError if it is not there."""
        try:
            stored, *_ = await asyncio.gather(*map(js.stream_info, (self.deliveries, self.retries, self.bucket)))
        except NotFoundError:
            raise InboxError(f"NATS: there is no inbox with the name {self.name}") from None
        self._read(stored)
        infos = await self.infos(js)
        if len(infos) < len(self.consumers()):
            raise InboxError(f"NATS: the inbox {self.name} was made only in part; what receives or handles makes the rest")
        self._read_ack_wait(infos)

    def _read(self, stored: StreamInfo) -> None:
        """Take over what the stream of deliveries was made with."""
        described = re.search(r"partitions=(\d+)", stored.config.description or "")
        if described is None:
            raise InboxError(f"NATS: the stream {self.deliveries} is not one of an inbox")
        self.partitions = int(described[1])
        self.replicas = stored.config.num_replicas or 1

    def _read_ack_wait(self, infos: list[ConsumerInfo]) -> None:
        # Signs of life are given by what the server waits for, not by what this process was opened with.
        self.ack_wait = min(info.config.ack_wait or self.ack_wait for info in infos)

    async def infos(self, js: JetStreamContext) -> list[ConsumerInfo]:
        """How far the consumers of the partitions are."""
        names = set(self.consumers())
        found: list[ConsumerInfo] = []
        offset = 0
        while listed := await _listed(js, self.deliveries, offset):
            found += [info for info in listed if info.name in names]
            offset += len(listed)
        return found

    def _deliveries(self) -> StreamConfig:
        return self._stream(
            self.deliveries,
            [self.all],
            description=f"bankhook inbox, partitions={self.partitions}",
            max_age=self.max_age,
            duplicate_window=min(DUPLICATES, self.max_age or DUPLICATES),
        )

    def _retries(self) -> StreamConfig:
        # One message for each generation of a member, however often it is put there.
        return self._stream(
            self.retries,
            [self.retry_subjects],
            retention=RetentionPolicy.WORK_QUEUE,
            max_msgs_per_subject=1,
            discard_new_per_subject=True,
        )

    def _bucket(self) -> StreamConfig:
        # As the tools of NATS make a bucket, but keys can be removed without a marker that would stay for ever.
        return self._stream(self.bucket, [f"$KV.{self.name}.>"], max_msgs_per_subject=1, allow_rollup_hdrs=True)

    def _stream(self, name: str, subjects: list[str], **more: Any) -> StreamConfig:
        # Whoever gives a stream a limit gets an error when it is full: what was acknowledged is not dropped for what is new.
        kept = {"retention": RetentionPolicy.LIMITS, "discard": DiscardPolicy.NEW}
        given: dict[str, Any] = {**kept, "duplicate_window": DUPLICATES, **more}
        return StreamConfig(
            name=name,
            subjects=subjects,
            storage=StorageType.FILE,
            num_replicas=self.replicas,
            allow_direct=True,
            **given,
        )

    def _consumer(self, name: str, subject: str, unacknowledged: int) -> ConsumerConfig:
        """One delivery at a time for a partition: that keeps those of a member in order, however many workers there are."""
        return ConsumerConfig(
            name=name,
            durable_name=name,
            filter_subject=subject,
            ack_policy=AckPolicy.EXPLICIT,
            ack_wait=self.ack_wait,
            max_ack_pending=unacknowledged,
            max_deliver=-1,
        )


async def _listed(js: JetStreamContext, stream: str, offset: int) -> list[ConsumerInfo]:
    """Consumers of a stream. The caller bounds the time."""
    while True:
        with contextlib.suppress(AttributeError):  # a reader that is just being deleted is listed as null
            return await js.consumers_info(stream, offset)


def has_lost_position(info: ConsumerInfo) -> bool:
    """Whether a consumer says that it has delivered everything, and nothing is delivered any more."""
    return info.delivered is not None and info.delivered.stream_seq >= BELOW_ZERO


async def _made(js: JetStreamContext, wanted: StreamConfig) -> StreamInfo:
    """The stream, as it was made the first time."""
    assert wanted.name is not None
    try:
        return await js.stream_info(wanted.name)
    except NotFoundError:
        pass
    try:
        return await js.add_stream(wanted)  # pyright: ignore[reportUnknownMemberType]
    except BadRequestError as error:
        if error.err_code not in (IN_USE, OVERLAPS):
            raise
        try:
            return await js.stream_info(wanted.name)  # another process made it meanwhile, with other options
        except NotFoundError:
            raise error from None
