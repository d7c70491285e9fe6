# SPDX-License-Identifier: MIT
"""`bankhook send`: send events of a sandbox or of an archive to a URL, and show the answers."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import click
from click.core import ParameterSource

import bankhook
from bankhook._archive._numbered import numbered_lines
from bankhook._core import salvage
from bankhook.cli import answers, options, sandboxes
from bankhook.cli.answers import Label, send_each
from bankhook.cli.archives import Archive
from bankhook.cli.emissions import EMISSIONS, emitting_sandbox
from bankhook.cli.options import Chosen, option

_OF_A_HISTORY = 100
_SANDBOX_ONLY = ("event", "faults", "seed", "members")


@options.command()
@click.argument("url")
@click.argument("file", required=False, type=options.FILE)
@option(
    "--event",
    f"Send one event of a sandbox instead of a history: {', '.join(EMISSIONS)}. It stands alone: its ids "
    "are in no history, not even in that of the same seed; with another seed it has other ids.",
    tuple(EMISSIONS),
    metavar="NAME",
)
@option(
    "-n --count",
    f"Send at most N deliveries. Default: 1 with --event, {_OF_A_HISTORY} of a history, all of a file.",
    options.MANY,
)
@options.containing
@option("--member", "Send only what is about this member; with --event, make the event about it.", options.ID)
@sandboxes.seed
@sandboxes.members
@sandboxes.faults
@answers.sending
def command(chosen: Chosen) -> int:
    """Send events to a URL by POST, one per request: a history of a sandbox, an event of it (--event), or those of an
    archive (FILE). Prints a line for each with its answer, and a summary.

    \b
    Example:
      bankhook send http://localhost:8000/webhook --event rejected

    Each delivery is sent once; redirects are not followed. The URL has to be on this machine, unless --allow-remote is
    given. All that a sandbox sends is made up. Ids are shown; other texts and amounts are not.

    With --json, one object per line, whose shape `bankhook schema answers` prints.

    Exit status: 0 fine, 1 an answer is missing or not 2xx, 2 wrong usage or a file that cannot be read.
    """
    context, event, count = click.get_current_context(), chosen.event, chosen.count
    given = [name for name in _SANDBOX_ONLY if context.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    if chosen.file is not None:
        if given:
            raise click.UsageError(f"--{given[0]} is for events of a sandbox, not for those of a file")
        return send_each(chosen, _labelled(itertools.islice(_lines(chosen), count)), total=count)
    if chosen.faults and event is not None:
        raise click.UsageError("--faults is for a history, not for --event")
    wanted = count or (_OF_A_HISTORY if event is None else 1)
    bodies = _history(chosen) if event is None else _events(chosen)
    return send_each(chosen, _labelled(itertools.islice(bodies, wanted)), total=wanted)


def _labelled(bodies: Iterable[bytes]) -> Iterator[tuple[Label, bytes]]:
    """Number the bodies from 1, with what can be read of each."""
    for number, body in enumerate(bodies, 1):
        ids = salvage(body)
        yield (number, ids.event, ids.connection or ids.transaction), body


def _events(chosen: Chosen) -> Iterator[bytes]:
    """Yield without end."""
    sandbox, member = emitting_sandbox(chosen.seed, chosen.members), chosen.member
    for event in (EMISSIONS[chosen.event](sandbox, one) for one in itertools.cycle(sandbox.members)):
        customer: Any = event.customer if member is None else event.customer.replace(id=member)
        yield event.replace(customer=customer).to_json()


def _history(chosen: Chosen) -> Iterator[bytes]:
    sandbox, member = bankhook.Sandbox(chosen.seed, chosen.members, sandboxes.shares_of(chosen.faults)), chosen.member
    if member is not None and all(one.id != member for one in sandbox.members):
        raise click.BadParameter("the sandbox has no member with this id", param_hint="--member")
    payloads = (delivery.payload for delivery in sandbox.deliveries())
    return (body for body in payloads if member is None or salvage(body).member == member)


def _lines(chosen: Chosen) -> Iterator[bytes]:
    for line in numbered_lines(Archive(chosen.file, chosen)):
        if chosen.member is None or salvage(line.raw).member == chosen.member:
            yield line.raw
