# SPDX-License-Identifier: MIT
"""`bankhook inbox` lists what is stored and what needs a person, for people and for programs, and can mend it."""

from __future__ import annotations

import asyncio
import datetime
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import examine
from cli.command import objects, run

SANDBOX = bankhook.Sandbox(seed=1, members=1)
CREATED = SANDBOX.send_initial_transaction(SANDBOX.member(0))
LATE = SANDBOX.validate(SANDBOX.send_initial_transaction(SANDBOX.member(0)).initial_transaction.id)
MEMBER = CREATED.customer.id


def refuse(event: bankhook.AnyEvent) -> None:
    raise RuntimeError("a secret of the handler")


@pytest.fixture
def inbox(tmp_path: Path) -> str:
    """Two handled deliveries, a quarantined one, a parked one, a case, and an open transaction."""

    async def fill() -> None:
        handlers = bankhook.Handlers()
        handlers.on(bankhook.UnknownEvent)(refuse)
        old = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=5)
        async with bankhook.inbox.open(tmp_path / "inbox.db", attempts=1) as made:
            bodies = [CREATED.raw, LATE.raw, b"{\x1b[31m", b'{"event":"reward_update"}']
            await made.append([examine(body, received=old) for body in bodies])
            await made.drain(handlers)

    asyncio.run(fill())
    return str(tmp_path / "inbox.db")


def test_deliveries_are_listed_the_newest_first(inbox: str) -> None:
    done = run("inbox", "deliveries", "--json", inbox)
    assert done.status == 0
    assert [(one["number"], one["state"]) for one in objects(done)] == [
        (4, "parked"),
        (3, "quarantined"),
        (2, "handled"),
        (1, "handled"),
    ]
    (parked,) = objects(run("inbox", "deliveries", "--json", "--state", "parked", inbox))
    assert "error" not in parked
    (shown,) = objects(run("inbox", "deliveries", "--json", "--state", "parked", "--show-values", inbox))
    assert "a secret of the handler" in shown["error"]
    assert [one["number"] for one in objects(run("inbox", "deliveries", "--json", "--member", MEMBER, inbox))] == [2, 1]
    assert run("inbox", "deliveries", "--limit", "2", inbox).out.count("number=") == 2


def test_no_character_of_a_payload_reaches_the_terminal(inbox: str) -> None:
    shown = run("inbox", "deliveries", "--show-values", inbox).out
    assert "body={\N{REPLACEMENT CHARACTER}[31m" in shown
    assert "\x1b" not in shown


def test_what_needs_a_person_gives_exit_status_1_until_it_is_done(inbox: str) -> None:
    letters = run("inbox", "dead-letters", inbox)
    assert (letters.status, letters.out.split()) == (1, [f"rule={examine(b'{').findings[0].rule}", "count=1", "numbers=3"])
    cases = run("inbox", "cases", "--json", inbox)
    (case,) = objects(cases)
    assert (cases.status, case["kind"], case["member"]) == (1, "first_event_missing", MEMBER)
    overdue = run("inbox", "overdue", "--json", inbox)
    assert (overdue.status, [one["key"] for one in objects(overdue)]) == (1, [CREATED.initial_transaction.id])
    assert run("inbox", "overdue", "--days", "6", inbox).status == 0

    assert run("inbox", "settle", inbox, str(case["number"])).out == "settled=1\n"
    assert run("inbox", "cases", inbox).status == 0


def test_deliveries_are_retried_by_number_or_by_what_they_are(inbox: str) -> None:
    assert run("inbox", "retry", inbox, "3").out == "pending=0\n"
    assert objects(run("inbox", "retry", "--json", "--state", "parked", inbox)) == [{"pending": 1}]
    assert run("inbox", "retry", inbox).status == 2
    assert run("inbox", "retry", "--state", "parked", inbox, "4").status == 2


def test_an_inbox_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    done = run("inbox", "cases", str(tmp_path / "typo.db"))
    assert (done.status, "there is no such inbox" in done.err) == (2, True)
    assert list(tmp_path.iterdir()) == []
    assert run("inbox", "cases", "mysql://localhost/x").status == 2
    assert "refused" in run("inbox", "cases", "postgresql://test@127.0.0.1:1/test").err
