# SPDX-License-Identifier: MIT
"""Sandbox: a simulation of the service, so that a consumer can be tested without it."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import ClassVar, NoReturn, TypeAlias, final

from bankhook._core import (
    BankConnectionsUpdateV2,
    ConnectedCustomer,
    Connection,
    Customer,
    InitialTransaction,
    InitialTransactionUpdate,
    _choices,
    _make_sandbox,
)
from bankhook._records.deliveries import Choice, Delivery, Faults

__all__ = ["Sandbox"]

_KINDS = Faults.__match_args__

Member: TypeAlias = str | Customer | ConnectedCustomer | BankConnectionsUpdateV2 | InitialTransactionUpdate


@final
class Sandbox:
    """A seeded model of the service: the same seed, options and calls give the same bytes everywhere.

    Operations are methods, each of which returns the event that the service would send; `deliveries` yields whole histories
    with faults on demand. What the specification leaves open is a keyword; `Sandbox.choices` lists them. All names, ids
    and hashes are synthetic. Members, connections and transactions
    are passed as ids, or as objects or events with an id.

    Faults change deliveries and never the history: a second sandbox with the same seed, sizes and choices,
    but without faults, makes the same events, so its payloads are the `original` ones of the first.

    The clock starts with the year 2026 and advances only with events, by 1 ms to 20 s each.

    :param seed: 0 to 2**64 - 1. Another seed makes another history.
    :param members: How many members the programmes have; their number never changes.
    :param faults: The share of events, 0 to 1, that gets each kind of fault: `Faults(drop=0.02)`, `{"drop": 0.02}`, or one
        number for each of the six kinds. None: no faults.
    :param programmes: How many programmes the members are spread over.
    :param connections: How many bank connections a member has at most in a history.
    :param accounts: How many bank accounts a connection has at most, including those made by operations.
    :param transactions: How many initial transactions wait for processing at most in a history.
    :param lateness: How many later events a duplicate or reordered delivery waits for at most. With 0,
        duplicates follow at once and nothing is reordered.
    :param choices: What the sandbox does where the specification does not say: a name of `Sandbox.choices` and one of its
        values.
    :raises TypeError: A value of another type, or a keyword that is not a choice.
    :raises ValueError: A number out of range, or an answer that a choice does not have.

    >>> sandbox, truth = Sandbox(seed=1, faults={"mutate": 0.02}), Sandbox(seed=1)
    >>> all(a.original == b.payload for a, b in zip(sandbox.deliveries(99), truth.deliveries(99)))
    True
    """

    __slots__ = ("_core", "_size", "_text")

    choices: ClassVar[tuple[Choice, ...]] = _choices

    def __init__(
        self,
        seed: int = 0,
        members: int = 100,
        faults: Faults | Mapping[str, float] | float | None = None,
        *,
        programmes: int = 3,
        connections: int = 4,
        accounts: int = 4,
        transactions: int = 200,
        lateness: int = 8,
        **choices: str,
    ) -> None:
        """Make a sandbox; the docstring of the class describes the arguments."""
        sizes = {
            "members": members,
            "programmes": programmes,
            "connections": connections,
            "accounts": accounts,
            "transactions": transactions,
        }
        for name, size in sizes.items():
            _check_whole(name, size, 1, 2**32 - 1)
        _check_whole("lateness", lateness, 0, 2**20)
        _check_whole("seed", seed, 0, 2**64 - 1)
        shares = _shares(faults)
        each = tuple(getattr(shares, kind) for kind in _KINDS)
        self._core = _make_sandbox(seed, (*sizes.values(), lateness), each, _chosen(choices))
        self._size = members
        shown = [f"seed={seed}", f"members={members}", *([f"faults={shares}"] if any(each) else [])]
        self._text = f"Sandbox({', '.join([*shown, *(f'{name}={str(value)!r}' for name, value in choices.items())])})"

    @property
    def members(self) -> tuple[Customer, ...]:
        """All members; their number never changes."""
        return tuple(self._core.member(index) for index in range(self._size))

    def member(self, index: int) -> Customer:
        """Return one member, by its index in `members`."""
        _check_whole("index", index, 0, self._size - 1)
        return self._core.member(index)

    def create_connection(self, member: Member) -> BankConnectionsUpdateV2:
        """Spec 6.2: a connection is created, often without accounts."""
        return self._core.create_connection(_member_id(member))

    def create_accounts(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: bank accounts are created for the connection."""
        return self._core.create_accounts(_connection_id(connection))

    def update_accounts(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: an account of the connection is updated."""
        return self._core.update_accounts(_connection_id(connection))

    def desynchronise(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: the connection is desynchronised."""
        return self._core.desynchronise(_connection_id(connection))

    def resynchronise(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: the connection is resynchronised."""
        return self._core.resynchronise(_connection_id(connection))

    def delete_connection(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: the connection is deleted."""
        return self._core.delete_connection(_connection_id(connection))

    def disable(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: the connection is disabled."""
        return self._core.disable(_connection_id(connection))

    def send_initial_transaction(
        self,
        member: Member,
        *,
        amount: Decimal | int | None = None,
        transaction_date: datetime.date | None = None,
        store_external_id: str | None = None,
        place_id: str | None = None,
        store_name: str | None = None,
    ) -> InitialTransactionUpdate:
        """Spec 3.1: a first submission; without a purchase, one is generated.

        A purchase needs an amount, a date and a store: `store_external_id`, or `place_id` and `store_name`.
        """
        store = (store_external_id, place_id, store_name)
        if all(part is None for part in (amount, transaction_date, *store)):
            return self._core.send_made_up(_member_id(member))
        if amount is None or transaction_date is None:
            raise TypeError("send_initial_transaction() needs amount and transaction_date for a purchase")
        return self._core.send(_member_id(member), amount, *store, transaction_date)

    def validate(
        self, transaction: str | InitialTransaction | InitialTransactionUpdate, *, matched: bool = True
    ) -> InitialTransactionUpdate:
        """Spec 3.1: the store is properly set up; `transaction_id` is set only if automatically matched."""
        return self._core.validate(_transaction_id(transaction), matched)

    def reject(
        self, transaction: str | InitialTransaction | InitialTransactionUpdate, reason: str
    ) -> InitialTransactionUpdate:
        """Spec 3.1: the service cannot set up the store; the reason is one of `RejectionReason`."""
        if not isinstance(reason, str):
            raise _wrong_type("reason", "RejectionReason or str", reason)
        return self._core.reject(_transaction_id(transaction), str(reason))

    def deliveries(self, count: int | None = None) -> Iterator[Delivery]:
        """Yield the next deliveries of a history, each made when it is asked for; without a count, they never end."""
        if count is not None:
            _check_whole("count", count, 0, 2**63 - 1)
        return (self._core.next() for _ in (itertools.count() if count is None else range(count)))

    @property
    def event_count(self) -> int:
        """How many events the histories have made, dropped ones included."""
        return self._core.event_count()

    def __copy__(self) -> Sandbox:
        """Return a sandbox that continues independently from here."""
        copied = object.__new__(Sandbox)
        copied._core, copied._size, copied._text = self._core.copy(), self._size, self._text
        return copied

    def __deepcopy__(self, memo: dict[int, object]) -> Sandbox:
        return self.__copy__()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Sandbox is not pickled: make it again from its seed and options")

    def __repr__(self) -> str:
        return self._text


def _wrong_type(name: str, expected: str, found: object) -> TypeError:
    return TypeError(f"{name}: expected {expected}, found {type(found).__name__}")


def _check_whole(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong_type(name, "int", value)
    if not least <= value <= most:
        raise ValueError(f"{name}: expected {least} to {most}")


def _shares(faults: Faults | Mapping[str, float] | float | None) -> Faults:
    if faults is None:
        return Faults()
    if isinstance(faults, (int, float)):
        faults = Faults(**dict.fromkeys(_KINDS, faults))
    if not isinstance(faults, Faults):
        if not isinstance(faults, Mapping):
            raise _wrong_type("faults", "Faults, a mapping, a number or None", faults)
        if unknown := [str(name) for name in faults if name not in _KINDS]:
            raise ValueError(f"faults: there is no {', '.join(unknown)}; known are {', '.join(_KINDS)}")
        faults = Faults(**faults)
    for name in _KINDS:
        share: object = getattr(faults, name)
        if isinstance(share, bool) or not isinstance(share, (int, float)):
            raise _wrong_type(f"faults.{name}", "a number", share)
        if not 0 <= share <= 1:
            raise ValueError(f"faults.{name}: expected a share, 0 to 1")
    return Faults(**{name: float(getattr(faults, name)) for name in _KINDS})


def _chosen(choices: Mapping[str, str]) -> list[tuple[str, str]]:
    known = {choice.name: choice for choice in _choices}
    for name, value in choices.items():
        if name not in known:
            raise TypeError(f"Sandbox() got an unexpected keyword argument {name!r}; choices are {', '.join(known)}")
        if not isinstance(value, str):
            raise _wrong_type(name, "str", value)
        if value not in known[name].values:
            raise ValueError(f"{name}: expected one of {', '.join(known[name].values)}")
    return [(name, str(value)) for name, value in choices.items()]


def _member_id(member: object) -> str:
    if isinstance(member, (BankConnectionsUpdateV2, InitialTransactionUpdate)):
        return member.customer.id
    if isinstance(member, (Customer, ConnectedCustomer)):
        return member.id
    return _id("member", "an id, a customer or an event", member)


def _connection_id(connection: object) -> str:
    if isinstance(connection, BankConnectionsUpdateV2):
        return connection.connection.id
    return (
        connection.id
        if isinstance(connection, Connection)
        else _id("connection", "an id, a Connection or its event", connection)
    )


def _transaction_id(transaction: object) -> str:
    if isinstance(transaction, InitialTransactionUpdate):
        return transaction.initial_transaction.id
    if isinstance(transaction, InitialTransaction):
        return transaction.id
    return _id("transaction", "an id, an InitialTransaction or its event", transaction)


def _id(name: str, expected: str, value: object) -> str:
    if not isinstance(value, str):
        raise _wrong_type(name, expected, value)
    return value
