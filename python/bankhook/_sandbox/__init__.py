# SPDX-License-Identifier: MIT
"""Sandbox: a simulation of the service, so that a consumer can be tested without it."""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NoReturn, Unpack, final

from bankhook._core import (
    ConnectionState,
    ConnectionTrigger,
    Customer,
    Tracker,
    TransactionStatus,
    TransactionTrigger,
    _choices,
    _make_sandbox,
)
from bankhook._records.deliveries import Delivery, Faults
from bankhook._records.errors import check_whole
from bankhook._records.lifecycles import Lifecycle
from bankhook._sandbox._arguments import (
    KINDS,
    PACE,
    SIZES,
    START,
    chosen,
    milliseconds_of,
    pace_of,
    shares_of,
    text_of,
)
from bankhook._sandbox._operations import Operations
from bankhook._sandbox._truth import Truth

if TYPE_CHECKING:
    from bankhook._core import _Choices


@final
class Sandbox(Operations):
    """A seeded model of the service: the same seed, options and calls give the same bytes everywhere.

    Operations are methods, each of which returns the event that the service would send; `deliveries` yields whole histories
    with faults on demand. What the specification leaves open is a keyword; `Sandbox.choices` lists them. All names, ids
    and hashes are synthetic. Members, connections and transactions are passed as ids, or as objects or events with an id.

    Faults change deliveries and never the history: a second sandbox with the same seed, sizes and choices,
    but without faults, makes the same events, so its payloads are the `original` ones of the first.

    Parameters
    ----------
    seed : int
        0 to 2**64 - 1. Another seed makes another history.
    members : int
        How many members the programmes have; their number never changes.
    faults : Faults, Mapping[str, float] or float, optional
        The share of events that gets each kind of fault: `Faults(drop=0.02)`, `{"drop": 0.02}`, or one for all.
    programmes : int
        How many programmes the members are spread over.
    connections : int
        How many bank connections a member has at most in a history.
    accounts : int
        How many bank accounts a connection has at most, including those made by operations.
    transactions : int
        How many initial transactions wait for processing at most in a history.
    lateness : int
        How many later events a duplicate or reordered delivery waits for at most; with 0, none.
    start : datetime.date
        When the clock starts: 1970 to the start of 9990. A date is its midnight in UTC, a datetime has a zone.
    pace : datetime.timedelta
        The mean time from one event to the next, 1 ms to 24 days; each takes from 1 ms to twice that. The clock advances
        only with events.
    connection_lifecycle : Lifecycle, optional
        What its operations move connections by: one whose row is not expected is refused. One that does not begin with a
        `create` counts as `bankhook.connection_lifecycle`.
    transaction_lifecycle : Lifecycle, optional
        The same for initial transactions, and for one that does not begin with a submission.
    **choices : str
        What the sandbox does if the specification is silent: a name of `Sandbox.choices` and one of its values.

    Raises
    ------
    TypeError
        If a value has another type, or a keyword is not a choice.
    ValueError
        If a number is out of range, `start` is a datetime without a zone, or a choice does not have this answer.

    Examples
    --------
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

    __slots__ = ("_size", "_text")

    choices = _choices

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
        connection_lifecycle: Lifecycle[ConnectionState, ConnectionTrigger] | None = None,
        transaction_lifecycle: Lifecycle[TransactionStatus, TransactionTrigger] | None = None,
        **choices: Unpack[_Choices],
    ) -> None:
        """Make a sandbox; the docstring of the class describes the arguments."""
        check_whole("seed", seed, 0, 2**64 - 1)
        counts, shares = (members, programmes, connections, accounts, transactions), shares_of(faults)
        for name, count in zip(SIZES, counts, strict=True):
            check_whole(name, count, 1, 2**32 - 1)
        check_whole("lateness", lateness, 0, 2**20)
        each = tuple(getattr(shares, kind) for kind in KINDS)
        code = Sandbox.__init__.__code__
        answers = chosen(choices, code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount])
        times, lifecycles = (milliseconds_of(start), pace_of(pace)), (connection_lifecycle, transaction_lifecycle)
        made = partial(_make_sandbox, seed, (*counts, lateness), times, lifecycles)
        self._core = made(each, answers)
        tracker = Tracker(connection_lifecycle=connection_lifecycle, transaction_lifecycle=transaction_lifecycle)
        self._truth = Truth(partial(made, (0.0,) * len(KINDS), answers), tracker)
        self._size = members
        self._text = text_of(seed, members, shares if any(each) else None, start, pace, answers)

    @property
    def members(self) -> tuple[Customer, ...]:
        """All members; their number never changes."""
        return tuple(self._core.member(index) for index in range(self._size))

    def member(self, index: int) -> Customer:
        """Return one member, by its index in `members`.

        Parameters
        ----------
        index : int
            From 0.

        Returns
        -------
        Customer
            The member's ids.

        Raises
        ------
        ValueError
            If there is no such member.
        """
        check_whole("index", index, 0, self._size - 1)
        return self._core.member(index)

    def deliveries(self, count: int | None = None) -> Iterator[Delivery]:
        """Yield the next deliveries of a history, each made when it is asked for.

        Parameters
        ----------
        count : int, optional
            How many; without it, they never end.

        Returns
        -------
        Iterator[Delivery]
            Each delivery has its bytes and its label.
        """
        if count is not None:
            check_whole("count", count, 0, 2**63 - 1)
        return (self._core.next() for _ in (itertools.count() if count is None else range(count)))

    @property
    def event_count(self) -> int:
        """How many events the histories have made, dropped ones included."""
        return self._core.event_count()

    def truth(self) -> Tracker:
        """Return the state that a perfect consumer would have now: a tracker with every event, in order and without faults.

        Every event counts: of operations and of histories, delivered, dropped, damaged or still on its way. `Tracker.diff`
        compares it with a consumer's state. The events are made again: the time grows with those since the last call.

        Returns
        -------
        Tracker
            A new tracker with the lifecycles of the sandbox, and else the default options.

        Examples
        --------
        >>> sandbox, tracker = Sandbox(seed=1, faults={"drop": 0.02}), Tracker()
        >>> outcomes = [tracker.apply(parse(delivery.payload)) for delivery in sandbox.deliveries(2_000)]
        >>> len(tracker.diff(sandbox.truth())) > 0
        True
        """
        return self._truth.tracker(self._core.event_count())

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


Sandbox.__module__ = "bankhook"
