# SPDX-License-Identifier: MIT
"""What a receiver answers, and what it has stored by then."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator
from typing import Any

import httpx

from bankhook.inbox import DeliveryState, InboxError
from bankhook.receiver import Receiver, anyone
from receiver.asked import CREATED, asking, eventually, running
from receiver.memory import MemoryInbox


@running
async def test_a_delivery_is_durable_before_it_is_acknowledged() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone)) as client:
        inbox.gate.clear()
        request = asyncio.create_task(client.post("/webhook", content=CREATED))
        await eventually(lambda: inbox.attempts == 1)
        for _ in range(50):
            await asyncio.sleep(0)
        assert not request.done()
        inbox.gate.set()
        assert (await request).status_code == 204
        assert [arrival.body for arrival in inbox.stored] == [CREATED]


@running
async def test_requests_that_wait_share_a_commit() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone)) as client:
        inbox.gate.clear()
        requests = [asyncio.create_task(client.post("/webhook", content=CREATED))]
        await eventually(lambda: inbox.attempts == 1)
        requests += [asyncio.create_task(client.post("/webhook", content=CREATED)) for _ in range(39)]
        await eventually(lambda: "bankhook_waiting 39.0" in _text(client))
        inbox.gate.set()
        assert [(await request).status_code for request in requests] == [204] * 40
        assert inbox.commits == [1, 39]


@running
async def test_a_payload_that_is_not_an_event_is_stored_and_acknowledged() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone)) as client:
        for body in (b"", b"{}", b"\xff\xfe\x00", CREATED[:-5], b"[" * 5000, b'"\\ud800"'):
            assert (await client.post("/webhook", content=body)).status_code == 204
            assert (inbox.stored[-1].body, inbox.stored[-1].state) == (body, DeliveryState.QUARANTINED)


@running
async def test_a_body_with_a_byte_order_mark_is_an_event_and_stored_verbatim() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone)) as client:
        for body, state in ((b"\xef\xbb\xbf" + CREATED, "pending"), (b"\xef\xbb\xbf" * 2 + CREATED, "quarantined")):
            assert (await client.post("/webhook", content=body)).status_code == 204
            assert (inbox.stored[-1].body, inbox.stored[-1].state) == (body, state)


@running
async def test_an_invalid_payload_may_be_answered_with_its_findings_once_it_is_stored() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone, answer_invalid=422)) as client:
        answer = await client.post("/webhook", content=CREATED.replace(b'"amount":', b'"amount":"private value",\n"a":'))
        assert answer.status_code == 422
        assert answer.json()["findings"][0]["expected"] == "number"
        assert "private value" not in answer.text
        answer = await client.post("/webhook", content=CREATED[:-1] + b',"Jean Dupont":{"event":tru}}')
        assert (answer.status_code, answer.json()["findings"][0]["path"]) == (422, "$[…].event")
        assert "Jean" not in answer.text
        assert len(inbox.stored) == 2
        assert (await client.post("/webhook", content=CREATED)).status_code == 204


@running
async def test_the_content_type_does_not_matter() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone)) as client:
        for kind in ("application/json", "text/plain", "multipart/form-data; boundary=x", "", "\u00ff", "a" * 5000):
            raw = kind.encode("latin-1")
            assert (await client.post("/webhook", content=CREATED, headers=[(b"content-type", raw)])).status_code == 204
            assert dict(inbox.stored[-1].headers)["content-type"] == kind


@running
async def test_only_selected_headers_are_stored() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone, headers=["X-Trace"])) as client:
        await client.post("/webhook", content=CREATED, headers={"X-TRACE": "7", "Authorization": "secret"})
        assert inbox.stored[0].headers == (("x-trace", "7"),)


@running
async def test_another_method_is_turned_away_with_the_one_that_is_allowed() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone)) as client:
        for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"):
            answer = await client.request(method, "/webhook")
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert (await client.post("/elsewhere", content=CREATED)).status_code == 404
        assert inbox.stored == []


@running
async def test_a_body_over_the_limit_is_turned_away_declared_or_not() -> None:
    inbox = MemoryInbox()

    async def chunks(size: int) -> AsyncGenerator[bytes, None]:
        for _ in range(size // 10):
            yield b"x" * 10

    async with asking(Receiver(inbox, verify=anyone, max_body=100)) as client:
        for content in (b"x" * 101, b"x" * 1000, chunks(110), chunks(1000)):
            assert (await client.post("/webhook", content=content)).status_code == 413
        assert inbox.stored == []
        assert (await client.post("/webhook", content=chunks(100))).status_code == 204
        assert len(inbox.stored[0].body) == 100


@running
async def test_a_store_that_cannot_write_is_a_503_and_what_comes_later_is_stored() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone)) as client:
        inbox.error = InboxError("disk full")
        answer = await client.post("/webhook", content=CREATED)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert (await client.get("/readyz")).status_code == 503
        inbox.error = None
        assert (await client.post("/webhook", content=CREATED)).status_code == 204
        assert (await client.get("/readyz")).json() == {"store": True}
        assert len(inbox.stored) == 1


@running
async def test_one_delivery_that_the_store_cannot_take_does_not_fail_the_others() -> None:
    inbox = MemoryInbox()
    inbox.poison = b"poison"
    async with asking(Receiver(inbox, verify=anyone)) as client:
        inbox.gate.clear()
        bodies = [b"first", b"1", b"poison", b"2"]
        requests = [asyncio.create_task(client.post("/webhook", content=bodies[0]))]
        await eventually(lambda: inbox.attempts == 1)
        requests += [asyncio.create_task(client.post("/webhook", content=body)) for body in bodies[1:]]
        await eventually(lambda: "bankhook_waiting 3.0" in _text(client))
        inbox.gate.set()
        assert [(await request).status_code for request in requests] == [204, 204, 503, 204]
        assert [arrival.body for arrival in inbox.stored] == [b"first", b"1", b"2"]


@running
async def test_a_full_queue_is_a_503() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone, max_waiting=2)) as client:
        inbox.gate.clear()
        first = asyncio.create_task(client.post("/webhook", content=b"0"))
        await eventually(lambda: inbox.attempts == 1)
        others = [asyncio.create_task(client.post("/webhook", content=b"1")) for _ in range(2)]
        await eventually(lambda: "bankhook_waiting 2.0" in _text(client))
        assert (await client.post("/webhook", content=b"2")).status_code == 503
        inbox.gate.set()
        assert [(await request).status_code for request in (first, *others)] == [204] * 3


@running
async def test_bodies_in_memory_have_a_limit_together() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone, max_total=250, max_body=100)) as client:
        inbox.gate.clear()
        waiting = [asyncio.create_task(client.post("/webhook", content=b"x" * 100))]
        await eventually(lambda: inbox.attempts == 1)
        waiting += [asyncio.create_task(client.post("/webhook", content=b"x" * 100))]
        await eventually(lambda: "bankhook_waiting 1.0" in _text(client))
        assert (await client.post("/webhook", content=b"x" * 100)).status_code == 503
        inbox.gate.set()
        assert [(await request).status_code for request in waiting] == [204, 204]
        assert (await client.post("/webhook", content=b"x" * 100)).status_code == 204


@running
async def test_a_store_that_does_not_answer_is_a_503() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone, timeout=0.01)) as client:
        inbox.gate.clear()
        assert (await client.post("/webhook", content=CREATED)).status_code == 503
        assert (await client.get("/readyz")).status_code == 503
        inbox.gate.set()


@running
async def test_a_store_that_does_not_answer_takes_no_more_memory_than_the_limits() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=anyone, timeout=0.01, max_total=350, max_body=300)) as client:
        inbox.gate.clear()
        for number in range(20):
            answer = await client.post("/webhook", content=str(number % 10).encode() * 100)
            assert (answer.status_code, answer.text) == (503, "the store does not answer\n")
        assert "bankhook_waiting 0.0" in _text(client)
        # The store still has the first one, so that one counts.
        answer = await client.post("/webhook", content=b"x" * 300)
        assert (answer.status_code, answer.text) == (503, "too many bodies are in memory\n")
        inbox.gate.set()
        await eventually(lambda: len(inbox.stored) == 1)
        assert (await client.post("/webhook", content=b"x" * 300)).status_code == 204
    assert [arrival.body for arrival in inbox.stored] == [b"0" * 100, b"x" * 300]


@running
async def test_a_body_that_is_cut_is_not_stored_and_not_answered() -> None:
    inbox = MemoryInbox()
    receiver = Receiver(inbox, verify=anyone)
    sent: list[Any] = []
    messages: list[dict[str, Any]] = [
        {"type": "http.request", "body": CREATED[:50], "more_body": True},
        {"type": "http.disconnect"},
    ]

    async def receive() -> dict[str, Any]:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    async with asking(receiver) as client:
        scope = {"type": "http", "method": "POST", "path": "/webhook", "headers": []}
        await receiver(scope, receive, send)
        assert (sent, inbox.stored) == ([], [])
        assert "bankhook_cut_bodies_total 1.0" in _text(client)


@running
async def test_a_request_that_is_cancelled_while_it_is_read_is_not_stored() -> None:
    inbox = MemoryInbox()
    receiver = Receiver(inbox, verify=anyone)
    reading = asyncio.Event()

    async def body() -> AsyncGenerator[bytes, None]:
        yield CREATED[:50]
        reading.set()
        await asyncio.Event().wait()

    async with asking(receiver) as client:
        request = asyncio.create_task(client.post("/webhook", content=body()))
        await reading.wait()
        request.cancel()
        await asyncio.wait((request,))
        assert (await client.post("/webhook", content=b"{}")).status_code == 204
    assert [arrival.body for arrival in inbox.stored] == [b"{}"]


@running
async def test_what_waits_when_the_receiver_ends_is_stored_and_what_comes_then_is_a_503() -> None:
    inbox = MemoryInbox()
    receiver = Receiver(inbox, verify=anyone)
    transport = httpx.ASGITransport(receiver)
    async with httpx.AsyncClient(transport=transport, base_url="http://receiver") as client:
        assert (await client.post("/webhook", content=CREATED)).status_code == 503
        lifespan = receiver.lifespan()
        await lifespan.__aenter__()
        inbox.gate.clear()
        waiting = [asyncio.create_task(client.post("/webhook", content=CREATED))]
        await eventually(lambda: inbox.attempts == 1)
        waiting += [asyncio.create_task(client.post("/webhook", content=CREATED)) for _ in range(2)]
        await eventually(lambda: "bankhook_waiting 2.0" in _text(client))
        end = asyncio.create_task(lifespan.__aexit__(None, None, None))
        await asyncio.sleep(0)
        assert (await client.post("/webhook", content=CREATED)).status_code == 503
        inbox.gate.set()
        await end
        assert [(await request).status_code for request in waiting] == [204] * 3
        assert (await client.post("/webhook", content=CREATED)).status_code == 503
    assert len(inbox.stored) == 3


def _text(client: httpx.AsyncClient) -> str:
    """The metrics of the receiver that a client is of, without the label that names this process."""
    transport = client._transport
    assert isinstance(transport, httpx.ASGITransport)
    assert isinstance(transport.app, Receiver)
    return re.sub(r"\{pid=\"\d+\"\}", "", transport.app._metrics.text().decode())
