# SPDX-License-Identifier: MIT
"""A receiver as a part of another application."""

from __future__ import annotations

import httpx
from fastapi import FastAPI

from bankhook.receiver import Receiver, anyone
from receiver.asked import CREATED, running
from receiver.memory import MemoryInbox


@running
async def test_a_receiver_can_be_mounted_in_fastapi() -> None:
    inbox = MemoryInbox()
    receiver = Receiver(inbox, verify=anyone, path="/webhook")
    app = FastAPI(lifespan=receiver.lifespan)
    app.mount("/bank", receiver)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:
            assert (await client.post("/bank/webhook", content=CREATED)).status_code == 204
            assert (await client.get("/bank/readyz")).status_code == 200
            assert (await client.post("/webhook", content=CREATED)).status_code == 404
    assert len(inbox.stored) == 1
    assert not inbox.is_open


@running
async def test_an_application_that_does_not_pass_on_the_lifespan_says_so() -> None:
    receiver = Receiver(MemoryInbox(), verify=anyone)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(receiver), base_url="http://receiver") as client:
        answer = await client.post("/webhook", content=CREATED)
        assert (answer.status_code, "lifespan=receiver.lifespan" in answer.text) == (503, True)
