# SPDX-License-Identifier: MIT
"""The command in a process of its own, and archives for it."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import select
import signal
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import click
import jsonschema

import bankhook
from bankhook.cli.commands import commands
from bankhook.testing import samples
from python import forked

__all__ = ["COMMAND", "Done", "clean_archive", "ended", "faulty_archive", "fork", "objects", "run", "shaped"]

COMMAND = str(Path(sys.executable).parent / "bankhook")


class Done(NamedTuple):
    """How a run ended."""

    status: int
    out: str
    err: str


def run(*arguments: str | os.PathLike[str], stdin: bytes = b"", env: dict[str, str] | None = None) -> Done:
    """Run the command in a pipe."""
    words = [os.fspath(argument) for argument in arguments]
    # Arrow's threads do not survive a fork, and here the place field may have its name already.
    if words[:1] == ["table"] or "BANKHOOK_PLACE_ID" in (env or {}):
        code = f"import sys; from bankhook.cli import main; sys.argv = {[COMMAND, *words]!r}; main()"
        return Done(*forked.run(code, stdin, env))  # type: ignore[arg-type]
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin)
        given.seek(0)
        status = ended(fork(words, (given.fileno(), out.fileno(), err.fileno()), env))
        texts = [(file.seek(0), file.read().decode())[1] for file in (out, err)]
    return Done(status, texts[0], texts[1])


def ended(pid: int) -> int:
    """Wait for the end of a fork, two minutes at most, and return its exit status."""
    child = os.pidfd_open(pid)
    if not select.select([child], [], [], 120)[0]:
        os.kill(pid, signal.SIGKILL)
    os.close(child)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@functools.cache
def _import_for(command: str) -> None:
    """Import what the command will, once and not in each fork."""
    commands.get_command(click.Context(commands), command)
    if command in {"inbox", "replay"}:
        pass


def fork(words: list[str], streams: tuple[int, int, int], env: dict[str, str] | None = None) -> int:
    """Start the command in a fork of this process, in a twentieth of the time: everything is imported already."""
    from bankhook.cli import main

    _import_for(words[0] if words else "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork beside threads, none of which the command needs
        pid = os.fork()
    if pid:
        return pid
    status = 70
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        sys.stdin, sys.stdout, sys.stderr = (open(number, mode, closefd=False) for number, mode in enumerate("rww"))
        os.environ.update(env or {})
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        sys.argv = [COMMAND, *words]
        main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            sys.stdout.flush()
        os._exit(status)


def objects(done: Done) -> list[dict[str, Any]]:
    """Return the objects that the command printed with --json."""
    return [json.loads(line) for line in done.out.splitlines()]


def shaped(name: str, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the objects, each of which has the shape that `bankhook schema` prints, and none of its types is missing."""
    shape = json.loads(run("schema", name).out)
    jsonschema.Draft202012Validator.check_schema(shape)
    validator = jsonschema.Draft202012Validator(shape)
    for line in lines:
        validator.validate(line)
    types = {one["properties"]["type"]["const"] for one in shape["oneOf"] if "type" in one["properties"]} - {"unreadable"}
    assert lines and types <= {line.get("type") for line in lines}
    return lines


def clean_archive(events: int = 200) -> bytes:
    """Return lines without findings."""
    sandbox = bankhook.Sandbox(seed=5, members=10)
    lines = [delivery.payload for delivery in sandbox.deliveries(2 * events)]
    return b"".join(line + b"\n" for line in lines if bankhook.is_clean(line))


def faulty_archive() -> bytes:
    """Return good and bad lines."""
    return samples.archive()
