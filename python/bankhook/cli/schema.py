# SPDX-License-Identifier: MIT
"""`bankhook schema`: print the JSON Schema of a class, or the AsyncAPI document of the events."""

from __future__ import annotations

import json

import click

import bankhook
from bankhook import _core
from bankhook.cli import options
from bankhook.cli.files import write_text
from bankhook.cli.shapes import SHAPES, schema_of

_ASYNCAPI = "asyncapi"
# The events, and all classes that occur in their payloads.
_CLASSES: dict[str, type] = {name: getattr(bankhook, name) for name in _core.asyncapi()["components"]["schemas"]}
_NAMES = (*_CLASSES, *SHAPES, _ASYNCAPI)


@options.command()
@click.argument("name", required=False, metavar="[NAME]", type=options.Choice(_NAMES))
@options.output
def command(chosen: options.Chosen) -> int:
    """Print the JSON Schema (2020-12) of an event or resource class, or of the lines that a command prints with --json:
    `findings` (check), `outcomes` (track), `shown` (show), `rules` (rule), `answers` (send, replay), `labels` (simulate
    --labels), and `deliveries`, `dead-letters`, `cases`, `overdue`, `done` (inbox). `asyncapi` is the events as
    an AsyncAPI 3.0 document. Without a name, the names are listed.

    \b
    Example:
      bankhook schema BankConnectionsUpdateV2 > event.schema.json

    Exit status: 0 fine, 2 wrong usage or a file that cannot be written.
    """
    name = chosen.name
    if name is None:
        write_text(chosen.output, "\n".join(_NAMES))
        return 0
    of_class = _CLASSES.get(name)
    document = bankhook.json_schema(of_class) if of_class else schema_of(name) if name in SHAPES else bankhook.asyncapi()
    write_text(chosen.output, json.dumps(document, indent=2, ensure_ascii=False))
    return 0
