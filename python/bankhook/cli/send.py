# SPDX-License-Identifier: MIT
"""`bankhook send`: send events of a sandbox or of an archive to a URL, and show the answers."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click
from click.core import ParameterSource

import bankhook
from bankhook._core import salvage
from bankhook.cli import answers, options, sandboxes
from bankhook.cli.answers import Label, send_each
from bankhook.cli.archives import Archive, Unreadable, each_line
from bankhook.cli.emissions import EMISSIONS, emitting_sandbox
from bankhook.cli.overrides import Override, override_of, replaced
from bankhook.cli.posts import Posting
from bankhook.cli.target import allow_remote, headers, target_of
from bankhook.cli.terminal import complain

__all__ = ["command", "labelled"]

_OF_A_HISTORY = 100
_SANDBOX_ONLY = ("event", "overrides", "faults", "seed", "members")


@click.command(short_help="Send events to a URL and show the answers.")
@click.argument("url")
@click.argument("file", required=False, type=options.FILE)
@click.option(
    "--event",
    type=options.Choice(list(EMISSIONS)),
    metavar="NAME",
    help=f"Send one event of a sandbox instead of a history: {', '.join(EMISSIONS)}. It stands alone: its ids "
    "are in no history, not even in that of the same seed; with another seed it has other ids.",
)
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="PATH=VALUE",
    help="With --event: replace a field by its wire path, such as initialTransaction.amount=19.90; repeatable.",
)
@click.option(
    "-n",
    "--count",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help=f"Send at most N deliveries. Default: 1 with --event, {_OF_A_HISTORY} of a history, all of a file.",
)
@click.option(
    "--member",
    type=options.ID,
    metavar="ID",
    help="Send only what is about this member; with --event, make the event about it.",
)
@sandboxes.seed
@sandboxes.members
@sandboxes.faults
@answers.rate
@answers.concurrency
@answers.timeout
@headers
@allow_remote
@options.as_json
@click.pass_context
def command(
    context: click.Context,
    url: str,
    file: str | None,
    event: str | None,
    overrides: tuple[str, ...],
    count: int | None,
    member: str | None,
    seed: int,
    members: int,
    faults: tuple[tuple[str, str], ...],
    rate: float | None,
    concurrency: int,
    timeout: float,
    headers: tuple[tuple[str, str], ...],
    allow_remote: bool,
    as_json: bool,
) -> int:
    """Send events to a URL by POST, one per request: a history of a sandbox, an event of it (--event), or those of an
    archive (FILE). Prints a line for each with its answer, and a summary of answers and latencies.

    \b
    Example:
      bankhook send http://localhost:8000/webhook --event rejected

    Each delivery is sent once; redirects are not followed. The URL has to be on this machine, unless --allow-remote is
    given. All that a sandbox sends is made up. Ids are shown; other texts and amounts are not.

    With --json, one object per line, whose shape `bankhook schema answers` prints.

    Exit status: 0 fine, 1 an answer is missing or not 2xx, 2 wrong usage or a file that cannot be read.
    """
    _check_usage(context, file, event, overrides, faults)
    target = target_of(url, is_remote_allowed=allow_remote)
    posting = Posting(headers, timeout, concurrency, rate)
    if file is not None:
        return _send_file(
            file, member, count, lambda posts: send_each(target, posts, posting, total=count, as_json=as_json)
        )
    wanted = count or (_OF_A_HISTORY if event is None else 1)
    if event is not None:
        bodies = _events(emitting_sandbox(seed, members), event, member, tuple(map(override_of, overrides)))
    else:
        bodies = _history(bankhook.Sandbox(seed, members, sandboxes.shares_of(faults)), member)
    posts = labelled(itertools.islice(bodies, wanted))
    return send_each(target, posts, posting, total=wanted, as_json=as_json)


def labelled(bodies: Iterable[bytes]) -> Iterator[tuple[Label, bytes]]:
    """Number the bodies from 1, with what can be read of each."""
    for number, body in enumerate(bodies, 1):
        ids = salvage(body)
        yield Label(number, ids.event, ids.connection or ids.transaction), body


def _check_usage(
    context: click.Context, file: str | None, event: str | None, overrides: tuple[str, ...], faults: tuple[Any, ...]
) -> None:
    given = [name for name in _SANDBOX_ONLY if context.get_parameter_source(name) == ParameterSource.COMMANDLINE]
    if file is not None and given:
        raise click.UsageError(
            f"--{given[0].replace('overrides', 'set')} is for events of a sandbox, not for those of a file"
        )
    if overrides and event is None:
        raise click.UsageError("--set needs --event")
    if faults and event is not None:
        raise click.UsageError("--faults is for a history, not for --event")


def _events(sandbox: bankhook.Sandbox, name: str, member: str | None, overrides: tuple[Override, ...]) -> Iterator[bytes]:
    """Return an endless iterator; the first event is made at once, because it shows whether the overrides fit."""
    if member is not None:
        overrides = (*overrides, Override("customer.id", ("customer", "id"), member))
    bodies = (replaced(EMISSIONS[name](sandbox, one), overrides).to_json() for one in itertools.cycle(sandbox.members))
    return itertools.chain([next(bodies)], bodies)


def _history(sandbox: bankhook.Sandbox, member: str | None) -> Iterator[bytes]:
    if member is not None and all(one.id != member for one in sandbox.members):
        raise click.BadParameter("the sandbox has no member with this id", param_hint="--member")
    payloads = (delivery.payload for delivery in sandbox.deliveries())
    return (body for body in payloads if member is None or salvage(body).member == member)


def _send_file(
    file: str, member: str | None, count: int | None, send: Callable[[Iterator[tuple[Label, bytes]]], int]
) -> int:
    problems: list[Unreadable] = []

    def bodies(archive: Archive) -> Iterator[bytes]:
        try:
            for line in each_line(archive):
                if member is None or salvage(line.raw).member == member:
                    yield line.raw
        except Unreadable as problem:
            problems.append(problem)

    status = 0
    try:
        with contextlib.closing(Archive(file)) as archive:
            status = send(labelled(itertools.islice(bodies(archive), count)))
    except Unreadable as problem:
        problems.append(problem)
    for one in problems:
        complain(f"{'<stdin>' if file == '-' else file}: {one}")
    return 2 if problems else status
