# SPDX-License-Identifier: MIT
"""Archives of events, plain or compressed, read part by part: the only reader, for the library and for the command."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Generic, Literal, Self, TypeAlias, TypeVar, cast, final, get_args, overload

from bankhook import _core
from bankhook._archive._findings import LineFindings, LinesReport, Rejected
from bankhook._archive._reports import apply_lines, check_source, diagnose_lines
from bankhook._archive._source import Container, open_source
from bankhook._core import AnyEvent
from bankhook._records.display import html
from bankhook._records.errors import suggest_keywords
from bankhook._records.lines import Encoding, Format, Source

__all__ = ["LineFindings", "LinesReport", "ParsedLines", "Rejected", "apply_lines", "diagnose_lines", "parse_lines"]

OnError: TypeAlias = Literal["raise", "collect"]
_E = TypeVar("_E", bound=AnyEvent)
_E_co = TypeVar("_E_co", bound=AnyEvent, covariant=True)


@final
class ParsedLines(Generic[_E_co]):
    """The events of an archive, as `parse_lines` returns them; a context manager that closes the files it opened.

    Each iteration opens the source again and starts at its beginning, except for an open file and standard input: these
    continue at their current position, so two iterations at a time share the events.
    """

    __slots__ = ("_container", "_of", "_on_error", "_readers", "_rejected", "_source")

    def __init__(self, source: Source, of: type | None, on_error: OnError, container: Container) -> None:
        self._source, self._container = source, container
        self._of = of
        self._on_error = on_error
        self._rejected: list[Rejected] = []
        self._readers: weakref.WeakSet[_core._ArchiveReader] = weakref.WeakSet()

    @property
    def rejected(self) -> list[Rejected]:
        """With `on_error="collect"`, the lines that were not events, so far, in the iteration that was started last."""
        return self._rejected

    def __iter__(self) -> Iterator[_E_co]:
        return cast(Iterator[_E_co], self._read(numbered=False))

    def numbered(self) -> Iterator[tuple[int, _E_co]]:
        r"""Iterate the events with their line numbers, counted from 1, blank lines included.

        The number of an event over several lines, or of an element of an array, is that of the line on which it starts.

        Returns
        -------
        Iterator[tuple[int, AnyEvent]]
            Line numbers from 1.

        Examples
        --------
        >>> import bankhook
        >>> [(line, event.event) for line, event in bankhook.parse_lines(b'\n{"event":"a"}').numbered()]
        [(2, 'a')]
        """
        return cast(Iterator[tuple[int, _E_co]], self._read(numbered=True))

    def _read(self, *, numbered: bool) -> _core._ArchiveReader:
        opened = open_source(self._source, self._container)
        self._rejected = rejected = list[Rejected]()

        def collect(line: int, raw: bytes) -> None:
            rejected.append(Rejected(line, raw))

        reader = _core._read_archive(opened, None if self._on_error == "raise" else collect, self._of, numbered)
        self._readers.add(reader)
        return reader

    def close(self) -> None:
        """Close the files that were opened here; iterators that are not at their end then raise ValueError.

        Examples
        --------
        >>> import bankhook
        >>> events = bankhook.parse_lines(b'{"event":"a"}')
        >>> len(list(events))
        1
        >>> events.close()
        """
        for reader in list(self._readers):
            reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        of = "" if self._of is None else f" of {self._of.__name__}"
        return f"<bankhook.types.ParsedLines{of}, on_error={self._on_error!r}, {len(self._rejected)} lines rejected>"

    _repr_html_ = html


@overload
def parse_lines(
    source: Source,
    *,
    of: None = None,
    on_error: OnError = "raise",
    at: str | None = None,
    encoding: Encoding | None = None,
    format: Format | None = None,
) -> ParsedLines[AnyEvent]: ...
@overload
def parse_lines(
    source: Source,
    *,
    of: type[_E],
    on_error: OnError = "raise",
    at: str | None = None,
    encoding: Encoding | None = None,
    format: Format | None = None,
) -> ParsedLines[_E]: ...
@suggest_keywords
def parse_lines(
    source: Source,
    *,
    of: type | None = None,
    on_error: OnError = "raise",
    at: str | None = None,
    encoding: Encoding | None = None,
    format: Format | None = None,
) -> ParsedLines[AnyEvent]:
    r"""Return the events of an archive, to iterate over once or more.

    An archive has one event per line (NDJSON). Arrays of events, events over several lines, and objects that follow each
    other on one line are read too; the first event decides which it is. A line or an element that is not an event is rejected
    and never stops the rest. If an array lacks an element, a comma or its end, an empty element is rejected. A byte order
    mark at the start of a line, as in files that were joined, is read over.

    It is read in parts of up to 256 KiB without the interpreter's lock; an event keeps its part alive, or the whole
    source if that is exact `bytes`, which are not copied. Files are read, not memory-mapped, so truncating one during
    iteration ends it early instead of crashing. Your own `mmap` does not have that protection.

    Parameters
    ----------
    source
        A path (str or PathLike), "-" for standard input, a buffer or a binary file: plain, gzip or Zstandard by its content.
        A str is never the text itself.
    of
        Return only events of this class; others, listed or unknown, are skipped. Lines that are not events are still
        rejected.
    on_error
        "raise" raises the ParseError of a rejected line when its turn comes, with the number of the line in a note; the
        iterator can continue after that. "collect" keeps it in `.rejected`, with its line, its bytes and its findings.
    at
        Where the events are, if lines contain them: `body` for `{"headers": ..., "body": EVENT}`, `request.body` for an object
        in it, `Records[].body` for each element of an array, and the name of a column for CSV. An event may be an object or a
        text, and a path may go through a text of JSON. What has no value there is read itself: a line, an element, a row.
    encoding
        "base64" if texts are encoded so; a text that is not is read unchanged. Without `at`, each line is one.
    format
        "csv" or "json"; by default, a source whose name ends in `.csv`, `.csv.gz` or `.csv.zst` is CSV (RFC 4180), with a row of
        names, and any other is JSON.

    Returns
    -------
    ParsedLines
        An iterable of events, which is a context manager, too.

    Raises
    ------
    TypeError
        If `source` is something else, or `of` is not the class of an event.
    ValueError
        If `on_error` is something else.
    OSError
        While iterating, if the source cannot be read or is damaged, after all events before that point; if it is a binary
        file, which a damaged line does not make it, or a line has more than 256 MiB; or if none of its first lines is an event
        and it is clear how to read it otherwise, or nothing is at `at`: the message says what to try.
    ImportError
        While iterating, if the source is Zstandard and neither Python 3.14 nor `bankhook[zstd]` is installed to read it.

    Examples
    --------
    >>> import bankhook
    >>> with bankhook.parse_lines(b'{"event":"a"}\n{"event":"b"}') as events:
    ...     [event.event for event in events]
    ['a', 'b']
    """
    check_source("parse_lines", source)
    ways = get_args(OnError)
    if not isinstance(on_error, str) or str.__str__(on_error) not in ways:
        raise ValueError(f"on_error: expected one of {', '.join(map(repr, ways))}")
    _core._read_archive(b"", None, of, False)  # checks the class
    return ParsedLines(source, of, cast(OnError, str.__str__(on_error)), Container.of(at, encoding, format))


ParsedLines.__module__ = "bankhook.types"
parse_lines.__module__ = diagnose_lines.__module__ = "bankhook"
