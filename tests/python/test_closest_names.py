# SPDX-License-Identifier: MIT
"""A misspelt keyword argument, path, column or attribute: the error has the closest name that is known."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import bankhook
from bankhook.testing import samples

select: Any = bankhook.select  # paths that checkers do not know, too

module: Any = bankhook  # what is called wrongly here, type checkers would reject
PURCHASE: Any = bankhook.parse(samples.get("transaction_validated").payload)
ARCHIVE = samples.archive()


@pytest.mark.parametrize(
    ("call", "name", "given", "meant"),
    [
        (lambda: module.parse(b"{}", strikt=True), "parse", "strikt", "strict"),
        (lambda: module.Customer(externalId="a"), "Customer", "externalId", "external_id"),
        (lambda: PURCHASE.replace(eventType="a"), "InitialTransactionUpdate", "eventType", "event_type"),
        (lambda: module.Tracker(take_creat=True), "Tracker", "take_creat", "take_create"),
        (lambda: module.Tracker.restore(b"", lifecycle=None), "Tracker.restore", "lifecycle", "connection_lifecycle"),
        (lambda: module.Tracker().connections(memberid="a"), "Tracker.connections", "memberid", "member_id"),
        (lambda: module.Tracker().transactions(state="a"), "Tracker.transactions", "state", "status"),
        (lambda: module.Tracker().accounts(member="a"), "Tracker.accounts", "member", "member_id"),
        (lambda: module.explain((), b"{}", widht=3), "explain", "widht", "width"),
        (lambda: PURCHASE.to_wire(numbers=str), "to_wire", "numbers", "number"),
        (lambda: module.UnknownEvent(row=b"{}"), "UnknownEvent", "row", "raw"),
        (lambda: module.sandbox.Faults(drops=0.1), "Faults", "drops", "drop"),
        (lambda: module.Sandbox(sed=1), "Sandbox", "sed", "seed"),
        (lambda: module.Sandbox(error_code=""), "Sandbox", "error_code", "error_codes"),
        (lambda: module.parse_lines(ARCHIVE, on_eror="collect"), "parse_lines", "on_eror", "on_error"),
        (lambda: module.diagnose_lines(ARCHIVE, limt=1), "diagnose_lines", "limt", "limit"),
        (lambda: module.Tracker().apply_lines(ARCHIVE, limt=1), "apply_lines", "limt", "limit"),
        (lambda: module.tables(ARCHIVE, scal=2), "tables", "scal", "scale"),
        (lambda: module.JointAccounts().deduplicate([], keys="a"), "JointAccounts.deduplicate", "keys", "key"),
    ],
)
def test_a_misspelt_keyword_argument_suggests_the_closest_one(
    call: Callable[[], object], name: str, given: str, meant: str
) -> None:
    with pytest.raises(TypeError) as raised:
        call()
    assert str(raised.value) == f"{name}() got an unexpected keyword argument {given!r}; did you mean {meant!r}?"


@pytest.mark.parametrize("name", ["zzzz", "", "\ud800", "s" * 100_000, "\x1b[31m"])
def test_a_keyword_argument_like_no_other_is_only_named(name: str) -> None:
    for call in (module.Customer, module.Tracker, module.Sandbox, module.sandbox.Faults, module.diagnose_lines):
        with pytest.raises(TypeError) as raised:
            call(**{name: 1})
        assert "unexpected keyword argument" in str(raised.value)
        assert "did you mean" not in str(raised.value)
        assert "\x1b" not in str(raised.value)


def test_other_wrong_arguments_keep_their_messages() -> None:
    with pytest.raises(TypeError, match="must be bool, not int"):
        module.Tracker(take_create=1)
    with pytest.raises(TypeError, match="takes at most 2 arguments"):
        module.Tracker().transactions("a", "b", "c")


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("initial_transaction.amount", "initialTransaction.amount"),
        ("initialTransaction.amout", "initialTransaction.amount"),
        ("amount", "initialTransaction.amount"),
        ("customer.connections.id", "customer.connections[].id"),
        ("customer.conections[3].acounts[].id", "customer.connections[3].accounts[].id"),
        ("connection.accounts[0]", "connection.accounts[0].id"),
        ("initialTransaction", "initialTransaction.id"),
        ("event_type", "eventType"),
    ],
)
def test_a_misspelt_path_suggests_the_closest_one(given: str, meant: str) -> None:
    with pytest.raises(ValueError) as raised:
        select(given)
    assert str(raised.value).endswith(f"in any event; did you mean {meant!r}?")
    select(meant)


def test_a_path_like_no_other_shows_examples() -> None:
    for path in ("$", "zz.zz", "[]", "\x1b[31m" * 50_000):
        with pytest.raises(ValueError, match=r"paths look like 'initialTransaction.amount'") as raised:
            select(path)
        assert "\x1b" not in str(raised.value)


@pytest.mark.parametrize(
    ("table", "given", "meant"),
    [
        ("initial_transaction_update", "initial_transaction.amount", "initialTransaction.amount"),
        ("initial_transaction_update", "initialTransaction.amout", "initialTransaction.amount"),
        ("bank_connections_update_v2", "connection.acounts.id", "connection.accounts.id"),
        ("connections", "cursor_id", None),
        ("rejected", "lines", "line"),
    ],
)
def test_a_misspelt_column_suggests_the_closest_one(table: str, given: str, meant: str | None) -> None:
    with pytest.raises(ValueError) as raised:
        getattr(bankhook.tables(ARCHIVE), table).select(given)
    end = f"; did you mean {meant!r}?" if meant else ""
    assert str(raised.value) == f"the table {table} has no column {given}{end}"


@pytest.mark.parametrize(
    ("expression", "meant"),
    [
        ("bankhook.parse(samples.get('transaction_validated').payload).initialTransaction", "initial_transaction"),
        ("bankhook.diagnose(b'{}')[0].rules", "rule"),
        ("bankhook.diagnos", "diagnose"),
        ("bankhook.SandBox", "Sandbox"),
    ],
)
def test_for_a_misspelt_attribute_python_suggests_the_closest_one(expression: str, meant: str) -> None:
    code = f"import bankhook\nfrom bankhook.testing import samples\n{expression}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert f"Did you mean: '{meant}'?" in done.stderr
