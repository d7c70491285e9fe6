# SPDX-License-Identifier: MIT
"""A store that only appends: it needs no more than `DeliveryStore`, and what it cannot do is logged at the start."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Self

import httpx
import pytest

import bankhook
import bankhook.receiver
from bankhook.inbox import Delivery, DeliveryStore, Inbox, InboxError, TooLarge
from bankhook.receiver import Receiver, anyone
from receiver.asked import CREATED, asking, running

LIMIT = 5000


class Appending:
    """Keeps what it gets in memory, in appends that wait for the gate; nothing in it has a base of the library."""

    def __init__(self) -> None:
        self.bodies, self.appends, self.gate = list[bytes](), list[int](), asyncio.Event()
        self.gate.set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        pass

    async def append(self, deliveries: Sequence[Delivery], /) -> Sequence[int]:
        await self.gate.wait()
        self.appends.append(len(deliveries))
        if any(len(one.body) > LIMIT for one in deliveries):
            raise TooLarge("the topic takes no more")
        self.bodies += [one.body for one in deliveries]
        return range(len(deliveries))

    async def check(self) -> None:
        self.appends.append(0)


def test_it_is_a_store_and_no_inbox() -> None:
    store: DeliveryStore = Appending()
    assert isinstance(store, DeliveryStore) and not isinstance(store, Inbox)
    assert issubclass(TooLarge, InboxError)


def test_what_it_cannot_do_is_logged_at_the_start(caplog: pytest.LogCaptureFixture) -> None:
    async def start() -> None:
        receiver = Receiver(Appending(), verify=anyone)
        async with asking(receiver) as client:
            (record,) = caplog.records
            assert record.levelno == logging.WARNING
            assert record.getMessage().startswith("the store only appends: no page, no handlers, no idle(), and no figures")
            with pytest.raises(InboxError, match="only appends: what reads it knows what is handled"):
                await receiver.idle()
            assert (await client.get("/readyz")).json() == {"store": True}
            assert (await client.get("/healthz")).json() == {"store": True}
            assert (await client.post("/webhook", content=b"?")).status_code == 204
            assert caplog.messages[-1] == "delivery 0 (unknown) is quarantined: payload_is_json_object"
            assert 'bankhook_inbox{event="",state="pending"} NaN' in (await client.get("/metrics")).text

    asyncio.run(start())


def test_handlers_are_refused_since_it_would_call_none() -> None:
    with pytest.raises(TypeError, match=r"^handlers: expected None, since this store only appends"):
        Receiver(Appending(), verify=anyone, handlers=bankhook.Handlers())


@running
async def test_a_delivery_that_is_too_large_is_answered_with_413_and_those_beside_it_are_stored() -> None:
    store = Appending()
    async with asking(Receiver(store, verify=anyone)) as client:
        store.gate.clear()
        first = asyncio.create_task(client.post("/webhook", content=CREATED))
        await asyncio.sleep(0.1)  # until the store has it
        bodies = [CREATED, b"0" * LIMIT, b"0" * (LIMIT + 1), b"1"]
        others = [asyncio.create_task(client.post("/webhook", content=body)) for body in bodies]
        await asyncio.sleep(0.1)
        store.gate.set()
        assert (await first).status_code == 204
        answers = await asyncio.gather(*others)
        assert [one.status_code for one in answers] == [204, 204, 413, 204]
        assert answers[2].text == "the store takes no delivery of this size\n"
        assert (await client.get("/readyz")).json()["store"] is True
    assert store.bodies == [CREATED, CREATED, b"0" * LIMIT, b"1"]
    assert store.appends == [1, 4, 1, 1, 1, 1]


def test_a_notebook_runs_a_receiver_on_it() -> None:
    store = Appending()
    with bankhook.receiver.running(store) as run:
        assert httpx.post(run.url, content=CREATED).status_code == 204
        assert [one.body for one in run.wait()] == [CREATED] == store.bodies
