# SPDX-License-Identifier: MIT
"""Outcomes, trackers, joint accounts and lifecycles show themselves; without the libraries that draw, as tables."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest

import bankhook
from bankhook import (
    Account,
    InitialTransactionUpdate,
    JointAccounts,
    Sandbox,
    Tracker,
    connection_lifecycle,
    transaction_lifecycle,
)
from bankhook.types import Lifecycle
from installed import need_programs
from python.parsed import connections_update, payload, transaction_update
from python.shown import Shown, printed

LIFECYCLES: list[Lifecycle[Any, Any]] = [transaction_lifecycle, connection_lifecycle]
SVG = "{http://www.w3.org/2000/svg}"
lifecycles = pytest.mark.parametrize("lifecycle", LIFECYCLES, ids=repr)


def story() -> tuple[InitialTransactionUpdate, InitialTransactionUpdate]:
    """A purchase and its rejection."""
    sandbox = Sandbox(seed=7, members=1)
    purchase = sandbox.send_initial_transaction(sandbox.member(0))
    rejected = sandbox.reject(purchase.initial_transaction, "purchaseNotFound")
    return purchase, rejected


def test_an_outcome_shows_what_it_rests_on_and_what_changes() -> None:
    """Spec 3.1."""
    tracker = Tracker()
    purchase, rejected = story()
    tracker.apply(purchase)
    shown = Shown(tracker.apply(rejected))
    assert shown.of("assumed") == ["assumed", "assumed"]
    assert "created → rejected by store_not_set_up. Section 3.1, assumed" in shown.text
    assert '"created""rejected"' in "".join(shown.of("tr"))
    assert Shown(tracker.apply(rejected)).of("pill")[:2] == ["unspecified", "repeat"]


def test_an_outcome_that_is_ignored_says_why_in_a_sentence() -> None:
    """Spec 3.1."""
    tracker = Tracker()
    purchase, rejected = story()
    tracker.apply(purchase)
    tracker.apply(rejected)
    shown = Shown(tracker.apply(purchase))
    assert shown.of("unspecified") == ["unspecified"]
    assert "ignored" in shown.of("bad")
    assert shown.of("basis") == ["submitted changes nothing after rejected. The event was ignored. Section 3.1, assumed"]


def test_every_outcome_gives_its_reason_in_a_sentence() -> None:
    sandbox, tracker = Sandbox(seed=3, members=5, faults=0.05), Tracker()
    reasons = set[str]()
    for delivery in sandbox.deliveries(600):
        if bankhook.is_clean(delivery.payload):
            outcome = tracker.apply(bankhook.parse(delivery.payload))
            (reason,) = Shown(outcome).of("basis")
            assert re.fullmatch(r"\w.*\. Section [\d.]+, (stated|example|assumed)", reason), reason
            assert ("ignored" in reason) == (not outcome.accepted)
            reasons.add(reason)
    assert "repeat: contains nothing new (the specification does not describe retries)." in "".join(reasons)
    assert "start → created by submitted. Section 3.1, stated" in reasons
    assert len(reasons) > 10


def test_changes_and_findings_of_an_outcome_are_bounded_and_harmless() -> None:
    update = connections_update()
    accounts = [Account(id=f"<b>{number}", account_hash=None) for number in range(5_000)]
    outcome = Tracker().apply(update.replace(connection=update.connection.replace(accounts=accounts, error_code="<i>")))
    shown = Shown(outcome)
    assert len(printed(outcome)) < 5_000
    assert len(shown.html) < 60_000
    assert "more changes" in shown.text
    assert "<b>0" in shown.text
    assert Shown(outcome.changes[0]).of("table")


def test_a_tracker_shows_counts_and_its_first_members() -> None:
    tracker = Tracker()
    for delivery in Sandbox(seed=3, members=30).deliveries(600):
        tracker.apply(bankhook.parse(delivery.payload))
    connections, transactions = tracker._counts()
    assert transactions == Counter(held.initial_transaction.status for held in tracker.transactions())
    assert connections == Counter(held.state for held in tracker.connections())
    shown = Shown(tracker)
    assert shown.of("b") == [f"{len(tracker):,}", f"{len(tracker.connections()):,}", f"{len(tracker.transactions()):,}"]
    assert f"{len(tracker) - 20} more members" in shown.text
    assert len(shown.of("tr")) == 21


def test_an_empty_tracker_is_shown() -> None:
    assert Shown(Tracker()).of("b") == ["0", "0", "0"]


def test_a_tracker_shows_texts_of_payloads_as_text() -> None:
    event = transaction_update()
    customer = event.customer.replace(id="<script>", external_id="</table>")
    tracker = Tracker()
    transaction = event.initial_transaction.replace(status="<b>")
    tracker.apply(event.replace(customer=customer, event_type="<b>", initial_transaction=transaction))
    assert "1 <b>" in Shown(tracker).text


def test_joint_accounts_are_shown_as_groups() -> None:
    """Spec 2.3."""
    accounts = [Account(id=f"acc-{number}", account_hash=f"hash-{number % 60}") for number in range(1_000)]
    shown = Shown(JointAccounts(accounts))
    assert "1,000 accounts, 60 real accounts with more than one id" in shown.text
    assert "10 more groups" in shown.text
    assert "none of them joint" in Shown(JointAccounts([Account(id="acc-1", account_hash=None)])).text


@lifecycles
def test_a_notebook_draws_a_lifecycle_by_graphviz(lifecycle: Lifecycle[Any, Any]) -> None:
    need_programs("dot")
    svg = lifecycle._repr_svg_()
    assert svg is not None
    assert " id=" not in svg
    titles = {group.findtext(f"{SVG}title") for group in ElementTree.fromstring(svg).iter(f"{SVG}g")}
    assert set(lifecycle.states) <= titles


@lifecycles
def test_without_graphviz_a_lifecycle_is_its_rows(lifecycle: Lifecycle[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert lifecycle._repr_svg_() is None
    lines = printed(lifecycle).splitlines()
    assert lines[0] == lifecycle.name
    assert len(lines) == 1 + len(lifecycle.transitions)


def test_without_the_extra_pictures_are_tables() -> None:
    code = (
        "import sys; sys.modules.update(dict.fromkeys(('altair', 'vl_convert')))\n"
        "import bankhook; tracker = bankhook.Tracker(); sandbox = bankhook.Sandbox(members=1)\n"
        "tracker.apply(sandbox.create_connection(sandbox.member(0)))\n"
        "shown = tracker.timeline(*tracker)\n"
        "assert shown._repr_svg_() is None\n"
        "assert \"pip install 'bankhook[notebook]'\".replace(\"'\", '&#x27;') in shown._repr_html_()\n"
        "assert '<details open>' in shown._repr_html_()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_values_are_shown_as_they_are_written_on_the_wire() -> None:
    update = payload("connection_updated_with_accounts")
    before, after = "2026-03-01 10:11:18.5465", "2027-03-01 10:11:18.500"
    tracker = bankhook.Tracker()
    first, second = (bankhook.parse(update.replace(b"2027-03-01 09:30:00.0000", text.encode())) for text in (before, after))
    tracker.apply(first)
    outcome = tracker.apply(second)
    assert [(one.before_wire, one.after_wire) for one in outcome.changes if one.field == "consentExpiresAt"] == [
        (before, after)
    ]
    created = bankhook.parse(payload("transaction_created"))
    tracker.apply(created)
    timeline = tracker.timeline("member-0001")._repr_html_()
    assert before in outcome._repr_html_() and after in outcome._repr_html_()
    assert before in first._repr_html_()
    for text in (after, "19.90", "2026-05-04T10:15:30.000Z"):
        assert text in timeline
        assert text in second._repr_html_() + created._repr_html_()
