# SPDX-License-Identifier: MIT
"""What a receiver is made with: mistakes are errors at once, in a sentence."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

import bankhook.receiver
from bankhook.receiver import Receiver, anyone, standard_webhooks
from receiver.asked import CREATED, asking, running
from receiver.memory import MemoryInbox


@pytest.mark.parametrize(
    "wrong",
    [
        {"path": "webhook"},
        {"path": "/healthz"},
        *({"path": one} for one in ("/a\n", "/a ", "/a\0b", "/a?key=b", "/a#b", "/a%20b", "/a/../b", "/.", "/\ud800")),
        *({"headers": [one]} for one in ("", "a b", "x:", "x\n", "密", "é")),
        {"answer_invalid": 500},
        {"max_body": 0},
        {"max_total": -1},
        {"max_total": (1 << 20) - 1},
        {"max_body": (64 << 20) + 1},
        {"timeout": float("nan")},
        {"trusted_proxies": ["nginx"]},
        {"limits": "here"},
        {"limits": True},
        {"limits": ()},
    ],
)
def test_options_that_cannot_work_are_errors(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        Receiver(MemoryInbox(), verify=anyone, **wrong)


@pytest.mark.parametrize("path", ["/", "/webhook/", "/a b", "/caf\u00e9/密", "/a..b/c%d", "/{}"])
def test_a_path_that_a_request_can_have_is_taken(path: str) -> None:
    @running
    async def ask() -> None:
        async with asking(Receiver(MemoryInbox(), verify=anyone, path=path)) as client:
            assert (await client.post(quote(path), content=CREATED)).status_code == 204

    ask()


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"inbox": "inbox.db"}, "inbox: expected what bankhook.inbox.open returns, or another DeliveryStore, found str"),
        ({"path": b"/webhook"}, "path: expected a text, found bytes"),
        ({"handlers": [print]}, "handlers: expected bankhook.Handlers, found list"),
        ({"headers": "x-trace"}, "headers: expected a collection of names, found str"),
        ({"trusted_proxies": "10.0.0.1"}, "trusted_proxies: expected a collection of addresses, found str"),
        ({"unpack": "gzip"}, "unpack: expected True or False, found str"),
        ({"unpack": 1}, "unpack: expected True or False, found int"),
        ({"headers": b""}, "headers: expected a collection of names, found bytes"),
        ({"max_body": 1.5}, "max_body: expected int, found float"),
        ({"max_body": "5"}, "max_body: expected int, found str"),
        ({"max_total": True}, "max_total: expected int, found bool"),
        ({"max_waiting": None}, "max_waiting: expected int, found NoneType"),
        ({"timeout": "1"}, "timeout: expected seconds, found str"),
        ({"timeout": True}, "timeout: expected seconds, found bool"),
        ({"on_stored": 1}, "on_stored: expected a function, found int"),
        ({"verify": None}, "verify: expected a check of senders, found None; verify=receiver.anyone lets in anyone"),
        ({"verify": "secret"}, "verify: expected a check, found a text; write shared_secret(header=..., secret=...)"),
        ({"verify": standard_webhooks}, "verify: expected what standard_webhooks returns, "),
        ({"verify": {}}, "verify: expected a function of headers and body, found dict"),
    ],
)
def test_arguments_of_the_wrong_type_are_errors_at_once(wrong: dict[str, Any], reason: str) -> None:
    arguments: dict[str, Any] = {"inbox": MemoryInbox(), "verify": anyone} | wrong
    with pytest.raises(TypeError) as raised:
        Receiver(**arguments)
    assert str(raised.value).startswith(reason)


def test_who_may_deliver_has_no_default() -> None:
    with pytest.raises(TypeError, match="verify"):
        Receiver(MemoryInbox())  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize(
    ("port", "error", "reason"),
    [
        ("0", TypeError, "port: expected int, found str"),
        (None, TypeError, "port: expected int, found NoneType"),
        (True, TypeError, "port: expected int, found bool"),
        (99_999, ValueError, "port: expected 0 to 65535, found 99999"),
        (-1, ValueError, "port: expected 0 to 65535, found -1"),
    ],
)
def test_a_port_that_there_is_not_is_never_another_one(port: Any, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason), bankhook.receiver.running(port=port):
        pass


def test_a_switch_of_standard_webhooks_is_a_bool() -> None:
    with pytest.raises(TypeError, match="refuse_repeats: expected bool, found str"):
        standard_webhooks("whsec_" + "A" * 32, refuse_repeats="no")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
