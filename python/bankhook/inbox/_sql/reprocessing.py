# SPDX-License-Identifier: MIT
"""Calls handlers again for what was handled: in each member's order, with the outcomes that there were, each effect once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Coroutine, Iterable, Iterator, Sequence
from contextlib import ExitStack, aclosing, suppress
from contextvars import copy_context
from functools import partial
from typing import Any

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from bankhook._core import AnyEvent, _MemberState, parse
from bankhook._handlers import Handlers
from bankhook._handlers._registration import Call
from bankhook._records.errors import ParseError, check_type
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._arguments import check_query
from bankhook.inbox._protocol import InboxError
from bankhook.inbox._records import Query, Reprocessed
from bankhook.inbox._sql.finding import entries
from bankhook.inbox._sql.jobs import LOOK_SECONDS, Job, check_caller
from bankhook.inbox._sql.pending import owner_of
from bankhook.inbox._sql.queries import page
from bankhook.inbox._sql.rows import PAGE, in_parts, stored
from bankhook.inbox._sql.store import Store, failures
from bankhook.inbox._sql.tables import columns, effects, states
from bankhook.inbox._sql.threads import Thread
from bankhook.inbox._sql.types import hash_of, shortened
from bankhook.inbox._sql.unit import Unit, Writes
from bankhook.inbox._sql.worker import Worker


async def reprocess(inbox: Any, handlers: Handlers, /, query: Query | None = None, *, name: str) -> Reprocessed:
    """Call handlers again for deliveries that were handled, as `Inbox` says; a method of an inbox in a SQL database."""
    asked = Query() if query is None else query
    check_caller(inbox.store.url)
    check_type("handlers", handlers, Handlers)
    check_query(asked)
    check_type("name", name, str)
    if not name or not {*asked.states} <= {DeliveryState.HANDLED}:
        raise ValueError("name: expected a text" if not name else "states: only what was handled is handled again")
    newest = [one.number async for one in inbox.find(newest_first=True, limit=1)]
    last = max([*newest, 0]) + 1  # what comes meanwhile is not handled again
    asked = asked.replace(states=("handled",), before=last if asked.before is None else min(last, asked.before))
    waiting: set[int] = await inbox._read(waiting_before, last)
    made: Any = partial(Reprocessing, handlers=handlers, name=name, waiting=waiting, turn=inbox._turn)
    seen, called, skipped = set[str](), 0, 0
    async with aclosing(Worker(inbox.store, made)) as worker:
        await worker.call(copy_context().run, worker.start)  # handlers see the variables of this task
        again: Any = worker.engine
        async for one in inbox.find(asked):
            if one.member not in seen:
                seen.update(() if one.member is None else (one.member,))
                count: int | None = await worker.call(again.member, one, asked)
                called, skipped = called + (count or 0), skipped + (count is None)
    return Reprocessed(called=called, skipped=skipped)


class Reprocessing:
    """Does it for one member at a time, in the thread of a worker. It needs no claim, since it changes no state.

    What was done has a row among the effects, which is committed with what the handlers wrote.
    """

    def __init__(
        self,
        store: Store,
        _connect: Callable[[], Connection],
        wait_for: Callable[[Coroutine[Any, Any, object]], None],
        stop: threading.Event,
        *,
        handlers: Handlers,
        name: str,
        waiting: set[int],
        turn: float,
    ) -> None:
        self._turn, self._waiting = turn, waiting  # which somebody else handles meanwhile
        self._store, self._wait_for, self._stop, self._handlers = store, wait_for, stop, handlers
        self._name = f"reprocess:{_part(name)}"
        self._open = ExitStack()
        self._unit = Unit(store, self._open.enter_context(store.connect()))
        self._begins, self._context = Thread("bankhook-inbox-begin"), copy_context()
        self._job: Job | None = None  # whose handlers are called
        self._late: TimeoutError | None = None
        self._is_over = threading.Event()
        threading.Thread(target=self._watch, name="bankhook-inbox-watch", daemon=True).start()

    def close(self) -> None:
        """Disconnect."""
        self._is_over.set()
        self._begins.end()
        self._open.close()
        if not self._store.is_sqlite:
            self._store.lanes.dispose()

    def member(self, one: Delivery, query: Query) -> int | None:
        """Call the handlers for what a query asks for, of the member of a delivery or of the delivery alone.

        Return for how many deliveries; None if some of the member were purged, so that nobody knows what the outcomes were.
        """
        numbers: Sequence[int] = [one.number]
        wanted: Iterable[int] = numbers
        with self._store.read("cannot read the inbox") as connection:
            if one.member is not None:
                if any(_known(connection, [purged_of(one.member)])):
                    return None
                numbers, wanted = in_order(connection, one.member), _matching(connection, query.replace(member=one.member))
            left = {*wanted} - {*self._done(connection, numbers)} - self._waiting
        state, keys, count = _MemberState(self._handlers.tracker), set[str](), 0
        for delivery, event in self._events(numbers):
            calls = self._handlers.calls(event, state.peek(event))
            new = [call for call in calls if call.key is None or call.key not in keys]
            keys.update(call.key for call in new if call.key is not None)
            if delivery.number in left and new and not self._stop.is_set():
                self._call(delivery, event, new)
                count += 1
            state.apply(event)
        return count

    def _events(self, numbers: Sequence[int]) -> Iterator[tuple[Delivery, AnyEvent]]:
        for part in in_parts(numbers, PAGE):
            with self._store.read("cannot read the inbox") as connection:
                found = {one.number: one for one in stored(connection, columns.number.in_(part))}
            if len(found) < len(part):
                raise InboxError(
                    "deliveries were deleted while their member's were handled again: call it again for the rest"
                )
            for delivery in (found[number] for number in part):
                try:
                    yield delivery, parse(delivery.body)
                except ParseError:  # another version of the library handled it
                    continue

    def _call(self, delivery: Delivery, event: AnyEvent, calls: list[Call]) -> None:
        writes, is_stored = Writes(self._unit, delivery, self._begins.submit), False
        job = Job(owner_of(delivery.number, delivery.member), event, calls, writes)
        try:
            self._job = job
            error = self._context.copy().run(job.call, self._wait_for)
            self._job, error = None, self._late or error
            if error is not None and error is not writes.failure:
                writes.undo()
                error.add_note(f"delivery {delivery.number}: {writes.who}")
                raise error
            with failures("cannot handle deliveries again"):
                if error is not None:
                    raise error
                row = {"key": self._key(delivery.number), "delivery": delivery.number, "member": delivery.member or ""}
                transaction = writes.transaction or self._unit.transaction
                transaction.connection().execute(insert(effects).values(row))
                transaction.commit()
                is_stored = True
        finally:
            with suppress(SQLAlchemyError):  # of a connection that was lost, or that a handler has broken
                self._unit.transaction.close()
            self._unit.transaction.user = None
            writes.leave(is_whole=is_stored)

    def _watch(self) -> None:
        """Roll back what handlers write for longer than their turn; the call fails when they end."""
        while not self._is_over.wait(LOOK_SECONDS):
            job = self._job
            if job is not None and (late := job.overdue(self._turn)) is not None and job.writes.let_go():
                self._job, self._late = None, late
                if job.writes.transaction is not None:
                    job.writes.transaction.revoke()

    def _done(self, connection: Connection, numbers: Collection[int]) -> Iterator[int]:
        number_of = {self._key(number): number for number in numbers}
        return (number_of[key] for key in _known(connection, number_of))

    def _key(self, number: int) -> str:
        return shortened(f"{self._name}:{number}")


def waiting_before(connection: Connection, end: int) -> set[int]:
    """The numbers of what is not handled yet."""
    return {*connection.scalars(select(states.c.number).where(states.c.state != "handled", states.c.number < end))}


def in_order(connection: Connection, member: str) -> list[int]:
    """The numbers of what was handled of a member, in the order in which that was done."""
    commits, its = (
        entries(connection, {hash_of("member", member): 0}),
        select(columns.number).where(columns.member == member),
    )
    found = [one for part in in_parts([*commits]) for one in connection.scalars(its.where(columns.number.in_(part)))]
    return sorted(found, key=lambda number: (commits[number], number))


def note_purged(connection: Connection, members: Collection[str]) -> None:
    """Note that deliveries of members are purged, which were handled."""
    keys = {purged_of(member): member for member in members}
    connection.execute(delete(effects).where(effects.c.key.in_([*keys])))
    if rows := [{"key": key, "delivery": 0, "member": member} for key, member in keys.items()]:
        connection.execute(insert(effects), rows)


def purged_of(member: str) -> str:
    """The key of the note; no effect has it, since theirs have more parts."""
    return shortened(f"purged:{_part(member)}")


def _part(text: str) -> str:
    return text.replace("%", "%25").replace(":", "%3A")


def _known(connection: Connection, keys: Collection[str]) -> Iterator[str]:
    for part in in_parts([*keys]):
        yield from connection.scalars(select(effects.c.key).where(effects.c.key.in_(part)))


def _matching(connection: Connection, query: Query) -> Iterator[int]:
    after: int | None = None
    while True:
        found, after = page(connection, query, after=after, newest_first=False, limit=PAGE)
        yield from (one.number for one in found)
        if after is None:
            return
