# SPDX-License-Identifier: MIT
"""Archives as commands read them: files and standard input, compressed or not, in parts of whole lines."""

from __future__ import annotations

import itertools
import os
import re
import stat
from collections.abc import Iterator
from typing import IO, NamedTuple

from bankhook.archive._source import PART, archive_reader, whole_lines

__all__ = ["Archive", "Part", "Unreadable", "as_line", "begins_payload", "shown_name", "total_size"]

_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")


class Unreadable(Exception):
    """A file that cannot be read, or not to its end; says why."""


class Part(NamedTuple):
    """Lines of an archive, or the whole of a file that is one payload."""

    text: bytes
    """Whole lines; the last one may lack its end."""
    is_payload: bool
    """One payload over several lines."""


class Archive:
    """A file by its name, `-` for standard input; read once, from start to end."""

    def __init__(self, name: str) -> None:
        """Raises Unreadable."""
        self.name = name
        self.position = 0
        """Bytes of the file that were read."""
        try:
            self._file: IO[bytes] = open(0 if name == "-" else name, "rb", buffering=0, closefd=name != "-")
        except OSError as error:
            raise Unreadable(_reason(error)) from None

    @property
    def shown_name(self) -> str:
        """As messages call it."""
        return shown_name(self.name)

    def parts(self) -> Iterator[Part]:
        """All lines in parts. A file whose first line only begins a JSON object is one payload, given as one part.

        Raises Unreadable where the file cannot be read to its end; what was read of it was given before.
        """
        with self._file:
            chunks = _joined_first_lines(self._plain())
            first = next(chunks, b"")
            if _is_binary(first):
                raise Unreadable("it is a binary file, not lines of JSON")
            if begins_payload(first):
                yield Part(b"".join((first, *chunks)), True)
                return
            chunks = itertools.chain((first,), chunks)
            more = whole_lines(lambda _: next(chunks, b""))
            while part := more():
                text, begin, end = part
                yield Part(text[begin:end], False)

    def _plain(self) -> Iterator[bytes]:
        """The text itself, in chunks that are not empty."""
        try:
            read = archive_reader(self)
            while chunk := read(PART):
                yield chunk
        except OSError as error:
            raise Unreadable(_reason(error)) from None
        except ModuleNotFoundError as error:
            raise Unreadable(str(error)) from None

    def read(self, size: int) -> bytes:
        """The next bytes of the file, compressed or not. Raises OSError."""
        chunk = self._file.read(size)
        self.position += len(chunk)
        return chunk


def shown_name(name: str) -> str:
    """As messages call a file."""
    return "<stdin>" if name == "-" else name


def total_size(names: tuple[str, ...]) -> int | None:
    """Bytes of all the files; None where one of them is no plain file."""
    size = 0
    for name in names:
        try:
            found = os.stat(0 if name == "-" else name)
        except OSError:
            continue
        if not stat.S_ISREG(found.st_mode):
            return None
        size += found.st_size
    return size


def as_line(payload: bytes) -> bytes:
    """A payload over several lines as one line, byte by byte: within a text its ends of lines stay as wrong as they are."""
    return payload.replace(b"\n", b"\r")


def begins_payload(text: bytes) -> bool:
    """Whether the first line that is not blank only begins a payload, which the second one goes on with."""
    lines = text.lstrip().split(b"\n", 2)
    if len(lines) < 2 or not lines[0].rstrip().endswith((b"{", b"[", b",", b":")):
        return False
    second = text.lstrip()[len(lines[0]) :].lstrip()
    return lines[0].startswith((b"{", b"\xef\xbb\xbf{")) and not second.startswith(b"{")


def _joined_first_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The chunks, the first ones joined until it can be told what they begin."""
    first = b""
    for chunk in chunks:
        first += chunk
        if not _may_begin_payload(first):
            break
    if first:
        yield first
    yield from chunks


def _may_begin_payload(text: bytes) -> bool:
    """Whether more of the text has to be seen. Nobody begins a payload after so many blanks as fill a part."""
    if len(text) >= PART:
        return False
    lines = text.lstrip().split(b"\n", 1)
    is_open = lines[0].rstrip().endswith((b"{", b"[", b",", b":"))
    is_short = len(lines) == 1 and len(text) < 4096
    return not lines[0] or (is_open and (is_short or (len(lines) == 2 and not lines[1].strip())))


def _is_binary(text: bytes) -> bool:
    """Whether there are more control characters than a damaged line could have."""
    head = text[:4096]
    return len(_CONTROLS.findall(head)) > max(2, len(head) // 50)


def _reason(error: OSError) -> str:
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]
