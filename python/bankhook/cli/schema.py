# SPDX-License-Identifier: MIT
"""`bankhook schema`: print the JSON Schema of a class, or the AsyncAPI document of the events."""

from __future__ import annotations

import json

import click

import bankhook
from bankhook import _core
from bankhook.cli import options
from bankhook.cli.files import write_text

__all__ = ["command"]

_ASYNCAPI = "asyncapi"
# The events, and all classes that occur in their payloads.
_CLASSES: dict[str, type] = {name: getattr(bankhook, name) for name in _core.asyncapi()["components"]["schemas"]}


@click.command(short_help="Print the JSON Schema of a class, or the AsyncAPI document.")
@click.argument("name", required=False, metavar="[NAME]", type=click.Choice((*_CLASSES, _ASYNCAPI)))
@options.output
def command(name: str | None, output: str) -> int:
    """Print the JSON Schema (2020-12) of an event or resource class, or `asyncapi`: the events as an AsyncAPI 3.0
    document. Without a name, the names are listed.

    \b
    Example:
      bankhook schema BankConnectionsUpdateV2 > event.schema.json

    Exit status: 0 fine, 2 wrong usage or a file that cannot be written.
    """
    if name is None:
        write_text(output, "\n".join((*_CLASSES, _ASYNCAPI)))
        return 0
    document = bankhook.asyncapi() if name == _ASYNCAPI else bankhook.json_schema(_CLASSES[name])
    write_text(output, json.dumps(document, indent=2, ensure_ascii=False))
    return 0
