# SPDX-License-Identifier: MIT
"""`bankhook lifecycle`: print a lifecycle as text, as Mermaid or Graphviz source, or as a picture."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator

import click

import bankhook
from bankhook.cli import options
from bankhook.cli.files import write_text
from bankhook.cli.terminal import say_wrapped
from bankhook.types import Lifecycle

__all__ = ["LIFECYCLES", "command", "text_of"]

_Form = Callable[[Lifecycle[str, str]], str]
LIFECYCLES: dict[str, Lifecycle[str, str]] = {
    "transaction": bankhook.transaction_lifecycle,  # type: ignore[dict-item]  # states are texts
    "connection": bankhook.connection_lifecycle,  # type: ignore[dict-item]
}


@click.command(short_help="Print a lifecycle as text, mermaid, dot or svg.")
@click.argument("name", type=options.Choice(tuple(LIFECYCLES)))
@click.option(
    "-f",
    "--format",
    "form",
    default="text",
    show_default=True,
    type=options.Choice(("text", "mermaid", "dot", "svg")),
    help="svg needs the program `dot` of Graphviz.",
)
@options.output
def command(name: str, form: str, output: str) -> int:
    """Print the lifecycle of an initial transaction (spec 3.1) or of a bank connection (3.2, 6.2).

    \b
    Example:
      bankhook lifecycle transaction --format svg --output transaction.svg

    Whatever is assumed, because the specification does not say it, is marked; in pictures it is dashed.

    Exit status: 0 fine, 2 wrong usage, no `dot`, or a file that cannot be written.
    """
    lifecycle = LIFECYCLES[name]
    forms: dict[str, _Form] = {"text": text_of, "mermaid": Lifecycle.to_mermaid, "dot": Lifecycle.to_dot, "svg": _drawn}
    if form == "text" and output == "-":
        for row in _rows(lifecycle):
            say_wrapped((row, {}), rest=4)
    else:
        write_text(output, forms[form](lifecycle))
    return 0


def text_of(lifecycle: Lifecycle[str, str]) -> str:
    """Return a line for each row of the table."""
    return "\n".join(_rows(lifecycle))


def _rows(lifecycle: Lifecycle[str, str]) -> Iterator[str]:
    for transition in lifecycle.transitions:
        steps = f"{transition.from_ or '(start)'} → {transition.to or 'not applied'}"
        known = "" if transition.before == "stated" else f", state before {transition.before}"
        yield f"{steps:24} {transition.trigger:18} {transition.evidence}{known}, section {transition.section}"
    for final in lifecycle.final_states:
        yield f"{final.state:24} {'is final':18} {final.evidence}, section {final.section}"


def _drawn(lifecycle: Lifecycle[str, str]) -> str:
    try:
        drawn = subprocess.run(["dot", "-Tsvg"], input=lifecycle.to_dot(), capture_output=True, text=True, check=False)
    except OSError:
        raise click.ClickException(
            "svg needs the program `dot` of Graphviz (apt install graphviz, brew install graphviz); "
            "--format dot gives its source"
        ) from None
    if drawn.returncode != 0:
        raise click.ClickException(f"dot failed: {drawn.stderr.strip()}")
    return drawn.stdout
