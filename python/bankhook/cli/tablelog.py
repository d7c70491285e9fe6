# SPDX-License-Identifier: MIT
"""Which archives were written into a folder: its log, which one run has at a time."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import hashlib
import json
import os
from collections.abc import Generator
from typing import IO, Any

import click

__all__ = ["Log", "opened_log", "place_of", "stem_of"]


class Log:
    """The log of a folder; of several lines about an archive the last one counts."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._known: dict[str, tuple[Any, int]] = {}
        file.seek(0)
        for line in (text := file.read()).splitlines():
            with contextlib.suppress(ValueError):  # a line that is damaged, or was not written to its end
                match json.loads(line):
                    case {"stem": str(stem), "state": state, "rejected": int(rejected)}:
                        self._known[stem] = state, rejected
                    case _:
                        pass
        if text and not text.endswith(b"\n"):
            file.write(b"\n")

    def rejected(self, stem: str, state: dict[str, Any]) -> int | None:
        """Return how many lines were rejected when an archive in this state was written; None if it was not."""
        before, rejected = self._known.get(stem, (None, 0))
        return rejected if before == json.loads(json.dumps(state)) else None

    def note(self, stem: str, state: dict[str, Any] | None = None, rejected: int = 0) -> None:
        """All files of an archive in this state are complete; without a state, they may be of two runs from here on."""
        self._file.write(json.dumps({"stem": stem, "state": state, "rejected": rejected}).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


@contextlib.contextmanager
def opened_log(output: str) -> Generator[Log, None, None]:
    """Open the log of a folder, which no other run has then; what a run that was killed left is removed."""
    os.makedirs(output, exist_ok=True)
    with open(os.path.join(output, ".written.jsonl"), "ab+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise click.FileError(output, "another run is writing into this folder") from None
        for left in glob.glob(os.path.join(glob.escape(output), "*", ".*.incomplete")):
            os.remove(left)
        yield Log(file)


def place_of(path: str) -> str:
    """Return the path of an archive however it was spelled: its folder without links, and its own name."""
    if path.startswith("<"):  # standard input, an inbox
        return path
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def stem_of(path: str) -> str:
    """Return the name of an archive's files: its own, and a digest of its whole path, so that no two archives share one."""
    stem = os.path.basename(path)
    for ending in (".gz", ".zst", ".ndjson", ".jsonl", ".json"):
        stem = stem.removesuffix(ending)
    if path.startswith("<"):
        return stem.strip("<>")
    return f"{stem}-{hashlib.sha256(os.fsencode(place_of(path))).hexdigest()[:12]}"
