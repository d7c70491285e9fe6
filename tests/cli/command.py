# SPDX-License-Identifier: MIT
"""The installed command in a process of its own, and archives for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema

import bankhook
from bankhook.testing import samples

__all__ = ["COMMAND", "Done", "clean_archive", "faulty_archive", "objects", "run", "shaped"]

COMMAND = str(Path(sys.executable).parent / "bankhook")


class Done(NamedTuple):
    """How a run ended."""

    status: int
    out: str
    err: str


def run(*arguments: str | os.PathLike[str], stdin: bytes = b"", env: dict[str, str] | None = None) -> Done:
    """Run the command in a pipe."""
    done = subprocess.run(
        [COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=120,
        env={**os.environ, **(env or {})},
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def objects(done: Done) -> list[dict[str, Any]]:
    """Return the objects that the command printed with --json."""
    return [json.loads(line) for line in done.out.splitlines()]


def shaped(name: str, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the objects, each of which has the shape that `bankhook schema` prints, and none of its types is missing."""
    shape = json.loads(run("schema", name).out)
    jsonschema.Draft202012Validator.check_schema(shape)
    for line in lines:
        jsonschema.validate(line, shape)
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
