# SPDX-License-Identifier: MIT
"""Several checks as one: what each of them is asked, what is refused before the body, and what counts as a repeat."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest

from bankhook.inbox import InboxError
from bankhook.receiver import Receiver, Verify, all_of, any_of, anyone, hmac_signature, shared_secret, standard_webhooks
from receiver.asked import CREATED, asking, running
from receiver.memory import MemoryInbox

KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
signed = hmac_signature(header="X-Sig", secret="agreed")
secret = shared_secret(header="X-Secret", secret="agreed")
BOTH = {**signed.sign(CREATED), **secret.sign(CREATED)}


async def later(headers: Mapping[str, str], body: bytes) -> bool:
    await asyncio.sleep(0)
    return bool(headers.get("X-Later"))


async def _later_before(headers: Mapping[str, str]) -> bool:
    await asyncio.sleep(0)
    return bool(headers.get("X-Later"))


later.before_body = _later_before  # type: ignore[attr-defined]


def forgets(headers: Mapping[str, str], body: bytes) -> Any:
    return None


def raises(headers: Mapping[str, str], body: bytes) -> bool:
    raise KeyError("x-other")


def truth(verify: Verify, headers: Mapping[str, str]) -> bool:
    """The answer of a check, which is a bool if none of its members is async."""
    answer = verify(headers, CREATED)
    if inspect.isawaitable(answer):

        async def awaited() -> bool:
            return await answer

        return asyncio.run(awaited())
    assert isinstance(answer, bool)
    return answer


def test_all_of_them_pass_it_or_any_of_them() -> None:
    for members, headers in (((signed, secret), {}), ((later, signed, secret), {"X-Later": "1"})):
        every, some = all_of(*members), any_of(*members)
        assert truth(every, BOTH | headers) and truth(some, BOTH | headers)
        for one in BOTH:
            assert not truth(every, {one: BOTH[one], **headers}) and truth(some, {one: BOTH[one]})
        assert not truth(every, {}) and not truth(some, {})
    assert truth(all_of(any_of(signed, secret), any_of(secret, later)), BOTH)
    assert not truth(all_of(any_of(signed, secret), later), BOTH)


@running
async def test_what_headers_alone_can_refuse_is_refused_before_the_body_is_read() -> None:
    was_read = False

    async def body() -> AsyncIterator[bytes]:
        nonlocal was_read
        was_read = True
        yield CREATED

    for verify, given, status, reads in (
        (all_of(signed, secret), {"x-secret": "agreed"}, 401, False),
        (all_of(forgets, secret), {"x-secret": "guessed"}, 401, False),
        (all_of(later, secret), {"x-secret": "agreed"}, 401, False),
        (all_of(signed, secret), BOTH, 204, True),
        (any_of(signed, secret), {"x-secret": "guessed"}, 401, False),
        (any_of(later, secret), {"x-secret": "guessed"}, 401, False),
        (any_of(later, secret), {"x-later": "1"}, 204, True),
        (any_of(signed, secret), {"x-secret": "agreed"}, 204, True),
        (any_of(forgets, secret), {}, 401, True),  # only the body tells
        (all_of(anyone, secret), {"x-secret": "agreed", "origin": "null"}, 401, False),
        (any_of(anyone, secret), {"x-secret": "agreed", "origin": "null"}, 204, True),
        (any_of(anyone, secret), {"origin": "null"}, 401, False),
    ):
        was_read = False
        async with asking(Receiver(MemoryInbox(), verify=verify)) as client:
            client.headers = given
            assert (await client.post("/webhook", content=body())).status_code == status, given
        assert was_read == reads, given


@running
async def test_a_repeat_is_refused_unless_the_first_was_not_stored() -> None:
    async def ask(verify: Verify, **more: str) -> None:
        message, inbox = standard_webhooks(KEY).sign(CREATED), MemoryInbox()
        async with asking(Receiver(inbox, verify=verify)) as client:

            async def status(**headers: str) -> int:
                return (await client.post("/webhook", content=CREATED, headers={**message, **headers})).status_code

            inbox.error = InboxError("disk full")
            assert await status(**more) == 503
            inbox.error = None
            assert await status(**(dict.fromkeys(more, "") or {"webhook-signature": ""})) == 401
            assert [await status(**more), await status(**more)] == [204, 409]
        assert len(inbox.stored) == 1

    once = standard_webhooks(KEY, refuse_repeats=True)
    for first, verify in enumerate((all_of(once, later), all_of(later, once), any_of(once, secret), any_of(secret, once))):
        await ask(verify, **({"x-later": "1"} if first < 2 else {}))
    # Who has passed the check that refuses repeats does not pass as another sender.
    message = {**once.sign(CREATED), **secret.sign(CREATED)}
    async with asking(Receiver(MemoryInbox(), verify=any_of(once, secret))) as client:
        answers = [await client.post("/webhook", content=CREATED, headers=message) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [204, 409]


def test_a_check_that_fails_passes_nothing_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    @running
    async def ask() -> None:
        for verify, status in (
            (any_of(raises, secret), 204),
            (any_of(forgets, secret), 204),
            (any_of(raises, signed), 401),
            (any_of(forgets, signed), 401),
            (all_of(secret, forgets), 401),
        ):
            async with asking(Receiver(MemoryInbox(), verify=verify)) as client:
                assert (await client.post("/webhook", content=CREATED, headers=secret.sign(b""))).status_code == status

    with caplog.at_level(logging.WARNING, "bankhook"):
        ask()
    logged = [record.getMessage().partition(":")[0] for record in caplog.records if "verify" in record.getMessage()]
    assert logged == ["verify raised KeyError", "verify raised TypeError", "verify raised TypeError"]
    assert not truth(any_of(lambda *_: False, secret), {})
    with pytest.raises(TypeError, match="a check returned NoneType, not True or False"):
        truth(any_of(forgets, signed), {})


@pytest.mark.parametrize("compose", [all_of, any_of])
def test_only_checks_can_be_composed(compose: Any) -> None:
    with pytest.raises(ValueError, match="checks: expected one or more"):
        compose()
    for wrong in (None, "agreed", [signed], hmac_signature, compose):
        with pytest.raises(TypeError, match="verify: expected "):
            compose(signed, wrong)
