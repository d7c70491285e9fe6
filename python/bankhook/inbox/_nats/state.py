# SPDX-License-Identifier: MIT
"""What the bucket of an inbox stores: members, effects, cases, open transactions, and marks of deliveries."""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import zlib
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from nats.aio.msg import Msg

from bankhook.inbox._cases import NewCase
from bankhook.inbox._nats.connection import BATCH, Changed, Connection
from bankhook.inbox._nats.layout import Layout, hashed, shortened
from bankhook.inbox._nats.messages import Mark
from bankhook.inbox._protocol import TooLarge
from bankhook.inbox._records import Case, CaseKind, Overdue, StoredDelivery

__all__ = ["MemberState", "State", "owner_of"]

ENVELOPE = 1_000  # bytes that are left for the headers of a value, and for numbers that grow
RAISE = "raise the max_payload of the server, and retry"


@dataclasses.dataclass
class MemberState:
    """What is known of a member, in one value, so that it changes all at once or not at all."""

    packed: bytes | None = None
    """The snapshot of its tracker, compressed."""
    last: int = 0
    """The last delivery that was handled or put off, of those that came in their turn."""
    waiting: list[int] = dataclasses.field(default_factory=list[int])
    """Deliveries that were put off: one that failed, and those that came since."""
    generation: int = 0
    """How often nothing was left of what waited, or somebody asked for a retry. Each has one message that something waits,
    and whoever ends one leaves that message to nobody: what is put off while it is still there has a message of its own."""
    revision: int = 0
    was: tuple[bytes | None, int] = (None, 0)
    """The compressed snapshot and the last delivery as they were read."""

    @property
    def snapshot(self) -> bytes | None:
        """The snapshot of its tracker."""
        return None if self.packed is None else zlib.decompress(self.packed)

    @snapshot.setter
    def snapshot(self, snapshot: bytes | None) -> None:
        self.packed = None if snapshot is None else zlib.compress(snapshot, 1)

    def encoded(self) -> bytes:
        """The value of the bucket."""
        about = {
            "last": self.last,
            "waiting": self.waiting,
            "generation": self.generation,
            "snapshot": self.packed is not None,
        }
        return json.dumps(about).encode() + b"\n" + (self.packed or b"")


def owner_of(delivery: StoredDelivery) -> str:
    """Who waits with a delivery: its member, or else the delivery alone."""
    return f"delivery-{delivery.number}" if delivery.member is None else hashed(delivery.member)


class State:
    """The values of the bucket. Whoever writes a member proves with the revision that nobody else did meanwhile."""

    def __init__(self, connection: Connection, layout: Layout) -> None:
        self._connection = connection
        self._layout = layout

    async def member(self, owner: str) -> MemberState:
        """Read a member."""
        layout = self._layout
        entry = await self._connection.last(layout.bucket, layout.key("member", owner), direct=layout.is_direct)
        if entry is None:
            return MemberState()
        about, _, packed = (entry.data or b"").partition(b"\n")
        values = json.loads(about)
        read = packed if values["snapshot"] else None, values["last"]
        return MemberState(*read, values["waiting"], values["generation"], entry.seq or 0, read)

    def check_snapshot(self, member: MemberState) -> None:
        """TooLarge if a snapshot does not leave room for numbers of deliveries that are put off."""
        size, limit = len(member.packed or b""), self._limit
        if size > limit - limit // 8:
            raise TooLarge(
                f"NATS: the state of the member takes {size} bytes, and {limit - limit // 8} can be stored: {RAISE}"
            )

    def check_waiting(self, member: MemberState, number: int) -> None:
        """TooLarge if one more delivery of a member cannot be put off."""
        size = len(member.encoded()) + len(f", {number}")
        if size > self._limit:
            raise TooLarge(f"NATS: too many deliveries of the member wait, {len(member.waiting)}, for another one: {RAISE}")

    @property
    def _limit(self) -> int:
        """How many bytes a value may have."""
        return self._connection.client.max_payload - ENVELOPE

    async def write_member(self, owner: str, member: MemberState) -> None:
        """Write a member that was read. Changed if it was written since."""
        key = self._layout.key("member", owner)
        member.revision = await self._connection.write(key, member.encoded(), last=member.revision)

    async def wake(self, owner: str, member: MemberState) -> None:
        """See to it that what waits is looked at: who does so ends the generation before the message goes."""
        with contextlib.suppress(Changed):  # it is seen to already
            await self._connection.write(self._layout.retry_subject(owner, member.generation))

    async def write_mark(self, number: int, mark: Mark, *, last: int | None = None) -> None:
        """Write what is exceptional about a delivery."""
        headers = {"Bankhook-Subject": mark.subject, "Bankhook-State": mark.state.value}
        await self._connection.write(
            self._layout.key("mark", str(number)), mark.encoded(self._limit), headers=headers, last=last
        )

    async def write_examined(self, number: int) -> None:
        """Store that a delivery may have another member than the one of its subject."""
        await self._connection.write(self._layout.key("examined", str(number)))

    async def has_effect(self, key: str) -> bool:
        """Whether an effect was recorded."""
        layout = self._layout
        found = await self._connection.last(layout.bucket, layout.key("effect", hashed(key)), direct=layout.is_direct)
        return found is not None

    async def write_effect(self, key: str, number: int) -> None:
        """Record an effect."""
        await self._connection.write(self._layout.key("effect", hashed(key)), str(number).encode())

    async def raise_case(self, delivery: StoredDelivery, case: NewCase) -> None:
        """Store a case, once for a delivery, however often that is handled."""
        kind, field, key = case
        values = {"kind": kind.value, "field": field, "member": delivery.member, "key": key}
        name = hashed(str(delivery.number), kind.value, field or "", key)
        await self._once(self._layout.key("case", name), values, delivery)

    async def open(self, delivery: StoredDelivery, key: str) -> None:
        """Store that a transaction is open, since its first delivery."""
        member = delivery.member or ""
        values = {"key": key, "member": member}
        await self._once(self._layout.key("open", hashed(member, key)), values, delivery)

    async def close(self, delivery: StoredDelivery, key: str) -> None:
        """Store that a transaction is open no longer."""
        layout = self._layout
        name = layout.key("open", hashed(delivery.member or "", key))
        entry = await self._connection.last(layout.bucket, name, direct=layout.is_direct)
        if entry is not None and entry.seq is not None:
            await self._connection.remove(layout.bucket, entry.seq)

    async def _once(self, subject: str, values: Mapping[str, str | None], delivery: StoredDelivery) -> None:
        stored = {**values, "delivery": delivery.number, "received": delivery.received.isoformat()}
        with contextlib.suppress(Changed):
            await self._connection.write(subject, json.dumps(stored).encode(), last=0)

    async def cases(self, kind: str | None, member: str | None, *, after: int, limit: int | None) -> list[Case]:
        """The open cases of this kind and member."""
        found: list[Case] = []
        wanted = None if member is None else shortened(member)
        async with contextlib.aclosing(self._all("case", start=after + 1)) as messages:
            async for message in messages:
                if limit is not None and len(found) >= limit:
                    break
                values = json.loads(message.data)
                if kind in (None, values["kind"]) and wanted in (None, values["member"]):
                    found.append(_case(message.metadata.sequence.stream, values))
        return found

    async def settle(self, number: int) -> bool:
        """Delete a case, and return whether it was open."""
        layout = self._layout
        entry = await self._connection.numbered(layout.bucket, number, direct=False)
        if entry is None or not (entry.subject or "").startswith(layout.key("case", "")):
            return False
        return await self._connection.remove(layout.bucket, number)

    async def overdue(self, before: datetime.datetime, *, after: Overdue | None, limit: int | None) -> list[Overdue]:
        """The transactions that were first reported before a time, the oldest first; of the others not all are in memory."""
        found: list[Overdue] = []
        async for message in self._all("open"):
            values = json.loads(message.data)
            one = Overdue(
                values["key"], values["member"], datetime.datetime.fromisoformat(values["received"]), values["delivery"]
            )
            if one.received < before and (after is None or _age(one) > _age(after)):
                found.append(one)
                if limit is not None and len(found) >= 2 * limit + BATCH:
                    found = sorted(found, key=_age)[:limit]
        return sorted(found, key=_age)[:limit]

    def _all(self, kind: str, *, start: int = 1) -> AsyncGenerator[Msg]:
        return self._connection.scan(self._layout.bucket, self._layout.key(kind, "*"), start=start)


def _case(number: int, values: dict[str, Any]) -> Case:
    received = datetime.datetime.fromisoformat(values["received"])
    kind = CaseKind(values["kind"])
    return Case(number, kind, values["field"], values["delivery"], values["member"], values["key"], received)


def _age(one: Overdue) -> tuple[datetime.datetime, int]:
    return one.received, one.delivery
