# SPDX-License-Identifier: MIT
"""The loop that sends bodies: what it is given and who answers, and what becomes of either's errors."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import click
import pytest

from bankhook.cli.answers import Label, send_each
from cli.server import Receiver, receiving
from installed import need_packages

need_packages("httpx")
NOWHERE = "http://127.0.0.1:9/"


def chosen(url: str) -> SimpleNamespace:
    return SimpleNamespace(url=url, allow_remote=True, headers=(), timeout=30.0, as_json=True, sign=None, secret_files=())


def sent(url: str, posts: Any, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, Any]]]:
    status = send_each(chosen(url), posts, total=None)
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def bodies(receiver: Receiver | None = None) -> Iterator[tuple[Label, bytes]]:
    for number in (1, 2):
        assert receiver is None or len(receiver.bodies) == number - 1, "each is answered before the next is asked for"
        yield (number, None, None), b"%d" % number


def test_each_body_is_answered_before_the_next_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with receiving(201) as receiver:
        status, (*lines, summary) = sent(receiver.url, bodies(receiver), capsys)
    assert (status, receiver.bodies, summary["answers"]) == (0, [b"1", b"2"], {"201": 2})
    assert all(line["status"] == 201 and line["milliseconds"] > 0 for line in lines)


def test_localhost_is_the_address_at_which_something_listens(capsys: pytest.CaptureFixture[str]) -> None:
    with receiving() as receiver:
        url = receiver.url.replace("127.0.0.1", "localhost")
        assert url != receiver.url
        assert sent(url, bodies(), capsys)[0] == 0


def test_an_error_of_the_source_is_raised_after_what_was_sent_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    def source() -> Iterator[tuple[Label, bytes]]:
        yield from bodies()
        raise click.ClickException("of the source")

    with receiving() as receiver, pytest.raises(click.ClickException, match="of the source"):
        send_each(chosen(receiver.url), source(), total=None)
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["sent"] == 2


@pytest.mark.parametrize("url", [NOWHERE, "http://a..b/", f"http://{'a' * 70}.example/", "http://nowhere.invalid/"])
def test_what_was_not_answered_is_not_sent_again(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, (first, second, summary) = sent(url, bodies(), capsys)
    assert (status, summary["problems"]) == (1, {"no connection": 2})
    assert (first["status"], second["status"]) == (None, None)
