# SPDX-License-Identifier: MIT
"""Archives of one event a line (NDJSON), plain or compressed, read part by part."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, cast, get_args

from bankhook import _core
from bankhook._values import ParseError

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from bankhook._core import AnyEvent
    from bankhook._drawing import Printer
    from bankhook._values import Finding

__all__ = ["ParsedLines", "Rejected", "parse_lines"]

OnError: TypeAlias = Literal["collect", "raise", "skip"]
Source: TypeAlias = "str | os.PathLike[str] | Buffer | IO[bytes]"

_PART = 1 << 20
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


class Rejected(NamedTuple):
    """A line that is no event: nothing of it is lost."""

    line: int
    """Counted from 1, blank lines included."""
    raw: bytes
    """The line without its end."""
    findings: tuple[Finding, ...]
    """Everything that is wrong with it; places count from the begin of the line."""

    def _repr_html_(self) -> str:
        from bankhook._show import html

        return html(self)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        from bankhook._show import pretty

        pretty(self, printer)


class ParsedLines:
    """What `parse_lines` gives: iterates events, and keeps the lines that are none in `rejected`.

    Iterating again starts anew, unless the source is a file object, which goes on where it stands.
    """

    __slots__ = ("_on_error", "_rejected", "_source")

    def __init__(self, source: Source, on_error: OnError) -> None:
        self._source = source
        self._on_error: OnError = on_error
        self._rejected: list[Rejected] = []

    @property
    def rejected(self) -> list[Rejected]:
        """The lines so far that are no events, with their findings; of the last iteration."""
        return self._rejected

    def __iter__(self) -> Iterator[AnyEvent]:
        rejected: list[Rejected] = []
        self._rejected = rejected

        def collect(line: int, raw: bytes) -> None:
            rejected.append(_rejected(line, raw))

        ways: dict[OnError, Callable[[int, bytes], None]] = {"collect": collect, "raise": _raise, "skip": _skip}
        return _core._events(_whole_lines(self._source), ways[self._on_error])

    def __repr__(self) -> str:
        return f"<bankhook.ParsedLines, on_error={self._on_error!r}, {len(self._rejected)} lines rejected>"

    def _repr_html_(self) -> str:
        from bankhook._show import html

        return html(self)


def parse_lines(source: Source, *, on_error: OnError = "collect") -> ParsedLines:
    """Iterates the events of an archive of one event a line: a path, a buffer or a binary file, gzip or Zstandard or plain.

    A line that is no event never stops the rest: it is collected in `.rejected` with its number, bytes and findings;
    `on_error="raise"` raises its ParseError instead when its turn comes, `"skip"` leaves it out. Blank lines count.
    Lines are read in parts of about 1 MiB without the interpreter's lock; an event that is kept keeps its part alive.

    Raises TypeError for another source, OSError where it cannot be read, and ValueError for another `on_error`.
    """
    if on_error not in get_args(OnError):
        raise ValueError(f"on_error: expected one of {', '.join(map(repr, get_args(OnError)))}, found {on_error!r}")
    if not (isinstance(source, (str, os.PathLike)) or hasattr(source, "read") or _is_buffer(source)):
        raise TypeError(f"parse_lines() expects a path, a buffer or a binary file, found {type(source).__name__}")
    return ParsedLines(source, on_error)


def _rejected(line: int, raw: bytes) -> Rejected:
    return Rejected(line, raw, _core.diagnose(raw))


def _skip(line: int, raw: bytes) -> None:
    """Nothing is done about it."""


def _raise(line: int, raw: bytes) -> None:
    try:
        _core.parse(raw)
    except ParseError as error:
        error.add_note(f"in line {line} of the archive")
        raise


def _is_buffer(source: object) -> bool:
    try:
        memoryview(cast("Buffer", source)).release()
    except TypeError:
        return False
    return True


def _whole_lines(source: Source) -> Callable[[], bytes]:
    """A function that gives the source part by part, each of whole lines, and b"" at the end."""
    read = _decompressed(source)
    rest: list[bytes] = []  # of a line that has not ended yet

    def more() -> bytes:
        while part := read(_PART):
            if not isinstance(part, bytes):
                raise TypeError(f"parse_lines() expects a file opened in binary mode, read() gave {type(part).__name__}")
            end = part.rfind(b"\n") + 1
            if end:
                lines = b"".join((*rest, part[:end]))
                rest[:] = [part[end:]] if end < len(part) else []
                return lines
            rest.append(part)
        last = b"".join(rest)
        rest.clear()
        return last

    return more


def _decompressed(source: Source) -> Callable[[int], bytes]:
    """A function that reads bytes of the archive itself, whatever it is wrapped in."""
    file = _opened(source)
    head = b""
    while len(head) < len(_ZSTD) and (part := file.read(len(_ZSTD) - len(head))):
        if not isinstance(part, bytes):
            raise TypeError(f"parse_lines() expects a file opened in binary mode, read() gave {type(part).__name__}")
        head += part
    whole = _WithHead(head, file)
    if head.startswith(_GZIP):
        import gzip

        return gzip.GzipFile(fileobj=cast(IO[bytes], whole)).read
    if head.startswith(_ZSTD):
        return _zstd(whole)
    return whole.read


def _opened(source: Source) -> IO[bytes]:
    if isinstance(source, (str, os.PathLike)):
        return cast(IO[bytes], _PathFile(source))
    if _is_buffer(source):
        import io

        return cast(IO[bytes], _BufferFile(memoryview(cast("Buffer", source)).cast("B"))) if source else io.BytesIO()
    return cast(IO[bytes], source)


def _zstd(file: _WithHead) -> Callable[[int], bytes]:
    from importlib import import_module  # neither module is there for every checker

    try:
        zstd: Any = import_module("compression.zstd")  # from Python 3.14 on
    except ImportError:
        try:
            zstandard: Any = import_module("zstandard")
        except ImportError:
            raise ModuleNotFoundError("reading .zst needs Python 3.14 or the package zstandard", name="zstandard") from None
        return cast(Callable[[int], bytes], zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read)
    return cast(Callable[[int], bytes], zstd.ZstdFile(file).read)


class _PathFile:
    """A file by its path, closed at its end or when it is forgotten."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file: IO[bytes] = open(path, "rb", buffering=0)

    def read(self, size: int) -> bytes:
        if self._file.closed:
            return b""
        part = self._file.read(size)
        if not part:
            self._file.close()
        return part

    def __del__(self) -> None:
        if "_file" in vars(self):
            self._file.close()


class _BufferFile:
    """A buffer as a file to read."""

    def __init__(self, view: memoryview) -> None:
        self._view = view
        self._at = 0

    def read(self, size: int) -> bytes:
        part = bytes(self._view[self._at : self._at + size])
        self._at += len(part)
        return part


class _WithHead:
    """A file whose first bytes were read already; a raw file may give fewer bytes than asked for."""

    def __init__(self, head: bytes, file: Any) -> None:
        self._head = head
        self._file = file

    def read(self, size: int = -1) -> bytes:
        if self._head:
            size = len(self._head) if size < 0 else size
            head, self._head = self._head[:size], self._head[size:]
            return head
        return cast(bytes, self._file.read(size) or b"")

    def seekable(self) -> bool:
        return False


ParsedLines.__module__ = Rejected.__module__ = parse_lines.__module__ = "bankhook"
