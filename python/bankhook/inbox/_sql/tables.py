# SPDX-License-Identifier: MIT
"""The tables of an inbox, which `schema` makes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, MetaData, Table, Text, literal_column
from sqlalchemy.sql import ColumnElement

from bankhook.inbox._sql.types import AnyId, AnyText, UtcTime

metadata = MetaData()
NUMBER = BigInteger().with_variant(Integer, "sqlite")  # in SQLite only an INTEGER is the key of the table itself


def _partial_index(name: str, *columns: Column[Any], where: ColumnElement[bool], unique: bool = False) -> None:
    Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


deliveries = Table(
    "bankhook_deliveries",
    metadata,
    Column("number", NUMBER, primary_key=True, autoincrement=False),
    Column("received", UtcTime, nullable=False),
    Column("state", Text, nullable=False),
    Column("event", AnyId),
    Column("member", AnyId),
    Column("key", AnyId),
    Column("rule", AnyId),
    Column("attempts", Integer, nullable=False),
    Column("retry_at", UtcTime),
    Column("retried", NUMBER),  # the number that `inbox.retried` had when a person made it pending again
    Column("commit_number", NUMBER),  # which made it handled: several of one commit in the order of their own numbers
    Column("is_open", Boolean),  # true while the transaction is open that it was the first of
    Column("headers", Text, nullable=False),
    Column("findings", Text, nullable=False),
    Column("error", AnyText),
    Column("body", LargeBinary, nullable=False),
)
columns = deliveries.c
# A delivery that arrives is added to one of them, at its end: pages of a large index that are written at random take longer than
# all else. The others are filled when many are handled at once.
# With the value in the text of a statement: only then do the databases see that they can use the index.
NOT_HANDLED = columns.state != literal_column("'handled'")
_partial_index("bankhook_deliveries_not_handled", columns.state, columns.number, where=NOT_HANDLED)
_partial_index("bankhook_deliveries_retried", columns.retried, where=columns.retried.is_not(None))
HANDLED = columns.commit_number.is_not(None)
_partial_index("bankhook_deliveries_member", columns.member, columns.number, columns.commit_number, where=HANDLED)
_partial_index("bankhook_deliveries_key", columns.key, columns.number, where=HANDLED)
_partial_index("bankhook_deliveries_received", columns.received, where=HANDLED)
OPENED = columns.is_open.is_not(None)
_partial_index("bankhook_deliveries_open", columns.received, columns.number, where=OPENED)

members = Table(
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
