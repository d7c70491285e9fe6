# SPDX-License-Identifier: MIT
"""The tables of an inbox, which `schema` makes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    exists,
    literal_column,
)
from sqlalchemy.sql import ColumnElement

from bankhook._records.stored import DeliveryState
from bankhook.inbox._sql.types import AnyId, AnyText, UtcTime

metadata = MetaData()
STATES = ", ".join(f"'{state.value}'" for state in DeliveryState)
NUMBER = BigInteger().with_variant(Integer, "sqlite")  # in SQLite only an INTEGER is the key of the table itself


def _partial_index(name: str, *columns: Column[Any], where: ColumnElement[bool], unique: bool = False) -> None:
    Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


deliveries = Table(  # a row is written once, in the order of numbers
    "bankhook_deliveries",
    metadata,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("received", UtcTime, nullable=False),
    Column("event", AnyId),
    Column("member", AnyId),
    Column("key", AnyId),
    Column("rule", AnyId),
    Column("headers", Text, nullable=False),
    Column("findings", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
columns = deliveries.c

states = Table(  # of deliveries that are not handled, and of those that were after a failure; all others are handled
    "bankhook_states",
    metadata,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("state", Text, CheckConstraint(f"state IN ({STATES})"), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("retry_at", UtcTime),
    Column("retried", NUMBER),  # the number that `inbox.retried` had when a person made it pending again
    Column("error", AnyText),
)
# With the value in the text of a statement: only then do the databases see that they can use the index.
NOT_HANDLED = states.c.state != literal_column("'handled'")
HANDLED = ~exists().where(states.c.number == columns.number, NOT_HANDLED).correlate(deliveries)
_partial_index("bankhook_states_not_handled", states.c.state, states.c.number, where=NOT_HANDLED)
_partial_index("bankhook_states_retried", states.c.retried, where=states.c.retried.is_not(None))

found = Table(  # what was handled, by the hashes of members and keys
    "bankhook_found",
    metadata,
    Column("hash", BigInteger, primary_key=True, autoincrement=False),
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column(
        "commit_number", NUMBER, nullable=False
    ),  # which made it handled: several of one in the order of their own numbers
    sqlite_with_rowid=False,
)
recent = Table(  # the same of what is not there yet: many at once change fewer pages of a table that is ordered by chance
    "bankhook_recent",
    metadata,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("hash", BigInteger, primary_key=True, autoincrement=False),
    Column("commit_number", NUMBER, nullable=False),
    sqlite_with_rowid=False,
)


def _by_time(name: str) -> Table:
    return Table(
        name,
        metadata,
        Column("received", UtcTime, primary_key=True),
        Column("number", NUMBER, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )


handled = _by_time("bankhook_handled")
opened = _by_time("bankhook_opened")  # of these, the first of each transaction that is open

members = Table(  # those that it would take longer to build again from their deliveries
    "bankhook_members",
    metadata,
    Column("member", AnyId, primary_key=True),
    Column("snapshot", LargeBinary, nullable=False),
    Column("commit_number", NUMBER, nullable=False),  # the last one of which the snapshot contains the deliveries
)

inbox = Table(  # one row
    "bankhook_inbox",
    metadata,
    Column("version", Integer, nullable=False),  # of these tables
    Column("commit_number", NUMBER, nullable=False),  # the last one
    Column("ordering", NUMBER, nullable=False),  # up to which commit entries are put in order; 0 if they are not now
    Column("ordered", BigInteger, nullable=False),  # the hash from which on they are not yet
    Column("removed", NUMBER, nullable=False),  # how many deliveries were deleted
    Column("last_number", NUMBER, nullable=False),  # that had been given when some were deleted
    Column("forgotten", NUMBER, nullable=False),  # how often a member was forgotten
    Column("retried", NUMBER, nullable=False),  # how often deliveries were made pending again
)

effects = Table(
    "bankhook_effects",
    metadata,
    Column("key", AnyId, primary_key=True),
    Column("delivery", NUMBER, nullable=False),
    Column("member", AnyId, nullable=False),
)

cases = Table(
    "bankhook_cases",
    metadata,
    Column("number", NUMBER, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("field", AnyId),
    Column("delivery", NUMBER, nullable=False),
    Column("member", AnyId, nullable=False),
    Column("key", AnyId, nullable=False),
    Column("received", UtcTime, nullable=False),
    Column("settled_at", UtcTime),
    Column("same", LargeBinary),  # if the event is not applied: a digest of kind, field and body; one open case has it
)
OPEN = cases.c.settled_at.is_(None)
_partial_index("bankhook_cases_open", cases.c.number, where=OPEN)
_partial_index("bankhook_cases_same", cases.c.same, unique=True, where=OPEN)

OWN = -1  # the number of this inbox itself
BESIDE = -2  # of the inbox beside which this spool is
sources = Table(  # inboxes and spools of which deliveries were moved here
    "bankhook_sources",
    metadata,
    Column("name", Text, primary_key=True),
    Column("number", NUMBER, nullable=False),  # of the last one that was moved, or OWN or BESIDE
)

unsure = Table(  # of a spool: what may be in its table already, since the commit had no answer
    "bankhook_unsure",
    metadata,
    Column("first", NUMBER, primary_key=True, autoincrement=False),
    Column("last", NUMBER, nullable=False),
    Column("there", NUMBER, nullable=False),  # the number that the first of them has in the table
)
