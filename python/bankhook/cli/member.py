# SPDX-License-Identifier: MIT
"""One member as tracked: its connections and its transactions, with their dates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bankhook import _core
from bankhook.cli.terminal import plain, styled, wrapped

if TYPE_CHECKING:
    from bankhook import Tracker
    from bankhook.types import TrackedConnection, TrackedTransaction

__all__ = ["member_lines"]


def member_lines(tracker: Tracker, id_: str, *, show_values: bool) -> Iterator[str]:
    """Yield what is tracked of a member, nothing for one that is not known; amounts and names only if they are asked for."""
    if (held := tracker.member(id_)) is None:
        return
    yield styled(f"Member {plain(id_)}", bold=True)
    if held.membership is not None:
        yield f"  connections on {held.membership.connections_on}, off {held.membership.connections_off}"
    for connection in tracker.connections(id_):
        yield from _connection_lines(connection, show_values=show_values)
    for transaction in tracker.timeline(id_).transactions:
        yield from _transaction_lines(transaction, show_values=show_values)
    note = "No event tells when it was sent: the only times are those above, and the lines of the archive are its order."
    yield from wrapped((note, {}), first=2, rest=2)


def _connection_lines(held: TrackedConnection, *, show_values: bool) -> Iterator[str]:
    one = held.connection
    facts = [f"connection {one.id}: {held.state or 'unknown'}"]
    if one.error_code is not None or one.error_message is not None:
        facts.append(f"in error {one.error_code or 'without a code'}")
    facts.append(f"consent ends {_core._written(one, 'consent_expires_at') or 'on a day that is not given'}")
    facts.append(f"transactions are eligible from {_core._written(one, 'transactions_eligible_from_date')}")
    facts.append(f"{len(one.accounts):,} account{'' if len(one.accounts) == 1 else 's'}")
    if show_values:
        facts.append(f"bank {one.bank}")
    yield from wrapped((plain(", ".join(facts)), {}), first=2, rest=6)


def _transaction_lines(held: TrackedTransaction, *, show_values: bool) -> Iterator[str]:
    one = held.initial_transaction
    facts = [f"transaction {one.id}: {one.status}"]
    if one.rejection_reason is not None:
        facts.append(f"because of {one.rejection_reason}")
    facts.append(f"purchase of {_core._written(one, 'transaction_date')}")
    facts.append(f"created {_core._written(one, 'date')}")
    if show_values:
        facts.append(f"amount {_core._written(one, 'amount')}")
    yield from wrapped((plain(", ".join(facts)), {}), first=2, rest=6)
