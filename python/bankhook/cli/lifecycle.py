# SPDX-License-Identifier: MIT
"""`bankhook lifecycle`: print a lifecycle as text, as Mermaid or Graphviz source, or as a picture."""

from __future__ import annotations

import click

import bankhook
from bankhook._records.words import row_text
from bankhook._render.lifecycles import drawn_by_graphviz
from bankhook.cli import options
from bankhook.cli.files import write_text
from bankhook.cli.terminal import say

LIFECYCLES: dict[str, bankhook.types.Lifecycle[str, str]] = {
    "transaction": bankhook.transaction_lifecycle,  # type: ignore[dict-item]  # states are texts
    "connection": bankhook.connection_lifecycle,  # type: ignore[dict-item]
}


@options.command()
@click.argument("name", type=options.Choice(tuple(LIFECYCLES)))
@options.option("-f --format form", "svg needs the program `dot` of Graphviz.", ("text", "mermaid", "dot", "svg"), "text")
@options.output
def command(chosen: options.Chosen) -> int:
    """Print the lifecycle of an initial transaction (spec 3.1) or of a bank connection (3.2, 6.2).

    \b
    Example:
      bankhook lifecycle transaction --format svg --output transaction.svg

    Whatever is assumed, because the specification does not say it, is marked; in pictures it is dashed.

    Exit status: 0 fine, 2 wrong usage, no `dot`, or a file that cannot be written.
    """
    lifecycle, rows = LIFECYCLES[chosen.name], list[str]()
    match chosen.form:
        case "mermaid":
            text = lifecycle.to_mermaid()
        case "dot":
            text = lifecycle.to_dot()
        case "svg":
            text = _drawn(lifecycle.to_dot())
        case _:
            rows = [row_text(row) for row in lifecycle.transitions]
            rows += (
                f"{one.state:24} {'is final':18} {one.evidence}, section {one.section}" for one in lifecycle.final_states
            )
            text = "\n".join(rows)
    if rows and chosen.output == "-":
        for row in rows:
            say(row, rest=4)
    else:
        write_text(chosen.output, text)
    return 0


def _drawn(dot: str) -> str:
    if (drawn := drawn_by_graphviz(dot)) is None:
        install = "(apt install graphviz, brew install graphviz); --format dot gives its source"
        raise click.ClickException(f"svg needs the program `dot` of Graphviz {install}")
    return drawn
