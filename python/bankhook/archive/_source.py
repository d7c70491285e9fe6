# SPDX-License-Identifier: MIT
"""The bytes of an archive, wherever it lies and however it is compressed, a part at a time."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Protocol, TypeAlias, cast

from bankhook.archive._compression import Read, kind_of, may_be_compressed, unpacked

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["PART", "Part", "Readable", "Source", "archive_reader", "is_compressed", "whole_lines", "windows"]

Part: TypeAlias = tuple[bytes, int, int]
"""Bytes, and where whole lines begin and end in them."""
Source: TypeAlias = "str | os.PathLike[str] | Buffer | IO[bytes]"

_HEAD = 1 << 16
PART = 1 << 18
"""Bytes that are read at once: larger parts leave the processor's cache and cost the system more."""


class Readable(Protocol):
    """All that is asked of a file."""

    def read(self, size: int, /) -> bytes | None: ...


def archive_reader(source: Source | Readable) -> Read:
    """A function that gives the next bytes of the archive itself, at most so many, and b"" at its end.

    Raises OSError where it cannot be read or is damaged; what lies before was given then.
    """
    read = _opened(source)
    head = read(_HEAD)
    while head and may_be_compressed(head) and (part := read(_HEAD)):
        head += part
    whole = _with_head(head, read)
    kind = kind_of(head)
    return whole if kind is None else unpacked(kind, whole)


def whole_lines(read: Read) -> Callable[[], Part | None]:
    """A function that gives what `read` reads part by part, each of whole lines, and None at the end.

    Where reading fails, what was read of a line comes first, as the last line, and the error when more is asked for.
    """
    rest: list[bytes] = []  # of a line that has not ended yet
    waiting: list[Part] = []
    failure: list[OSError] = []

    def more() -> Part | None:
        if waiting:
            return waiting.pop()
        if failure:
            raise failure[0]
        try:
            while part := read(PART):
                first, end = part.find(b"\n") + 1, part.rfind(b"\n") + 1
                if not end:
                    rest.append(part)
                    continue
                after = [part[end:]] if end < len(part) else []
                if not rest:
                    rest[:] = after
                    return part, 0, end
                if first < end:
                    waiting.append((part, first, end))
                line = b"".join((*rest, part[:first]))  # only the line that began in another part is copied
                rest[:] = after
                return line, 0, len(line)
        except OSError as error:
            failure[:] = [error]
            if not rest:
                raise
        last = b"".join(rest)
        rest.clear()
        return (last, 0, len(last)) if last else None

    return more


def windows(archive: bytes) -> Callable[[], Part | None]:
    """Parts of bytes that lie in memory: nothing is copied."""
    at = 0

    def more() -> Part | None:
        nonlocal at
        begin, end = at, archive.find(b"\n", at + PART) + 1
        at = end or len(archive)
        return (archive, begin, at) if begin < at else None

    return more


def is_compressed(archive: bytes) -> bool:
    """Whether it begins as gzip or Zstandard does."""
    return kind_of(archive) is not None


def _opened(source: Source | Readable) -> Read:
    if isinstance(source, (str, os.PathLike)):
        return _PathFile(source).read
    try:
        view = memoryview(cast("Buffer", source))
    except TypeError:
        return _file_reader(cast(Readable, source))
    return _buffer_reader(view)


def _buffer_reader(view: memoryview) -> Read:
    flat = view.cast("B") if view.c_contiguous and view.nbytes else memoryview(view.tobytes())
    at = 0

    def read(size: int) -> bytes:
        nonlocal at
        part = bytes(flat[at : at + size])
        at += len(part)
        return part

    return read


def _file_reader(file: Readable) -> Read:
    def read(size: int) -> bytes:
        part: object = file.read(size)
        if part is None:
            raise BlockingIOError("parse_lines() expects a file that blocks, read() gave None")
        if not isinstance(part, bytes):
            raise TypeError(f"parse_lines() expects a file opened in binary mode, read() gave {type(part).__name__}")
        return bytes(part)

    return read


def _with_head(head: bytes, read: Read) -> Read:
    """Reads what was read already again, then the rest; waits for nothing while there is something."""
    left = head

    def read_on(size: int) -> bytes:
        nonlocal left
        part, left = left[:size], left[size:]
        return part or read(size)

    return read_on


class _PathFile:
    """A file by its path, closed at its end, where it fails, or when it is forgotten."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file: IO[bytes] = open(path, "rb", buffering=0)

    def read(self, size: int) -> bytes:
        if self._file.closed:
            return b""
        try:
            part = self._file.read(size)
        except OSError:
            self._file.close()
            raise
        if not part:
            self._file.close()
        return part

    def __del__(self) -> None:
        if "_file" in vars(self):
            self._file.close()
