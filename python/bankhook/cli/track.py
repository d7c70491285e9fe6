# SPDX-License-Identifier: MIT
"""`bankhook track`: apply archives to a tracker; report what changed, what is open or wrong, and the state of the members."""

from __future__ import annotations

import contextlib
import os
import zoneinfo
from pathlib import Path

import click

import bankhook
from bankhook.cli import options
from bankhook.cli.archives import read_each
from bankhook.cli.files import FileFault, complete
from bankhook.cli.options import COUNT, option
from bankhook.cli.tracked import TrackingReport


def _zone(text: str) -> zoneinfo.ZoneInfo:
    try:
        return zoneinfo.ZoneInfo(text)
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):
        raise ValueError(f"expected a zone such as Europe/Berlin, found {text!r}") from None


@options.command()
@option("--member", "Report only the member with this id or externalId: its events and its state.", options.ID)
@option("--changes", "Report every event and its changes, not only contradictions.", bool)
@option(
    "--members rows",
    "How many members are listed, 0 for all: by default 20, all with --json. With 0, all that needs attention is listed, too.",
    COUNT,
)
@option("--limit", "How many events are reported; 0 reports all.", COUNT, 100)
@option("--snapshot", "Continue from the state in this file, and save it there.", options.FILE)
@option(
    "--ending",
    "Report consents that end, or have ended, before this day; by default 30 days after the latest date of a transaction.",
    options.DAY,
)
@option(
    "--zone",
    "The zone of the clock by which consents end, such as Europe/Berlin: no event names it. Default: UTC.",
    options.Parsed("name", _zone),
)
@options.reporting
def command(chosen: options.Chosen) -> int:
    """Track every member, connection and transaction through the events of archives, in their order.

    \b
    Example:
      bankhook track --snapshot state.bin monday.ndjson.zst tuesday.ndjson.zst

    Reports what needs attention, each member's current state, and the verdicts: which events the specification does not
    cover or contradicts, and why. Ids and error codes are shown; other texts and amounts are redacted. The snapshot is
    written only if every file was read to its end. Lines that are not events are left out; `bankhook check` reports what
    is wrong with them.

    A verdict is specified (as the specification states), assumed (as bankhook assumes, because the specification does not
    say), unspecified (not described by it) or contradicts (against a rule that it states). Each has its reason: a rule,
    which `bankhook rule ID` explains, or a step of a lifecycle, such as `created → validated by store_set_up`: what is named
    after `by` is explained by `bankhook lifecycle`.

    Of each member, the connections are those that are tracked and neither deleted nor unlisted; after "service" stand its
    own counts of active connections (on) and of those in error (off). Those "awaiting accounts" have none so far; "created",
    "validated" and "rejected" are transactions with this status.

    With --json, one object per line, whose shape `bankhook schema outcomes` prints. Redacted values are left out, and so are
    the ids of what needs attention: a member's line counts its connections in error.

    Exit status: 0 fine, 1 an event breaks a stated rule within itself or a line is not an event, 2 wrong usage, no events, no
    such member, or a file that cannot be read or written.
    """
    if chosen.snapshot in ("", "-"):
        raise click.UsageError("--snapshot: expected the name of a file")
    tracker = _start(chosen.snapshot)
    report = TrackingReport(tracker, chosen)
    with contextlib.nullcontext() if chosen.snapshot is None else complete(chosen.snapshot) as file:  # before the work
        report.unreadable = read_each(chosen, report.apply)
        status = report.close()
        if report.unreadable:
            raise click.exceptions.Exit(status)  # and what would be incomplete is removed
        if file is not None:
            file.write(tracker.snapshot())
    return status


def _start(name: str | None) -> bankhook.Tracker:
    if name is None or not os.path.exists(name):
        return bankhook.Tracker()
    if not os.path.isfile(name):  # a device may have no end
        raise click.FileError(name, "it is not a regular file")
    try:
        return bankhook.Tracker.restore(Path(name).read_bytes())
    except (OSError, bankhook.types.SnapshotError) as error:
        raise FileFault(name, error) from None
