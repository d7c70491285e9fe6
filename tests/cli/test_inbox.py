# SPDX-License-Identifier: MIT
"""`bankhook inbox` lists what is stored and what needs a person, for people and for programs, and can mend it."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import sqlite3
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import examine
from cli.command import objects, run, shaped

SANDBOX = bankhook.Sandbox(seed=1, members=1)
CREATED = SANDBOX.send_initial_transaction(SANDBOX.member(0))
LATE = SANDBOX.validate(SANDBOX.send_initial_transaction(SANDBOX.member(0)).initial_transaction.id)
MEMBER = CREATED.customer.id


def refuse(event: bankhook.AnyEvent) -> None:
    raise RuntimeError("a secret of the handler\nTraceback (most recent call last):\nSecretName: \x1b[31m")


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
    assert [(one["number"], one["state"]) for one in shaped("deliveries", objects(done))] == [
        (4, "parked"),
        (3, "quarantined"),
        (2, "handled"),
        (1, "handled"),
    ]
    (parked,) = objects(run("inbox", "deliveries", "--json", "--state", "parked", inbox))
    assert (parked["error"], "traceback" in parked) == ("RuntimeError", False)
    (shown,) = objects(run("inbox", "deliveries", "--json", "--state", "parked", "--show-values", inbox))
    shaped("deliveries", [shown])
    assert "a secret of the handler" in shown["traceback"]
    assert [one["number"] for one in objects(run("inbox", "deliveries", "--json", "--member", MEMBER, inbox))] == [2, 1]
    assert run("inbox", "deliveries", "--limit", "2", inbox).out.count("number=") == 2


def test_deliveries_are_shown_by_their_numbers(inbox: str) -> None:
    done = run("inbox", "deliveries", "--json", inbox, "4", "77", "1", "4")
    assert (done.status, done.err) == (1, "bankhook: delivery 77 is not in the inbox\n")
    assert [one["number"] for one in shaped("deliveries", objects(done))] == [4, 1]
    out = run("inbox", "deliveries", inbox, "4").out
    assert (out.count("\n"), "ecret" in out) == (1, False)
    assert "RuntimeError: a secret of the handler" in run("inbox", "deliveries", "--show-values", inbox, "4").out
    assert run("inbox", "deliveries", "--state", "parked", inbox, "4").status == 2


def test_a_list_that_ends_at_its_limit_says_that_there_are_more(inbox: str) -> None:
    limited = ["inbox", "deliveries", "--limit", "1", inbox]
    more = "bankhook: the newest 1; --limit N shows more\n"
    done = run(*limited, "--json")
    assert (len(objects(done)), done.err) == (1, more)
    for conditions in ([], ["--state", "handled", "--state", "parked"], ["--member", MEMBER]):
        assert run(*limited, *conditions).err == more
    assert run(*limited, "--state", "parked").err == ""


def test_what_is_wrong_with_a_quarantined_delivery_is_shown_with_its_place(tmp_path: Path) -> None:
    body = b'{"event":"initial_transaction_update","eventType":"created","customer":{"id":17,"externalId":"secret"}}'

    async def fill() -> None:
        async with bankhook.inbox.open(tmp_path / "inbox.db") as made:
            await made.append([examine(body)])

    asyncio.run(fill())
    head, *lines = run("inbox", "deliveries", str(tmp_path / "inbox.db"), "1").out.splitlines()
    assert "state=quarantined" in head
    assert "    $.customer.id: expected string, found number" in lines
    excerpt = next(at for at, line in enumerate(lines) if " | " in line)
    caret = lines[excerpt + 1].index("^")
    assert lines[excerpt][caret : caret + 2] == "··"
    assert lines[excerpt][caret - 5 : caret] == '"id":'
    assert "secret" not in "".join(lines)


def test_ids_that_are_left_out_are_counted(tmp_path: Path) -> None:
    async def fill() -> None:
        async with bankhook.inbox.open(tmp_path / "inbox.db") as made:
            await made.append([examine(b"{")] * 7)

    asyncio.run(fill())
    (letters,) = run("inbox", "dead-letters", str(tmp_path / "inbox.db")).out.splitlines()
    assert letters.endswith("  count=7  numbers=7,6,5,4,3 and 2 more")


def test_why_a_delivery_was_parked_is_shown_as_a_class_and_with_values_as_a_traceback(inbox: str) -> None:
    out = run("inbox", "deliveries", "--state", "parked", inbox).out
    assert out.endswith("attempts=1  error=RuntimeError\n")
    assert "ecret" not in out
    lines = run("inbox", "deliveries", "--state", "parked", "--show-values", inbox).out.splitlines()
    assert "  error=RuntimeError  body=" in lines[0]
    assert lines[1] == "    Traceback (most recent call last):"
    assert lines[-3:] == [
        "    RuntimeError: a secret of the handler",
        "    Traceback (most recent call last):",
        "    SecretName: \N{REPLACEMENT CHARACTER}[31m",
    ]


def test_no_character_of_a_payload_reaches_the_terminal(inbox: str) -> None:
    shown = run("inbox", "deliveries", "--show-values", inbox).out
    assert "body={\N{REPLACEMENT CHARACTER}[31m" in shown
    assert "\x1b" not in shown


def test_what_needs_a_person_gives_exit_status_1_until_it_is_done(inbox: str) -> None:
    letters = run("inbox", "dead-letters", inbox)
    parked = "1 parked, whose handlers kept failing: bankhook inbox deliveries --state parked URL"
    rule = examine(b"{").findings[0].rule
    assert letters == (1, f"rule={rule}  count=1  numbers=3\n", f"bankhook: {parked}\n")
    assert run("inbox", "dead-letters", "--json", inbox).err == f"bankhook: {parked}\n"
    cases = run("inbox", "cases", "--json", inbox)
    (case,) = shaped("cases", objects(cases))
    shaped("dead-letters", objects(run("inbox", "dead-letters", "--json", inbox)))
    assert (cases.status, case["kind"], case["member"]) == (1, "first_event_missing", MEMBER)
    overdue = run("inbox", "overdue", "--json", inbox)
    listed = shaped("overdue", objects(overdue))
    assert (overdue.status, [one["key"] for one in listed]) == (1, [CREATED.initial_transaction.id])
    assert run("inbox", "overdue", "--days", "6", inbox) == (0, "no overdue transactions\n", "")

    number = str(case["case"])
    assert run("inbox", "cases", inbox).out.startswith(f"case={number}  kind=first_event_missing  delivery=2  ")
    done = run("inbox", "settle", inbox, number, number, "77")
    assert done == (1, "settled=1\n", "bankhook: there is no open case with the number 77\n")
    assert run("inbox", "settle", inbox, number) == (
        1,
        "settled=0\n",
        f"bankhook: there is no open case with the number {number}\n",
    )
    assert run("inbox", "cases", inbox) == (0, "no open cases\n", "")
    shaped("done", objects(run("inbox", "settle", "--json", inbox, number)))
    shaped("done", objects(run("inbox", "settle", "--json", inbox, number)))


def test_a_case_of_a_broken_rule_names_it_as_a_rule(tmp_path: Path) -> None:
    broken = CREATED.raw.replace(b'"status":"created"', b'"status":"validated"')

    async def fill() -> None:
        async with bankhook.inbox.open(tmp_path / "inbox.db") as made:
            await made.append([examine(broken)])
            await made.drain(bankhook.Handlers())

    asyncio.run(fill())
    inbox = str(tmp_path / "inbox.db")
    assert "  kind=findings_stated  rule=status_equals_event_type  " in run("inbox", "cases", inbox).out
    (case,) = shaped("cases", objects(run("inbox", "cases", "--kind", "findings_stated", "--json", inbox)))
    assert (case["field"], case["rule"]) == (None, "status_equals_event_type")


def test_deliveries_are_retried_by_number_or_by_what_they_are(inbox: str) -> None:
    done = run("inbox", "retry", "--state", "quarantined", inbox)
    assert done == (1, "retried=0\n", "bankhook: 1 delivery is still not an event\n")
    done = run("inbox", "retry", inbox, "1", "3", "4", "77")
    assert (done.status, done.out) == (1, "retried=1\n")
    assert done.err.splitlines() == [
        "bankhook: delivery 1 is handled, neither quarantined nor parked",
        f"bankhook: delivery 3 is still not an event: {examine(b'{').findings[0].rule}",
        "bankhook: delivery 77 is not in the inbox",
    ]
    done = run("inbox", "retry", "--state", "parked", inbox)
    assert done == (1, "retried=0\n", "bankhook: no deliveries to retry\n")


def test_deliveries_are_dismissed_by_number_or_by_what_they_are(inbox: str) -> None:
    assert run("inbox", "dismiss", inbox, "3") == (0, "dismissed=1\n", "")
    assert run("inbox", "dismiss", inbox, "3", "77") == (
        1,
        "dismissed=0\n",
        "bankhook: delivery 3 is dismissed, neither quarantined nor parked\nbankhook: delivery 77 is not in the inbox\n",
    )
    done = run("inbox", "dismiss", "--json", "--state", "parked", inbox)
    assert (done.status, shaped("done", objects(done))) == (0, [{"dismissed": 1}])
    assert run("inbox", "dead-letters", inbox) == (0, "no quarantined deliveries\n", "")
    assert run("inbox", "dismiss", "--state", "parked", inbox).err == "bankhook: no deliveries to dismiss\n"
    assert run("inbox", "dismiss", inbox).status == 2


def test_a_member_is_forgotten_and_old_deliveries_are_purged(inbox: str) -> None:
    done = run("inbox", "purge", "--days", "0", "--json", inbox)
    assert (done.status, shaped("done", objects(done))) == (0, [{"purged": 1}])
    done = run("inbox", "forget", "--json", inbox, MEMBER)
    (forgotten,) = shaped("done", objects(done))
    assert (done.status, forgotten["forgotten"] > 0) == (0, True)
    assert MEMBER not in run("inbox", "deliveries", inbox).out
    done = run("inbox", "forget", inbox, MEMBER)
    which = "MEMBER is the customer.id of an event, --external-id its externalId"
    assert done == (1, "forgotten=0\n", f"bankhook: no delivery is of this member; {which}\n")
    assert run("inbox", "purge", inbox).status == 2


def test_a_member_is_found_and_forgotten_by_the_id_of_other_systems(inbox: str) -> None:
    external = "--external-id", CREATED.customer.external_id
    listed = objects(run("inbox", "deliveries", "--json", *external, inbox))
    assert [one["number"] for one in listed] == [2, 1]
    assert [one["number"] for one in objects(run("inbox", "deliveries", "--json", *external, "--limit", "1", inbox))] == [2]
    assert run("inbox", "deliveries", "--external-id", "x", inbox).out == "no deliveries match\n"
    assert run("inbox", "forget", *external, inbox, MEMBER).status == run("inbox", "forget", inbox).status == 2
    done = run("inbox", "forget", *external, inbox)
    assert (done.status, done.out) == (0, "forgotten=2\n")
    assert objects(run("inbox", "deliveries", "--json", *external, inbox)) == []


def test_all_deliveries_in_a_state_are_retried_at_once(inbox: str) -> None:
    done = run("inbox", "retry", "--json", "--state", "parked", inbox)
    assert (done.status, shaped("done", objects(done)), done.err) == (0, [{"retried": 1}], "")
    assert run("inbox", "retry", inbox).status == 2
    assert run("inbox", "retry", "--state", "parked", inbox, "4").status == 2


def test_a_rule_of_another_version_can_be_asked_for_and_is_named_as_unknown(inbox: str) -> None:
    with contextlib.closing(sqlite3.connect(inbox)) as database, database:
        (findings,) = database.execute("select findings from bankhook_deliveries where number = 3").fetchone()
        newer = findings.replace(examine(b"{").findings[0].rule, "rule_of_tomorrow")
        change = "update bankhook_deliveries set rule = ?, findings = ? where number = 3"
        database.execute(change, ("rule_of_tomorrow", newer))
    hint = "bankhook: rule_of_tomorrow is not a rule of this version\n"
    done = run("inbox", "deliveries", "--json", "--rule", "rule_of_tomorrow", inbox)
    assert [(one["number"], one["rule"]) for one in objects(done)] == [(3, "rule_of_tomorrow")]
    assert (done.status, done.err) == (0, hint)
    assert run("inbox", "retry", "--rule", "rule_of_tomorrow", inbox).err.startswith(hint)
    mistyped = run("inbox", "deliveries", "--rule", "text_is_utf", inbox)
    hint = "bankhook: text_is_utf is not a rule of this version; did you mean 'text_is_utf8'?\n"
    assert mistyped == (0, "no deliveries match\n", hint)
    assert run("replay", inbox, "http://127.0.0.1:9/", "--rule", "text_is_utf") == (0, "nothing was sent\n", hint)
    assert run("inbox", "deliveries", "--rule", "no rule", inbox).status == 2


def test_an_inbox_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    for url in (str(tmp_path / "typo.db"), f"sqlite:///{tmp_path}/typo.db"):
        done = run("inbox", "cases", url)
        assert (done.status, "there is no such file" in done.err) == (2, True)
        assert list(tmp_path.iterdir()) == []
    assert run("inbox", "cases", "mysql://localhost/x").status == 2
    assert "refused" in run("inbox", "cases", "postgresql://test@127.0.0.1:1/test").err


@pytest.mark.parametrize("command", ["deliveries", "cases", "dead-letters", "overdue", "retry", "settle", "replay"])
def test_the_database_of_another_application_is_not_changed(command: str, tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with contextlib.closing(sqlite3.connect(path)) as shop:
        shop.execute("create table orders (number integer)")
    before = path.read_bytes()
    arguments = {"retry": ["1"], "settle": ["1"], "replay": ["http://127.0.0.1:9/"]}.get(command, [])
    done = run(*(["replay"] if command == "replay" else ["inbox", command]), str(path), *arguments)
    assert (done.status, "the database has no inbox" in done.err) == (2, True)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"shop.db": before}


def test_an_empty_list_says_so(tmp_path: Path) -> None:
    async def fill(*bodies: bytes) -> None:
        async with bankhook.inbox.open(tmp_path / "inbox.db") as made:
            await made.append([examine(body) for body in bodies])

    inbox = str(tmp_path / "inbox.db")
    asyncio.run(fill())
    assert run("inbox", "deliveries", inbox).out == "no deliveries\n"
    assert run("inbox", "deliveries", "--state", "parked", inbox).out == "no deliveries match\n"
    assert run("inbox", "dead-letters", inbox).out == "no quarantined deliveries\n"
    assert run("inbox", "cases", inbox).out == "no open cases\n"
    asyncio.run(fill(CREATED.raw))
    for command in ("cases", "overdue"):
        unknown = (0, "", "bankhook: nothing has been handled yet (1 pending), which is what finds them\n")
        assert run("inbox", command, inbox) == run("inbox", command, "--json", inbox) == unknown


@pytest.mark.parametrize(
    "arguments",
    [
        ["inbox", "overdue", "--days", "nan", "INBOX"],
        ["inbox", "overdue", "--days", "1e300", "INBOX"],
        ["inbox", "retry", "INBOX", str(10**30)],
        ["inbox", "settle", "INBOX", str(2**63)],
        ["inbox", "deliveries", "--limit", str(10**30), "INBOX"],
        ["send", "--timeout", "nan", "http://127.0.0.1:9/"],
        ["simulate", "-n", str(10**30)],
    ],
)
def test_what_is_not_a_number_or_is_far_too_large_is_wrong_usage(arguments: list[str], inbox: str) -> None:
    done = run(*(inbox if one == "INBOX" else one for one in arguments))
    assert (done.status, done.out) == (2, "")
    assert "Error: Invalid value" in done.err
