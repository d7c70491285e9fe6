# SPDX-License-Identifier: MIT
"""Hypothesis strategies for events of both kinds: everything that the specification allows, simple values first.

    @given(strategies.payloads())
    def test_every_payload_is_stored(payload: bytes) -> None: ...

An id is simple (`connection-0`) or any text, the empty one included: the specification only says string. There are
few simple ids, so that events have ids in common: accounts share a hash, a member occurs again. A failing example shrinks to
simple ids, empty lists and no optional fields.

`keep_rules` means the same everywhere:

- `True`: `check` finds nothing, and `diagnose` nothing in the JSON.
- `Evidence.STATED`: every rule that the specification states is kept. What it shows only in an example, and what bankhook
  assumes, may be otherwise: that reveals a consumer which relies on it.
- `Evidence.EXAMPLE`: what an example shows is kept, too.
- `False`: anything that the types can hold, with event types, statuses and reasons that are not listed.

Needs the extra `bankhook[hypothesis]`.
"""

from __future__ import annotations

import datetime
import enum
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any, Final, TypeVar

from bankhook._core import (
    Account,
    BankConnectionsUpdateV2,
    ConnectedCustomer,
    Connection,
    ConnectionEventType,
    Customer,
    Evidence,
    InitialTransaction,
    InitialTransactionUpdate,
    RejectionReason,
    TransactionStatus,
)
from bankhook._records.absent import ABSENT, Absent
from bankhook._records.errors import check_type
from bankhook.testing import _mended as mending
from bankhook.testing._mended import Kept, keeps, kept_rules

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as error:
    if error.name != "hypothesis":
        raise
    message = "bankhook.testing.strategies needs Hypothesis: pip install 'bankhook[hypothesis]'"
    raise ModuleNotFoundError(message, name="hypothesis") from None

__all__ = ["bank_connections_updates", "events", "initial_transaction_updates", "payloads"]

T = TypeVar("T")

_ANY_TEXT: Final = st.text(max_size=20)
_ANY_COUNT: Final = st.integers(0, 4) | st.integers(0, 2**64 - 1)


def events(*, keep_rules: bool | Evidence = True) -> st.SearchStrategy[BankConnectionsUpdateV2 | InitialTransactionUpdate]:
    """Return a strategy for events of either kind.

    Parameters
    ----------
    keep_rules : bool or Evidence
        Whether events keep the rules: all, none, or those with this evidence.

    Returns
    -------
    SearchStrategy
        Of events that were made in Python.

    Examples
    --------
    >>> from hypothesis import given
    >>> from bankhook.testing import strategies
    >>> @given(strategies.events())
    ... def test(event):
    ...     assert bankhook.parse(event.to_json()) == event
    >>> test()
    """
    return initial_transaction_updates(keep_rules=keep_rules) | bank_connections_updates(keep_rules=keep_rules)


def payloads(*, keep_rules: bool | Evidence = True) -> st.SearchStrategy[bytes]:
    """Return a strategy for payloads of either kind, as `to_json` writes them: minified, fields in the specification's order.

    Parameters
    ----------
    keep_rules : bool or Evidence
        Whether events keep the rules: all, none, or those with this evidence.

    Returns
    -------
    SearchStrategy[bytes]
        Of payloads that `parse` takes.

    Examples
    --------
    >>> from hypothesis import given
    >>> from bankhook.testing import strategies
    >>> @given(strategies.payloads())
    ... def test(payload):
    ...     assert bankhook.parse(payload).to_json() == payload
    >>> test()
    """
    return events(keep_rules=keep_rules).map(lambda event: event.to_json())


def bank_connections_updates(
    *, event_type: str | None = None, keep_rules: bool | Evidence = True
) -> st.SearchStrategy[BankConnectionsUpdateV2]:
    """Return a strategy for events of spec 6.2, all of one type if `event_type` is given.

    If rules are kept, a member has each connection once, and connections_on and connections_off do not exceed the number
    of connections (2.1). What else decides these counts is not shown (3.2), and not decided here.

    Parameters
    ----------
    event_type : str, optional
        The type of all events; else each of them.
    keep_rules : bool or Evidence
        Whether events keep the rules: all, none, or those with this evidence.

    Returns
    -------
    SearchStrategy[BankConnectionsUpdateV2]
        Of events that were made in Python.

    Examples
    --------
    >>> from hypothesis import given
    >>> from bankhook.testing import strategies
    >>> @given(strategies.bank_connections_updates(event_type="create"))
    ... def test(event):
    ...     assert event.event_type == "create"
    >>> test()
    """
    kept = kept_rules(keep_rules)
    types, others = _types(ConnectionEventType, event_type, kept), st.lists(_connections(kept), max_size=2)

    def about(connection: Connection) -> st.SearchStrategy[BankConnectionsUpdateV2]:
        own = st.sampled_from([[], [connection]])
        customer = st.builds(
            ConnectedCustomer,
            id=_ids("member"),
            external_id=_ids("customer"),
            connections_on=_ANY_COUNT,
            connections_off=_ANY_COUNT,
            connections=st.tuples(others, own, others).map(lambda parts: [one for part in parts for one in part]),
        )
        return st.builds(
            BankConnectionsUpdateV2,
            event_type=types,
            customer=customer,
            connection=st.just(connection),
            shopping_hub_id=_ids("programme"),
            shopping_hub_external_id=_ids("own-programme"),
        )

    drawn = _connections(kept).flatmap(about)
    return _mended(drawn, mending.mended_connections_update, kept).filter(lambda event: keeps(event, kept))


def initial_transaction_updates(
    *, event_type: str | None = None, keep_rules: bool | Evidence = True
) -> st.SearchStrategy[InitialTransactionUpdate]:
    """Return a strategy for events of spec 6.3, all of one type if `event_type` is given.

    Amounts may be negative: no range is shown.

    Parameters
    ----------
    event_type : str, optional
        The type of all events; else each of them.
    keep_rules : bool or Evidence
        Whether events keep the rules: all, none, or those with this evidence.

    Returns
    -------
    SearchStrategy[InitialTransactionUpdate]
        Of events that were made in Python.

    Examples
    --------
    >>> from hypothesis import given
    >>> from bankhook.testing import strategies
    >>> @given(strategies.initial_transaction_updates(event_type="rejected"))
    ... def test(event):
    ...     assert event.event_type == "rejected"
    >>> test()
    """
    kept = kept_rules(keep_rules)
    reasons: st.SearchStrategy[str | None] = _types(RejectionReason, None, kept)
    if "reason_only_when_rejected" not in kept:  # else it is null whenever required, and both reasons are equally frequent
        reasons = st.none() | reasons
    purchases = st.builds(
        InitialTransaction,
        id=_ids("purchase"),
        amount=_amounts(),
        store_external_id=_null_last(_ids("store")),
        place_id=_absent_or(_ids("place")),
        store_name=_absent_or(_ids("shop")),
        status=_types(TransactionStatus, None, kept),
        rejection_reason=reasons,
        transaction_date=st.dates(),
        transaction_id=st.none() | _ids("transaction"),
        date=_timestamps(),
    )
    drawn = st.builds(
        InitialTransactionUpdate,
        event_type=_types(TransactionStatus, event_type, kept),
        customer=st.builds(Customer, id=_ids("member"), external_id=_ids("customer")),
        initial_transaction=purchases,
    )
    return _mended(drawn, mending.mended_transaction_update, kept).filter(lambda event: keeps(event, kept))


def _connections(kept: Kept) -> st.SearchStrategy[Connection]:
    accounts = st.builds(Account, id=_ids("account"), account_hash=st.none() | _ids("hash"))
    drawn = st.builds(
        Connection,
        id=_ids("connection"),
        error_code=st.none() | _ids("error"),
        error_message=st.none() | _ids("message"),
        bank=_ids("bank"),
        transactions_eligible_from_date=st.dates(),
        consent_expires_at=_absent_or(st.datetimes()),
        accounts=st.lists(accounts, max_size=3),
    )
    return _mended(drawn, mending.mended_connection, kept)


def _types(listed: Iterable[enum.StrEnum], only: str | None, kept: Kept) -> st.SearchStrategy[str]:
    """Draw listed values, or only this one; if their rule is not kept, draw any text, too."""
    values, are_listed = [str(value) for value in listed], "values_are_listed" in kept
    if only is None:
        return st.sampled_from(values) if are_listed else st.sampled_from(values) | _ANY_TEXT
    check_type("event_type", only, str, "str or None")
    if are_listed and str.__str__(only) not in values:
        raise ValueError(f"event_type: expected one of {', '.join(values)}, or keep_rules=False")
    return st.just(str.__str__(only))


def _ids(kind: str) -> st.SearchStrategy[str]:
    return st.integers(0, 9).map(f"{kind}-{{}}".format) | _ANY_TEXT


def _absent_or(values: st.SearchStrategy[T]) -> st.SearchStrategy[T | Absent]:
    return st.just(ABSENT) | values


def _null_last(values: st.SearchStrategy[T]) -> st.SearchStrategy[T | None]:
    """Draw null, too, but not as the simpler value: it takes as many choices, because fewer choices count as simpler."""
    return st.tuples(values, st.booleans()).map(lambda drawn: None if drawn[1] else drawn[0])


@st.composite
def _mended(draw: st.DrawFn, drawn: st.SearchStrategy[T], mend: Callable[[T, Kept], T], kept: Kept) -> T:
    """Draw values that are mended; a failing example shows the mended value, where `map` would show how it was made."""
    return mend(draw(drawn), kept)


def _amounts() -> st.SearchStrategy[Decimal]:
    """Draw cents first, then every amount of 64 bits of digits and up to 18 decimal places."""
    cents = st.tuples(st.integers(0, 100_000), st.just(2))
    wide = st.tuples(st.integers(-(2**63), 2**63 - 1), st.integers(0, 18))
    return (cents | wide).map(lambda parts: Decimal(parts[0]).scaleb(-parts[1]))


def _timestamps() -> st.SearchStrategy[datetime.datetime]:
    """Draw times with or without an offset of whole minutes, a day inside Python's years so that every zone can show them."""
    offsets = st.integers(1 - 24 * 60, 24 * 60 - 1).map(lambda minutes: datetime.timedelta(minutes=minutes))
    first, last = datetime.datetime(1, 1, 2), datetime.datetime(9999, 12, 30)
    zones: Any = st.just(datetime.UTC) | offsets.map(datetime.timezone) | st.none()  # its annotation there lacks None
    return st.datetimes(min_value=first, max_value=last, timezones=zones)


__dir__ = __all__.copy
