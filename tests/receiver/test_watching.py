# SPDX-License-Identifier: MIT
"""What an operator sees: metrics, logs and health; and handlers that run beside the receiver."""

from __future__ import annotations

import asyncio
import datetime
import json
import logging
import os
from collections import defaultdict
from pathlib import Path

import httpx
import pytest
from prometheus_client.core import Sample
from prometheus_client.parser import text_string_to_metric_families as families

import bankhook
import bankhook.inbox
from bankhook.inbox import Delivery, Inbox, InboxError, InUse, _problems, examine
from bankhook.receiver import Receiver, _counts, anyone
from inbox.memory import Memory
from receiver.asked import CREATED, asking, eventually, running
from receiver.memory import MemoryInbox


@pytest.mark.parametrize("is_own", [False, True])
def test_metrics_have_no_label_that_a_sender_chooses(tmp_path: Path, is_own: bool) -> None:
    """A store of one's own knows states, and no events."""
    inbox = Memory() if is_own else bankhook.inbox.open(tmp_path / "inbox.db")
    samples = asyncio.run(samples_of(inbox))
    counted = {
        (sample.labels["event"], sample.labels["state"]): sample.value
        for sample in samples
        if sample.name == "bankhook_inbox" and sample.value
    }
    if is_own:
        assert counted == {("", "pending"): 51, ("", "quarantined"): 1}
    else:
        assert counted == {
            ("unknown", "pending"): 50,
            ("initial_transaction_update", "pending"): 1,
            ("unreadable", "quarantined"): 1,
        }
    pid = str(os.getpid())
    for name, labels, value in (
        ("bankhook_answers_total", {"status": "204"}, 52),
        ("bankhook_answers_total", {"status": "405"}, 50),
        ("bankhook_batch_size_count", {}, 52),
        ("bankhook_answer_seconds_count", {}, 102),
        ("bankhook_waiting", {}, 0),
    ):
        (found,) = [one for one in samples if (one.name, one.labels) == (name, labels | {"pid": pid})]
        assert found.value == value


async def samples_of(inbox: Inbox) -> list[Sample]:
    """What is measured after 52 deliveries and 50 requests by other methods."""
    async with asking(Receiver(inbox, verify=anyone)) as client:
        for number in range(50):
            await client.post("/webhook", content=json.dumps({"event": f"made up {number}"}).encode())
            await client.request(f"M{number}", "/webhook")
        await client.post("/webhook", content=CREATED)
        await client.post("/webhook", content=b"{")
        text = (await client.get("/metrics")).text
    return [sample for family in families(text) for sample in family.samples]


def test_metrics_say_what_waits_in_the_inbox_and_for_how_long(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        inbox = bankhook.inbox.open(tmp_path / "inbox.db", attempts=1)
        handlers = bankhook.Handlers()
        handlers.fallback(name="fails")(lambda event: 1 / 0)
        old = datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=1)
        async with asking(Receiver(inbox, verify=anyone)) as client:
            await inbox.append([examine(b'{"event":"new"}', received=old), examine(b"{")])
            assert 3600 <= (await sample(client, "bankhook_pending_seconds"))[""] < 3600 + 3600
            await inbox.drain(handlers)
            await inbox.append([examine(CREATED)])
        async with asking(Receiver(inbox, verify=anyone)) as client:
            assert await sample(client, "bankhook_inbox") == {
                "pending": 1.0,
                "handled": 0.0,
                "quarantined": 1.0,
                "parked": 1.0,
                "dismissed": 0.0,
            }
            assert (await sample(client, "bankhook_pending_seconds"))[""] < 3600

    look()


async def sample(client: httpx.AsyncClient, name: str) -> dict[str, float]:
    """The values of a metric by state."""
    found: dict[str, float] = defaultdict(float)
    for family in families((await client.get("/metrics")).text):
        for one in family.samples:
            if one.name == name:
                found[one.labels.get("state", "")] += one.value
    return dict(found)


def test_health_is_green_while_a_member_waits_for_a_retry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_counts, "STUCK_SECONDS", 0.0)

    @running
    async def look() -> None:
        handlers = bankhook.Handlers()
        failed = asyncio.Event()

        @handlers.fallback(name="fails")
        async def fail(event: bankhook.AnyEvent) -> None:
            failed.set()
            raise RuntimeError

        inbox = bankhook.inbox.open(tmp_path / "inbox.db", backoff=datetime.timedelta(hours=1))
        async with asking(Receiver(inbox, verify=anyone, handlers=handlers)) as client:
            for _ in range(2):
                await client.post("/webhook", content=CREATED)
            await failed.wait()

            async def waits() -> bool:
                return [one.attempts async for one in inbox.find()] == [1, 0]

            await eventually(waits)
            for _ in range(3):
                assert (await client.get("/readyz")).json() == {"store": True, "handlers": True}

    look()


def test_a_quarantined_delivery_is_logged_and_repetitions_are_counted(caplog: pytest.LogCaptureFixture) -> None:
    @running
    async def send() -> None:
        async with asking(Receiver(MemoryInbox(), verify=anyone)) as client:
            for body in (CREATED, b"secret {", b"secret [", b'{"event":"initial_transaction_update"}'):
                assert (await client.post("/webhook", content=body)).status_code == 204

    with caplog.at_level(logging.WARNING, "bankhook"):
        send()
    once = "a delivery is quarantined: {}; `bankhook inbox dead-letters URL` lists all of them"
    syntax, missing = once.format("payload_is_json_object"), once.format("payload_fields_are_present")
    assert [record.message for record in caplog.records] == [
        syntax.replace("a delivery", "delivery 2 (unknown)"),
        missing.replace("a delivery", "delivery 4 (initial_transaction_update)"),
        f"{syntax} (repeated: 1)",
    ]


def test_logs_have_no_value_of_a_request(caplog: pytest.LogCaptureFixture) -> None:
    def fails(number: int, delivery: Delivery) -> None:
        raise RuntimeError(delivery.body)

    def rejects(headers: object, body: bytes) -> bool:
        raise RuntimeError(body)

    @running
    async def send() -> None:
        secret = CREATED.replace(b'"event":"initial', b'"event":"secret')
        async with asking(Receiver(MemoryInbox(), verify=anyone, on_stored=fails)) as client:
            for body in (CREATED, secret, b"secret {"):
                assert (await client.post("/webhook", content=body, headers={"user-agent": "secret"})).status_code == 204
        async with asking(Receiver(MemoryInbox(), verify=rejects, path="/webhook/secret")) as client:
            assert (await client.post("/webhook/secret", content=CREATED)).status_code == 401
        inbox = MemoryInbox()
        async with asking(Receiver(inbox, verify=anyone)) as client:
            inbox.error = RuntimeError("secret")
            assert (await client.post("/webhook", content=CREATED)).status_code == 503

    with caplog.at_level(logging.DEBUG, "bankhook"):
        send()
    records = [record for record in caplog.records if record.name == "bankhook.receiver"]
    stored = [record.__dict__ for record in records if " is stored: " in record.message]
    assert records[0].message == f"delivery 1 is stored: initial_transaction_update, pending, {len(CREATED)} bytes"
    assert [(one["delivery"], one["event"], one["state"]) for one in stored] == [
        (1, "initial_transaction_update", "pending"),
        (2, "unknown", "pending"),
        (3, "unknown", "quarantined"),
    ]
    assert len(records) >= 8
    member = bankhook.parse(CREATED).customer.id  # type: ignore[union-attr]  # a listed event
    written = "".join(map(str, (record.__dict__ for record in records)))
    assert "secret" not in written
    assert member not in written


def test_a_flood_of_refused_requests_is_one_line_with_its_reason_and_a_count(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_problems, "QUIET_SECONDS", 1000.0)

    @running
    async def flood() -> None:
        inbox = MemoryInbox()
        async with asking(Receiver(inbox, verify=anyone, max_body=1000)) as client:
            for _ in range(30):
                assert (await client.get("/webhook")).status_code == 405
                assert (await client.post("/webhook", content=b"x" * 1001)).status_code == 413
            inbox.error = InboxError("the disk is full")
            for _ in range(30):
                assert (await client.post("/webhook", content=CREATED)).status_code == 503

    with caplog.at_level(logging.WARNING, "bankhook"):
        flood()
    once = [
        "turned away with 405: deliveries are posted",
        "turned away with 413: the body has more than 1000 bytes",
        "the inbox cannot write: the disk is full",
        "turned away with 503: the store cannot write",
    ]
    assert caplog.messages == once + [f"{one} (repeated: 29)" for one in once]


def test_what_is_over_is_logged_with_its_count_and_what_comes_again_at_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_problems, "QUIET_SECONDS", 0.0)

    @running
    async def repeat() -> None:
        async with asking(Receiver(MemoryInbox(), verify=anyone)) as client:

            async def is_counted() -> bool:
                await asyncio.gather(client.get("/webhook"), client.get("/webhook"))
                return sum("(repeated: " in one for one in caplog.messages) >= 2

            await eventually(is_counted)

    with caplog.at_level(logging.WARNING, "bankhook"):
        repeat()


@running
async def test_handlers_are_called_beside_the_receiver_and_end_with_it() -> None:
    inbox, handlers = MemoryInbox(), bankhook.Handlers()
    seen: list[str] = []
    handlers.fallback(name="seen")(lambda event: seen.append(event.event))
    async with asking(Receiver(inbox, verify=anyone, handlers=handlers)) as client:
        await client.post("/webhook", content=CREATED)
        await eventually(lambda: seen == ["initial_transaction_update"])
        assert (await client.get("/readyz")).json() == {"store": True, "handlers": True}


@running
async def test_health_is_red_while_handlers_cannot_be_called_and_deliveries_are_still_stored() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone, handlers=bankhook.Handlers())) as client:

        async def handles() -> bool:
            is_fine: bool = (await client.get("/readyz")).json()["handlers"]
            return is_fine

        async def is_red() -> bool:
            return not await handles()

        inbox.error = InboxError("the store is away")
        await eventually(is_red)
        inbox.error = None
        assert (await client.post("/webhook", content=CREATED)).status_code == 204
        await eventually(handles)


@running
async def test_a_process_waits_to_take_over_from_the_one_that_handles_the_deliveries() -> None:
    inbox, handlers = MemoryInbox(), bankhook.Handlers()
    seen: list[str] = []
    handlers.fallback(name="seen")(lambda event: seen.append(event.event))
    inbox.error = InUse("another process handles them")
    async with asking(Receiver(inbox, verify=anyone, handlers=handlers)) as client:
        assert (await client.get("/readyz")).json()["handlers"] is True
        inbox.error = None
        await client.post("/webhook", content=CREATED)
        await eventually(lambda: seen == ["initial_transaction_update"])
