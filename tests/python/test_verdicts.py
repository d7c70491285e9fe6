# SPDX-License-Identifier: MIT
"""Constructors, wire forms and the reader agree: what one takes for a field the others take, and reject what it rejects."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import _core
from python.parsed import one_of_each

UTC = datetime.UTC
WEST = datetime.timezone(datetime.timedelta(hours=-23, minutes=-59))
# What a field may be given in Python, and how the same is written in JSON.
PAIRS: list[tuple[object, str]] = [
    (None, "null"),
    (True, "true"),
    (False, "false"),
    (0, "0"),
    (-1, "-1"),
    (2**63 - 1, str(2**63 - 1)),
    (2**63, str(2**63)),
    (-(2**63), str(-(2**63))),
    (-(2**63) - 1, str(-(2**63) - 1)),
    (2**64 - 1, str(2**64 - 1)),
    (2**64, str(2**64)),
    (10**40, str(10**40)),
    (Decimal("19.90"), "19.90"),
    (Decimal("-0.0"), "-0.0"),
    (Decimal("1E+2"), "1E+2"),
    (Decimal("1E-2"), "1e-2"),
    (Decimal("0.1234567890123456789"), "0.1234567890123456789"),
    (Decimal("9223372036854775807.5"), "9223372036854775807.5"),
    (Decimal("1E+37"), "1E+37"),
    (Decimal("1E+38"), "1E+38"),
    (Decimal("1E-38"), "1E-38"),
    (Decimal("1E-39"), "1E-39"),
    (Decimal("1E+400"), "1E+400"),
    (Decimal("1E-400"), "1E-400"),
    (Decimal("0E-400"), "0E-400"),
    (Decimal("NaN"), "NaN"),
    (Decimal("Infinity"), "Infinity"),
    ("", '""'),
    ("x", '"x"'),
    ("\0", '"\\u0000"'),
    ("é\U0001f600", '"é\\ud83d\\ude00"'),
    ("\ud800", '"\\ud800"'),
    ("created", '"created"'),
    ("initial_transaction_update", '"initial_transaction_update"'),
    ([], "[]"),
    ([None], "[null]"),
    (["x"], '["x"]'),
    ({}, "{}"),
    ({"id": "x"}, '{"id":"x"}'),
]
# On the wire these are texts; in Python they are not.
TIMES: list[tuple[object, str]] = [
    (datetime.date(2026, 1, 15), '"2026-01-15"'),
    (datetime.date.min, '"0001-01-01"'),
    (datetime.date.max, '"9999-12-31"'),
    (datetime.datetime(2026, 1, 15, 10, 0, 0, 123400), '"2026-01-15 10:00:00.1234"'),
    (datetime.datetime.min, '"0001-01-01 00:00:00.0000"'),
    (datetime.datetime.max, '"9999-12-31 23:59:59.999999"'),
    (datetime.datetime(2026, 1, 15, 10, tzinfo=UTC), '"2026-01-15T10:00:00Z"'),
    (datetime.datetime.max.replace(tzinfo=WEST), '"9999-12-31T23:59:59.999999-23:59"'),
]
FIELDS = [
    pytest.param(item, field.name, field.type, id=f"{cls.__name__}.{field.name}")
    for item, cls in zip(one_of_each(), _core._classes, strict=True)
    if cls is not bankhook.UnknownEvent and type(item) is cls
    for field in bankhook.fields(cls)
]


def wire_name(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


def is_read(item: Any, name: str, text: str) -> bool:
    """The reader's verdict on the JSON of `item` with another text for one field."""
    parts = {key: json.dumps(value) for key, value in item.to_wire(number=float).items()} | {wire_name(name): text}
    fields = ",".join(f'"{key}":{part}' for key, part in parts.items())
    try:
        _core._restore(type(item), f"{{{fields}}}".encode())
    except bankhook.ParseError:
        return False
    return True


def is_read_from_wire(item: Any, name: str, text: str) -> bool:
    """The verdict on the wire form of the same JSON."""
    parts = item.to_wire() | {wire_name(name): json.loads(text, parse_float=Decimal)}
    try:
        type(item).from_wire(parts)
    except bankhook.ParseError:
        return False
    return True


def is_taken(item: Any, name: str, value: object) -> bool:
    """The constructor's verdict, and that of `from_dict`, which is the same."""
    parts = {**item.to_dict(), name: value}
    verdicts = []
    makers: list[Callable[[], object]] = [lambda: item.replace(**{name: value}), lambda: type(item).from_dict(parts)]
    for make in makers:
        try:
            make()
        except (TypeError, ValueError) as error:
            assert f".{name}" in str(error)
            verdicts.append(False)
        else:
            verdicts.append(True)
    assert verdicts[0] == verdicts[1]
    return verdicts[0]


def as_whole(value: object) -> object:
    """A decimal that has no fraction as int."""
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        return int(value)
    return value


def times(name: str) -> Iterator[tuple[object, str]]:
    """The two forms of a date and time without an offset differ (spec 2.2 and 2.4)."""
    for value, text in TIMES:
        is_naive = isinstance(value, datetime.datetime) and value.tzinfo is None
        yield value, text.replace(" ", "T") if is_naive and name == "date" else text


def pairs(name: str, read_as: str) -> Iterator[tuple[object, str]]:
    if read_as == "int":  # a number without a fraction is an int in Python, however JSON writes it
        yield from ((as_whole(value), text) for value, text in PAIRS)
        yield from times(name)
        return
    if "datetime." not in read_as:
        yield from PAIRS
        yield from ((value, text) for value, text in times(name) if "str" not in read_as)  # a text to the reader
        return
    yield from ((value, text) for value, text in PAIRS if not isinstance(value, str))
    yield from times(name)
    yield from ((text, '"x"') for text in ("", "x", "2026-01-15"))


@pytest.mark.parametrize(("item", "name", "read_as"), FIELDS)
def test_the_reader_and_the_constructor_agree(item: Any, name: str, read_as: str) -> None:
    differences = []
    for value, text in pairs(name, read_as):
        read, taken = is_read(item, name, text), is_taken(item, name, value)
        assert is_read_from_wire(item, name, text) == read, text
        if value is None and "Absent" in read_as:
            assert (read, taken) == (True, False)  # null is read as absent; in Python absent has its own name
        elif read != taken:
            differences.append((text, "read" if read else "taken by the constructor alone"))
    assert differences == []


@pytest.mark.parametrize("text", ["2026-02-29", "2026-13-01", "2026-1-1", "10000-01-01", "0000-01-01"])
def test_no_date_is_read_that_no_calendar_has(text: str) -> None:
    transaction = one_of_each()[4]
    assert not is_read(transaction, "transaction_date", f'"{text}"')
    assert not is_read(transaction, "date", f'"{text}T00:00:00Z"')
    assert not is_read(transaction, "date", f'"{text}T00:00:00"')
    assert not is_read(one_of_each()[1], "consent_expires_at", f'"{text} 00:00:00.0000"')


def test_every_class_is_compared() -> None:
    compared = {type(parameters.values[0]) for parameters in FIELDS}
    assert compared == set(_core._classes) - {bankhook.UnknownEvent}
