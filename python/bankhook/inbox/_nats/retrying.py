# SPDX-License-Identifier: MIT
"""Makes quarantined and parked deliveries pending again."""

from __future__ import annotations

import datetime
from collections.abc import AsyncIterator, Collection

from bankhook.inbox._examination import examine
from bankhook.inbox._nats.connection import Changed
from bankhook.inbox._nats.messages import Mark
from bankhook.inbox._nats.reading import AT_ONCE, Reading
from bankhook.inbox._nats.state import State, owner_of
from bankhook.inbox._protocol import TooLarge
from bankhook.inbox._records import DeliveryState, Query, StoredDelivery

__all__ = ["retry"]

WAITING_FOR_A_PERSON = (DeliveryState.QUARANTINED, DeliveryState.PARKED)


async def retry(reading: Reading, state: State, asked: Collection[int] | Query) -> int:
    """Let them wait with their member for the next attempt, which is at once; return how many are pending now.

    TooLarge if a member has no room for one more; the others are retried nevertheless.
    """
    count, full = 0, list[TooLarge]()
    async for delivery in _found(reading, asked):
        if delivery.state in WAITING_FOR_A_PERSON:
            try:
                count += await _retry(reading, state, delivery)
            except TooLarge as error:  # this member's; those of others are retried
                full.append(error)
        elif delivery.state is DeliveryState.PENDING:
            await _wait(reading, state, owner_of(delivery), delivery.number)
    if full:
        raise full[0]
    return count


async def _found(reading: Reading, asked: Collection[int] | Query) -> AsyncIterator[StoredDelivery]:
    if isinstance(asked, Query):
        # Whoever asked for the same before may have been killed half way, so that they are pending already.
        numbers = await reading.marked(DeliveryState.PENDING)
        async for delivery in reading.find(asked, newest_first=False, limit=None):
            yield delivery
    else:
        numbers = sorted({number for number in asked if number > 0})
    for start in range(0, len(numbers), AT_ONCE):
        for delivery in await reading.deliveries(numbers[start : start + AT_ONCE]):
            yield delivery


async def _retry(reading: Reading, state: State, delivery: StoredDelivery) -> bool:
    """Whether the delivery is pending now."""
    number = delivery.number
    mark, revision = await reading.revised_mark(number)
    mark = mark or Mark(await reading.subject_of(number), delivery.state)
    if delivery.state is DeliveryState.QUARANTINED:
        read = examine(delivery.body)
        if read.findings and read.findings == delivery.findings:
            return False
        mark.examined = True
        mark.reject(read.findings)
        await state.write_examined(number)
        delivery = delivery.replace(event=read.event, member=read.member, key=read.key, findings=read.findings)
    is_event = not delivery.findings
    if is_event:
        state.check_waiting(await state.member(owner_of(delivery)), number)
        mark.attempts, mark.error, mark.rejected, mark.state = 0, None, None, DeliveryState.PENDING
        mark.retry_at = datetime.datetime.now(datetime.UTC)
    try:
        await state.write_mark(number, mark, last=revision)
    except Changed:  # a worker was faster, or somebody else asked for the same
        return False
    if is_event:  # a worker that finds it waiting finds the mark, too
        await _wait(reading, state, owner_of(delivery), number)
    return is_event


async def _wait(reading: Reading, state: State, owner: str, number: int) -> None:
    """Let a delivery wait that is marked as pending, unless a worker was faster."""
    while True:
        member = await state.member(owner)
        mark = await reading.mark(number)
        if mark is None or mark.state is not DeliveryState.PENDING:
            return
        if number not in member.waiting:
            if member.waiting and number < member.waiting[0] and await _is_late(reading, member.waiting[0]):
                member.generation += 1
            member.waiting = sorted({*member.waiting, number})
            try:
                await state.write_member(owner, member)
            except Changed:
                continue
        await state.wake(owner, member)
        return


async def _is_late(reading: Reading, number: int) -> bool:
    """Whether a delivery waits for its next attempt: then the message that its member's wait comes only after that."""
    mark = await reading.mark(number)
    return mark is not None and mark.retry_at is not None and mark.retry_at > datetime.datetime.now(datetime.UTC)
