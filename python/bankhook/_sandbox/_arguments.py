# SPDX-License-Identifier: MIT
"""What is given to a sandbox, checked: sizes, shares of faults, choices, and what has an id."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from bankhook._core import (
    BankConnectionsUpdateV2,
    ConnectedCustomer,
    Connection,
    Customer,
    InitialTransaction,
    InitialTransactionUpdate,
    _choices,
)
from bankhook._records.closest import did_you_mean
from bankhook._records.deliveries import Faults
from bankhook._records.errors import check_time, check_type, wrong_type

SIZES = ("members", "programmes", "connections", "accounts", "transactions")
KINDS = Faults.__match_args__
START = datetime.date(2026, 1, 1)
PACE = datetime.timedelta(seconds=10)

_MILLISECOND = datetime.timedelta(milliseconds=1)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_LAST = datetime.datetime(9990, 1, 1, tzinfo=datetime.UTC)
_LONGEST = datetime.timedelta(days=24)


def milliseconds_of(start: datetime.date) -> int:
    """Return how many milliseconds after 1970 a clock starts."""
    check_type("start", start, datetime.date, "datetime.datetime or datetime.date")
    if not isinstance(start, datetime.datetime):
        start = datetime.datetime(start.year, start.month, start.day, tzinfo=datetime.UTC)
    check_time("start", start)
    if not _EPOCH <= start <= _LAST:
        raise ValueError(f"start: expected {_EPOCH.date()} to {_LAST.date()}")
    return (start - _EPOCH) // _MILLISECOND


def pace_of(pace: datetime.timedelta) -> int:
    """Return how many milliseconds pass from one event to the next, on average."""
    check_type("pace", pace, datetime.timedelta, "datetime.timedelta")
    if not _MILLISECOND <= pace <= _LONGEST:
        raise ValueError("pace: expected 1 ms to 24 days")
    return pace // _MILLISECOND


def text_of(
    seed: int, members: int, faults: Faults | None, start: object, pace: object, choices: Iterable[tuple[str, str]]
) -> str:
    """Return the `repr` of a sandbox, with what is not as by default."""
    shown = [f"seed={seed}", f"members={members}", *([f"faults={faults}"] if faults is not None else [])]
    shown += [f"start={start!r}"] if start != START else []
    shown += [f"pace={pace!r}"] if pace != PACE else []
    return f"Sandbox({', '.join([*shown, *(f'{name}={value!r}' for name, value in choices)])})"


def shares_of(faults: Faults | Mapping[str, float] | float | None) -> Faults:
    """Return the shares of all kinds of faults: those that are given, else none."""
    if isinstance(faults, (int, float)):
        faults = dict.fromkeys(KINDS, faults)
    shares: Mapping[str, Any] = faults.to_dict() if isinstance(faults, Faults) else {} if faults is None else faults
    check_type("faults", shares, Mapping, "Faults, a mapping, a number or None")
    if unknown := [str(name) for name in shares if name not in KINDS]:
        close = did_you_mean(unknown[0], KINDS) or f"; known are {', '.join(KINDS)}"
        raise ValueError(f"faults: there is no {', '.join(unknown)}{close}")
    for name, share in shares.items():
        if isinstance(share, bool) or not isinstance(share, (int, float)):
            raise wrong_type(f"faults.{name}", "a number", share)
        if not 0 <= share <= 1:
            raise ValueError(f"faults.{name}: expected a share, 0 to 1")
    if shares.get("drop", 0) > 0.99 * max(1, sum(shares.values())):
        raise ValueError("faults.drop: expected at most 0.99, since something is to be delivered")
    return Faults(**{name: float(share) for name, share in shares.items()})


def chosen(choices: Mapping[str, Any], parameters: Iterable[str]) -> list[tuple[str, str]]:
    """Return the choices by name; a name that is not one of them may be meant as one of the parameters, too."""
    known = {choice.name: choice for choice in _choices}
    for name, value in choices.items():
        if name not in known:
            close = did_you_mean(name, (*parameters, *known)) or f"; choices are {', '.join(known)}"
            raise TypeError(f"Sandbox() got an unexpected keyword argument {name!r}{close}")
        check_type(name, value, str)
        if value not in known[name].values:
            raise ValueError(f"{name}: expected one of {', '.join(known[name].values)}")
    return [(name, str(value)) for name, value in choices.items()]


def member_id(member: object) -> str:
    customers = {Customer: "id", ConnectedCustomer: "id"}
    events = dict.fromkeys((BankConnectionsUpdateV2, InitialTransactionUpdate), "customer.id")
    return _id("member", "an id, a customer or an event", member, customers | events)


def connection_id(connection: object) -> str:
    places = {Connection: "id", BankConnectionsUpdateV2: "connection.id"}
    return _id("connection", "an id, a Connection or its event", connection, places)


def transaction_id(transaction: object) -> str:
    places = {InitialTransaction: "id", InitialTransactionUpdate: "initial_transaction.id"}
    return _id("transaction", "an id, an InitialTransaction or its event", transaction, places)


def _id(name: str, expected: str, value: object, places: Mapping[Any, str]) -> str:
    """Return an id, or the one at the place that an object of this class has it."""
    found = attrgetter(places[type(value)])(value) if type(value) in places else value
    if not isinstance(found, str):
        raise wrong_type(name, expected, value)
    return found
