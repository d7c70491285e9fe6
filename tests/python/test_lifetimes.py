# SPDX-License-Identifier: MIT
"""Objects live as long as somebody holds them, whatever becomes of the payload and of the objects around them."""

from __future__ import annotations

import contextlib
import gc
import sys
import weakref
from typing import Any

import bankhook
from bankhook import Account, BankConnectionsUpdateV2, Connection
from python.parsed import connections_update, one_of_each, payload, transaction_update, unknown_event


def fill_memory() -> list[bytes]:
    """Objects of many sizes, so that memory that was freed is used again."""
    return [bytes([number % 256]) * size for size in range(16, 4096, 32) for number in range(8)]


def test_a_nested_object_survives_its_root() -> None:
    text = bytearray(payload("member_with_many_connections"))
    event = bankhook.parse(text)
    assert isinstance(event, BankConnectionsUpdateV2)
    connection = event.customer.connections[-1]
    account = connection.accounts[-1]
    before = (repr(connection), repr(account))
    del event, text
    gc.collect()
    kept = fill_memory()
    assert (repr(connection), repr(account)) == before
    del connection
    gc.collect()
    kept += fill_memory()
    assert repr(account) == before[1]


def test_a_nested_object_survives_all_others_of_its_event() -> None:
    """Spec 6.2: an event that carries escapes, whose text lies in memory of its own."""
    customers = [connections_update("member_with_many_connections").customer for _ in range(50)]
    transactions = [transaction_update("control_characters_and_escapes").initial_transaction for _ in range(50)]
    gc.collect()
    kept = fill_memory()
    assert all(customer == customers[0] for customer in customers)
    assert all(transaction == transactions[0] for transaction in transactions)
    assert kept


def test_one_event_changes_nothing_in_another() -> None:
    first = connections_update("member_with_many_connections")
    before = first.to_json()
    for name in ("formatted", "text_of_many_languages", "escaped_names_and_text", "connection_in_error"):
        bankhook.parse(payload(name))
    for broken in (b"", b"{", payload("formatted")[:-10]):
        with contextlib.suppress(bankhook.ParseError):
            bankhook.parse(broken)
    assert first.to_json() == before


def test_a_buffer_may_be_overwritten_after_parse() -> None:
    text = bytearray(payload("connection_updated_with_accounts"))
    event = bankhook.parse(text)
    before = repr(event)
    text[:] = b"\xff" * len(text)
    assert repr(event) == before
    text.clear()  # parse holds no buffer that would forbid it
    assert repr(event) == before


def test_an_object_made_in_python_holds_what_it_was_made_of() -> None:
    accounts = [Account(id=f"acc-{number}" * 10, account_hash=None) for number in range(100)]
    connection = connections_update().connection.replace(accounts=accounts, bank="Banque " + "Exemple" * 100)
    before = repr(connection)
    del accounts
    gc.collect()
    kept = fill_memory()
    assert repr(connection) == before
    assert kept


def test_a_nested_object_of_one_made_in_python_survives_it() -> None:
    connection = connections_update().connection.replace(accounts=[Account(id="acc-" * 50, account_hash="h" * 200)])
    account = connection.accounts[0]
    del connection
    gc.collect()
    kept = fill_memory()
    assert account == Account(id="acc-" * 50, account_hash="h" * 200)
    assert kept


def test_a_payload_is_let_go_with_the_last_object() -> None:
    text = payload("member_with_many_connections")
    before = sys.getrefcount(text)
    event = bankhook.parse(text)
    assert isinstance(event, BankConnectionsUpdateV2)
    connections = event.customer.connections
    assert sys.getrefcount(text) == before + 1
    del event
    assert sys.getrefcount(text) == before + 1
    del connections
    assert sys.getrefcount(text) == before


def test_an_object_can_be_referred_to_weakly() -> None:
    for item in one_of_each():
        kind = type(item).__name__
        reference: weakref.ref[Any] = weakref.ref(item)
        assert reference() is item, kind


def test_a_weak_reference_ends_with_its_object() -> None:
    event = unknown_event()
    reference = weakref.ref(event)
    del event
    assert reference() is None


def test_the_collector_has_nothing_to_do() -> None:
    """Objects do not change, so they are in no cycle."""
    assert not any(gc.is_tracked(item) for item in one_of_each())


def test_an_access_keeps_no_reference() -> None:
    update, transaction = connections_update(), transaction_update().initial_transaction
    kinds: list[Any] = [Connection, Account, None, bankhook.ABSENT, bankhook.TransactionStatus.CREATED]
    before: list[int] = []
    after: list[int] = []
    for _ in range(3):
        before = [sys.getrefcount(kind) for kind in kinds]
        for _ in range(100):
            update.connection, update.customer.connections, update.connection.accounts
            transaction.place_id, transaction.status, transaction.rejection_reason, transaction.amount
            repr(update), update.to_dict(), update.to_json(), hash(update), update == update.replace()
        after = [sys.getrefcount(kind) for kind in kinds]
    assert [b - a for a, b in zip(before, after, strict=True) if abs(b - a) > 20] == []
