# SPDX-License-Identifier: MIT
"""Settings of checks of senders that can never match are errors at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from bankhook.receiver import Verify, hmac_signature, shared_secret, standard_webhooks
from receiver.schemes import KEY, OTHER_KEY, SCHEMES, of_stripe, slack


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"secret": ""}, "secret: expected a text that is not empty"),
        ({"secret": []}, "secret: expected a text that is not empty"),
        ({"secret": [KEY, ""]}, "secret: expected a text that is not empty"),
        *(
            ({"secret": one}, "secret: it starts or ends with a blank")
            for one in (" ", "\n", "a\n", " a", "a\t", "a\u2028")
        ),
        *(
            ({"secret": one}, ("secret: it has a line end, or", "secret: expected base64"))
            for one in ("a\nb", "a\0b", "\ufeffa", "a\ud800", "a\x7fb")
        ),
        ({"secret": [KEY, OTHER_KEY, KEY]}, "secret: two of them are equal"),
        ({"secret": b"agreed"}, "secret: expected a text, found bytes"),
        ({"secret": [KEY, None]}, "secret: expected a text, found NoneType"),
        ({"secret": {KEY}}, "secret: expected a text, found set"),
    ],
)
@pytest.mark.parametrize("name", SCHEMES)
def test_a_secret_that_no_sender_can_have_is_an_error(
    name: str, wrong: dict[str, Any], reason: str | tuple[str, str]
) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        SCHEMES[name](**wrong)
    assert str(raised.value).startswith(reason)


def test_two_forms_of_one_key_are_two_equal_secrets() -> None:
    with pytest.raises(ValueError, match="two of them are equal"):
        standard_webhooks([KEY, KEY.removeprefix("whsec_")])


@pytest.mark.parametrize("name", ["", " ", "a b", "X:", "\n", "X-Sig\n", "é", "X(1)", "密", '"X"', "a/b", "a,b"])
def test_a_name_that_no_header_can_have_is_an_error(name: str) -> None:
    makers: tuple[Callable[[], Verify], ...] = (
        lambda: shared_secret(header=name, secret=KEY),
        lambda: hmac_signature(header=name, secret=KEY),
        lambda: slack(secret=KEY, timestamp_header=name),
        lambda: of_stripe(secret=KEY, fields=("t", name)),
    )
    for make in makers:
        with pytest.raises(ValueError, match=r"^(header|timestamp_header|fields): expected"):
            make()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"header": b"X-Sig"}, "header: expected a text, found bytes"),
        ({"algorithm": "md5"}, "algorithm: expected sha1,"),
        ({"algorithm": ["sha256"]}, "algorithm: expected sha1,"),
        ({"algorithm": None}, "algorithm: expected sha1,"),
        ({"encoding": "base32"}, "encoding: expected hex or base64"),
        ({"prefix": None}, "prefix: expected a text, found NoneType"),
        *(({"prefix": one}, "prefix: expected visible ASCII") for one in (" v1=", "v1=\n", "é=", "\tv1=")),
        ({"message": "v0"}, "message: expected {body} in it"),
        ({"message": ""}, "message: expected {body} in it"),
        ({"message": "{timestamp}"}, "message: expected {body} in it"),
        ({"message": "{{body}}"}, "message: expected {body} in it"),
        *(
            ({"message": one}, "message: expected no other fields")
            for one in ("{id}{body}", "{}", "{0}", "{body!r}", "{body:>9}")
        ),
        *(({"message": one}, "message: expected a text with {body}") for one in ("{body", "body}", "{body}\ud800")),
        ({"message": "{timestamp}{body}"}, "message: {timestamp} needs timestamp_header= or fields="),
        ({"message": b"{body}"}, "message: expected a text, found bytes"),
        ({"timestamp_header": "X-Time"}, "message: expected {timestamp} in it"),
        ({"timestamp_header": "x-sig", "message": "{timestamp}{body}"}, "timestamp_header: expected another name"),
        ({"fields": ("t", "v1")}, "message: expected {timestamp} in it"),
        *(({"fields": one}, "fields: expected two names") for one in ("tv", ("t",), ("t", "t"), ("t", "v1", "v0"), 2)),
        ({"fields": ("t", None)}, "fields: expected a text, found NoneType"),
        ({"fields": ("t", "v"), "prefix": "a,", "message": "{timestamp}{body}"}, "prefix: with fields, a comma"),
        (
            {"fields": ("t", "v"), "timestamp_header": "X-Time", "message": "{timestamp}{body}"},
            "timestamp_header: fields= has the time already",
        ),
        *(({"within": one}, "within: expected more than no time") for one in (timedelta(0), timedelta(-1))),
        *(({"within": one}, "within: expected a timedelta, or None, found") for one in (300, "5")),
    ],
)
def test_a_setting_that_can_never_match_is_an_error(wrong: dict[str, Any], reason: str) -> None:
    arguments: dict[str, Any] = {"header": "X-Sig", "secret": KEY} | wrong
    with pytest.raises((TypeError, ValueError)) as raised:
        hmac_signature(**arguments)
    assert str(raised.value).startswith(reason)


def test_repeats_are_not_refused_for_ever() -> None:
    with pytest.raises(ValueError, match="refuse_repeats: expected within="):
        standard_webhooks(KEY, refuse_repeats=True, within=None)
