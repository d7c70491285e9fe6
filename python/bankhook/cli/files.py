# SPDX-License-Identifier: MIT
"""Where commands write: to standard output for `-`, else to a file; an error is reported in one line."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Generator
from typing import IO

import click

from bankhook._archive._compression import packed


@contextlib.contextmanager
def binary_output(name: str) -> Generator[IO[bytes], None, None]:
    """Open a file for bytes, compressed if its name ends in `.gz` or `.zst`; `-` is standard output, after what was printed."""
    if name == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with writing(name), open(name, "wb", buffering=1 << 18) as file, contextlib.closing(packed(name, file)) as packing:
        yield packing


@contextlib.contextmanager
def writing(name: str) -> Generator[None, None, None]:
    """Report an error of writing with the name of the file."""
    try:
        yield
    except OSError as error:
        raise click.FileError(name, error.strerror or str(error)) from None


@contextlib.contextmanager
def complete(path: str) -> Generator[IO[bytes], None, None]:
    """Open a file that gets its name when all is written and durable; what is incomplete is removed."""
    folder, name = os.path.split(path)
    incomplete = os.path.join(folder, f".{name}.{secrets.token_hex(8)}.incomplete")  # hidden, and of this run alone
    with writing(path):
        try:
            with open(incomplete, "xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(incomplete, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.remove(incomplete)
            raise
