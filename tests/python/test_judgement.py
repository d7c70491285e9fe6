# SPDX-License-Identifier: MIT
"""How streams are judged, sentence by sentence: verdict, flags and reason of the last of some events, written as words."""

from __future__ import annotations

import re
from typing import Any

import pytest

import bankhook
from bankhook import Account, Handlers, InitialTransaction, Tracker
from bankhook.types import Outcome
from python.parsed import connections_update, transaction_update

ACCOUNTS = {"": "", "a": "a", "b": "ab", "c": "ba", "e": "", "f": "aa"}
"""The accounts of a connection by the letter after its number; `e` is in error."""


def connection(word: str) -> bankhook.Connection:
    """`k1b` is connection k1 with accounts a and b."""
    found = re.fullmatch(r"(k\d)(.?)", word)
    assert found is not None
    id_, letter = found.groups()
    return connections_update("connection_created").connection.replace(
        id=id_,
        error_code="1010" if letter == "e" else None,
        error_message="No access." if letter == "e" else None,
        accounts=[Account(id=f"{id_}-{one}", account_hash=one) for one in ACCOUNTS[letter]],
    )


def event_of(words: str, **customer: Any) -> bankhook.BankConnectionsUpdateV2 | bankhook.InitialTransactionUpdate:
    """`update k1a: k1a k2` lists k1 and k2 with an update of k1; `created t1` is the first event of a purchase."""
    kind, own, *listed = words.replace(":", "").split()
    if own.startswith("t"):
        status, _, type_ = kind.rpartition("/")
        sample = transaction_update()
        purchase: InitialTransaction = sample.initial_transaction.replace(id=own, status=status or type_)
        member = sample.customer.replace(**customer)
        return sample.replace(event_type=type_, initial_transaction=purchase, customer=member)
    known = connections_update("connection_created")
    connections = [connection(one) for one in listed]
    counted = known.customer.replace(connections=connections, connections_on=len(listed), **customer)
    return known.replace(event_type=kind, connection=connection(own), customer=counted)


def last_of(events: list[str], **customer: Any) -> Outcome:
    """The outcome of the last event; its customer has these fields."""
    tracker = Tracker()
    for words in events[:-1]:
        tracker.apply(event_of(words))
    return tracker.apply(event_of(events[-1], **customer))


def words_of(outcome: Outcome) -> str:
    """Verdict, flags and reason: `unspecified repeat seen: event_is_not_repeated`."""
    reason = outcome.reason
    assert reason is not None
    flags = ("refused", not outcome.accepted), ("repeat", outcome.repeat), ("seen", outcome.seen_before)
    row = reason.id if isinstance(reason, bankhook.types.Rule) else f"{reason.from_} {reason.trigger} {reason.to}"
    return " ".join([str(outcome.verdict), *(flag for flag, is_set in flags if is_set)]) + f": {row}"


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        # a stated row, and everything that the event changes rests on it
        (["create k1: k1"], "specified: None create created"),
        (["create k1: k1", "update k1a: k1a"], "specified: created update updated"),
        (["created t1"], "specified: None submitted created"),
        # a list that names a connection for the first time, and its create afterwards
        (["create k1: k1", "update k1a: k1a k2"], "specified: created update updated"),
        (["create k1: k1 k2", "create k2: k1 k2"], "specified: listed create created"),
        (["create k1: k1 k2a", "create k2e: k1 k2e"], "unspecified: create_differs_from_list"),
        # the ordinary way of a transaction rests on an assumed row
        (["created t1", "validated t1"], "assumed: created store_set_up validated"),
        # nothing is known
        (["paused k1: k1"], "unspecified: values_are_listed"),
        (["paused k1: k1", "update k1a: k1a"], "unspecified: listed update updated"),
        (["create k1: k1", "paused k1: k1", "update k1a: k1a"], "unspecified: values_follow_listed_ones"),
        (["created t1", "released t1", "validated t1"], "unspecified: values_follow_listed_ones"),
        (["create k1: k1", "create k1: k1"], "unspecified repeat seen: event_is_not_repeated"),
        (["update k1: k1", "create k1: k1"], "unspecified refused: updated create None"),
        (["validated t1", "created t1"], "unspecified refused: validated submitted None"),
        (["rejected t1", "validated t1"], "unspecified: rejected store_set_up validated"),
        # whatever takes away or changes what is tracked of another connection
        (["create k1: k1", "create k2: k1 k2", "update k2a: k2a"], "unspecified: unlisted_connection_is_gone"),
        (["create k1: k1", "create k2: k1e k2"], "unspecified: changes_have_their_own_event"),
        (
            ["create k1: k1", "create k2: k1 k2", "delete k1: k2", "update k2a: k1 k2a"],
            "unspecified: deleted listed None",
        ),
        # the same event with other changes than those of rule 2
        (["create k1a: k1a", "update k1e: k1e"], "unspecified: accounts_stay"),
        (["create k1b: k1b", "update k1c: k1c"], "assumed: other_changes_come_as_update"),
        (["create k1: k1", "update k1e: k1e"], "assumed: other_changes_come_as_update"),
        (["create k1a: k1a", "update k1f: k1f"], "assumed: other_changes_come_as_update"),
        (["create k1f: k1f", "update k1b: k1b"], "assumed: other_changes_come_as_update"),
        # seen before, and it would change something
        (
            ["create k1: k1", "update k1e: k1e", "update k1: k1", "update k1e: k1e"],
            "unspecified seen: event_is_not_repeated",
        ),
        # against a stated rule
        (["rejected/validated t1"], "contradicts refused: status_equals_event_type"),
    ],
)
def test_the_last_event_is_judged_so(events: list[str], expected: str) -> None:
    assert words_of(last_of(events)) == expected


def test_seen_before_includes_the_customer() -> None:
    assert last_of(["created t1", "created t1"]).seen_before
    assert words_of(last_of(["created t1", "created t1"], external_id="x")) == "unspecified repeat: event_is_not_repeated"


def test_an_id_of_another_member_names_another_thing() -> None:
    outcome = last_of(["created t1", "created t1"], id="member-9")
    assert words_of(outcome) == "specified: None submitted created"


def test_a_member_that_changes_with_an_event_makes_it_assumed() -> None:
    assert words_of(last_of(["create k1: k1", "update k1a: k1a"], external_id="x")) == "assumed: members_change"
    assert words_of(last_of(["create k1: k1", "created t1"], external_id="x")) == "assumed: members_change"


@pytest.mark.parametrize(("listed", "taken"), [("k2", False), ("k1 k2 k3 k4", True)])
def test_the_list_of_a_late_create_counts_only_if_it_lacks_nothing(listed: str, taken: bool) -> None:
    tracker = Tracker()
    for words in ("create k1: k1 k2 k3", f"create k2: {listed}"):
        tracker.apply(event_of(words))
    held = {one.connection.id: str(one.state) for one in tracker.connections()}
    assert held == {"k1": "created", "k2": "created", "k3": "listed", **({"k4": "listed"} if taken else {})}
    (member,) = tracker.members()
    assert member.membership is not None
    assert member.membership.connections_on == (4 if taken else 3)


def test_what_contradicts_itself_reaches_the_handler_of_the_event_and_none_of_what_became() -> None:
    handlers, called = Handlers(), list[str]()

    @handlers.on(bankhook.InitialTransactionUpdate)
    def on(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
        called.append(f"on, accepted {context.outcome.accepted}")

    for name in ("on_validated", "on_rejected"):
        getattr(handlers, name)(name=name)(lambda event, name=name: called.append(name))

    handlers.handle(event_of("rejected/validated t1"))
    handlers.handle(event_of("validated/rejected t1"))
    assert called == 2 * ["on, accepted False"]
    handlers.handle(event_of("validated t1"))
    assert sorted(called[2:]) == ["on, accepted True", "on_validated"]
