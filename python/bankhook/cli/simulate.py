# SPDX-License-Identifier: MIT
"""`bankhook simulate`: write the deliveries of a sandbox as an archive, with faults on demand and labels for them."""

from __future__ import annotations

import contextlib
import datetime
import json
import os
from collections.abc import Iterable
from typing import IO, Any

import click

import bankhook
from bankhook.cli import options, sandboxes
from bankhook.cli.files import binary_output
from bankhook.cli.terminal import complain, say_wrapped

__all__ = ["command"]

_AT_ONCE = 1 << 18


@click.command(short_help="Write the deliveries of a simulated service.")
@click.option(
    "-n",
    "--events",
    default=1000,
    type=click.IntRange(0, 2**63 - 1),
    show_default=True,
    metavar="N",
    help="How many deliveries; 0 never ends.",
)
@sandboxes.seed
@sandboxes.members
@sandboxes.faults
@click.option(
    "--start",
    type=click.DateTime(),
    default="2026-01-01",
    show_default=True,
    metavar="DATE",
    help="When the history starts, UTC: 2026-01-01, or with a time, 2026-01-01T09:30:00.",
)
@click.option(
    "--pace",
    type=sandboxes.Duration(),
    default="10s",
    show_default=True,
    metavar="TIME",
    help="The mean time from one event to the next: 250ms, 10s, 15m, 6h or 2d.",
)
@click.option(
    "--choice",
    "choices",
    multiple=True,
    metavar="NAME=VALUE",
    type=sandboxes.Pair(tuple(choice.name for choice in bankhook.Sandbox.choices)),
    help="Choose an answer that the specification leaves open; repeatable. See --list-choices.",
)
@click.option("--labels", metavar="FILE", type=options.FILE, help="Write to this file which line has which fault.")
@click.option("--list-choices", is_flag=True, help="List the questions that are left open, and their answers.")
@options.output
def command(
    events: int,
    seed: int,
    members: int,
    faults: tuple[tuple[str, str], ...],
    start: datetime.datetime,
    pace: datetime.timedelta,
    choices: tuple[tuple[str, str], ...],
    labels: str | None,
    list_choices: bool,
    output: str,
) -> int:
    """Write the deliveries of a seeded model of the service, one event per line: an archive for testing a consumer.

    \b
    Example:
      bankhook simulate --faults drop=0.01 --labels faults.ndjson -o out.ndjson

    All names, ids and hashes are made up. A delivery that a fault has cut or changed may no longer be an
    event, and may span several lines.

    The labels are one object per line for each delivery with a fault, whose shape `bankhook schema labels` prints.

    Exit status: 0 fine, 2 wrong usage or a file that cannot be written.
    """
    if list_choices:
        _list_choices()
        return 0
    if labels is not None and _is_same_file(labels, output):
        raise click.UsageError("--labels and --output are the same file")
    try:
        chosen: dict[str, Any] = dict(choices)
        sandbox = bankhook.Sandbox(seed, members, sandboxes.shares_of(faults), start=start, pace=pace, **chosen)
    except (ValueError, TypeError) as error:
        raise click.UsageError(str(error)) from None
    with binary_output(output) as archive, contextlib.ExitStack() as stack:
        notes = stack.enter_context(binary_output(labels)) if labels is not None else None
        _write(sandbox.deliveries(events or None), archive, notes)
    if output != "-":
        complain(f"{events:,} {'delivery' if events == 1 else 'deliveries'} written to {output}", program="")
    return 0


def _is_same_file(one: str, other: str) -> bool:
    return one == other or ("-" not in (one, other) and os.path.realpath(one) == os.path.realpath(other))


def _write(deliveries: Iterable[bankhook.sandbox.Delivery], archive: IO[bytes], labels: IO[bytes] | None) -> None:
    line, size = 1, 0
    kept: list[bytes] = []
    for delivery in deliveries:
        kept.append(delivery.payload)
        size += len(delivery.payload)
        if labels is not None:
            lines = 1 + delivery.payload.count(b"\n")
            if delivery.fault is not None:
                labels.write(json.dumps(_label(delivery, delivery.fault, line, lines)).encode() + b"\n")
            line += lines
        if size >= _AT_ONCE:
            archive.write(b"\n".join((*kept, b"")))
            kept.clear()
            size = 0
    archive.write(b"\n".join((*kept, b"")))


def _label(delivery: bankhook.sandbox.Delivery, fault: bankhook.sandbox.Fault, line: int, lines: int) -> dict[str, object]:
    return {
        "line": line,
        "lines": lines,
        "event": delivery.number,
        "kind": fault.kind.value,
        "fault_event": fault.number,
        "what": fault.what,
        "field": fault.field or None,
        "offset": fault.offset,
        "late_by": fault.late_by,
        "detected_by": fault.detected_by.value,
        "rule": fault.rule,
    }


def _list_choices() -> None:
    for choice in bankhook.Sandbox.choices:
        say_wrapped((f"{choice.name}: {choice.question} (section {choice.section})", {}), rest=4)
        for value in choice.values:
            say_wrapped((f"{value}{' (default)' if value == choice.default else ''}", {}), first=2, rest=4)
