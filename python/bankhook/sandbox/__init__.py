# SPDX-License-Identifier: MIT
"""Sandbox: a simulation of the service, so that a consumer can be tested without it."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import ClassVar, NoReturn, TypeAlias, TypeVar, TypeVarTuple, final

from bankhook._core import (
    BankConnectionsUpdateV2,
    ConnectedCustomer,
    Connection,
    Customer,
    InitialTransaction,
    InitialTransactionUpdate,
    Tracker,
    _choices,
    _make_sandbox,
    _Sandbox,
)
from bankhook._records.deliveries import Choice, Delivery, Faults
from bankhook.sandbox._arguments import (
    KINDS,
    PACE,
    START,
    check_sizes,
    check_whole,
    chosen,
    connection_id,
    member_id,
    milliseconds_of,
    pace_of,
    shares_of,
    text_of,
    transaction_id,
    wrong_type,
)
from bankhook.sandbox._truth import Truth

__all__ = ["Sandbox"]

Arguments = TypeVarTuple("Arguments")
Event = TypeVar("Event", BankConnectionsUpdateV2, InitialTransactionUpdate)

Member: TypeAlias = str | Customer | ConnectedCustomer | BankConnectionsUpdateV2 | InitialTransactionUpdate
Transaction: TypeAlias = str | InitialTransaction | InitialTransactionUpdate


@final
class Sandbox:
    """A seeded model of the service: the same seed, options and calls give the same bytes everywhere.

    Operations are methods, each of which returns the event that the service would send; `deliveries` yields whole histories
    with faults on demand. What the specification leaves open is a keyword; `Sandbox.choices` lists them. All names, ids
    and hashes are synthetic. Members, connections and transactions are passed as ids, or as objects or events with an id.

    Faults change deliveries and never the history: a second sandbox with the same seed, sizes and choices,
    but without faults, makes the same events, so its payloads are the `original` ones of the first.

    :param seed: 0 to 2**64 - 1. Another seed makes another history.
    :param members: How many members the programmes have; their number never changes.
    :param faults: The share of events that gets each kind of fault: `Faults(drop=0.02)`, `{"drop": 0.02}`, or one for all.
    :param programmes: How many programmes the members are spread over.
    :param connections: How many bank connections a member has at most in a history.
    :param accounts: How many bank accounts a connection has at most, including those made by operations.
    :param transactions: How many initial transactions wait for processing at most in a history.
    :param lateness: How many later events a duplicate or reordered delivery waits for at most; with 0, none.
    :param start: When the clock starts: 1970 to the start of 9990. Without a timezone it is UTC; a date is its midnight.
    :param pace: The mean time from one event to the next, 1 ms to 24 days; each takes from 1 ms to twice that. The clock
        advances only with events.
    :param choices: What the sandbox does if the specification is silent: a name of `Sandbox.choices` and one of its values.
    :raises TypeError: A value of another type, or a keyword that is not a choice.
    :raises ValueError: A number out of range, or an answer that a choice does not have.

    >>> sandbox, truth = Sandbox(seed=1, faults={"mutate": 0.02}), Sandbox(seed=1)
    >>> all(a.original == b.payload for a, b in zip(sandbox.deliveries(99), truth.deliveries(99)))
    True
    >>> sandbox = Sandbox(seed=1, accounts=9)
    >>> lost = sandbox.desynchronise(created := sandbox.create_connection(sandbox.member(0)))
    >>> [operation(created).event_type.value for operation in (sandbox.resynchronise, sandbox.create_accounts,
    ...     sandbox.update_accounts, sandbox.delete_connection)]
    ['update', 'update', 'update', 'delete']
    >>> sandbox.disable(sandbox.create_connection(sandbox.member(1))).event_type.value
    'delete'
    >>> bought = [sandbox.send_initial_transaction(sandbox.member(1)) for _ in range(2)]
    >>> sandbox.validate(bought[0]).event_type.value, sandbox.reject(bought[1], "purchaseNotFound").event_type.value
    ('validated', 'rejected')
    """

    __slots__ = ("_core", "_size", "_text", "_truth")

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
        start: datetime.date = START,
        pace: datetime.timedelta = PACE,
        **choices: str,
    ) -> None:
        """Make a sandbox; the docstring of the class describes the arguments."""
        check_whole("seed", seed, 0, 2**64 - 1)
        sizes, shares = (members, programmes, connections, accounts, transactions, lateness), shares_of(faults)
        check_sizes(sizes)
        each = tuple(getattr(shares, kind) for kind in KINDS)
        answers = chosen(choices)
        made = partial(_make_sandbox, seed, sizes, (milliseconds_of(start), pace_of(pace)))
        self._core = made(each, answers)
        self._truth = Truth(partial(made, (0.0,) * len(KINDS), answers))
        self._size = members
        self._text = text_of(seed, members, shares if any(each) else None, start, pace, choices)

    @property
    def members(self) -> tuple[Customer, ...]:
        """All members; their number never changes."""
        return tuple(self._core.member(index) for index in range(self._size))

    def member(self, index: int) -> Customer:
        """Return one member, by its index in `members`.

        :param index: From 0.
        :returns: The member's ids.
        """
        check_whole("index", index, 0, self._size - 1)
        return self._core.member(index)

    def create_connection(self, member: Member) -> BankConnectionsUpdateV2:
        """Spec 6.2: a connection is created, often without accounts.

        :param member: The member, an event about it, or its id.
        :returns: What the service sends.
        :raises SandboxError: There is no such member.
        """
        return self._operate(_Sandbox.create_connection, member_id(member))

    def create_accounts(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: bank accounts are created for the connection.

        :param connection: The connection, an event about it, or its id.
        :returns: What the service sends.
        :raises SandboxError: The connection is unknown, deleted or full.
        """
        return self._operate(_Sandbox.create_accounts, connection_id(connection))

    def update_accounts(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: an account of the connection is updated.

        :param connection: The connection, an event about it, or its id.
        :returns: What the service sends.
        :raises SandboxError: The connection is unknown, deleted or without accounts.
        """
        return self._operate(_Sandbox.update_accounts, connection_id(connection))

    def desynchronise(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: the connection is desynchronised.

        :param connection: The connection, an event about it, or its id.
        :returns: What the service sends.
        :raises SandboxError: The connection is unknown or cannot be desynchronised now.
        """
        return self._operate(_Sandbox.desynchronise, connection_id(connection))

    def resynchronise(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: the connection is resynchronised.

        :param connection: The connection, an event about it, or its id.
        :returns: What the service sends.
        :raises SandboxError: The connection is unknown or cannot be resynchronised now.
        """
        return self._operate(_Sandbox.resynchronise, connection_id(connection))

    def delete_connection(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: the connection is deleted.

        :param connection: The connection, an event about it, or its id.
        :returns: What the service sends.
        :raises SandboxError: The connection is unknown or deleted already.
        """
        return self._operate(_Sandbox.delete_connection, connection_id(connection))

    def disable(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Spec 6.2: the connection is disabled.

        :param connection: The connection, an event about it, or its id.
        :returns: What the service sends.
        :raises SandboxError: The connection is unknown or cannot be disabled now.
        """
        return self._operate(_Sandbox.disable, connection_id(connection))

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

        :param member: The member, an event about it, or its id.
        :param amount, transaction_date, store_external_id, place_id, store_name: The purchase. It needs an amount, a date
            and a store: `store_external_id`, or `place_id` and `store_name`.
        :returns: What the service sends.
        :raises TypeError: Only a part of a purchase is given.
        :raises SandboxError: There is no such member, or not one store.
        """
        store = (store_external_id, place_id, store_name)
        if all(part is None for part in (amount, transaction_date, *store)):
            return self._operate(_Sandbox.send_made_up, member_id(member))
        if amount is None or transaction_date is None:
            raise TypeError("send_initial_transaction() needs amount and transaction_date for a purchase")
        return self._operate(_Sandbox.send, member_id(member), amount, *store, transaction_date)

    def validate(self, transaction: Transaction, *, matched: bool = True) -> InitialTransactionUpdate:
        """Spec 3.1: the store is properly set up; `transaction_id` is set only if automatically matched.

        :param transaction: The transaction, an event about it, or its id.
        :param matched: Whether the service finds the matching transaction.
        :returns: What the service sends.
        :raises SandboxError: The transaction is unknown, or no longer `created`.
        """
        return self._operate(_Sandbox.validate, transaction_id(transaction), matched)

    def reject(self, transaction: Transaction, reason: str) -> InitialTransactionUpdate:
        """Spec 3.1: the service cannot set up the store; the reason is one of `RejectionReason`.

        :param transaction: The transaction, an event about it, or its id.
        :param reason: One of `RejectionReason`.
        :returns: What the service sends.
        :raises SandboxError: The transaction is unknown, or no longer `created`.
        """
        if not isinstance(reason, str):
            raise wrong_type("reason", "RejectionReason or str", reason)
        return self._operate(_Sandbox.reject, transaction_id(transaction), str(reason))

    def deliveries(self, count: int | None = None) -> Iterator[Delivery]:
        """Yield the next deliveries of a history, each made when it is asked for; without a count, they never end.

        :param count: How many; None: without end.
        :returns: An iterator; each delivery has its bytes and its label.
        """
        if count is not None:
            check_whole("count", count, 0, 2**63 - 1)
        return (self._core.next() for _ in (itertools.count() if count is None else range(count)))

    @property
    def event_count(self) -> int:
        """How many events the histories have made, dropped ones included."""
        return self._core.event_count()

    def truth(self) -> Tracker:
        """Return what a perfect consumer would hold now: a tracker with every event so far, in order and without faults.

        Every event counts: of operations and of histories, delivered, dropped, damaged or still on its way. `Tracker.diff`
        compares it with what a consumer holds. The events are made again: the time grows with those since the last call.

        :returns: A new tracker with the default options.

        >>> sandbox, tracker = Sandbox(seed=1, faults={"drop": 0.02}), Tracker()
        >>> outcomes = [tracker.apply(parse(delivery.payload)) for delivery in sandbox.deliveries(2_000)]
        >>> len(tracker.diff(sandbox.truth())) > 0
        True
        """
        return self._truth.tracker(self._core.event_count())

    def _operate(self, operation: Callable[[_Sandbox, *Arguments], Event], *arguments: *Arguments) -> Event:
        """Carry out an operation, and note it for the truth; one that is refused changes nothing."""
        event = operation(self._core, *arguments)
        self._truth.note(self._core.event_count(), operation, arguments)
        return event

    def __copy__(self) -> Sandbox:
        """Return a sandbox that continues independently from here."""
        copied = object.__new__(Sandbox)
        copied._core, copied._truth = self._core.copy(), self._truth.copy()
        copied._size, copied._text = self._size, self._text
        return copied

    def __deepcopy__(self, memo: dict[int, object]) -> Sandbox:
        return self.__copy__()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Sandbox is not pickled: make it again from its seed and options")

    def __repr__(self) -> str:
        return self._text
