# SPDX-License-Identifier: MIT
"""Archives as commands read them: files and standard input, compressed or not, in parts of whole lines."""

from __future__ import annotations

import os
import re
import stat
import zlib
from collections.abc import Callable, Iterator
from typing import IO, Any, NamedTuple

__all__ = ["Archive", "Part", "Unreadable", "begins_payload", "total_size"]

_PART = 1 << 18  # larger parts leave the processor's cache and cost the system more
_COMPRESSED_PART = 1 << 16
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
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
    """A file by its name, `-` for standard input; read once, from begin to end."""

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
        return "<stdin>" if self.name == "-" else self.name

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
            rest: list[bytes] = []
            while first:
                end = first.rfind(b"\n") + 1
                if end:
                    yield Part(b"".join((*rest, first[:end])) if rest or end < len(first) else first, False)
                    rest = [first[end:]] if end < len(first) else []
                else:
                    rest.append(first)
                first = next(chunks, b"")
            if rest:
                yield Part(b"".join(rest), False)

    def _plain(self) -> Iterator[bytes]:
        """The text itself, in chunks that are not empty."""
        head = self._read(_COMPRESSED_PART)
        while head and _may_be_compressed(head) and (more := self._read(_COMPRESSED_PART)):
            head += more
        if head.startswith(_GZIP):
            yield from self._unpacked(head, lambda: zlib.decompressobj(31))
        elif head.startswith(_ZSTD):
            yield from self._unpacked(head, _zstd_decompressor())
        else:
            while head:
                yield head
                head = self._read(_PART)

    def _unpacked(self, chunk: bytes, start: Callable[[], Any]) -> Iterator[bytes]:
        """Streams of compressed data, one behind the other."""
        stream = start()
        while chunk:
            try:
                text = stream.decompress(chunk)
            except (MemoryError, OSError):
                raise
            except Exception as error:  # each library has its own
                raise Unreadable(f"its compressed data is damaged ({error})") from None
            if text:
                yield text
            chunk = stream.unused_data if stream.eof else b""
            if stream.eof:
                chunk = chunk.lstrip(b"\0")  # what tape archives are filled up with
                if chunk or (chunk := self._read(_COMPRESSED_PART)):
                    stream = start()
            else:
                chunk = self._read(_COMPRESSED_PART)
        if not stream.eof:
            raise Unreadable("its compressed data ends too early; what came before was read")

    def _read(self, size: int) -> bytes:
        try:
            chunk = self._file.read(size)
        except OSError as error:
            raise Unreadable(_reason(error)) from None
        self.position += len(chunk)
        return chunk


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


def begins_payload(text: bytes) -> bool:
    """Whether the first line that is not blank only begins a payload, which the second one goes on with."""
    lines = text.lstrip().split(b"\n", 2)
    if len(lines) < 2 or not lines[0].rstrip().endswith((b"{", b"[", b",", b":")):
        return False
    second = text.lstrip()[len(lines[0]) :].lstrip()
    return lines[0].startswith((b"{", b"\xef\xbb\xbf{")) and not second.startswith(b"{")


def _may_be_compressed(head: bytes) -> bool:
    """Whether more has to be seen to tell."""
    return any(len(head) < len(mark) and mark.startswith(head) for mark in (_GZIP, _ZSTD))


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
    """Whether more of the text has to be seen."""
    lines = text.lstrip().split(b"\n", 1)
    is_open = lines[0].rstrip().endswith((b"{", b"[", b",", b":"))
    is_short = len(lines) == 1 and len(text) < 4096
    return not lines[0] or (is_open and (is_short or (len(lines) == 2 and not lines[1].strip())))


def _is_binary(text: bytes) -> bool:
    """Whether there are more control characters than a damaged line could have."""
    head = text[:4096]
    return len(_CONTROLS.findall(head)) > max(2, len(head) // 50)


def _zstd_decompressor() -> Callable[[], Any]:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # from Python 3.14 on
    except ModuleNotFoundError:
        try:
            import zstandard
        except ModuleNotFoundError:
            raise Unreadable("reading .zst needs Python 3.14 or the package zstandard: pip install zstandard") from None
        return lambda: zstandard.ZstdDecompressor().decompressobj()
    decompressor: Callable[[], Any] = zstd.ZstdDecompressor
    return decompressor


def _reason(error: OSError) -> str:
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]
