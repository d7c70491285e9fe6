# SPDX-License-Identifier: MIT
"""An argument of a wrong type or value is an error that names it, at once, and never an empty answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import bankhook

EVENT: Any = bankhook.parse(b'{"event":"a"}')
OUTCOME: Any = bankhook.Tracker().peek(EVENT)
WRONG: list[Any] = [None, True, 1.5, "5", b"", object()]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: type(wrong).__name__)
@pytest.mark.parametrize("name", ["scale", "batch_rows", "threads"])
def test_numbers_of_tables_are_whole(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"^tables: {name}: expected int, found {type(wrong).__name__}$"):
        bankhook.tables(b"", **{name: wrong})


@pytest.mark.parametrize(("name", "number"), [("scale", -1), ("batch_rows", 0), ("threads", -1)])
def test_numbers_of_tables_are_in_their_range(name: str, number: int) -> None:
    with pytest.raises(ValueError, match=f"^tables: {name}: expected [01] "):
        bankhook.tables(b"", **{name: number})  # type: ignore[call-overload]  # pyright: ignore


def test_more_rows_or_threads_than_there_can_be_are_as_many_as_there_can_be() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    archive = bankhook.tables(b'{"event":"a"}', batch_rows=10**30, threads=10**30)
    assert pyarrow.table(archive.unknown_events).num_rows == 1


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda wrong: bankhook.tables(b"", progress=wrong), "tables: progress: expected bool"),
        (lambda wrong: bankhook.parse_lines(b"", at=wrong), "at: expected a path such as"),
        (lambda wrong: list(bankhook.Handlers().calls(wrong, OUTCOME)), "event: expected an event"),
        (lambda wrong: list(bankhook.Handlers().calls(EVENT, wrong)), "outcome: expected Outcome"),
        (lambda wrong: bankhook.Handlers().keys(wrong, "t"), "member: expected str"),
        (lambda wrong: bankhook.Handlers().keys("m", wrong), "transaction: expected str"),
    ],
)
def test_what_has_the_wrong_type_is_an_error_with_its_name(ask: Callable[[Any], object], reason: str) -> None:
    for wrong in (5, b"", object()):
        with pytest.raises(TypeError, match=f"^{reason}.*, found {type(wrong).__name__}$"):
            ask(wrong)
