# SPDX-License-Identifier: MIT
"""Which archives were written into a folder: a note for each, and one run at a time."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import hashlib
import os
from collections.abc import Generator

import click

NOTES = ".written"
"""The folder of the notes: what state an archive was in when all of its files were complete."""


@contextlib.contextmanager
def alone(output: str) -> Generator[None, None, None]:
    """Take a folder, into which no other run writes then; what a run that was killed left is removed."""
    os.makedirs(os.path.join(output, NOTES), exist_ok=True)
    lock = os.open(output, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for folder in ("*", NOTES):  # the first does not stand for a hidden one
            for left in glob.glob(os.path.join(glob.escape(output), folder, ".*.incomplete")):
                os.remove(left)
        yield
    except BlockingIOError:
        raise click.FileError(output, "another run is writing into this folder") from None
    finally:
        os.close(lock)


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
