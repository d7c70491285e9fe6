# SPDX-License-Identifier: MIT
"""Gzip and Zstandard, unpacked by Python's own modules; what precedes damage is returned before the error."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import IO, Any, Protocol, TypeAlias, cast

Read: TypeAlias = Callable[[int], bytes]
"""Return the next bytes, at most this many; b"" at the end."""

_GZIP, _ZSTD, _SKIPPABLE = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"
ZSTD_MODULE = "backports.zstd"
"""The module that may be missing."""
_PIECE = 1 << 13  # the modules lose what they unpack in the call that finds damage: at most this many bytes
_COMPRESSED_PIECE = 1 << 16


class _Unpacked(Protocol):
    """GzipFile and ZstdFile."""

    def read1(self, size: int, /) -> bytes: ...


def kind_of(head: bytes) -> str | None:
    """Return "gzip" or "zstd" if the first bytes of a source say so."""
    if head.startswith(_GZIP):
        return "gzip"
    # A frame of Zstandard may hold data, or notes that are skipped.
    return "zstd" if head.startswith(_ZSTD) or (head[1:4] == _SKIPPABLE and head[0] >> 4 == 5) else None


def may_be_compressed(head: bytes) -> bool:
    """Return whether more of the source is needed to recognise its kind."""
    marks = (_GZIP, _ZSTD, *(bytes([first]) + _SKIPPABLE for first in range(0x50, 0x60)))
    return any(len(head) < len(mark) and mark.startswith(head) for mark in marks)


def unpacked(kind: str, read: Read) -> Read:
    """Return a function that unpacks what `read` returns, with all of its parts or frames.

    If the source is damaged or cut, it raises OSError after it has returned everything before, and on every later call.
    """
    file = io.BufferedReader(_File(read), _COMPRESSED_PIECE)  # the modules read what is hostile byte by byte
    source, damage = _gzip(file) if kind == "gzip" else _zstd(file)
    position = 0
    failure: OSError | None = None

    def read_pieces(size: int) -> bytes:
        nonlocal position, failure
        pieces: list[bytes] = []
        end = position + size
        try:
            while failure is None and position < end and (piece := source.read1(min(end - position, _PIECE))):
                pieces.append(piece)
                position += len(piece)
        except damage as error:
            failure = OSError(f"damaged {kind} data after {position} bytes of the archive: {_reason(error)}")
        except OSError as error:  # from the source itself
            failure = error
        if failure is not None and not pieces:
            raise failure
        return b"".join(pieces)

    return read_pieces


class _File(io.RawIOBase):
    """A file that calls a function to read."""

    def __init__(self, read: Read) -> None:
        self._read = read

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        part = self._read(len(buffer))
        buffer[: len(part)] = part
        return len(part)


def _gzip(file: IO[bytes]) -> tuple[_Unpacked, tuple[type[Exception], ...]]:
    import gzip
    import zlib

    return gzip.GzipFile(fileobj=file, mode="rb"), (EOFError, gzip.BadGzipFile, zlib.error)


def packed(name: str, file: IO[bytes]) -> IO[bytes]:
    """Return what compresses to a file, as the ending of its name says, `.gz` or `.zst`; the file itself for another ending."""
    if name.endswith(".gz"):
        import gzip

        return cast("IO[bytes]", gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0))
    return cast("IO[bytes]", _zstd_module("writing").ZstdFile(file, "w")) if name.endswith(".zst") else file


def _zstd(file: IO[bytes]) -> tuple[_Unpacked, tuple[type[Exception], ...]]:
    module = _zstd_module("reading")
    return module.ZstdFile(file), (EOFError, module.ZstdError)


def _zstd_module(what: str) -> Any:
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]  # from Python 3.14 on
    except ImportError:
        try:
            from backports import zstd
        except ImportError:
            message = f"{what} Zstandard needs Python 3.14 or the extra: pip install 'bankhook[zstd]'"
            raise ModuleNotFoundError(message, name=ZSTD_MODULE) from None
    return cast(Any, zstd)


def _reason(error: Exception) -> str:
    """Return the reason in one sentence, without bytes of the source, which may be personal."""
    return "it ends too early" if isinstance(error, EOFError) else str(error).partition(" (b'")[0]
