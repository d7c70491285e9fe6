# SPDX-License-Identifier: MIT
"""Inboxes that commands look into: options, and how one is opened; it has to exist, and is neither made nor upgraded."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeAlias

import click

import bankhook
import bankhook.inbox
from bankhook.cli import options
from bankhook.cli.files import FileFault
from bankhook.cli.options import Chosen, option
from bankhook.inbox._sql.urls import shown

if TYPE_CHECKING:
    from bankhook.inbox import Delivery, Inbox

_Ask: TypeAlias = "Callable[[Inbox, Chosen], Coroutine[Any, Any, int]]"
NUMBER = options.Whole(1, 10**18)  # what every store can take
numbers = click.argument("numbers", nargs=-1, type=NUMBER, metavar="[NUMBER]...")

states = option(
    "--state states",
    "Only those in this state; repeat the option to allow several states.",
    tuple(map(str, bankhook.inbox.DeliveryState)),
    multiple=True,
)
member = option("--member", "Only those of this member.", options.ID)
external_id = option("--external-id", "Only those of the member with this id of yours; reads all.", options.ID)
key = option("--key", "Only those about this connection or transaction.", options.ID)
rule = option("--rule", "Only those that were rejected for this rule.", options.STORED_RULE)


def opened(url: str, argument: str, *, create: bool = False, spool: str | None = None) -> Inbox:
    """Return the inbox, not connected yet. Raises click.BadParameter, without the URL, which may contain a password."""
    try:
        return bankhook.inbox.open(url, create=create, spool=spool)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=argument) from None


def looking(group: click.Group, short_help: str, *more: Callable[[Any], Any]) -> Callable[[_Ask], None]:
    """Add a command to a group, made of a function that is called with the inbox at the URL, opened.

    Its options are the URL, `more` and --json.
    """

    def made(ask: _Ask) -> None:
        async def answer(inbox: Inbox, chosen: Chosen) -> int:
            async with inbox:
                return await ask(inbox, chosen)

        @functools.wraps(ask)
        def answered(chosen: Chosen) -> int:
            try:
                return asyncio.run(answer(opened(chosen.url, "URL", spool=getattr(chosen, "spool", None)), chosen))
            except bankhook.BankhookError as error:
                raise FileFault(shown(chosen.url), error) from None

        function: Any = answered
        for one in (options.as_json, *reversed(more), click.argument("url", metavar="URL")):
            function = one(function)
        options.command(group, short_help=short_help)(function)

    return made


def numbered(inbox: Inbox, number: int) -> AsyncIterator[Delivery]:
    """Find the delivery with this number, if there is one."""
    return inbox.find(bankhook.inbox.Query(after=number - 1, before=number + 1))
