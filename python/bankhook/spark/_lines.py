# SPDX-License-Identifier: MIT
"""The lines that Spark hands to an executor in batches, as one file for each block of a file that they come from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]

SOURCE, BLOCK, TEXT = "source", "block", "text"


class Place(NamedTuple):
    """Where lines come from."""

    source: str
    block: int


class Lines:
    """A binary file that ends where a block ends; `next_block` goes on with the next one. Lines are not copied one by one."""

    def __init__(self, batches: Iterator[pa.RecordBatch]) -> None:
        self._parts = _parts(batches)
        self._place: Place | None = None
        self._next = next(self._parts, None)
        self._text = memoryview(b"")

    def next_block(self) -> Place | None:
        """Go to the next block, and return its place; None after the last one."""
        while self.read(1 << 24):
            """What the reader of a block left unread is not the next one's."""
        self._place = None if self._next is None else self._next[0]
        return self._place

    def read(self, size: int) -> bytes:
        """Return some bytes, at most as many as given; none at the end of the block."""
        if not self._text and self._next is not None and self._next[0] == self._place:
            self._text = self._next[1]
            self._next = next(self._parts, None)
        piece, self._text = self._text[:size], self._text[size:]
        return bytes(piece)


def _parts(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[Place, memoryview]]:
    """The lines of batches, cut where a block ends."""
    for batch in batches:
        begin = 0
        while begin < batch.num_rows:
            place = _place(batch, begin)
            end = batch.num_rows if _place(batch, -1) == place else begin + 1
            while end < batch.num_rows and _place(batch, end) == place:
                end += 1
            yield place, _text(batch.column(TEXT).slice(begin, end - begin))
            begin = end


def _place(batch: pa.RecordBatch, row: int) -> Place:
    return Place(batch.column(SOURCE)[row].as_py(), batch.column(BLOCK)[row].as_py())


def _text(lines: pa.Array) -> memoryview:
    """The bytes of neighbouring lines, which neighbour each other in memory."""
    _, offsets, data = lines.buffers()
    numbers = memoryview(offsets).cast("q" if pa.types.is_large_binary(lines.type) else "i")
    return memoryview(data)[numbers[lines.offset] : numbers[lines.offset + len(lines)]]
