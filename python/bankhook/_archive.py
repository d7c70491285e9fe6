# SPDX-License-Identifier: MIT
"""The bytes of an archive, wherever it lies and however it is compressed, a part at a time."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import IO, TYPE_CHECKING, Any, Protocol, TypeAlias, cast

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Readable", "Source", "archive_reader", "is_compressed"]

Source: TypeAlias = "str | os.PathLike[str] | Buffer | IO[bytes]"
Read: TypeAlias = Callable[[int], bytes]

_GZIP, _ZSTD, _SKIPPABLE = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"
_HEAD = 1 << 16
_PIECE = 1 << 16  # of Zstandard, so much at most is lost before a damaged place
_COMPRESSED_PIECE = 1 << 14


class Readable(Protocol):
    """All that is asked of a file."""

    def read(self, size: int, /) -> bytes | None: ...


def archive_reader(source: Source | Readable) -> Read:
    """A function that gives the next bytes of the archive itself, at most so many, and b"" at its end.

    Raises OSError where it cannot be read or is damaged; what lies before was given then.
    """
    read = _opened(source)
    head = read(_HEAD)
    while head and _may_be_compressed(head) and (part := read(_HEAD)):
        head += part
    whole = _with_head(head, read)
    if head.startswith(_GZIP):
        return _Inflated("gzip", _GzipMember, whole).read
    if head.startswith(_ZSTD) or _is_skippable(head):
        return _Inflated("zstd", _zstd_frame(), whole).read
    return whole


def is_compressed(archive: bytes) -> bool:
    """Whether it begins as gzip or Zstandard does."""
    return archive.startswith((_GZIP, _ZSTD)) or _is_skippable(archive)


def _may_be_compressed(head: bytes) -> bool:
    """Whether more has to be seen to tell."""
    marks = (_GZIP, _ZSTD, *(bytes([first]) + _SKIPPABLE for first in range(0x50, 0x60)))
    return any(len(head) < len(mark) and mark.startswith(head) for mark in marks)


def _is_skippable(head: bytes) -> bool:
    """Whether it is the begin of a Zstandard frame that holds no data of the archive."""
    return head[1:4] == _SKIPPABLE and head[0] >> 4 == 5


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
    """Reads what was read already once more, then the rest; waits for nothing while there is something."""
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


class _Frame(Protocol):
    """What is compressed as one: a member of gzip, a frame of Zstandard."""

    eof: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int) -> bytes: ...
    @property
    def needs_input(self) -> bool: ...


class _GzipMember:
    """zlib's decompressor with the attributes of Zstandard's."""

    def __init__(self) -> None:
        import zlib

        self._member = zlib.decompressobj(wbits=31)  # with the head and the checksum of gzip
        self._is_full = False
        self._damage: Exception | None = None

    def decompress(self, data: bytes, max_length: int) -> bytes:
        if self._damage is not None:
            raise self._damage
        given = self._member.unconsumed_tail + data
        before = self._member.copy()
        try:
            content = self._member.decompress(given, max_length)
        except Exception as error:  # zlib.error, and what lies before the damage is lost with it
            self._damage = error
            return _up_to_damage(before, given)
        self._is_full = len(content) == max_length  # zlib may hold more that it has read already
        return content

    @property
    def needs_input(self) -> bool:
        return self._damage is None and not self._is_full and not self._member.unconsumed_tail

    @property
    def eof(self) -> bool:
        return self._member.eof

    @property
    def unused_data(self) -> bytes:
        return self._member.unused_data


def _up_to_damage(member: Any, given: bytes) -> bytes:
    """What can be inflated before the damage, but for a few bytes."""
    content = b""
    try:
        while piece := member.decompress(given, 64):
            content += piece
            given = member.unconsumed_tail
    except Exception:  # the damage, once more
        pass
    return content


def _zstd_frame() -> Callable[[], _Frame]:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # from Python 3.14 on
    except ImportError:
        try:
            from backports import zstd
        except ImportError:
            message = "reading Zstandard needs Python 3.14 or the extra: pip install 'bankhook[zstd]'"
            raise ModuleNotFoundError(message, name="backports.zstd") from None
    return cast(Callable[[], _Frame], cast(Any, zstd).ZstdDecompressor)


class _Inflated:
    """What frames behind each other hold. Frames are inflated piece by piece, and what lies before damage is given."""

    def __init__(self, kind: str, make: Callable[[], Any], read: Read) -> None:
        self._kind = kind
        self._make: Callable[[], _Frame] = make
        self._read = read
        self._frame: _Frame | None = None
        self._compressed = b""
        self._size = 0
        self._failure: OSError | None = None

    def read(self, size: int) -> bytes:
        """As of a file; behind the damage, OSError again and again."""
        if self._failure is not None:
            raise self._failure
        pieces: list[bytes] = []
        left = size
        try:
            while left > 0 and (piece := self._piece()):
                pieces.append(piece)
                left -= len(piece)
        except OSError as error:
            self._failure = error
            if not pieces:
                raise
        return b"".join(pieces)

    def _piece(self) -> bytes:
        """The next bytes; b"" at the end."""
        while True:
            if self._frame is None and not self._next_frame():
                return b""
            assert self._frame is not None
            if self._frame.needs_input and not self._compressed:
                self._compressed = self._read(_COMPRESSED_PIECE)
                if not self._compressed:
                    raise self._damage("it ends too early")
            given, self._compressed = self._compressed, b""
            try:
                piece = self._frame.decompress(given, _PIECE)
            except Exception as error:  # zlib.error or ZstdError: neither is an OSError
                raise self._damage(str(error)) from None
            if self._frame.eof:
                self._compressed, self._frame = self._frame.unused_data, None
            if piece:
                self._size += len(piece)
                return piece

    def _next_frame(self) -> bool:
        """Begins with the next frame; false at the end. Zeros may fill the space between members of gzip."""
        while True:
            if self._kind == "gzip":
                self._compressed = self._compressed.lstrip(b"\0")
            if self._compressed:
                self._frame = self._make()
                return True
            self._compressed = self._read(_COMPRESSED_PIECE)
            if not self._compressed:
                return False

    def _damage(self, what: str) -> OSError:
        return OSError(f"damaged {self._kind} data behind {self._size} bytes of the archive: {what}")
