# SPDX-License-Identifier: MIT
"""The commands put together, and how each of them ends: exit statuses, a closed pipe, an interruption."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from typing import Any

import click

import bankhook
from bankhook.cli.options import color
from bankhook.cli.terminal import complain, gap, so_far

_COMPLETE = "_BANKHOOK_COMPLETE"
_HELPS = {
    "check": "Report what is wrong with the events of archives.",
    "show": "Show an event of an archive as a tree.",
    "track": "Track members through the events of archives.",
    "simulate": "Write the deliveries of a simulated service.",
    "listen": "Receive deliveries over HTTP and store them.",
    "send": "Send events to a URL and show the answers.",
    "replay": "Send stored deliveries to a URL again.",
    "inbox": "Look into an inbox, retry deliveries, settle cases, delete.",
    "table": "Write archives as tables: Parquet, Arrow or CSV.",
    "schema": "Print the JSON Schema of a class, or the AsyncAPI document.",
    "lifecycle": "Print a lifecycle as text, mermaid or dot.",
    "rule": "Explain a rule, with an example.",
    "demo": "Show what the library does, in a few seconds.",
    "completion": "Print the completion script of a shell.",
}
# What a command may find missing, and the extra that brings it.
_EXTRAS = {
    "rich": "cli",
    "httpx": "send",
    "sqlalchemy": "inbox",
    "psycopg": "postgresql",
    "pyarrow": "arrow",
    **dict.fromkeys(("httptools", "jinja2", "prometheus_client", "starlette", "uvicorn"), "receiver"),
}


class _Commands(click.Group):
    """Commands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_HELPS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _HELPS:
            return None
        command: click.Command = importlib.import_module(f"bankhook.cli.{cmd_name}").command
        command.short_help = _HELPS[cmd_name]
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands, for which none of them is imported."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_HELPS.items()))


# The error for another name has the closest of these.
_possible: Any = dict.fromkeys((*_HELPS, "--help", "--version"))


@click.group(cls=_Commands, commands=_possible, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(bankhook.__version__, prog_name="bankhook")
@color
def commands() -> None:
    """Check, track and simulate the two webhook events of a bank-connection and purchase-tracking service.

    \b
    Examples:
      bankhook check archive.ndjson           what is wrong, and where
      bankhook simulate | bankhook track -    track a generated history
      bankhook rule status_equals_event_type  what a rule requires, with a sample
      bankhook demo                           a tour that takes a few seconds

    An archive has one event per line. Files may be compressed (`.gz`, `.zst`); `-` is standard input or output.

    The variable BANKHOOK_PLACE_ID has the wire name that the stand-in `placeId` stands for (2.4).

    Exit status: 0 fine, 1 problems were found, 2 wrong usage or a file that cannot be read or written.
    """


def run(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        _forget_output()
        return 130
    except BrokenPipeError:  # whoever read the output has seen enough
        _forget_output()
        return int(so_far.status)
    except OSError as error:
        complain(f"cannot write: {error.strerror or error}")
        _forget_output()
        return 2
    except MemoryError:
        complain("out of memory")
        return 2


def _run(arguments: list[str]) -> int:
    _prepare_output()
    if instruction := os.environ.get(_COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(commands, {}, "bankhook", _COMPLETE, instruction)
    try:  # not by `main`, which answers an interruption with an empty line
        with commands.make_context("bankhook", arguments) as context:
            return commands.invoke(context) or 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.FileError as error:
        complain(f"{error.ui_filename}: {error.message}")
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        for line in shown.getvalue().splitlines():
            complain(line, program="")
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get((error.name or "").split(".")[0])
        if extra is None:
            raise
        complain(f"{error.name} is missing: pip install 'bankhook[{extra}]'")
    return 2


def _prepare_output() -> None:
    """What a stream cannot show is no fault, nor is a stream that is not there."""
    gap(is_first=True)
    so_far.status = 0
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))
        getattr(sys, name).reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    """Nothing more is written: what is still kept back would fail again when the interpreter ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        with contextlib.suppress(OSError):
            os.dup2(nowhere, descriptor)
