# SPDX-License-Identifier: MIT
"""Who may deliver: the hook, and the checks that come with the package."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable, Mapping

import pytest
import standardwebhooks

from bankhook.inbox import DeliveryState
from bankhook.receiver import Receiver, Verify, shared_secret, standard_webhooks
from receiver.asked import CREATED, asking, running
from receiver.memory import MemoryInbox


def _false(headers: Mapping[str, str], body: bytes) -> bool:
    return False


def _raises(headers: Mapping[str, str], body: bytes) -> bool:
    raise KeyError("signature")


def _forgets(headers: Mapping[str, str], body: bytes) -> bool:
    return None  # type: ignore[return-value]  # a mistake that must not let anyone in


async def _later_false(headers: Mapping[str, str], body: bytes) -> bool:
    await asyncio.sleep(0)
    return False


async def _later_true(headers: Mapping[str, str], body: bytes) -> bool:
    await asyncio.sleep(0)
    return headers["X-Who"] == "service" and body == CREATED


@running
async def test_what_the_hook_does_not_call_true_is_a_401_and_not_stored() -> None:
    for verify in (_false, _raises, _forgets, _later_false):
        inbox = MemoryInbox()
        async with asking(Receiver(inbox, verify=verify)) as client:
            answer = await client.post("/webhook", content=CREATED)
            assert answer.status_code == 401
            assert "www-authenticate" in answer.headers
        assert inbox.stored == []


@running
async def test_the_hook_gets_headers_in_any_case_and_the_body_verbatim() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=_later_true)) as client:
        assert (await client.post("/webhook", content=CREATED, headers={"x-who": "service"})).status_code == 204
        assert (await client.post("/webhook", content=CREATED + b" ", headers={"x-who": "service"})).status_code == 401


@running
async def test_a_shared_secret_lets_in_whoever_has_it() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=shared_secret(header="X-Secret", secret="agréed"))) as client:
        right, wrong = ("agréed".encode(), 204), [(b"agreed", 401), (b"", 401), (b"agr\xff", 401)]
        for value, status in (right, *wrong):
            answer = await client.post("/webhook", content=CREATED, headers=[(b"x-secret", value)])
            assert answer.status_code == status
        assert (await client.post("/webhook", content=CREATED)).status_code == 401
    assert "x-secret" not in dict(inbox.stored[0].headers)


@running
async def test_a_path_may_end_with_a_secret() -> None:
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, path="/webhook/agreed")) as client:
        assert (await client.post("/webhook/agreed", content=CREATED)).status_code == 204
        for path in ("/webhook/guessed", "/webhook", "/webhook/agreed/", "/%FF", "/webhook/agree%64x"):
            assert (await client.post(path, content=CREATED)).status_code == 404


@running
async def test_a_standard_webhooks_signature_is_checked_and_the_body_need_not_be_an_event() -> None:
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    inbox = MemoryInbox()
    async with asking(Receiver(inbox, verify=standard_webhooks(secret))) as client:
        for body in (CREATED, b"not JSON"):
            signed = _signed(secret, body)
            assert (await client.post("/webhook", content=body, headers=signed)).status_code == 204
            assert (await client.post("/webhook", content=body + b" ", headers=signed)).status_code == 401
            old = _signed(secret, body, minutes=-6)
            assert (await client.post("/webhook", content=body, headers=old)).status_code == 401
        assert (await client.post("/webhook", content=CREATED)).status_code == 401
    assert [arrival.state for arrival in inbox.stored] == [DeliveryState.PENDING, DeliveryState.QUARANTINED]


def _signed(secret: str, body: bytes, minutes: int = 0) -> dict[str, str]:
    when = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=minutes)
    signature = standardwebhooks.Webhook(secret).sign("msg_1", when, body.decode())
    return {"webhook-id": "msg_1", "webhook-timestamp": str(int(when.timestamp())), "webhook-signature": signature}


@pytest.mark.parametrize("make", [lambda: shared_secret(header="x", secret=""), lambda: standard_webhooks("")])
def test_an_empty_secret_is_an_error(make: Callable[[], Verify]) -> None:
    with pytest.raises(ValueError, match="not empty"):
        make()
