# SPDX-License-Identifier: MIT
"""A receiver in a notebook: a URL as long as the block lasts, and what came to it."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

import bankhook.inbox
from bankhook.inbox import DeliveryState, InboxError
from bankhook.receiver import running
from receiver.asked import CREATED


def test_what_is_posted_in_the_block_is_collected() -> None:
    with running() as r:
        assert httpx.post(r.url, content=CREATED).status_code == 204
        assert httpx.post(r.url, content=b"{").status_code == 204
        first, second = r.wait(2)
        assert (first.body, first.state, second.state) == (CREATED, DeliveryState.PENDING, DeliveryState.QUARANTINED)
        assert repr(r) == f"<bankhook.receiver.Running at {r.url}: 2 deliveries>"
    assert len(r) == 2
    with pytest.raises(httpx.ConnectError):
        httpx.post(r.url, content=CREATED)


def test_it_shows_what_came_without_a_script_and_without_values() -> None:
    with running() as r:
        httpx.post(r.url, content=CREATED.replace(b'"amount":', b'"amount":"<script>alert(1)</script>","a":'))
        httpx.post(r.url, content=b'{"event":"<img src=x onerror=alert(1)>"}')
        r.wait(2)
        shown = r._repr_html_()
    assert "2 deliveries" in shown
    assert "<script" not in shown
    assert "<img" not in shown
    assert "expected number, found string" in shown


def test_waiting_for_what_does_not_come_is_an_error() -> None:
    with running() as r, pytest.raises(TimeoutError, match="expected 1 deliveries, found 0"):
        r.wait(timeout=0.01)


def test_an_inbox_of_ones_own_keeps_what_came(tmp_path: Path) -> None:
    with running(bankhook.inbox.open(tmp_path / "inbox.db")) as r:
        httpx.post(r.url, content=CREATED)
    with running(bankhook.inbox.open(tmp_path / "inbox.db")) as again:
        httpx.post(again.url, content=CREATED)
        assert len(again.wait(1)) == 1


def test_an_inbox_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InboxError, match="cannot be opened"), running(bankhook.inbox.open(tmp_path / "none" / "x.db")):
        pass
