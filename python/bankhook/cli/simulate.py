# SPDX-License-Identifier: MIT
"""`bankhook simulate`: write the deliveries of a sandbox as an archive, with faults on demand and labels for them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from typing import IO

import click

import bankhook
from bankhook._records.words import counted
from bankhook._render.progress import Bar
from bankhook.cli import options, sandboxes
from bankhook.cli.files import binary_output, check_ending
from bankhook.cli.options import option
from bankhook.cli.shapes import LABEL, shaped
from bankhook.cli.terminal import complain, dumped


@options.command()
@option("-n --events", "How many deliveries; 0 never ends.", options.Whole(0, 2**63 - 1), 1000)
@sandboxes.seed
@sandboxes.members
@sandboxes.faults
@option(
    "--start",
    "When the history starts: 2026-01-01, or with a time, 2026-01-01T09:30:00; UTC unless it has an offset.",
    options.TIME,
    "2026-01-01",
    metavar="DATE",
)
@option("--pace", "The mean time from one event to the next: 250ms, 10s, 15m, 6h or 2d.", sandboxes.DURATION, "10s")
@option("--labels", "Write to this file which line has which fault.", options.FILE)
@option("-o --output", "Write to this file; `-`, the default, is standard output.", options.FILE, "-", show_default=False)
def command(chosen: options.Chosen) -> int:
    """Write the deliveries of a seeded model of the service, one event per line: an archive for testing a consumer.

    \b
    Example:
      bankhook simulate --faults drop=0.01 --labels faults.ndjson -o out.ndjson

    All names, ids and hashes are made up. A delivery that a fault has cut or changed may no longer be an
    event, and may span several lines.

    The labels are one object per line for each delivery with a fault, whose shape `bankhook schema labels` prints.

    Exit status: 0 fine, 2 wrong usage or a file that cannot be written.
    """
    events, output, labels = chosen.events, chosen.output, chosen.labels
    if labels is not None and os.path.realpath(labels) == os.path.realpath(output):
        raise click.UsageError("--labels and --output are the same file")
    for name in filter(None, (output, labels)):
        check_ending(name)
    try:
        faults = sandboxes.shares_of(chosen.faults)
        sandbox = bankhook.Sandbox(chosen.seed, chosen.members, faults, start=chosen.start, pace=chosen.pace)
    except (ValueError, TypeError) as error:
        raise click.UsageError(str(error)) from None
    with binary_output(output) as archive, contextlib.ExitStack() as stack:
        notes = stack.enter_context(binary_output(labels)) if labels is not None else None
        bar = stack.enter_context(Bar(events or None, counts=True))
        _write(sandbox.deliveries(events or None), archive, notes, bar)
    if output != "-":
        complain(f"{counted(events, 'delivery', 'deliveries')} written to {output}", program="")
    return 0


def _write(deliveries: Iterable[bankhook.sandbox.Delivery], archive: IO[bytes], labels: IO[bytes] | None, bar: Bar) -> None:
    line = 1
    for count, delivery in enumerate(deliveries):
        archive.write(delivery.payload + b"\n")
        lines, fault = 1 + delivery.payload.count(b"\n"), delivery.fault
        if labels is not None and fault is not None:
            place = {"line": line, "lines": lines, "event": delivery.number, "fault_event": fault.number}
            labels.write(dumped(shaped(LABEL, fault, **place, field=fault.field or None)).encode() + b"\n")
        line += lines
        if count % 256 == 0:
            bar.update(count)
