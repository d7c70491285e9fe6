# SPDX-License-Identifier: MIT
"""What happens to one delivery: its handlers are called, and what it means for its member is stored."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bankhook._core import AnyEvent, Tracker, parse
from bankhook._records.errors import ParseError
from bankhook._records.tracking import Outcome
from bankhook.handlers import Handlers
from bankhook.inbox._cases import PROCESSED, new_cases, reopened
from bankhook.inbox._contained import finish, start
from bankhook.inbox._examination import why_rejected
from bankhook.inbox._nats.connection import Changed, Connection
from bankhook.inbox._nats.messages import Mark
from bankhook.inbox._nats.reading import Reading
from bankhook.inbox._nats.state import MemberState, State, owner_of
from bankhook.inbox._protocol import TooLarge
from bankhook.inbox._records import DeliveryState, StoredDelivery
from bankhook.inbox._retries import Retries, log_failure, text_of
from bankhook.inbox._thread import HandlerThread

__all__ = ["Call", "Handling", "calling"]

Call: TypeAlias = Callable[[StoredDelivery, AnyEvent, Outcome, set[str]], Awaitable[None]]
"""Calls the handlers of a delivery; adds each finished call to the set, and skips those that are in it."""


def calling(handlers: Handlers, state: State, thread: HandlerThread) -> Call:
    """Calls handlers, one at a time, whatever the number of deliveries that are handled at once."""
    turn = asyncio.Lock()

    async def call(delivery: StoredDelivery, event: AnyEvent, outcome: Outcome, done: set[str]) -> None:
        async with turn:
            for index, one in enumerate(handlers.calls(event, outcome)):
                name = f"{delivery.number}:{one.key or index}"
                if name in done or (one.key is not None and await state.has_effect(one.key)):
                    continue
                try:
                    if one.handler.is_async:
                        result = start(one, delivery)
                    else:  # in a thread, so that the server hears meanwhile that it is worked on
                        result = await asyncio.get_running_loop().run_in_executor(thread, start, one, delivery)
                    if result is not None:
                        await finish(result)
                except Exception as error:
                    raise Failed(f"handler {one.handler.name!r}") from error
                done.add(name)
                if one.key is not None:
                    await state.write_effect(one.key, delivery.number)

    return call


class Failed(Exception):
    """A handler raised: its text is which one, `__cause__` is what."""


@dataclasses.dataclass(frozen=True)
class Handling:
    """Handles deliveries, in their turn or after they were put off."""

    connection: Connection
    reading: Reading
    state: State
    retries: Retries
    options: Tracker
    """The trackers of members have the options of this one."""
    call: Call

    async def in_turn(self, subject: str, delivery: StoredDelivery, done: set[str], *, again: bool) -> bool:
        """Handle the next delivery of a partition, and return whether it is pending no more; else it is put off.

        It may come twice, `again`, if the answer to the first time got lost: then what is stored of its member shows it.
        """
        owner, number = owner_of(delivery), delivery.number
        late = set[str]()  # transactions about which an attempt stored something that another worker was faster than
        while True:
            member = await self.state.member(owner)
            if number <= member.last or number in member.waiting:
                await self._correct(delivery, member, late)
                if again:
                    await self._settle(number, member)
                if member.waiting:
                    await self.state.wake(owner, member)
                return False
            stored, revision = await self.reading.revised_mark(number) if again else (None, 0)
            mark = stored or Mark(subject, DeliveryState.PENDING)
            changed = set[str]()
            if not member.waiting:
                changed = await self._attempt(delivery, member, mark, done)
            member.last = number
            if mark.state is DeliveryState.PENDING:
                try:
                    self.state.check_waiting(member, number)
                except TooLarge as error:
                    mark.park(error)
            added = number if mark.state is DeliveryState.PENDING else None
            try:
                if mark.state is not DeliveryState.HANDLED or again:
                    await self.state.write_mark(number, mark, last=revision)
                if delivery.member is not None or added is not None:
                    await self._write(owner, member, added=added)
            except Changed:  # another worker got it, too, because this one was silent for long
                again = True
                late |= changed
                continue
            await self._correct(delivery, member, late)
            if member.waiting:
                await self.state.wake(owner, member)
            return mark.state is not DeliveryState.PENDING

    async def waiting(
        self, owner: str, generation: int, done: set[str], finished: Callable[[], None]
    ) -> datetime.datetime | None:
        """Handle what was put off until nothing is left: return None, or until when the first one is to wait."""
        found, late = list[StoredDelivery](), set[str]()  # as above
        while True:
            member = await self.state.member(owner)
            for delivery in found:
                await self._correct(delivery, member, late)
            if not member.waiting:
                return None
            if member.generation != generation:  # its message may not have been sent: who was to do so may have been killed
                await self.state.wake(owner, member)
                return None
            number = member.waiting[0]
            found = await self.reading.deliveries([number])  # none, if it is too old to be stored still
            changed = set[str]()
            try:
                for delivery in found:
                    stored, revision = await self.reading.revised_mark(number)
                    mark = stored or Mark(await self.reading.subject_of(number), DeliveryState.PENDING)
                    if mark.retry_at is None or mark.retry_at <= _now():
                        changed = await self._attempt(delivery, member, mark, done)
                        await self.state.write_mark(number, mark, last=revision)
                    if mark.state is DeliveryState.PENDING:
                        now = await self.state.member(owner)
                        if not await self._settle(number, now):
                            if now.waiting[0] == number:
                                return mark.retry_at
                            raise Changed  # somebody asked for an earlier one
                await self._write(owner, member, removed=number)
            except Changed:
                late |= changed
                continue
            finished()

    async def _settle(self, number: int, member: MemberState) -> bool:
        """Whether another worker handled a delivery while this one worked at it: then no mark may say that it is pending."""
        if number in member.waiting:
            return False
        mark, revision = await self.reading.revised_mark(number)
        if mark is not None and mark.state is DeliveryState.PENDING:
            mark.state, mark.retry_at, mark.error = DeliveryState.HANDLED, None, None
            with contextlib.suppress(Changed):
                await self.state.write_mark(number, mark, last=revision)
        return True

    async def _correct(self, delivery: StoredDelivery, member: MemberState, late: set[str]) -> None:
        """Store again that these transactions of a member are not open, where that is its state."""
        if late and delivery.member is not None:
            tracker = self._tracker(member.snapshot)
            for key in late:
                found = tracker.transaction(key)
                if found is not None and found.initial_transaction.status in PROCESSED:
                    await self.state.close(delivery, key)

    async def _attempt(self, delivery: StoredDelivery, member: MemberState, mark: Mark, done: set[str]) -> set[str]:
        """Call the handlers; the mark and the state of the member become what they are afterwards.

        Return the transactions of which is stored that they are open now, or that they are not.
        """
        try:
            event = parse(delivery.body)
        except ParseError as rejected:  # another version of the library stored it
            mark.reject(why_rejected(rejected))
            return set()
        tracker = self._tracker(member.snapshot)
        outcome = tracker.apply(event)
        after = MemberState()
        after.snapshot = tracker.snapshot() if delivery.member is not None else None
        try:
            self.state.check_snapshot(after)
        except TooLarge as error:
            mark.park(error)
            return set()
        try:
            await self.call(delivery, event, outcome, done)
        except Failed as failure:
            raised = failure.__cause__ or failure
            mark.attempts, mark.error = mark.attempts + 1, text_of(raised)
            mark.retry_at = self.retries.after(mark.attempts, _now())
            mark.state = DeliveryState.PARKED if mark.retry_at is None else DeliveryState.PENDING
            log_failure(delivery.number, str(failure), raised, is_parked=mark.retry_at is None)
            return set()
        for case in new_cases(event, outcome):
            await self.state.raise_case(delivery, case)
        changed = reopened(outcome)
        for key, is_open in changed.items():
            await (self.state.open if is_open else self.state.close)(delivery, key)
        member.packed = after.packed
        mark.state, mark.retry_at, mark.error = DeliveryState.HANDLED, None, None
        return {*changed}

    async def _write(
        self, owner: str, member: MemberState, *, added: int | None = None, removed: int | None = None
    ) -> None:
        """Write a member, with a delivery that is put off, or without one. Changed if somebody else handled anything.

        Others put deliveries off, or are done with some, without that: what waits is then what they left, and this change.
        """
        while True:
            member.waiting = sorted(({*member.waiting, added} if added is not None else {*member.waiting}) - {removed})
            try:
                if removed is not None and not member.waiting:
                    member.generation += 1
                await self.state.write_member(owner, member)
                return
            except Changed:
                now = await self.state.member(owner)
                is_in_turn = removed is None
                if now.was != member.was if is_in_turn else now.was[0] != member.was[0] or removed not in now.waiting:
                    raise
                member.waiting, member.generation, member.revision = now.waiting, now.generation, now.revision
                member.last = max(member.last, now.last)

    def _tracker(self, snapshot: bytes | None) -> Tracker:
        options = {"accept_late": self.options.accept_late, "unlist": self.options.unlist}
        return Tracker(**options) if snapshot is None else Tracker.restore(snapshot, **options)


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)
