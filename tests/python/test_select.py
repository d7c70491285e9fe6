# SPDX-License-Identifier: MIT
"""select: paths compiled once, values without objects between."""

from __future__ import annotations

import gc
import json
import pickle
import re
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import ABSENT, ParseError, TransactionStatus
from python.parsed import DATA, payload, rows

select: Any = bankhook.select  # paths that checkers do not know, too

BANK = payload("connection_updated_with_accounts")
PURCHASE = payload("transaction_validated")


def test_the_values_at_the_paths_come_in_their_order_with_their_types() -> None:
    few = select("initialTransaction.amount", "eventType", "initialTransaction.rejectionReason", "event")
    assert few(PURCHASE) == (Decimal("19.90"), TransactionStatus.VALIDATED, None, "initial_transaction_update")


def test_an_array_is_taken_whole_or_by_an_element() -> None:
    accounts = select("connection.accounts[].id", "connection.accounts[1].accountHash", "connection.accounts[7].id")
    assert accounts(BANK) == (("acc-0001", "acc-0002"), None, ABSENT)


def test_arrays_within_arrays_are_tuples_within_tuples() -> None:
    assert select("customer.connections[].accounts[].id")(BANK) == ((("acc-0001", "acc-0002"),),)


def test_what_the_event_at_hand_does_not_have_is_absent() -> None:
    assert select("connection.id", "customer.id")(PURCHASE) == (ABSENT, "member-0001")
    assert select("event", "eventType")(b'{"event": "from_the_future"}') == ("from_the_future", ABSENT)


def test_the_paths_of_findings_are_taken() -> None:
    assert select("$.initialTransaction.id")(PURCHASE) == select("initialTransaction.id")(PURCHASE)


def at(value: Any, path: str) -> Any:
    """The same walk through what the standard library reads."""
    for name in path.split("."):
        value = value.get(name, ABSENT) if value is not ABSENT else ABSENT
    return value


@pytest.mark.parametrize("row", rows("valid"), ids=lambda row: row["file"])
def test_every_text_of_every_sample_is_what_the_json_holds(row: dict[str, str]) -> None:
    raw = (DATA / "valid" / row["file"]).read_bytes()
    paths = (
        "customer.id",
        "customer.externalId",
        "connection.bank",
        "connection.errorMessage",
        "initialTransaction.status",
    )
    known = row["event"] in ("bank_connections_update_v2", "initial_transaction_update")
    expected = tuple(at(json.loads(raw), path) if known else ABSENT for path in paths)
    assert select(*paths)(raw) == expected


@pytest.mark.parametrize(
    "path",
    [
        "", ".", "$", "customer", "customer.", "customer.connections", "customer.connections[]", "customer.connections[0",
        "customer.connections[x].id", "customer.connections[-1].id", "customer.connections[1 ].id", "external_id", "Event",
        "customer.id.x", "customer.id[0]", "customer[0].id", "raw", "customer..id", "connection.accounts[].id.", "é",
        "customer.connections[99999999999999999999999].id",
    ],
)  # fmt: skip
def test_a_path_that_leads_nowhere_is_rejected_by_name(path: str) -> None:
    with pytest.raises(ValueError, match="select") as caught:
        select("event", path)
    assert repr(path) in str(caught.value)


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("initial_transaction.amount", "initialTransaction.amount"),
        ("initialTransaction.amout", "initialTransaction.amount"),
        ("customer.connections[0].acounts[1].id", "customer.connections[0].accounts[1].id"),
        ("event_type", "eventType"),
    ],
)
def test_a_misspelt_path_is_rejected_with_the_one_that_may_be_meant(path: str, meant: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"did you mean {meant!r}?")):
        select(path)
    select(meant)


def test_a_path_that_is_close_to_none_is_rejected_with_examples() -> None:
    with pytest.raises(ValueError, match="paths look like") as caught:
        select("x" * 100_000)
    shown = re.findall("'([^']*)'", str(caught.value).partition("paths look like")[2])
    assert len(select(*shown)(BANK)) == 3


@pytest.mark.parametrize("path", [b"event", None, 1, ("event",)])
def test_a_path_is_text(path: Any) -> None:
    with pytest.raises(TypeError, match=rf"^select\(\): expected str, found {type(path).__name__}$"):
        select(path)


def test_a_bad_payload_raises_what_parse_raises() -> None:
    few = select("event")
    with pytest.raises(ParseError) as selected:
        few(b'{"event": ')
    with pytest.raises(ParseError) as parsed:
        bankhook.parse(b'{"event": ')
    assert selected.value.args == parsed.value.args


@pytest.mark.parametrize("arguments", [(), (BANK, BANK)])
def test_a_selector_takes_one_payload(arguments: tuple[bytes, ...]) -> None:
    with pytest.raises(TypeError, match="one payload"):
        select("event")(*arguments)
    with pytest.raises(TypeError, match="bytes"):
        select("event")(3)


def test_a_selector_says_its_paths_and_can_be_pickled() -> None:
    few = select("event", "customer.id")
    assert few.paths == ("event", "customer.id")
    assert repr(few) == "select('event', 'customer.id')"
    assert pickle.loads(pickle.dumps(few))(PURCHASE) == few(PURCHASE)
    with pytest.raises(TypeError):
        bankhook.types.Selector()
    with pytest.raises(TypeError):
        bankhook.types.Selector.__new__(bankhook.types.Selector)


def test_no_path_gives_an_empty_tuple() -> None:
    assert select()(PURCHASE) == ()


def test_a_call_within_a_call_takes_nothing_from_the_outer_one() -> None:
    few = select("customer.connections[].accounts[].id", "customer.connections[].bank")
    expected = few(BANK)

    class Cycle:
        def __init__(self) -> None:
            self.me = self

        def __del__(self) -> None:
            few(BANK.replace(b"acc-", b"xyz-"))

    before = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for _ in range(200):
            Cycle()
            assert few(BANK) == expected
    finally:
        gc.set_threshold(*before)
