# SPDX-License-Identifier: MIT
"""`bankhook schema`: print the JSON Schema of a class, or the AsyncAPI document of the events."""

from __future__ import annotations

import json
import sys

import click

import bankhook
from bankhook import _core
from bankhook.cli import options
from bankhook.cli.shapes import schemas
from bankhook.cli.terminal import say

# The events, and all classes that occur in their payloads.
_CLASSES: dict[str, type] = {name: getattr(bankhook, name) for name in _core.asyncapi()["components"]["schemas"]}
_NAMES = (*_CLASSES, *schemas(), "asyncapi")


@options.command()
@click.argument("name", required=False, metavar="[NAME]", type=options.Choice(_NAMES))
def command(chosen: options.Chosen) -> int:
    """Print the JSON Schema (2020-12) of an event or resource class, or of the lines that a command prints with --json:
    `findings` (check), `outcomes` (track), `shown` (show), `rules` (rule), `answers` (send, replay), `labels` (simulate
    --labels), and `deliveries`, `dead-letters`, `cases`, `overdue`, `done` (inbox). `asyncapi` is the events as
    an AsyncAPI 3.0 document. Without a name, the names are listed.

    \b
    Example:
      bankhook schema BankConnectionsUpdateV2 > event.schema.json

    Exit status: 0 fine, 2 wrong usage.
    """
    name = chosen.name
    if name is None:
        for one in _NAMES:
            say(one)
        return 0
    of_class = _CLASSES.get(name)
    of_lines = schemas().get(name)
    document = bankhook.json_schema(of_class) if of_class else of_lines or bankhook.asyncapi()
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    return 0
