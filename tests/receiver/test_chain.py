# SPDX-License-Identifier: MIT
"""The whole chain under faults and kills: nothing is lost, nothing is done twice, and what is missing leaves a trace."""

from __future__ import annotations

import asyncio
import datetime
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import Case, CaseKind, Delivery, DeliveryState
from inbox import history
from inbox.history import Ledger, Progress
from receiver.listening import free_port
from receiver.sending import send_all

pytestmark = pytest.mark.soak

COUNT, MEMBERS, CONNECTIONS = 20_000, 300, 16
KILLS = (2_311, 6_666, 9_000, 13_333, 18_017)
FAULTS = bankhook.sandbox.Faults(duplicate=0.03, reorder=0.03, drop=0.02, truncate=0.02, mutate=0.02, future=0.02)
TESTS = Path(__file__).parents[1]
VALIDATED = bankhook.TransactionStatus.VALIDATED


class Received:
    """What a test knows of an inbox in which everything is handled."""

    def __init__(self, deliveries: list[Delivery], cases: list[Case], overdue: set[str]) -> None:
        self.deliveries, self.cases, self.overdue = deliveries, cases, overdue
        self.numbers = defaultdict[bytes, list[int]](list)
        for one in deliveries:
            self.numbers[one.body].append(one.number)

    def traces(self, transaction: str, payloads: Iterable[bytes]) -> set[str]:
        """Return where a person meets a transaction, of which the service sent these payloads, whole or damaged."""
        numbers = {number for payload in payloads for number in self.numbers[payload]}
        found = {"case" for one in self.cases if one.key == transaction or one.delivery in numbers}
        found |= {"overdue" for key in self.overdue if key == transaction}
        for one in self.deliveries:
            if one.number in numbers and one.state is DeliveryState.QUARANTINED:
                found.add("dead letter")
            elif one.number in numbers and one.member is None:
                found.add("unknown event")
        return found


def validates(payload: bytes) -> bool:
    event = bankhook.parse(payload)
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    return event.initial_transaction.status == VALIDATED


def receive(inbox: str, port: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "receiver.chained", inbox, str(port)], cwd=TESTS)


def deliver(inbox: str, bodies: list[bytes]) -> None:
    """Send all to a receiver that is killed now and then, and wait until all of it is handled."""
    port = free_port()
    process = receive(inbox, port)

    def answered(count: int) -> None:
        nonlocal process
        if count in KILLS:
            process.kill()
            process.wait()
            process = receive(inbox, port)

    async def all_of_it() -> None:
        assert await send_all(port, bodies, connections=CONNECTIONS, answered=answered)
        async with bankhook.inbox.open(inbox) as opened:
            progress = Progress("all that was delivered is handled")
            while pending := (await opened.counts())[DeliveryState.PENDING]:
                assert process.poll() is None
                progress.check(pending)
                await asyncio.sleep(0.1)

    try:
        asyncio.run(all_of_it())
    finally:
        process.kill()
        process.wait()


async def read(inbox: str) -> Received:
    async with bankhook.inbox.open(inbox) as opened:
        deliveries = [one async for one in opened.find()]
        overdue = await opened.open_since(datetime.timedelta(days=-1))
        return Received(deliveries, list(await opened.cases()), {one.key for one in overdue})


def test_who_sends_to_nobody_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "HANGS", 0.05)
    with pytest.raises(AssertionError, match="a delivery is answered: nothing changed"):
        asyncio.run(send_all(free_port(), [b"{}"], connections=1, answered=lambda _: None))


@pytest.mark.slow
def test_nothing_is_lost_nothing_is_done_twice_and_what_is_missing_leaves_a_trace(tmp_path: Path) -> None:
    inbox = str(tmp_path / "inbox.db")
    sandbox = bankhook.Sandbox(seed=11, members=MEMBERS, faults=FAULTS)
    sent = list(sandbox.deliveries(COUNT))
    truth = {one.initial_transaction.id for one in sandbox.truth().transactions(status=VALIDATED)}
    deliver(inbox, [one.payload for one in sent])
    received = asyncio.run(read(inbox))

    lost = Counter(one.payload for one in sent) - Counter(one.body for one in received.deliveries)
    assert not lost

    credits = Counter(key for key, _ in Ledger(inbox).rows())
    assert set(credits.values()) == {1}
    credited = {key.rpartition(":")[2] for key in credits}
    assert len(credited & truth) > 0.9 * len(truth)

    payloads = defaultdict[str, list[bankhook.sandbox.Delivery]](list)
    for one in sent:
        event = bankhook.parse(one.original)
        if isinstance(event, bankhook.InitialTransactionUpdate):
            payloads[event.initial_transaction.id].append(one)
    missing = truth - credited
    came_whole = {
        transaction
        for transaction in missing
        for one in payloads[transaction]
        if one.payload == one.original and validates(one.payload)
    }
    assert not came_whole

    # Only a transaction of which nothing at all was delivered has no trace.
    assert all(received.traces(one, (sent.payload for sent in payloads[one])) or not payloads[one] for one in missing)
    wrong = credited - truth  # a damaged id is another id
    assert wrong <= {one.key for one in received.cases if one.kind is CaseKind.FIRST_EVENT_MISSING}
