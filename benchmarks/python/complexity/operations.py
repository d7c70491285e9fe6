# SPDX-License-Identifier: MIT
"""Everything public that takes what strangers send; what is not measured of it is done before."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import bankhook
from bankhook.inbox import salvage

__all__ = ["OPERATIONS", "Operation"]

_pyarrow: Any = importlib.import_module("pyarrow")
_FIVE: Any = (
    "customer.id",
    "initialTransaction.amount",
    "connection.id",
    "connection.accounts[].id",
    "customer.connections[].id",
)


class Operation(NamedTuple):
    """What is called with a payload or an archive: the first call returns what is measured."""

    name: str
    kind: str
    prepare: Callable[[bytes], Callable[[], object]]


def _rejecting(call: Callable[[], object]) -> None:
    with suppress(bankhook.BankhookError, OSError):
        call()


def _plain(name: str, call: Callable[[bytes], object], kind: str = "payload") -> Operation:
    return Operation(name, kind, lambda data: lambda: _rejecting(lambda: call(data)))


def _of_event(name: str, call: Callable[[Any], object]) -> Operation:
    """Of what is an event; of the rest, nothing is done."""

    def prepare(data: bytes) -> Callable[[], object]:
        with suppress(bankhook.ParseError):
            event = bankhook.parse(data)
            return lambda: call(event)
        return lambda: None

    return Operation(name, "payload", prepare)


def _explained(data: bytes) -> Callable[[], object]:
    findings = bankhook.diagnose(data)
    return lambda: [bankhook.explain(findings, data, show_values=shown) for shown in (False, True)]


def _written(event: Any) -> object:
    return event.to_json(), event.to_dict(), event.to_wire(), hash(event), copy.deepcopy(event) == event


def _lines(data: bytes, at: str | None = None) -> object:
    lines = bankhook.parse_lines(data, on_error="collect", at=at)
    return sum(1 for _ in lines), str(lines.rejected[:1])


def _tables(data: bytes) -> None:
    tables = bankhook.tables(data)
    for table in (tables.initial_transaction_update, tables.accounts, tables.findings, tables.outcomes):
        for _ in _pyarrow.RecordBatchReader.from_stream(table):
            pass


def _tracked(data: bytes) -> bankhook.Tracker:
    tracker = bankhook.Tracker()
    _rejecting(lambda: tracker.apply_lines(data))
    return tracker


def _stored(data: bytes) -> Callable[[], object]:
    tracker = _tracked(data)
    return lambda: bankhook.Tracker.restore(tracker.snapshot()) == tracker


def _queried(data: bytes) -> Callable[[], object]:
    tracker = _tracked(data)

    def run() -> object:
        members = [member.customer.id for member in tracker.members()]
        per_member = [(tracker.connections(one), tracker.accounts(one), tracker.timeline(one)) for one in members]
        return per_member, tracker.transactions(), tracker.in_error(), tracker.diff(bankhook.Tracker())

    return run


def _events(data: bytes) -> list[bankhook.AnyEvent]:
    events: list[bankhook.AnyEvent] = []
    _rejecting(lambda: events.extend(bankhook.parse_lines(data, on_error="collect")))
    return events


def _joint(data: bytes) -> Callable[[], object]:
    events = _events(data)

    def run() -> object:
        joint = bankhook.JointAccounts(events)
        return joint.groups(), joint.accounts(), [joint.canonical(account.id) for account in joint.accounts()]

    return run


def _deduplicated(data: bytes) -> Callable[[], object]:
    """A row for each account, twice."""
    joint = bankhook.JointAccounts(_events(data))
    rows = [{"account": account.id, "key": account.account_hash} for account in joint.accounts()] * 2
    return lambda: joint.deduplicate(rows, bank_account_id="account", key="key")


OPERATIONS = [
    _plain("parse", bankhook.parse),
    _plain("parse, strict", lambda data: bankhook.parse(data, strict=True)),
    _plain("from_json", bankhook.BankConnectionsUpdateV2.from_json),
    _plain("select", bankhook.select(*_FIVE)),
    _plain("is_clean", bankhook.is_clean),
    _plain("diagnose", bankhook.diagnose),
    Operation("explain", "payload", _explained),
    _plain("salvage", salvage),
    _of_event("check", bankhook.check),
    _of_event("to_json, to_dict, to_wire, hash, copy", _written),
    _of_event("Tracker.apply", lambda event: bankhook.Tracker().apply(event)),
    _plain("parse_lines", _lines, "archive"),
    _plain("parse_lines, at=", lambda data: _lines(data, "customer.id"), "archive"),
    _plain("diagnose_lines", lambda data: str(bankhook.diagnose_lines(data)), "archive"),
    _plain("tables, four of them", _tables, "archive"),
    _plain("Tracker.apply_lines", lambda data: bankhook.Tracker().apply_lines(data), "archive"),
    Operation("Tracker.snapshot, restore", "archive", _stored),
    Operation("Tracker, queries", "archive", _queried),
    _plain("Tracker.restore of no snapshot", bankhook.Tracker.restore, "archive"),
    Operation("JointAccounts", "accounts", _joint),
    Operation("JointAccounts.deduplicate", "accounts", _deduplicated),
]
