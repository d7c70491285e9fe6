# SPDX-License-Identifier: MIT
"""`examples/outbox` on a real PostgreSQL, with a real mail server: each purchase is mailed once, whatever is killed or away."""

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

import psycopg
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

    def __init__(self, *, refused: str = "") -> None:
        self.taken: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self._refuses = refused

    async def handle_RCPT(self, server: SMTP, session: Session, envelope: Envelope, to: str, options: list[str]) -> str:
        if self._refuses and to.startswith(self._refuses):
            self.refused[to] += 1
            return "550 no such person"
        envelope.rcpt_tos.append(to)
        return "250 taken"

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
def started(program: str, settings: dict[str, str]) -> Generator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, OUTBOX / program], env=settings) as process:
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


def test_two_workers_and_two_mailers_mail_each_purchase_once(settings: dict[str, str]) -> None:
    alembic(settings, "upgrade", "head")
    mails, expected = Mails(), asyncio.run(fill(settings["INBOX"]))
    with mail_server(mails, settings), contextlib.ExitStack() as running:
        for program in ("handlers.py", "mailer.py") * 2:
            running.enter_context(started(program, settings))
        wait(mails, expected)
    assert set(mails.taken.values()) == {1}


def test_a_mailer_that_is_killed_repeats_one_mail_at_most_with_the_same_key(settings: dict[str, str]) -> None:
    alembic(settings, "upgrade", "head")
    mails, expected = Mails(), asyncio.run(fill(settings["INBOX"]))
    with started("handlers.py", settings), started("mailer.py", settings):  # the mail server is away at first
        time.sleep(2)
        with mail_server(mails, settings), started("mailer.py", settings) as killed:
            wait(mails, 5)
            killed.kill()
            wait(mails, expected)
    assert sum(mails.taken.values()) - expected in (0, 1)


def test_a_restart_of_the_database_ends_neither_handling_nor_mailing(server: PostgreSQL, settings: dict[str, str]) -> None:
    alembic(settings, "upgrade", "head")
    mails, expected = Mails(), asyncio.run(fill(settings["INBOX"]))
    with mail_server(mails, settings), started("handlers.py", settings), started("mailer.py", settings) as mailer:
        wait(mails, 5)
        server.kill()
        time.sleep(2)
        assert mailer.poll() is None
        server.start()
        wait(mails, expected)
    assert sum(mails.taken.values()) - expected in (0, 1)  # that which was under way


def test_a_mail_that_is_refused_is_set_aside_and_holds_up_no_other(settings: dict[str, str]) -> None:
    alembic(settings, "upgrade", "head")
    mails, expected = Mails(refused="customer-000001@"), asyncio.run(fill(settings["INBOX"]))
    with mail_server(mails, settings), started("handlers.py", settings), started("mailer.py", settings):
        wait(mails, expected - 1)
        time.sleep(2)  # the mailer looks again
    assert mails.refused == {"customer-000001@example.org": 1}
    assert set(mails.taken.values()) == {1}
    with psycopg.connect(settings["INBOX"]) as connection:
        asked = "select member, refused, due > now() from outbox where sent is null"
        assert connection.execute(asked).fetchall() == [("customer-000001", 1, True)]
