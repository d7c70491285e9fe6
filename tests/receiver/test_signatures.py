# SPDX-License-Identifier: MIT
"""Signatures: those that senders publish and their libraries make, what is signed here, and settings that cannot match."""

from __future__ import annotations

import base64
import hmac
import importlib
import random
import subprocess
import time
from datetime import UTC, datetime, timedelta
from email.message import Message
from typing import Any

import httpx
import pytest
import standardwebhooks
from starlette.datastructures import Headers

from bankhook.receiver import Receiver, hmac_signature, shared_secret, standard_webhooks
from installed import need_packages, need_programs
from receiver.asked import CREATED, asking, running
from receiver.memory import MemoryInbox
from receiver.schemes import KEY, OTHER_KEY, SCHEMES, github, of_stripe, shopify, slack


def test_the_published_example_of_github_passes() -> None:
    signed = {"X-Hub-Signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"}
    verify = github(secret="It's a Secret to Everybody", within=None)
    assert verify(signed, b"Hello, World!") and not verify(signed, b"Hello, World?")
    assert verify.sign(b"Hello, World!") == signed


def test_the_published_example_of_slack_passes() -> None:
    body = (
        b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
        b"&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
        b"&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
        b"&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"
    )
    signature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"
    signed = {"X-Slack-Request-Timestamp": "1531420618", "X-Slack-Signature": signature}
    assert slack(secret="8f742231b10e8888abcd99yyyzzz85a5", within=None)(signed, body)
    assert not slack(secret="8f742231b10e8888abcd99yyyzzz85a5")(signed, body)  # it is of 2018


def test_the_library_of_stripe_and_this_one_take_what_the_other_signs() -> None:
    need_packages("stripe")
    stripe: Any = importlib.import_module("stripe")
    ours, now = of_stripe(secret="whsec_agreed"), int(time.time())
    theirs = stripe.WebhookSignature._compute_signature(f"{now}.{CREATED.decode()}", "whsec_agreed")
    for header in (f"t={now},v1={theirs}", f"t={now},v1={'0' * 64},v1={theirs},v0={theirs}"):
        assert ours({"Stripe-Signature": header}, CREATED)
    for header in (f"t={now},v0={theirs}", f"t={now},t={now},v1={theirs}", f"v1={theirs}", f"t={now + 1},v1={theirs}"):
        assert not ours({"Stripe-Signature": header}, CREATED)
    (header,) = ours.sign(CREATED).values()
    assert stripe.WebhookSignature.verify_header(CREATED.decode(), header, "whsec_agreed", 300)


def test_the_library_of_standard_webhooks_and_this_one_take_what_the_other_signs() -> None:
    ours, theirs, now = standard_webhooks(KEY), standardwebhooks.Webhook(KEY), datetime.now(UTC)
    signature = theirs.sign("msg_1", now, CREATED.decode())
    sent = {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(int(now.timestamp()))}
    assert ours(sent | {"Webhook-Signature": signature}, CREATED)
    assert ours(sent | {"Webhook-Signature": f"v1a,x v1,{'A' * 43}= {signature} v1,"}, CREATED)
    assert theirs.verify(CREATED, ours.sign(CREATED))
    assert ours.sign(CREATED)["webhook-id"] != ours.sign(CREATED)["webhook-id"]


@pytest.mark.parametrize("algorithm", ["sha1", "sha256", "sha384", "sha512"])
def test_the_form_of_shopify_is_what_openssl_computes(algorithm: Any) -> None:
    need_programs("openssl")
    command = ["openssl", "dgst", f"-{algorithm}", "-hmac", "hush", "-binary"]
    digest = subprocess.run(command, input=CREATED, capture_output=True, check=True).stdout
    assert shopify(secret="hush", algorithm=algorithm).sign(CREATED) == {
        "X-Shopify-Hmac-SHA256": base64.b64encode(digest).decode()
    }


@pytest.mark.parametrize("name", SCHEMES)
def test_each_of_several_secrets_passes_and_the_first_one_signs(name: str) -> None:
    old, both, new = (SCHEMES[name](secret=secret) for secret in (OTHER_KEY, [KEY, OTHER_KEY], (KEY,)))
    for body in (CREATED, b"", bytes(range(256))):
        assert both(new.sign(body), body) and both(old.sign(body), body) and new(both.sign(body), body)
        assert not new(old.sign(body), body) and not old(both.sign(body), body)


@pytest.mark.parametrize("name", SCHEMES)
def test_headers_may_be_of_any_kind_in_any_case_with_blanks_around_their_values(name: str) -> None:
    verify = SCHEMES[name](secret=KEY)
    signed = verify.sign(CREATED)
    message = Message()
    for header, value in signed.items():
        message[header] = value
    shouted = {header.upper(): f" {value}\t" for header, value in signed.items()}
    raw = [(header.lower().encode(), value.encode()) for header, value in shouted.items()]
    for headers in (signed, shouted, list(shouted.items()), raw, Headers(raw=raw), httpx.Headers(shouted), message):
        assert verify(headers, CREATED), type(headers)
    with pytest.raises(TypeError, match="headers: expected texts, found list"):
        verify({header: [value] for header, value in signed.items()}, CREATED)


@pytest.mark.parametrize("name", SCHEMES)
def test_a_header_that_is_missing_empty_short_or_there_twice_passes_nothing(name: str) -> None:
    verify = SCHEMES[name](secret=KEY)
    signed = verify.sign(CREATED)
    for header, value in signed.items():
        others = [one for one in signed.items() if one[0] != header]
        for wrong in (
            "",
            " ",
            value[:-1],
            f"{value},{value}",
            f"{value},",
            f"\xa0{value}",
            "密",
            "\ud800",
            "é",
        ):
            assert not verify([*others, (header, wrong)], CREATED), (header, wrong)
        assert not verify(others, CREATED)
        assert not verify([*signed.items(), (header, value)], CREATED)
        assert not verify([*others, (header, f"{value}, {value}")], CREATED)  # as some servers join them
        assert not verify(dict([*signed.items(), (header.swapcase(), value)]), CREATED)


def _signed_at(name: str, sent: str) -> dict[str, str]:
    """The headers of a request that is signed at this time, whatever it is."""
    key = base64.b64decode(KEY.removeprefix("whsec_")) if name == "standard-webhooks" else KEY.encode()
    before = {"slack": f"v0:{sent}:", "stripe": f"{sent}.", "standard-webhooks": f"msg_1.{sent}."}[name]
    digest = hmac.digest(key, before.encode("utf-8", "surrogatepass") + CREATED, "sha256")
    if name == "slack":
        return {"X-Slack-Request-Timestamp": sent, "X-Slack-Signature": f"v0={digest.hex().upper()}"}
    if name == "stripe":
        return {"Stripe-Signature": f"t={sent}, v1={digest.hex()}"}
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": sent, "Webhook-Signature": signature}


@pytest.mark.parametrize("name", ["slack", "stripe", "standard-webhooks"])
def test_a_time_that_is_too_far_off_or_no_number_of_seconds_passes_nothing(name: str) -> None:
    make, now = SCHEMES[name], int(time.time())
    five_minutes, an_hour, any_time = (
        make(secret=KEY),
        make(secret=KEY, within=timedelta(hours=1)),
        make(secret=KEY, within=None),
    )

    def passes(verify: Any, sent: str) -> bool:
        return verify(_signed_at(name, sent), CREATED)  # type: ignore[no-any-return]

    for seconds in (-240, 0, 240):
        assert passes(five_minutes, str(now + seconds)) and passes(an_hour, str(now + seconds))
    for seconds in (-360, 360):
        assert not passes(five_minutes, str(now + seconds)) and passes(an_hour, str(now + seconds))
    milliseconds, arabic = str(now * 1000), "".join(chr(0x660 + int(digit)) for digit in str(now))
    for sent in (
        milliseconds,
        "0",
        f"0{now}",
        f"-{now}",
        f"+{now}",
        f"{now}.0",
        f"{now}_0",
        "9" * 5000,
        "now",
        "NaN",
        "1e9",
    ):
        assert not passes(an_hour, sent), sent
    for sent in ("", "²", arabic, "\ud800", f"{now}\n", "{"):
        assert not passes(an_hour, sent) and not passes(any_time, sent), sent
    for sent in (milliseconds, "1531420618", "2018-07-12T18:36:58Z"):
        assert passes(any_time, sent), sent


def test_what_is_in_the_body_cannot_be_moved_to_the_time() -> None:
    after = hmac_signature(header="X-Sig", secret=KEY, timestamp_header="X-Time", message="{body}{timestamp}")
    signed = after.sign(b"[1]000")
    assert after(signed, b"[1]000")
    assert not after(signed | {"X-Time": f"000{signed['X-Time']}"}, b"[1]")
    before = hmac_signature(header="X-Sig", secret=KEY, timestamp_header="X-Time", message="{timestamp}{body}", within=None)
    signed = before.sign(CREATED)
    assert not before(signed | {"X-Time": signed["X-Time"] + CREATED[:9].decode()}, CREATED[9:])


def test_a_header_has_the_signature_and_nothing_else() -> None:
    verify = hmac_signature(header="X-Sig", secret=KEY, prefix="v1=")
    (right,) = verify.sign(CREATED).values()
    assert verify({"X-Sig": right.upper().replace("V", "v")}, CREATED)
    for value in (
        f"{right},",
        f",{right}",
        f"{right}, {right}",
        f"{right} {right}",
        f"{right};x",
        right[3:],
        f"V1={right[3:]}",
    ):
        assert not verify({"X-Sig": value}, CREATED), value


def test_a_body_that_was_decoded_is_an_error() -> None:
    verify: Any = github(secret=KEY)
    with pytest.raises(TypeError, match="body: expected bytes, as they were received, found str"):
        verify(verify.sign(CREATED), CREATED.decode())


@running
async def test_a_shared_secret_may_be_sent_in_either_encoding() -> None:
    async with asking(Receiver(MemoryInbox(), verify=shared_secret(header="X-Secret", secret="agréed"))) as client:
        for value in ("agréed".encode(), "agréed".encode("latin-1"), b" agr\xe9ed\t"):
            answer = await client.post("/webhook", content=CREATED, headers=[(b"x-secret", value)])
            assert answer.status_code == 204


@pytest.mark.parametrize("name", SCHEMES)
def test_no_mutation_of_a_signed_request_passes_and_none_is_an_error(name: str) -> None:
    """What has the same meaning is no mutation: hexadecimal digits in the other case, blanks around a value."""
    made = random.Random(name)
    verify = SCHEMES[name](secret=[KEY, OTHER_KEY])

    def mutated(value: bytes) -> bytes:
        place = made.randrange(len(value))
        before, at, after = value[:place], value[place], value[place + 1 :]
        new = (made.randrange(256), at ^ 1 << made.randrange(8))[made.randrange(2)]
        return made.choice([before + after, before + bytes([new]) + after, before + bytes([new, at]) + after])

    def meaning(value: bytes) -> bytes:
        value = value.strip(b" \t")
        return value.lower() if name in ("github", "slack", "stripe") else value

    @running
    async def ask() -> None:
        inbox = MemoryInbox()
        async with asking(Receiver(inbox, verify=verify)) as client:
            for _ in range(10_000 // len(SCHEMES)):
                signed, body = verify.sign(CREATED), CREATED
                headers = [(header.encode(), value.encode()) for header, value in signed.items()]
                place = made.randrange(len(headers) + (name != "header"))
                if place == len(headers):
                    body = mutated(CREATED)
                else:
                    header, value = headers[place]
                    headers[place] = header, mutated(value)
                if body == CREATED and all(
                    meaning(value) == meaning(signed[one.decode()].encode()) for one, value in headers
                ):
                    continue
                answer = await client.post("/webhook", content=body, headers=headers)
                assert answer.status_code == 401, (headers, body)
            assert (await client.post("/webhook", content=CREATED, headers=verify.sign(CREATED))).status_code == 204
        assert len(inbox.stored) == 1

    ask()
