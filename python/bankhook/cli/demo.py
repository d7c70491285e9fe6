# SPDX-License-Identifier: MIT
"""`bankhook demo`: the whole story in a terminal, from a service that plays its part to where the members stand."""

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
from bankhook.cli.show import tree_of
from bankhook.cli.terminal import console, say, styled

__all__ = ["command"]

_PAUSE = 0.35


@click.command(short_help="Tell the whole story in the terminal, in a few seconds.")
@click.option(
    "--seed",
    default=7,
    type=click.IntRange(0, 2**64 - 1),
    show_default=True,
    metavar="N",
    help="Another seed tells of other members.",
)
def command(seed: int) -> int:
    """Tells the whole story in the terminal: a sandbox of the service, its events, faults, what the tracker says.
    Ends by itself within seconds; works in a pipe, too.

    \b
    Example:
      bankhook demo

    Exit status: 0.
    """
    story = _Story(seed)
    parts: tuple[tuple[str, Callable[[], None]], ...] = (
        ("A sandbox plays the service: a member connects a bank, accounts follow", story.connect),
        ("The member buys something; the event as a tree", story.purchase),
        ("Deliveries come twice and too late: the tracker says what that means", story.deliver),
        ("A payload that breaks rules, and one that is cut: what is wrong, and where", story.judge),
        ("What the specification says about a transaction's life, and what it leaves open", story.lifecycle),
        ("A history of 20,000 events, one in fifty with a fault: found or not, and how fast", story.history),
        ("Where the members stand", story.standing),
    )
    for number, (title, tell) in enumerate(parts, 1):
        say(("\n" if number > 1 else "") + styled(f"{number}. {title}\n", bold=True, fg="cyan"))
        _pause()
        tell()
    say(styled("\nNow with your own events:", bold=True))
    say("  bankhook check archive.ndjson                        bankhook track archive.ndjson")
    say("  bankhook simulate -n 100 | bankhook show - --line 3          bankhook --help")
    return 0


def _pause() -> None:
    sys.stdout.flush()
    if sys.stdout.isatty():
        time.sleep(_PAUSE)


class _Story:
    def __init__(self, seed: int) -> None:
        self._sandbox = bankhook.Sandbox(seed=seed, members=8)
        self._tracker = bankhook.Tracker()
        self._member = self._sandbox.member(0)
        self._lines = 0
        self._rejected = self._created = b""

    def _follow(self, *payloads: bytes) -> None:
        for payload in payloads:
            answered = self._tracker.apply_lines(payload, report="specified")
            for outcome in answered.outcomes:
                numbered = outcome.replace(line=self._lines + outcome.line)
                for line in outcome_lines("event", numbered, show_values=True):
                    say(f"  {line}")
            self._lines += answered.lines
            _pause()

    def connect(self) -> None:
        """6.2: create, often without accounts; then update."""
        created = self._sandbox.create_connection(self._member)
        updated = self._sandbox.create_accounts(created.connection)
        self._follow(created.raw, updated.raw)

    def purchase(self) -> None:
        """3.1: a first submission."""
        created = self._sandbox.send_initial_transaction(self._member)
        rejected = self._sandbox.reject(created.initial_transaction, bankhook.RejectionReason.PURCHASE_NOT_FOUND)
        self._created, self._rejected = created.raw, rejected.raw
        console().print(tree_of(created, bankhook.diagnose(created.raw), "event 3"))

    def deliver(self) -> None:
        """A repeat, the rejection, and the first event again, late."""
        self._follow(self._created, self._created, self._rejected, self._created)

    def judge(self) -> None:
        """Rules between fields, and syntax."""
        wrong = self._rejected.replace(b'"rejected"', b'"validated"', 1)
        cut = self._created[: len(self._created) * 3 // 4]
        for line, payload in enumerate((wrong, cut)):
            for one in shown(bankhook.diagnose(payload), payload, line, show_values=False):
                say("  " + one.headline("payload", severity=one.finding.severity))
                for text in one.lines():
                    say("  " + text)
            _pause()

    def lifecycle(self) -> None:
        """3.1."""
        for line in text_of(bankhook.transaction_lifecycle).splitlines():  # type: ignore[arg-type]  # texts
            say("  " + line)

    def history(self) -> None:
        """Faults with labels, judged and followed."""
        kinds = bankhook.Faults.__match_args__
        shares = bankhook.Faults(**dict.fromkeys(kinds, 0.02 / len(kinds)))
        deliveries = list(bankhook.Sandbox(seed=3, members=50, faults=shares).deliveries(20_000))
        faults = collections.Counter(d.fault.kind.value for d in deliveries if d.fault is not None)
        signs = collections.Counter(d.fault.detected_by.value for d in deliveries if d.fault is not None)
        archive = b"\n".join(delivery.payload for delivery in deliveries)
        start = time.process_time()
        judged = bankhook.diagnose_lines(archive)
        middle = time.process_time()
        followed = bankhook.Tracker().apply_lines(archive)
        end = time.process_time()
        say(f"  faults      {_listed(faults)}")
        say(f"  noticed by  {_listed(signs)}")
        found = f"{judged.unclean_lines:,} of {judged.lines:,} lines with findings"
        say(f"  judged      {found}, {judged.refused:,} refused;")
        say(f"              {len(archive) / 1e6 / (middle - start):,.0f} MB a second of one core")
        verdicts: collections.Counter[str] = collections.Counter()
        for ground in followed.verdict_counts:
            verdicts[ground.verdict.value] += ground.events
        say(f"  followed    {_listed(verdicts)}; {followed.repeats:,} repeats, {followed.not_accepted:,} not taken;")
        say(f"              {sum(followed.events.values()) / (end - middle):,.0f} events a second of one core")

    def standing(self) -> None:
        """Behind a history of the same sandbox."""
        archive = b"\n".join(delivery.payload for delivery in self._sandbox.deliveries(400))
        self._tracker.apply_lines(archive)
        console().print(members.table(list(members.standings(self._tracker, 8))), end="")


def _listed(counts: collections.Counter[str]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.most_common())
