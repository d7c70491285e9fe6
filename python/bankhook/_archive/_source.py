# SPDX-License-Identifier: MIT
"""The unpacked bytes of an archive from any source, a piece at a time."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn, Protocol, cast

from bankhook import _core
from bankhook._archive._compression import Read, kind_of, may_be_compressed, unpacked
from bankhook._records.errors import check_type

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from bankhook._records.lines import Source

_HEAD = 1 << 16
_LOOKED_AT = 1 << 12
_CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\v\f\r"})
_SQLITE = b"SQLite format 3\0"
_SQLITE_INDEX = (3_007_000).to_bytes(4, sys.byteorder)  # what a -shm file starts with
_kept: dict[tuple[int, int], list[io.FileIO]] = {}
"""Files of SQLite. To close one would end all locks that this process has on it, such as those of its open inbox."""


class _Readable(Protocol):
    """What a file must have."""

    def read(self, size: int, /) -> bytes | None: ...


def is_source(source: object) -> bool:
    """Return whether an archive can be read from this."""
    return isinstance(source, (str, os.PathLike)) or hasattr(source, "read") or _is_buffer(source)


class Container(NamedTuple):
    """What the events of an archive are in; with the defaults, in nothing, or in CSV if the name of the source ends so."""

    at: str | None = None
    is_base64: bool = False
    is_csv: bool | None = None

    @classmethod
    def of(cls, at: str | None, encoding: str | None, format: str | None) -> Container:
        """Return what options mean. Raises TypeError or ValueError."""
        check_type("at", at, str | None, "a path such as 'request.body'")
        if at is not None and any("\ud800" <= c <= "\udfff" for c in at):
            raise ValueError("at: expected str without surrogates")
        if encoding not in (None, "base64"):
            raise ValueError("encoding: expected 'base64'")
        if format not in (None, "csv", "json"):
            raise ValueError("format: expected 'csv' or 'json'")
        return cls(at, encoding is not None, None if format is None else format == "csv")

    def named(self, name: str | None) -> Container:
        """Return that of a source with this name."""
        is_csv = (name or "").lower().endswith((".csv", ".csv.gz", ".csv.zst"))
        return self._replace(is_csv=is_csv) if self.is_csv is None else self


BARE: Final = Container()


def open_source(source: Source, container: Container = BARE) -> bytes | OpenedSource:
    """Return what the compiled reader reads: exact bytes that are text, or the opened source.

    Raises OSError if a file cannot be opened.
    """
    is_text = container == BARE and type(source) is bytes and kind_of(source) is None and not _refused(source)
    return cast(bytes, source) if is_text else OpenedSource(source, container)


def refuse_unreadable(source: Source, container: Container) -> None:
    """Raise OSError if a source is no archive, which reading it would raise, too; other failures are left to its readers."""
    import errno  # not needed by `import bankhook`

    try:
        with contextlib.closing(OpenedSource(source, container)) as opened:
            _core._diagnose_part(_core._read_archive(opened, None, None, False))
    except OSError as error:
        if error.errno == errno.EILSEQ:
            raise
    except ImportError:
        pass


class OpenedSource:
    """A source that is read once, from start to end, unpacked; it closes the file that it opened.

    A file that it opened is closed at its end, if reading fails, by `close`, or when the object is no longer used.
    """

    _file: io.FileIO | None = None
    _plain: io.FileIO | None = None  # the file, if its own bytes are the text

    def __init__(self, source: Source, container: Container = BARE) -> None:
        self._read_text: Read | None = None
        self._failure: Exception | None = None
        name: object = getattr(source, "name", None)
        if isinstance(source, str) and source == "-":
            read = _standard_input()
        elif isinstance(source, (str, os.PathLike)):
            name = os.fspath(source)
            opened = _opened(source)
            if isinstance(opened, bytes):
                read = _buffer_reader(memoryview(opened))
            else:
                self._file, read = opened, _file_reader(opened.read)
        elif _is_buffer(source):
            read = _buffer_reader(memoryview(cast("Buffer", source)))
        else:
            read = _file_reader(cast(_Readable, source).read)
        self._name = name if isinstance(name, str) else None
        self.container = container.named(self._name)
        self._packed = _Counted(read)

    @property
    def position(self) -> int:
        """How many bytes of the source itself, compressed or not, were read."""
        return self._packed.position

    def readinto(self, buffer: memoryview) -> int:
        """Fill the buffer with the next bytes of the text, or its start, and return how many; none at the text's end.

        If the source cannot be read or is damaged, raises OSError after everything before was returned, and on later calls;
        if it is not text, at once.
        """
        if self._failure is not None:
            raise self._failure
        try:
            is_start = self._read_text is None
            read = self._read_text = self._read_text or self._unpacked()
            if self._plain is not None and not self._packed.left:
                size = self._plain.readinto(buffer)
                self._packed.position += size
            else:
                text = read(min(len(buffer), _HEAD))
                if is_start and (why := _refused(text, *self.container)):
                    self.refuse(why)
                buffer[: (size := len(text))] = text
        except (OSError, ImportError) as error:
            self._failure = error
            self.close()
            raise
        if not size:
            self.close()
            self._plain, self._read_text = None, lambda _: b""
        return size

    def refuse(self, why: str) -> NoReturn:
        """Raise OSError: it is no archive that can be read so."""
        import errno  # not needed by `import bankhook`

        raise OSError(errno.EILSEQ, why, self._name)

    def close(self) -> None:
        """Close the file that was opened here; one that was given stays open."""
        if self._file is not None:
            self._file.close()

    def __del__(self) -> None:
        self.close()

    def _unpacked(self) -> Read:
        """Look at the first bytes, which decide how the rest is read."""
        read = self._packed.read  # not a method of this object, which would then keep itself alive
        head = read(_HEAD)
        while head and may_be_compressed(head) and (piece := read(_HEAD)):
            head += piece
        self._packed.left = memoryview(head + self._packed.left)  # a file may give more than it was asked for
        kind = kind_of(head)
        if kind is None:
            self._plain = self._file
        return read if kind is None else unpacked(kind, read)


def _opened(path: str | os.PathLike[str]) -> io.FileIO | bytes:
    """Open a file; of one of SQLite's, which is refused, return how it starts, and never open it again."""
    with contextlib.suppress(OSError):
        status = os.stat(path)
        for kept in _kept.get((status.st_dev, status.st_ino), ()):
            if (head := os.pread(kept.fileno(), _LOOKED_AT, 0)).startswith((_SQLITE, _SQLITE_INDEX)):
                return head
    file = open(path, "rb", buffering=0)
    status = os.fstat(file.fileno())
    if stat.S_ISREG(status.st_mode):
        head = os.pread(file.fileno(), _LOOKED_AT, 0)
        if head.startswith((_SQLITE, _SQLITE_INDEX)):
            _kept.setdefault((status.st_dev, status.st_ino), []).append(file)
            return head
    return file


class _Counted:
    """A reader that counts the bytes; `left` was read before and comes first, without waiting for more."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self.left = memoryview(b"")
        self.position = 0

    def read(self, size: int) -> bytes:
        if not self.left:
            self.left = memoryview(self._read(size))
            self.position += len(self.left)
        piece, self.left = self.left[:size], self.left[size:]
        return bytes(piece)


def _standard_input() -> Read:
    """Return standard input, which returns what is there at once: the writer to the pipe may wait for an answer."""
    file = getattr(sys.stdin, "buffer", None)
    if file is None:
        raise OSError("there is no standard input")
    return _file_reader(getattr(file, "read1", file.read))


def _is_buffer(source: object) -> bool:
    try:
        memoryview(cast("Buffer", source)).release()
    except TypeError:
        return False
    return True


def _buffer_reader(view: memoryview) -> Read:
    flat = view.cast("B") if view.c_contiguous and view.nbytes else memoryview(view.tobytes())
    at = 0

    def read(size: int) -> bytes:
        nonlocal at
        part = bytes(flat[at : at + size])
        at += len(part)
        return part

    return read


def _file_reader(read_file: Callable[[int], bytes | None]) -> Read:
    def read(size: int) -> bytes:
        part: object = read_file(size)
        if part is None:
            raise BlockingIOError("expected a file that blocks, read() gave None")
        if not isinstance(part, bytes):
            raise TypeError(f"expected a file opened in binary mode, read() gave {type(part).__name__}")
        return bytes(part)

    return read


_OTHERS: tuple[tuple[bytes, str], ...] = (
    (rb"PK\x03\x04", "it is a zip archive: unpack it first"),
    (rb"PAR1", "it is a Parquet file: DuckDB writes it as CSV"),
    (rb"[A-Z]+ \S+ HTTP/\d", "it is a request with its head: the event is what follows its blank line"),
    (rb"(--[^\n]*\n\s*)*(SET|COPY|INSERT|CREATE|BEGIN|PRAGMA)\b", "it is an SQL dump: export the table as CSV instead"),
    (rb"e[wy][\w+/=-]{20,}\s", 'it seems to be base64: try encoding="base64"'),
    (rb'"?\w+"?(,"?[\w ]+"?)+\r?\n', 'it seems to be CSV: try format="csv", at="COLUMN" with the one that has the events'),
)
"""How other files start, and what to do with them."""


def _refused(text: bytes, at: str | None = None, is_base64: bool = False, is_csv: bool | None = False) -> str | None:
    """Return why a source is not read that starts like this: it is no text, or something else than lines of JSON."""
    head = text[:_LOOKED_AT]
    start = head.lstrip(b"\0\xef\xbb\xbf \t\r\n")
    if start[:1] in (b"{", b"["):
        return None
    import re  # not needed by `import bankhook`

    for other, why in _OTHERS[: 2 if is_csv or is_base64 else None]:
        if re.match(other, start):
            return why
    # More control characters than a damaged line could have.
    if len(head) - len(head.translate(None, _CONTROLS)) <= max(2, len(head) // 50):
        return None
    hint = "; if it is an inbox, open it with bankhook.inbox.open or look into it with `bankhook inbox`"
    return f"it is a binary file, not lines of JSON{hint if text.startswith(_SQLITE) else ''}"
