# SPDX-License-Identifier: MIT
"""Who may deliver: the hook, and the checks that come with the package."""

from __future__ import annotations

import asyncio
import base64
import datetime
import hashlib
import hmac
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import pytest
import standardwebhooks

from bankhook.inbox import DeliveryState, InboxError
from bankhook.receiver import Receiver, Verify, _standard_webhooks, any_of, anyone, shared_secret, standard_webhooks
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


def test_a_check_that_raises_or_returns_no_bool_is_logged_as_a_problem(caplog: pytest.LogCaptureFixture) -> None:
    @running
    async def ask() -> None:
        for verify in (_false, _raises, _forgets, standard_webhooks("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")):
            async with asking(Receiver(MemoryInbox(), verify=verify)) as client:
                for signed in ({}, {"webhook-timestamp": "9" * 5000}, {"webhook-timestamp": str(int(time.time()))}):
                    assert (await client.post("/webhook", content=CREATED, headers=signed)).status_code == 401

    with caplog.at_level(logging.WARNING, "bankhook"):
        ask()
    counts = "the sender counts as not authenticated"
    raised, returned = f"verify raised KeyError: {counts}", f"verify returned NoneType, not True or False: {counts}"
    logged = [record.getMessage() for record in caplog.records if "verify" in record.getMessage()]
    assert logged == [raised, f"{raised} (repeated: 2)", returned, f"{returned} (repeated: 2)"]


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
    async with asking(Receiver(inbox, verify=anyone, path="/webhook/agreed")) as client:
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


def _signed(secret: str, body: bytes, minutes: int = 0, name: str = "msg_1") -> dict[str, str]:
    when = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=minutes)
    signature = standardwebhooks.Webhook(secret).sign(name, when, body.decode())
    return {"webhook-id": name, "webhook-timestamp": str(int(when.timestamp())), "webhook-signature": signature}


@running
async def test_a_signed_body_may_be_any_bytes() -> None:
    secret, inbox = "whsec_" + base64.b64encode(bytes(24)).decode(), MemoryInbox()
    async with asking(Receiver(inbox, verify=standard_webhooks(secret))) as client:
        for body in (b'{"event":"caf\xe9"}', b"", bytes(range(256))):
            now = str(int(time.time()))
            digest = hmac.digest(bytes(24), f"msg_1.{now}.".encode() + body, hashlib.sha256)
            signature = "v1a,other v1," + base64.b64encode(digest).decode()
            headers = {"webhook-id": "msg_1", "webhook-timestamp": now, "webhook-signature": signature}
            assert (await client.post("/webhook", content=body, headers=headers)).status_code == 204
            for name in headers:
                broken = headers | {name: headers[name][:-2]}
                assert (await client.post("/webhook", content=body, headers=broken)).status_code == 401
    assert len(inbox.stored) == 3


@running
async def test_a_repeated_message_may_be_refused_unless_the_first_was_not_stored() -> None:
    secret, inbox = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", MemoryInbox()
    async with asking(Receiver(inbox, verify=standard_webhooks(secret, refuse_repeats=True))) as client:
        signed = _signed(secret, CREATED)
        inbox.error = InboxError("disk full")
        assert (await client.post("/webhook", content=CREATED, headers=signed)).status_code == 503
        inbox.error = None
        wrong = signed | {"webhook-signature": "v1,"}
        assert (await client.post("/webhook", content=CREATED, headers=wrong)).status_code == 401
        assert (await client.post("/webhook", content=CREATED, headers=signed)).status_code == 204
        assert (await client.post("/webhook", content=CREATED, headers=signed)).status_code == 409
        other = _signed(secret, CREATED, name="msg_2")
        assert (await client.post("/webhook", content=CREATED, headers=other)).status_code == 204
    assert len(inbox.stored) == 2


@running
async def test_what_another_sender_could_not_store_does_not_make_a_repeat_the_first_of_its_id() -> None:
    secrets, inbox = [base64.b64encode(os.urandom(24)).decode() for _ in range(2)], MemoryInbox()
    one, other = (_signed(secret, CREATED) for secret in secrets)
    verify = any_of(*(standard_webhooks(secret, refuse_repeats=True) for secret in secrets))
    async with asking(Receiver(inbox, verify=verify)) as client:
        answers = list[int]()
        for inbox.error, headers in ((None, one), (InboxError("disk full"), other), (None, one)):
            answers.append((await client.post("/webhook", content=CREATED, headers=headers)).status_code)
    assert answers == [204, 503, 409]


def test_ids_of_messages_are_forgotten_once_their_signatures_are_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    secret, now = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", time.time()
    verify = standard_webhooks(secret, refuse_repeats=True)
    for minutes in (0, 4, 11):
        monkeypatch.setattr(time, "time", lambda later=minutes: now + 60 * later)
        for name in ("a", "b"):
            assert verify(_signed(secret, b"{}", minutes=minutes, name=f"{name}{minutes}"), b"{}")
    assert isinstance(verify, _standard_webhooks._StandardWebhooks)
    assert list(verify._received) == ["a4", "b4", "a11", "b11"]


def test_a_repeat_whose_body_is_slow_does_not_outlive_the_memory_of_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    secret, now, inbox = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", time.time(), MemoryInbox()
    signed = _signed(secret, CREATED, minutes=5)  # of a sender whose clock is ahead

    def set_clock(seconds: int) -> None:
        monkeypatch.setattr(time, "time", lambda: now + seconds)

    async def slow() -> AsyncIterator[bytes]:
        set_clock(620)
        yield CREATED

    @running
    async def ask() -> None:
        async with asking(Receiver(inbox, verify=standard_webhooks(secret, refuse_repeats=True))) as client:
            set_clock(10)
            assert (await client.post("/webhook", content=CREATED, headers=signed)).status_code == 204
            set_clock(590)
            assert (await client.post("/webhook", content=slow(), headers=signed)).status_code == 401

    ask()
    assert len(inbox.stored) == 1


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: shared_secret(header="x", secret=""), "secret: expected a text that is not empty"),
        (lambda: shared_secret(header="", secret="agreed"), "header: expected a text that is not empty"),
        (lambda: standard_webhooks(""), "secret: expected a text that is not empty"),
        (lambda: standard_webhooks("my secret"), "secret: expected base64"),
        (lambda: standard_webhooks("?a?b?c?d?????????????????"), "secret: expected base64"),
        (lambda: standard_webhooks("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS"), "secret: expected base64"),
        (lambda: standard_webhooks("é" * 40), "secret: expected base64"),
        (lambda: standard_webhooks("whsec_c2VjcmV0"), "secret: expected at least 24 bytes in base64, found 6"),
    ],
)
def test_a_secret_that_is_weaker_than_it_looks_is_an_error(make: Callable[[], Verify], reason: str) -> None:
    with pytest.raises(ValueError) as raised:
        make()
    assert str(raised.value).startswith(reason)


def test_a_secret_of_a_setting_that_is_missing_is_an_error() -> None:
    missing: Any = None
    with pytest.raises(TypeError, match="secret: expected a text, found NoneType"):
        shared_secret(header="x", secret=missing)
    with pytest.raises(TypeError, match="secret: expected a text, found NoneType"):
        standard_webhooks(missing)


@running
async def test_a_web_page_delivers_only_if_the_check_passes_it() -> None:
    page = {"origin": "http://evil.example", "x-secret": "agreed"}
    for verify, status in ((anyone, 401), (shared_secret(header="x-secret", secret="agreed"), 204)):
        async with asking(Receiver(MemoryInbox(), verify=verify)) as client:
            assert (await client.post("/webhook", content=CREATED, headers=page)).status_code == status
