# SPDX-License-Identifier: MIT
"""`bankhook lifecycle`: print a lifecycle as text, or as Mermaid or Graphviz source."""

from __future__ import annotations

import sys

import click

import bankhook
from bankhook._records.words import row_text
from bankhook.cli import options
from bankhook.cli.terminal import say

LIFECYCLES: dict[str, bankhook.types.Lifecycle[str, str]] = {
    "transaction": bankhook.transaction_lifecycle,  # type: ignore[dict-item]  # states are texts
    "connection": bankhook.connection_lifecycle,  # type: ignore[dict-item]
}
_TRIGGERS = {
    "submitted": 'the consumer submits an initial transaction, through "Send an initial transaction", for the first time',
    "store_set_up": "the service processes the transaction, and the store is properly set up in the service",
    "store_not_set_up": "the service processes the transaction, and cannot set up the store",
    "create": "the service sends an event with this eventType: a bank connection is created",
    "update": "the service sends an event with this eventType: bank accounts of a connection are created or updated; "
    "that other changes come as update, too, is assumed",
    "listed": "an event lists the connection among all connections of its member",
    "not_listed": "an event does not list the connection, although that has all connections of its member",
    "delete": "the service sends an event with this eventType: which of deleted and disabled connections have one is not shown",
}
"""By the names of the triggers, which are bankhook's own for transactions: no payload contains them."""


@options.command()
@click.argument("name", type=options.Choice(tuple(LIFECYCLES)))
@options.option("-f --format form", "For Mermaid or Graphviz, or as text.", ("text", "mermaid", "dot"), "text")
def command(chosen: options.Chosen) -> int:
    """Print the lifecycle of an initial transaction (spec 3.1) or of a bank connection (3.2, 6.2).

    \b
    Example:
      bankhook lifecycle transaction --format dot | dot -T svg > transaction.svg

    Whatever is assumed, because the specification does not say it, is marked; in pictures it is dashed. The text explains the
    triggers, too: what happens, and who does it.

    Exit status: 0 fine, 2 wrong usage.
    """
    lifecycle = LIFECYCLES[chosen.name]
    if chosen.form != "text":
        text = lifecycle.to_mermaid() if chosen.form == "mermaid" else lifecycle.to_dot()
        sys.stdout.write(text.rstrip("\n") + "\n")
        return 0
    heads = "what the step rests on; state before: what it rests on that it leaves just this state"
    rows = [f"{'state → next state':24} {'trigger':18} {heads}", *map(row_text, lifecycle.transitions)]
    rows += (f"{one.state:24} {'is final':18} {one.evidence}, section {one.section}" for one in lifecycle.final_states)
    rows += ("", *(f"{trigger}: {_TRIGGERS[trigger]}" for trigger in lifecycle.triggers))
    for row in rows:
        say(row, rest=4)
    return 0
