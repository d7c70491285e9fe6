# SPDX-License-Identifier: MIT
"""What is compressed by gzip or Zstandard, in several members or frames, piece by piece up to a damaged place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, cast

__all__ = ["GzipMember", "Inflated", "Read", "zstd_frame"]

Read: TypeAlias = Callable[[int], bytes]
"""The next bytes, at most so many; b"" at the end."""

_PIECE = 1 << 16  # of Zstandard, so much at most is lost before a damaged place
_COMPRESSED_PIECE = 1 << 14


class _Frame(Protocol):
    """What is compressed as one: a member of gzip, a frame of Zstandard."""

    eof: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int) -> bytes: ...
    @property
    def needs_input(self) -> bool: ...


class GzipMember:
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
    except Exception:  # the damage, again
        pass
    return content


def zstd_frame() -> Callable[[], _Frame]:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # from Python 3.14 on
    except ImportError:
        try:
            from backports import zstd
        except ImportError:
            message = "reading Zstandard needs Python 3.14 or the extra: pip install 'bankhook[zstd]'"
            raise ModuleNotFoundError(message, name="backports.zstd") from None
    return cast(Callable[[], _Frame], cast(Any, zstd).ZstdDecompressor)


class Inflated:
    """What frames after each other hold. Frames are inflated piece by piece, and what lies before damage is given."""

    def __init__(self, kind: str, make: Callable[[], Any], read: Read) -> None:
        self._kind = kind
        self._make: Callable[[], _Frame] = make
        self._read = read
        self._frame: _Frame | None = None
        self._compressed = b""
        self._size = 0
        self._failure: OSError | None = None

    def read(self, size: int) -> bytes:
        """As of a file; after the damage, OSError again and again."""
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
        return OSError(f"damaged {self._kind} data after {self._size} bytes of the archive: {what}")
