# SPDX-License-Identifier: MIT
"""Memory does not grow: neither by parsing and reading, nor by errors, nor by what one large payload leaves after."""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import bankhook
from python.parsed import connections_update, one_of_each, payload, transaction_update

pytestmark = pytest.mark.slow

MEGABYTE = 2**20


def resident() -> int:
    """Bytes of memory that this process uses now, but for what malloc keeps to use it again."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(work: Callable[[], object], times: int) -> int:
    """By how many bytes the process grows when `work` is done `times` times, once it is warm."""
    for _ in range(times // 10):
        work()
    before = resident()
    for _ in range(times):
        work()
    return resident() - before


def rejected(work: Callable[[], object], error: type[Exception]) -> Callable[[], None]:
    """`work`, which must raise `error`."""

    def raising() -> None:
        try:
            work()
        except error:
            return
        raise AssertionError("nothing was raised")

    return raising


def test_memory_is_flat_over_200000_payloads() -> None:
    bank, transaction = payload("connection_updated_with_accounts"), payload("text_of_many_languages")

    def work() -> None:
        bankhook.parse(bank)
        bankhook.parse(transaction)

    assert growth(work, 100_000) < 2 * MEGABYTE


@pytest.mark.parametrize("item", one_of_each(), ids=lambda item: type(item).__name__)
def test_nothing_that_an_object_does_leaks(item: Any) -> None:
    def work() -> None:
        item.to_dict(), item.to_json(), repr(item), hash(item), item.replace()
        type(item).from_dict(item.to_dict())
        pickle.loads(pickle.dumps(item))

    assert growth(work, 3000) < MEGABYTE


UPDATE: Any = connections_update()
TRANSACTION: Any = transaction_update().initial_transaction
ANY: Any = bankhook
SELECT: Any = bankhook.select("event")
REJECTED: list[tuple[Callable[[], object], type[Exception]]] = [
    (lambda: bankhook.parse(b'{"event":1}'), bankhook.ParseError),
    (lambda: bankhook.parse(payload("formatted")[:-3]), bankhook.ParseError),
    (lambda: bankhook.parse(ANY.parse), TypeError),
    (lambda: ANY.Account(id="a"), TypeError),
    (lambda: ANY.Account(id="a" * 1000, account_hash=1), TypeError),
    (lambda: ANY.Account(id="a" * 1000, account_hash=None, other=1), TypeError),
    (lambda: UPDATE.connection.replace(accounts=[*UPDATE.connection.accounts, ANY.Account]), TypeError),
    (lambda: TRANSACTION.replace(amount=ANY.TransactionStatus), TypeError),
    (lambda: UPDATE.replace(event="another_event"), ValueError),
    (lambda: ANY.UnknownEvent(raw=UPDATE.raw), ValueError),
    (lambda: ANY.UnknownEvent(raw=b'{"event":"x"}', event=5), TypeError),
    (lambda: ANY.parse(UPDATE.raw, strict=ANY.parse, other=1), TypeError),
    (lambda: SELECT(b'{"event":1}'), bankhook.ParseError),
    (lambda: SELECT(5), TypeError),
    (lambda: ANY.select("event", "no.such.path"), ValueError),
    (lambda: ANY.Connection.from_dict({**UPDATE.connection.to_dict(), "accounts": [{"id": "a" * 1000}]}), TypeError),
    (lambda: ANY.Connection.from_dict({**UPDATE.connection.to_dict(), "x": 1}), TypeError),
    (lambda: ANY.Connection.from_dict({"id": "c" * 1000}), TypeError),
    (lambda: ANY.Connection.from_dict(5), TypeError),
    (lambda: ANY.Account.from_wire({"id": "a"}), bankhook.ParseError),
    (lambda: pickle.loads(pickle.dumps(UPDATE.connection).replace(b"accounts", b"account_")), bankhook.ParseError),
    (lambda: list(bankhook.parse_lines(b"[1]\n" * 3)), bankhook.ParseError),
    (lambda: ANY.Tracker.restore(b"no snapshot"), bankhook.types.SnapshotError),
    (lambda: ANY.Tracker().apply(5), TypeError),
    (lambda: ANY.Tracker().member(5), TypeError),
    (lambda: bankhook.explain(ANY.parse, b""), TypeError),
    (lambda: bankhook.check(ANY.parse), TypeError),
]


def blocks_more(work: Callable[[], object], times: int) -> int:
    """By how many blocks of memory Python's own allocator holds more when `work` is done `times` times.

    The smallest of three measurements: the thread that receives this process's next tests allocates, too, whenever they
    happen to arrive, and that is no leak. What leaks does so every time.
    """

    def measured() -> int:
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(times):
            work()
        gc.collect()
        return sys.getallocatedblocks() - before

    for _ in range(100):
        work()
    return min(measured() for _ in range(3))


@pytest.mark.soak
@pytest.mark.parametrize(("work", "error"), REJECTED)
def test_nothing_that_is_rejected_leaks(work: Callable[[], object], error: type[Exception]) -> None:
    assert blocks_more(rejected(work, error), 300) < 100
    assert growth(rejected(work, error), 2500) < MEGABYTE / 2


def test_memory_is_flat_over_some_100000_things_done() -> None:
    """Of each way to an object, and of what each object gives, in turns: no block and no page more."""
    lines = (UPDATE.raw.replace(b"\n", b" ") + b"\n" + b"[1]\n") * 20
    as_dict, as_json, pickled = UPDATE.to_dict(), TRANSACTION.to_wire(), pickle.dumps(UPDATE)
    select = bankhook.select("connection.accounts[].id", "shoppingHubId")

    def work() -> None:
        for event in bankhook.parse_lines(lines, on_error="collect"):
            assert isinstance(event, bankhook.BankConnectionsUpdateV2)
            _ = event.connection.accounts, event.customer.connections
        select(UPDATE.raw)
        bankhook.diagnose(b'{"event":1}')
        bankhook.check(UPDATE)
        bankhook.BankConnectionsUpdateV2.from_dict(as_dict)
        bankhook.InitialTransaction.from_wire(as_json)
        pickle.loads(pickled)
        UPDATE.connection.replace(accounts=list(UPDATE.connection.accounts))

    assert blocks_more(work, 1000) < 100
    assert growth(work, 3000) < 2 * MEGABYTE


def test_amounts_are_not_kept() -> None:
    numbers = iter(range(10**6))

    def work() -> None:
        _ = TRANSACTION.replace(amount=Decimal(next(numbers)).scaleb(-2)).amount

    for _ in range(5000):
        work()
    assert blocks_more(work, 20_000) < 100


def test_a_small_event_does_not_hold_the_memory_of_a_bad_payload_before_it() -> None:
    """Text with an escape is decoded to memory of its own, and a fault at the end leaves it without an owner."""
    small = payload("connection_updated_with_accounts")
    before = resident()
    large = small[:-3].replace(b"member-0001", b"\\n" + b"x" * (32 * MEGABYTE), 1)
    with pytest.raises(bankhook.ParseError):
        bankhook.parse(large)
    del large
    event = bankhook.parse(small)
    assert resident() - before < 8 * MEGABYTE
    assert event.raw == small
