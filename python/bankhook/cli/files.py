# SPDX-License-Identifier: MIT
"""Where commands write: to standard output for `-`, else to a file; and how an error of a file is reported, in one line."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import sys
from collections.abc import Generator
from typing import IO

import click

from bankhook._archive._compression import ZSTD_MODULE, packed


@contextlib.contextmanager
def binary_output(name: str) -> Generator[IO[bytes], None, None]:
    """Open a file for bytes, compressed if its name ends in `.gz` or `.zst`; `-` is standard output, after what was printed."""
    if name == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with named(name), open(name, "wb", buffering=1 << 18) as file, contextlib.closing(packed(name, file)) as packing:
        yield packing


_OTHERS = r".*(\.(bz2|xz|lzma|lz4|br|sz|z|zip|7z|rar|tar|tgz|parquet|arrow|feather|csv|xlsx|db))"


def check_ending(name: str) -> None:
    """Raise click.UsageError for a file of lines whose name says that it is packed in another way, or something else."""
    if other := re.fullmatch(_OTHERS, name, re.IGNORECASE | re.DOTALL):
        raise click.UsageError(f"{name}: lines of JSON are written plain, or packed as .gz or .zst, and not as {other[1]}")


class FileFault(click.FileError):
    """A file that cannot be read or written; the message says why."""

    def __init__(self, name: str, error: Exception) -> None:
        text = getattr(error, "strerror", None) or str(error)
        text = re.sub(r'\b(at|encoding|format)="([^"]*)",?', lambda option: f"--{option[1]} {shlex.quote(option[2])}", text)
        super().__init__(name, text[:1].lower() + text[1:])


@contextlib.contextmanager
def named(name: str) -> Generator[None, None, None]:
    """Report an error of reading or writing with the name of the file, as FileFault."""
    try:
        yield
    except (OSError, ImportError) as error:
        if isinstance(error, ImportError) and error.name not in (ZSTD_MODULE, "gzip", "zlib"):  # no matter of the file
            raise
        raise FileFault(name, error) from None


@contextlib.contextmanager
def complete(path: str) -> Generator[IO[bytes], None, None]:
    """Open a file that gets its name when all is written and durable; what is incomplete is removed."""
    folder, name = os.path.split(path)
    incomplete = os.path.join(folder, f".{name}.{os.urandom(8).hex()}.incomplete")  # hidden, and of this run alone
    with named(path):
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
