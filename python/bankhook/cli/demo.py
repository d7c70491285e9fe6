# SPDX-License-Identifier: MIT
"""`bankhook demo`: a tour of the library in a terminal, from a simulated service to the state of its members."""

from __future__ import annotations

import collections
import sys
import time
from collections.abc import Callable

import click

import bankhook
from bankhook.cli import members
from bankhook.cli.findings import shown
from bankhook.cli.lifecycle import text_of
from bankhook.cli.outcomes import outcome_lines
from bankhook.cli.show import print_tree, tree_of
from bankhook.cli.terminal import say, say_wrapped, wrapped

__all__ = ["command"]

_PAUSE = 0.35


@click.command(short_help="Show what the library does, in a few seconds.")
@click.option(
    "--seed",
    default=7,
    type=click.IntRange(0, 2**64 - 1),
    show_default=True,
    metavar="N",
    help="Another seed generates other members.",
)
def command(seed: int) -> int:
    """Show what the library does: a simulated service, its events, faults in them, and what a tracker reports.
    The tour ends by itself within seconds and works in a pipe, too.

    \b
    Example:
      bankhook demo

    Exit status: 0.
    """
    tour = _Tour(seed)
    parts: tuple[tuple[str, Callable[[], None]], ...] = (
        ("A sandbox simulates the service: a member connects a bank, accounts follow", tour.connect),
        ("The member buys something; the event as a tree", tour.purchase),
        ("Deliveries come twice and late: the tracker reports what that means", tour.deliver),
        ("A payload that breaks rules, and one that is cut: what is wrong, and where", tour.diagnose),
        ("What the specification says about a transaction's life, and what it leaves open", tour.lifecycle),
        ("A history of 20,000 events, one in fifty with a fault: which ones are noticed, and how fast", tour.history),
        ("The members afterwards", tour.show_members),
    )
    for number, (title, tell) in enumerate(parts, 1):
        say(("\n" if number > 1 else "") + "\n".join(wrapped((f"{number}. {title}", {"bold": True}), rest=3)) + "\n")
        _pause()
        tell()
    say()
    say_wrapped(("Now with your own events:", {"bold": True}))
    for example in ("check archive.ndjson", "track archive.ndjson", "simulate -n 100 | bankhook show - --line 3", "--help"):
        _say(f"bankhook {example}")
    return 0


def _say(text: str) -> None:
    say_wrapped((text, {}), first=2, rest=6)


def _pause() -> None:
    sys.stdout.flush()
    if sys.stdout.isatty():
        time.sleep(_PAUSE)


class _Tour:
    def __init__(self, seed: int) -> None:
        self._sandbox = bankhook.Sandbox(seed=seed, members=8)
        self._tracker = bankhook.Tracker()
        self._member = self._sandbox.member(0)
        self._lines = 0
        self._rejected = self._created = b""

    def _track(self, *payloads: bytes) -> None:
        for payload in payloads:
            answered = self._tracker.apply_lines(payload, report="specified")
            for outcome in answered.outcomes:
                numbered = outcome.replace(line=self._lines + outcome.line)
                for line in outcome_lines("event", numbered, show_values=True, indent=2):
                    say(line)
            self._lines += answered.lines
            _pause()

    def connect(self) -> None:
        """Spec 6.2: create, often without accounts; then update."""
        created = self._sandbox.create_connection(self._member)
        updated = self._sandbox.create_accounts(created.connection)
        self._track(created.raw, updated.raw)

    def purchase(self) -> None:
        """Spec 3.1: a first submission."""
        created = self._sandbox.send_initial_transaction(self._member)
        rejected = self._sandbox.reject(created.initial_transaction, bankhook.RejectionReason.PURCHASE_NOT_FOUND)
        self._created, self._rejected = created.raw, rejected.raw
        print_tree(tree_of(created, bankhook.diagnose(created.raw), "event 3"))

    def deliver(self) -> None:
        """Deliver a repeat, the rejection, and the first event again, late."""
        self._track(self._created, self._created, self._rejected, self._created)

    def diagnose(self) -> None:
        """Report broken rules between fields, and broken syntax."""
        wrong = self._rejected.replace(b'"rejected"', b'"validated"', 1)
        cut = self._created[: len(self._created) * 3 // 4]
        for line, payload in enumerate((wrong, cut)):
            for one in shown(bankhook.diagnose(payload), payload, line, show_values=False, indent=2):
                for text in (*one.headline("payload", severity=one.finding.severity, indent=2), *one.lines(indent=2), ""):
                    say(text)
            _pause()

    def lifecycle(self) -> None:
        """Spec 3.1: print the table."""
        for row in text_of(bankhook.transaction_lifecycle).splitlines():  # type: ignore[arg-type]  # texts
            _say(row)

    def history(self) -> None:
        """Check and track a history whose faults are labelled."""
        kinds = bankhook.Faults.__match_args__
        shares = bankhook.Faults(**dict.fromkeys(kinds, 0.02 / len(kinds)))
        deliveries = list(bankhook.Sandbox(seed=3, members=50, faults=shares).deliveries(20_000))
        faults = collections.Counter(d.fault.kind.value for d in deliveries if d.fault is not None)
        detected = collections.Counter(d.fault.detected_by.value for d in deliveries if d.fault is not None)
        archive = b"\n".join(delivery.payload for delivery in deliveries)
        start = time.process_time()
        checked = bankhook.diagnose_lines(archive)
        middle = time.process_time()
        tracked = bankhook.Tracker().apply_lines(archive)
        end = time.process_time()
        _say(f"faults: {_listed(faults)}")
        _say(f"noticed by: {_listed(detected)}")
        _say(
            f"checked: {checked.unclean_lines:,} of {checked.lines:,} lines with findings, {checked.rejected:,} rejected; "
            f"{len(archive) / 1e6 / (middle - start):,.0f} MB per second on one core"
        )
        verdicts: collections.Counter[str] = collections.Counter()
        for count in tracked.verdict_counts:
            verdicts[count.verdict.value] += count.events
        _say(
            f"tracked: {_listed(verdicts)}; {tracked.repeats:,} repeats, {tracked.not_accepted:,} not accepted; "
            f"{sum(tracked.events.values()) / (end - middle):,.0f} events per second on one core"
        )

    def show_members(self) -> None:
        """Show the members after a history of the same sandbox."""
        archive = b"\n".join(delivery.payload for delivery in self._sandbox.deliveries(400))
        self._tracker.apply_lines(archive)
        for line in members.table_lines(list(members.standings(self._tracker, 8))):
            say(line)


def _listed(counts: collections.Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.most_common())
