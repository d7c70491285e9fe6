# SPDX-License-Identifier: MIT
"""`examples/outbox` on a real PostgreSQL, with a real mail server: two workers mail each purchase once, also if one is killed."""

from __future__ import annotations

import asyncio
import contextlib
import email
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

import bankhook
import bankhook.inbox
from inbox.postgresql import PostgreSQL
from receiver.listening import free_port

OUTBOX = Path(__file__).parents[2] / "examples" / "outbox"
MEMBERS = 40

pytestmark = pytest.mark.slow


class Mails:
    """What a mail server has taken, by the Message-ID."""

    def __init__(self) -> None:
        self.taken: Counter[str] = Counter()

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        assert isinstance(envelope.content, bytes)
        await asyncio.sleep(0.01)  # as if it stored it: so mails are under way when a worker is killed
        self.taken[str(email.message_from_bytes(envelope.content)["Message-ID"]).strip()] += 1
        return "250 taken"


@pytest.fixture(scope="module")
def server() -> Generator[PostgreSQL]:
    with PostgreSQL() as running:
        yield running


@pytest.fixture
def settings(server: PostgreSQL) -> dict[str, str]:
    mail = {"MAIL_FROM": "bank@example.org", "MAIL_DOMAIN": "example.org", "MAIL_SERVER": "127.0.0.1"}
    return {**os.environ, **mail, "INBOX": server.url(), "MAIL_PORT": str(free_port())}


def alembic(settings: dict[str, str], *arguments: str) -> None:
    command: list[str | Path] = [sys.executable, "-m", "alembic", "--config", OUTBOX / "alembic.ini", *arguments]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


async def fill(url: str) -> int:
    """Append a validated purchase of each member, twice, and return how many there are."""
    sandbox = bankhook.Sandbox(seed=6, members=MEMBERS)
    bodies: list[bytes] = []
    for number in range(MEMBERS):
        created = sandbox.send_initial_transaction(sandbox.member(number))
        bodies += [created.raw, *[sandbox.validate(created.initial_transaction.id).raw] * 2]
    async with bankhook.inbox.open(url) as inbox:
        await inbox.append([bankhook.inbox.examine(body) for body in bodies])
    return MEMBERS


@contextlib.contextmanager
def worker(settings: dict[str, str]) -> Generator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, OUTBOX / "mailer.py"], env=settings) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) in (0, -signal.SIGKILL)


@contextlib.contextmanager
def mail_server(mails: Mails, settings: dict[str, str]) -> Generator[None]:
    controller = Controller(mails, hostname="127.0.0.1", port=int(settings["MAIL_PORT"]))
    controller.start()
    try:
        yield
    finally:
        controller.stop()


def wait(mails: Mails, count: int) -> None:
    end = time.monotonic() + 60
    while len(mails.taken) < count:
        assert time.monotonic() < end, mails.taken
        time.sleep(0.02)


def test_migrations_make_the_table_and_leave_those_of_the_inbox_alone(settings: dict[str, str]) -> None:
    asyncio.run(fill(settings["INBOX"]))
    alembic(settings, "upgrade", "head")
    alembic(settings, "check")  # nothing else is to be made or dropped
    alembic(settings, "downgrade", "base")
    assert asyncio.run(count_deliveries(settings["INBOX"])) == 3 * MEMBERS


async def count_deliveries(url: str) -> int:
    async with bankhook.inbox.open(url) as inbox:
        return sum((await inbox.counts()).values())


def test_two_workers_mail_each_purchase_once(settings: dict[str, str]) -> None:
    alembic(settings, "upgrade", "head")
    mails, expected = Mails(), asyncio.run(fill(settings["INBOX"]))
    with mail_server(mails, settings), worker(settings), worker(settings):
        wait(mails, expected)
    assert set(mails.taken.values()) == {1}


def test_a_worker_that_is_killed_repeats_one_mail_at_most_with_the_same_key(settings: dict[str, str]) -> None:
    alembic(settings, "upgrade", "head")
    mails, expected = Mails(), asyncio.run(fill(settings["INBOX"]))
    with worker(settings):  # the mail server is away at first
        time.sleep(2)
        with mail_server(mails, settings), worker(settings) as killed:
            wait(mails, 5)
            killed.kill()
            wait(mails, expected)
    assert sum(mails.taken.values()) - expected in (0, 1)
