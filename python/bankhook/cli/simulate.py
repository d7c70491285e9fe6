# SPDX-License-Identifier: MIT
"""`bankhook simulate`: write the deliveries of a sandbox as an archive, with faults on demand and labels for them."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

import bankhook
from bankhook.cli import options
from bankhook.cli.files import binary_output

__all__ = ["command"]

_AT_ONCE = 1 << 18

if TYPE_CHECKING:
    _ParamType = click.ParamType[tuple[str, str]]
else:
    _ParamType = click.ParamType  # generic from click 8.4 on


class _Pair(_ParamType):
    """`name=value`; the shell completes the names."""

    name = "name=value"

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def convert(
        self, value: str | tuple[str, str], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        if name not in self._names or not equals:
            self.fail(f"expected NAME=VALUE, where NAME is one of {', '.join(self._names)}", param, ctx)
        return name, text

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        names = (f"{name}=" for name in self._names)
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class _Shares(_Pair):
    """`kind=rate`, or a rate for all kinds."""

    name = "kind=rate"

    def convert(
        self, value: str | tuple[str, str], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, str) and "=" not in value:
            value = ("", value)
        name, rate = super().convert(value, param, ctx)
        try:
            is_share = 0 <= float(rate) <= 1
        except ValueError:
            is_share = False
        if not is_share:
            self.fail("expected a rate from 0 to 1", param, ctx)
        return name, rate


@click.command(short_help="Write the deliveries of a simulated service.")
@click.option(
    "-n",
    "--events",
    default=1000,
    type=click.IntRange(min=0),
    show_default=True,
    metavar="N",
    help="How many deliveries; 0 never ends.",
)
@click.option(
    "--seed",
    default=0,
    type=click.IntRange(0, 2**64 - 1),
    show_default=True,
    metavar="N",
    help="The same seed gives the same bytes everywhere.",
)
@click.option(
    "--members",
    default=100,
    type=click.IntRange(1, 2**32 - 1),
    show_default=True,
    metavar="N",
    help="How many members the programmes have.",
)
@click.option(
    "--faults",
    multiple=True,
    metavar="KIND=RATE",
    type=_Shares(bankhook.Faults.__match_args__),
    help=f"The share of events with a fault, 0 to 1; repeatable. KIND: {', '.join(bankhook.Faults.__match_args__)}; "
    "a rate alone applies to each of them.",
)
@click.option(
    "--choice",
    "choices",
    multiple=True,
    metavar="NAME=VALUE",
    type=_Pair(tuple(choice.name for choice in bankhook.Sandbox.choices)),
    help="Choose an answer that the specification leaves open; repeatable. See --list-choices.",
)
@click.option("--labels", metavar="FILE", type=click.Path(), help="Write to this file which line has which fault.")
@click.option("--list-choices", is_flag=True, help="List the questions that are left open, and their answers.")
@options.output
def command(
    events: int,
    seed: int,
    members: int,
    faults: tuple[tuple[str, str], ...],
    choices: tuple[tuple[str, str], ...],
    labels: str | None,
    list_choices: bool,
    output: str,
) -> int:
    """Write the deliveries of a seeded model of the service, one event per line: an archive for testing a consumer.

    \b
    Example:
      bankhook simulate --faults drop=0.01 --labels faults.ndjson -o out.ndjson

    All names, ids and hashes are made up. After a fault has cut or changed it, a delivery may not be an event any more,
    and it may span several lines.

    \b
    The labels, one object per line for each delivery with a fault:
      {"line","lines","event" (its number),"kind","fault_event" (the number of
       the event that was touched),"what","field","offset","late_by",
       "detected_by","rule"}

    Exit status: 0 fine, 2 wrong usage or a file that cannot be written.
    """
    if list_choices:
        _list_choices()
        return 0
    if labels is not None and _is_same_file(labels, output):
        raise click.UsageError("--labels and --output are the same file")
    try:
        chosen: dict[str, Any] = dict(choices)
        sandbox = bankhook.Sandbox(seed, members, _shares(faults), **chosen)
    except (ValueError, TypeError) as error:
        raise click.UsageError(str(error)) from None
    with binary_output(output) as archive, contextlib.ExitStack() as stack:
        notes = stack.enter_context(binary_output(labels)) if labels is not None else None
        _write(sandbox.deliveries(events or None), archive, notes)
    return 0


def _is_same_file(one: str, other: str) -> bool:
    return one == other or ("-" not in (one, other) and os.path.realpath(one) == os.path.realpath(other))


def _shares(faults: tuple[tuple[str, str], ...]) -> bankhook.Faults:
    shares = bankhook.Faults()
    for kind, rate in faults:
        kinds = (kind,) if kind else bankhook.Faults.__match_args__
        shares = shares.replace(**dict.fromkeys(kinds, float(rate)))
    return shares


def _write(deliveries: Iterable[bankhook.Delivery], archive: IO[bytes], labels: IO[bytes] | None) -> None:
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


def _label(delivery: bankhook.Delivery, fault: bankhook.Fault, line: int, lines: int) -> dict[str, object]:
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
        click.echo(f"{choice.name}: {choice.question} (section {choice.section})")
        for value in choice.values:
            click.echo(f"  {value}{' (default)' if value == choice.default else ''}")
