# SPDX-License-Identifier: MIT
"""What tables are read from: paths, globs, directories, buffers and files, each opened when its turn comes."""

from __future__ import annotations

import errno
import glob
import os
import stat
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

from bankhook._archive._source import BARE, Container, OpenedSource, is_source, open_source, refuse_unreadable
from bankhook._records.lines import Source
from bankhook._tables._columns import Keep

if TYPE_CHECKING:
    from bankhook._tables._inbox import Stored

_ARCHIVES = (".ndjson", ".jsonl", ".json", ".csv")
_PACKED = (".gz", ".zst")


class Input(Protocol):
    """A source that has a name and can be opened."""

    @property
    def name(self) -> str: ...

    def open(self, container: Container, /) -> bytes | Opened:
        """Return what the compiled code reads, with `readinto` or `payloads`; a failure to open it comes with the first read.

        Raises ValueError if it can be read only once, and was.
        """
        ...


class Opened(Protocol):
    """An opened source."""

    @property
    def position(self) -> int: ...
    def close(self) -> None: ...


class Reader(Opened, Protocol):
    """An opened source of bytes."""

    @property
    def container(self) -> Container: ...
    def readinto(self, buffer: memoryview, /) -> int: ...


def checked_keep(keep: Any, at: str | None, inputs: Iterable[Input]) -> Keep:
    """Return the fields to keep. Raises TypeError or ValueError if a source cannot have them beside its events."""
    names: list[Any] = list(cast("Any", keep)) if isinstance(keep, Mapping | tuple | list) else [None]
    kept: list[tuple[Any, Any]] = [(name, keep[name] if isinstance(keep, Mapping) else str) for name in names]
    if not all(isinstance(name, str) and of in (str, datetime) for name, of in kept):
        raise TypeError("tables: keep: expected fields such as ('received_at',) or {'received_at': datetime.datetime}")
    if any("\0" in name for name in names):
        raise ValueError("tables: keep: expected names without NUL, with which Arrow ends a name")
    for known in {getattr(one, "kept", None) for one in inputs} if names else ():
        if known is None and at is None:
            raise ValueError("tables: keep takes fields of envelopes: say with at where in them the events are")
        if known is not None and (unknown := set(names) - set(known)):
            raise ValueError(f"tables: keep: a stored delivery has no {min(unknown)}; it has {', '.join(known)}")
    return tuple((name, of is datetime) for name, of in kept)


def inputs_of(source: object, container: Container) -> tuple[Input, ...]:
    """Return the sources that are meant, each file once. Raises TypeError, or OSError if a path leads to no archive."""
    found = dict[object, Input]()
    for one in _each(source, container):
        found.setdefault(one.name if isinstance(one, _Path) else one, one)
    return tuple(found.values())


class Progress(Protocol):
    """A bar that shows how much was read."""

    def update(self, position: int, /) -> None: ...
    def pass_by(self, size: int, /) -> None: ...
    def hide(self) -> None: ...


def bar_of(inputs: Iterable[Input]) -> Progress:
    """Return a bar of `_render` for a stream of these sources."""
    progress = import_module("bankhook._render.progress")
    bar: Progress = progress.Bar(progress.size_of(one.name for one in inputs))
    return bar


class LateSources:
    """Sources that are opened when an iterator is asked for; it closes each before the next."""

    def __init__(self, inputs: Iterable[Input], bar: Callable[[], Progress] | None, container: Container) -> None:
        self._inputs, self._bar, self._container = inputs, bar, container

    def __iter__(self) -> Iterator[object]:
        opened = [one.open(self._container) for one in self._inputs]
        return _each_opened(opened, None if self._bar is None else self._bar())


def _each_opened(readers: list[bytes | Opened], bar: Progress | None) -> Iterator[object]:
    for reader in readers:
        try:
            yield reader if bar is None or not hasattr(reader, "readinto") else _Reported(cast(Reader, reader), bar)
        finally:
            if not isinstance(reader, bytes):
                reader.close()
            if bar is not None:
                bar.pass_by(0 if isinstance(reader, bytes) else reader.position)
    if bar is not None:
        bar.hide()


class _Reported:
    """A reader that reports its position."""

    def __init__(self, reader: Reader, bar: Progress) -> None:
        self._reader, self._bar, self.container = reader, bar, reader.container

    def readinto(self, buffer: memoryview) -> int:
        size = self._reader.readinto(buffer)
        self._bar.update(self._reader.position)
        return size


class _Path:
    """A file, opened when it is read first."""

    def __init__(self, name: str, problem: str | None = None, container: Container = BARE) -> None:
        self.name, self._problem, self.container = name, problem, container
        self._opened: OpenedSource | None = None

    def open(self, container: Container) -> Reader:
        return _Path(self.name, self._problem, container.named(self.name))

    def readinto(self, buffer: memoryview) -> int:
        if self._problem is not None:
            raise OSError(errno.EINVAL, self._problem)
        if self._opened is None:
            self._opened = OpenedSource(self.name, self.container)
        return self._opened.readinto(buffer)

    @property
    def position(self) -> int:
        return 0 if self._opened is None else self._opened.position

    def close(self) -> None:
        if self._opened is not None:
            self._opened.close()


class _Buffer:
    """Bytes, or another buffer."""

    def __init__(self, buffer: Source, container: Container) -> None:
        refuse_unreadable(buffer, container)
        self.name = f"<{type(buffer).__name__}>"
        self._buffer = buffer

    def open(self, container: Container) -> bytes | Reader:
        return open_source(self._buffer, container)


class _File:
    """An open file or standard input, read from where it stands: each time from there if it can seek, else only once."""

    def __init__(self, file: IO[bytes] | str, container: Container) -> None:
        name: object = "<stdin>" if isinstance(file, str) else getattr(file, "name", None)
        self.name = name if isinstance(name, str) else "<file>"
        self._file = file
        self._lock = threading.Lock()
        can_seek: Any = getattr(file, "seekable", lambda: False)
        self._start = cast("IO[bytes]", file).tell() if can_seek() else None
        self._is_new = True
        if self._start is not None:
            refuse_unreadable(self._view(self._start), container)

    def open(self, container: Container) -> Reader:
        if self._start is not None:
            return OpenedSource(self._view(self._start), container)
        if not self._is_new:
            raise ValueError(f"{self.name} can be read only once: store it in a file, or read the tables of its bytes")
        self._is_new = False
        return OpenedSource(self._file, container)

    def _view(self, start: int) -> Source:
        return cast(Source, _FileView(cast("IO[bytes]", self._file), start, self._lock))


class _FileView:
    """A file with a position of its own, so that several streams may read it side by side."""

    def __init__(self, file: IO[bytes], position: int, lock: threading.Lock) -> None:
        self.name: object = getattr(file, "name", None)
        self._file, self._position, self._lock = file, position, lock

    def read(self, size: int) -> bytes | None:
        with self._lock:
            self._file.seek(self._position)
            piece = self._file.read(size)
            self._position += len(piece or b"")
        return piece


def _is_inbox(source: object) -> bool:
    """Return whether this is an inbox."""
    return hasattr(source, "find") and hasattr(source, "drain")


def _each(source: object, container: Container) -> Iterator[Input]:
    if _is_inbox(source):
        from bankhook._tables._inbox import StoredInput  # not needed by archives

        yield StoredInput(cast("Stored", source))
    elif isinstance(source, (str, os.PathLike)):
        yield from _at(cast("str | os.PathLike[str]", source), container)
    elif is_source(source):
        of = _File if hasattr(source, "read") else _Buffer
        yield of(cast(Any, source), container)
    elif isinstance(source, Iterable):
        for one in cast("Iterable[object]", source):
            if not (is_source(one) or _is_inbox(one)):
                raise TypeError(f"tables() expects sources, found {type(one).__name__} among them")
            yield from _each(one, container)
    else:
        expected = "a path, a glob, a directory, a buffer, a binary file, or several of these"
        raise TypeError(f"tables() expects {expected}, found {type(source).__name__}")


def _at(path: str | os.PathLike[str], container: Container) -> Iterator[Input]:
    """Yield what is meant by a path: standard input, a file, the archives of a directory, or what a glob finds."""
    name = os.fspath(path)
    if name == "-" and isinstance(path, str):
        yield _File(name, container)
    elif os.path.isdir(name):
        yield from _in_directory(name)
    elif isinstance(path, str) and glob.has_magic(name) and not os.path.exists(name):
        found = sorted(glob.glob(name, recursive=True))
        if not found:
            raise FileNotFoundError(errno.ENOENT, "no file matches", name)
        for one in found:
            yield from _in_directory(one) if os.path.isdir(one) else [_Path(one)]
    else:
        if stat.S_ISREG(os.stat(name).st_mode):
            refuse_unreadable(name, container)
        yield _Path(name)


def _in_directory(directory: str) -> Iterator[Input]:
    failed: list[OSError] = []
    for folder, folders, files in os.walk(directory, onerror=failed.append):
        folders[:] = sorted(one for one in folders if not one.startswith((".", "_")))
        for file in sorted(files):
            if not file.startswith((".", "_")):
                yield _Path(os.path.join(folder, file), None if _is_archive(file) else "it is not named as an archive")
    for error in failed:  # a folder that cannot be listed may hold archives: it is a source that cannot be read
        yield _Path(str(error.filename), error.strerror or str(error))


def _is_archive(file: str) -> bool:
    stem, ending = os.path.splitext(file)
    return (stem if ending in _PACKED else file).endswith(_ARCHIVES)
