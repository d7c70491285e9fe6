# SPDX-License-Identifier: MIT
"""The rows that tables must have, made from what `parse` gives: what every reader of Arrow is compared with."""

from __future__ import annotations

import datetime
import importlib
import itertools
import re
from decimal import Decimal
from typing import Any, TypeAlias

import bankhook
from bankhook import ABSENT, BankConnectionsUpdateV2, ParseError, Sandbox, _core

__all__ = ["TABLES", "Row", "archive", "expected", "plain_fields", "pyarrow", "rows_of"]

pyarrow: Any = importlib.import_module("pyarrow")  # it has no types

Row: TypeAlias = dict[str, Any]

TABLES = _core._table_names

# What the sandbox does not send: values at the limits of columns, and lines that are no events.
_TRANSACTION = (
    b'{"event":"initial_transaction_update","eventType":"created","customer":{"id":"m","externalId":"e"},'
    b'"initialTransaction":{"id":"t","amount":%s,"storeExternalId":"s","status":"created","rejectionReason":null,'
    b'"transactionDate":"2026-05-03","transactionId":null,"date":"%s"}}'
)
_LINES = (
    _TRANSACTION % (b"19.9", b"2026-01-02T03:04:05.123456+02:00"),
    _TRANSACTION % (b"-0.0001", b"2026-01-02T03:04:05"),
    _TRANSACTION % (b"0.00010000000", b"0001-01-01T00:00:00Z"),
    _TRANSACTION % (b"123456789012345678", b"9999-12-31T23:59:59.999999"),
    _TRANSACTION % (b"0.00001", b"2026-01-02T03:04:05Z"),  # too many places
    _TRANSACTION % (b"1", b"2026-01-02T03:04:05.1234567Z"),  # too many digits
    b'{"event":"from_the_future", "with": ["anything"]}',
    b"not JSON",
    b'{"event":"initial_transaction_update"}',
    b"\xff\xfe",
    b"\0\0\0\0",
    b"[" * 3000,
    b"",
    b"  \t",
)


def archive(seed: int, count: int) -> bytes:
    """Varying events with faults, with other lines among them; some end with CR LF."""
    faults = dict.fromkeys(map(str, bankhook.sandbox.FaultKind), 0.03)
    deliveries = Sandbox(seed, members=20, faults=faults).deliveries(count)
    others = itertools.cycle(_LINES)
    lines = list[bytes]()
    for index, delivery in enumerate(deliveries):
        lines.append(delivery.payload.replace(b"\n", b" "))
        if index % 7 == 0:
            lines.append(next(others))
    return b"".join(line + (b"\r\n" if index % 5 == 0 else b"\n") for index, line in enumerate(lines))


def expected(ndjson: bytes, source: int = 0) -> dict[str, list[Row]]:
    """The rows of each table."""
    rows: dict[str, list[Row]] = {name: [] for name in TABLES}
    number, tracker = itertools.count(), bankhook.Tracker()
    for line, raw in enumerate(ndjson.split(b"\n"), 1):
        raw = raw.removesuffix(b"\r")
        if raw.strip(b" \t\r"):
            keys = {"source": source, "line": line, "eventIndex": next(number)}
            rows["findings"].extend({**keys, **_finding(finding)} for finding in bankhook.diagnose(raw))
            _add(rows, keys, raw, tracker)
    return rows


def _add(rows: dict[str, list[Row]], keys: Row, raw: bytes, tracker: bankhook.Tracker) -> None:
    try:
        event = bankhook.parse(raw)
    except ParseError as error:
        first = next(finding for finding in error.findings if finding.severity == "error")
        where = {name: getattr(first, name) for name in ("rule", "path", "offset", "expected", "found")}
        rows["rejected"].append({**keys, **where, "raw": raw})
        return
    rows["outcomes"].append({**keys, **_outcome(event, tracker.apply(event))})
    if (unfit := _unfit(event, raw)) is not None:
        rows["rejected"].append({**keys, **unfit, "raw": raw})
    elif isinstance(event, bankhook.UnknownEvent):
        rows["unknown_events"].append({**keys, "event": event.event, "raw": event.raw.decode()})
    else:
        rows[event.event].append({**keys, "memberId": event.customer.id, **plain_fields(event)})
        if isinstance(event, BankConnectionsUpdateV2):
            _add_connections(rows, keys, event)


def _finding(finding: bankhook.types.Finding) -> Row:
    names = ("rule", "evidence", "section", "severity", "path", "offset", "expected", "found")
    return {name: _plain(getattr(finding, name)) for name in names}


def _outcome(event: bankhook.AnyEvent, outcome: bankhook.types.Outcome) -> Row:
    row: Row = {"event": event.event, "eventType": None, "memberId": None, "id": None, "verdict": str(outcome.verdict)}
    if not isinstance(event, bankhook.UnknownEvent):
        subject = event.connection if isinstance(event, BankConnectionsUpdateV2) else event.initial_transaction
        row |= {"eventType": str(event.event_type), "memberId": event.customer.id, "id": subject.id}
    reason = outcome.reason
    row["rule"] = reason.id if isinstance(reason, bankhook.types.Rule) else None
    row["section"] = reason.section if reason else None
    row["evidence"] = str(getattr(reason, "basis", reason.evidence)) if reason else None
    row |= {"accepted": outcome.accepted, "repeat": outcome.repeat, "seenBefore": outcome.seen_before}
    row["changes"] = [_change(change) for change in outcome.changes]
    row["findings"] = [finding.rule for finding in outcome.findings]
    return row


def _change(change: bankhook.types.Change) -> Row:
    return {
        "kind": str(change.kind),
        "subject": str(change.subject),
        "label": change.label,
        "id": change.id,
        "parentId": change.parent_id,
        "field": change.field,
        "before": change.before_wire,
        "after": change.after_wire,
        "firstEventMissing": change.first_event_missing,
    }


def _add_connections(rows: dict[str, list[Row]], keys: Row, event: BankConnectionsUpdateV2) -> None:
    keys = {**keys, "memberId": event.customer.id}
    for index, connection in [(None, event.connection), *enumerate(event.customer.connections)]:
        values = plain_fields(connection)
        accounts = values.pop("accounts")
        rows["connections"].append({**keys, "listIndex": index, **values})
        for place, account in enumerate(accounts):
            of = {"listIndex": index, "connectionId": connection.id, "accountIndex": place}
            rows["accounts"].append({**keys, **of, **account})


def _unfit(event: Any, raw: bytes) -> Row | None:
    if not isinstance(event, bankhook.InitialTransactionUpdate):
        return None
    amount = event.initial_transaction.amount
    path = "$.initialTransaction.amount"
    if amount != round(amount, 4):
        expected = "a number of at most 38 digits, 4 of them after the point"
        return {"rule": "decimal_fits_column", "path": path, "offset": None, "expected": expected, "found": "more digits"}
    if re.search(rb'"date":"[^"]*\.\d{7}', raw):
        path = "$.initialTransaction.date"
        expected = "a time with at most six fraction digits"
        return {"rule": "timestamp_fits_column", "path": path, "offset": None, "expected": expected, "found": "more digits"}
    return None


def plain_fields(value: Any) -> Row:
    """The fields of a resource or an event, as a row of Arrow has them."""
    row: Row = {}
    for field in bankhook.fields(type(value)):
        item = getattr(value, field.name)
        if field.wire_name == "date":
            is_local = isinstance(item, datetime.datetime) and item.tzinfo is None
            row["date"] = None if is_local else _plain(item)
            row["dateLocal"] = item if is_local else None
        else:
            row[field.wire_name] = _plain(item)
    return row


def _plain(value: Any) -> Any:
    if value is None or value is ABSENT:
        return None
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return str(value)
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return value.astimezone(datetime.UTC)
    if isinstance(value, (bool, int, Decimal, datetime.date)):
        return value
    return plain_fields(value)


def rows_of(table: Any) -> list[Row]:
    """The rows as pyarrow reads them."""
    rows: list[Row] = pyarrow.table(table).to_pylist()
    return rows
