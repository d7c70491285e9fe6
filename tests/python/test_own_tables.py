# SPDX-License-Identifier: MIT
"""Tables of one's own: what the open questions offer them for, wherever events are applied; and an order that is trusted."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import bankhook
from bankhook import Handlers, JointAccounts, Tracker
from bankhook.types import Lifecycle, Outcome
from python.parsed import own_tables
from python.test_judgement import event_of, words_of

LIFECYCLES: dict[str, Lifecycle[Any, Any]] = {
    "connection": bankhook.connection_lifecycle,
    "transaction": bankhook.transaction_lifecycle,
}
CASES = own_tables()
cases = pytest.mark.parametrize("case", CASES, ids=[f"{at} {case['entry']}" for at, case in enumerate(CASES)])


def own(case: dict[str, str]) -> dict[str, Any]:
    """The options of a tracker with the table of a case."""
    table = LIFECYCLES[case["lifecycle"]]
    for change in case["changes"].split("; "):
        state, trigger, *rest = change.split()
        if state == "final":
            table = table.without_final(trigger)
            continue
        to, evidence, section = rest
        before, after = (None if word in ("start", "never") else word for word in (state, to))
        table = table.with_row(before, trigger, after, evidence=evidence, section=section)
    return {f"{case['lifecycle']}_lifecycle": table}


def events(case: dict[str, str]) -> list[Any]:
    made = [event_of(words) for words in case["events"].split("; ")]
    return [
        event.replace(initial_transaction=event.initial_transaction.replace(rejection_reason="purchaseNotFound"))
        if isinstance(event, bankhook.InitialTransactionUpdate) and event.event_type == "rejected"
        else event
        for event in made
    ]


def answer(outcome: Outcome, tracker: Tracker) -> str:
    states = [f"{one.connection.id} {one.state}" for one in tracker.connections()]
    states += [f"{one.initial_transaction.id} {one.state}" for one in tracker.transactions()]
    return f"{outcome.verdict}{'' if outcome.accepted else ' refused'}: {', '.join(states)}"


def applied(tracker: Tracker, case: dict[str, str]) -> str:
    *before, last = events(case)
    for event in before:
        assert tracker.peek(event) == tracker.apply(event)
    peeked, outcome = tracker.peek(last), tracker.apply(last)
    assert peeked == outcome
    return answer(outcome, tracker)


def read(tracker: Tracker, case: dict[str, str], folder: Path) -> str:
    archive = folder / "events.ndjson"
    archive.write_bytes(b"".join(event.to_json() + b"\n" for event in events(case)))
    *_, last = tracker.apply_lines(archive, report="specified").outcomes
    return answer(last.outcome, tracker)


@cases
def test_a_table_of_ones_own_does_what_it_is_offered_for(case: dict[str, str]) -> None:
    assert applied(Tracker(), case) == case["built-in"]
    assert applied(Tracker(**own(case)), case) == case["own"]


@cases
def test_it_is_followed_in_archives_copies_and_restored_snapshots(case: dict[str, str], tmp_path: Path) -> None:
    assert read(Tracker(**own(case)), case, tmp_path) == case["own"]
    for made in (copy.copy(Tracker(**own(case))), pickle.loads(pickle.dumps(Tracker(**own(case))))):
        assert applied(made, case) == case["own"]
    tracker = Tracker(**own(case))
    *before, last = events(case)
    for event in before:
        tracker.apply(event)
    restored = Tracker.restore(tracker.snapshot(), **own(case))
    assert answer(restored.apply(last), restored) == case["own"]


@cases
def test_handlers_get_the_outcome_that_it_leads_to(case: dict[str, str]) -> None:
    tracker = Tracker(**own(case))
    handlers, found = Handlers(tracker), list[Outcome]()

    @handlers.fallback
    def see(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
        found.append(context.outcome)

    for event in events(case):
        handlers.handle(event.to_json())
    assert answer(found[-1], tracker) == case["own"]


@pytest.mark.parametrize("take", [tuple, list])
def test_what_it_keeps_is_there_for_joint_accounts_and_tables(take: Callable[[Iterable[Any]], Any]) -> None:
    kept = bankhook.connection_lifecycle.with_row("created", "not_listed", "created")
    story = [event_of(words) for words in ("create k1a: k1a", "create k2: k1a k2", "update k2b: k2b")]
    counts = {}
    for lifecycle in (bankhook.connection_lifecycle, kept):
        tracker = Tracker(connection_lifecycle=lifecycle)
        for event in take(story):
            tracker.apply(event)
        rows = [("k1-a", 4), ("k2-a", 4)]
        table = bankhook.tables(tracker).connections.to_arrow()
        counts[lifecycle] = (
            len(JointAccounts(tracker).deduplicate(rows, bank_account_id=0, key=1)),
            table.column("state").to_pylist().count("unlisted"),
        )
    assert [*counts.values()] == [(2, 1), (1, 0)]


def test_what_lists_alone_have_named_is_moved_by_the_row_that_is_the_reason() -> None:
    never = bankhook.connection_lifecycle.with_row("unlisted", "listed", None)
    tracker = Tracker(connection_lifecycle=never)
    for words in ("create k1: k1 k2", "update k1a: k1a"):
        tracker.apply(event_of(words))
    outcome = tracker.apply(event_of("update k1b: k1b k2"))
    assert outcome.reason is never.step("unlisted", "listed").transition
    assert answer(outcome, tracker) == "unspecified: k1 updated, k2 unlisted"
    named = bankhook.connection_lifecycle.with_row("listed", "listed", "created")
    tracker = Tracker(connection_lifecycle=named)
    for words in ("create k1: k1 k2", "update k1a: k1a k2"):
        tracker.apply(event_of(words))
    assert words_of(tracker.apply(event_of("update k2a: k1a k2a"))) == "specified: created update updated"


def test_with_a_trusted_order_nothing_is_late_and_what_is_sent_again_at_once_is_a_repeat() -> None:
    *story, last = ["create k1a: k1a", "update k1b: k1b", "update k1c: k1c", "update k1b: k1b"]
    unknown, trusted = Tracker(), Tracker(order="trusted")
    assert (unknown.order, trusted.order) == ("unknown", "trusted")
    for words in story:
        assert unknown.apply(event_of(words)) == trusted.apply(event_of(words))
    assert words_of(unknown.apply(event_of(last))) == "unspecified seen: event_is_not_repeated"
    assert words_of(trusted.apply(event_of(last))) == "assumed seen: other_changes_come_as_update"
    assert words_of(trusted.apply(event_of(last))) == "unspecified repeat seen: event_is_not_repeated"


def test_a_trusted_order_stays_with_snapshots_pickles_and_members() -> None:
    trusted = Tracker(order="trusted")
    for made in (Tracker.restore(trusted.snapshot()), pickle.loads(pickle.dumps(trusted)), copy.copy(trusted)):
        assert made.order == "trusted"
        assert made == trusted != Tracker()
    state = bankhook._core._MemberState(Tracker())
    assert state.take_options(trusted)
    assert not state.take_options(trusted)
    with pytest.raises(ValueError, match="order: expected unknown or trusted"):
        Tracker(order="late")
