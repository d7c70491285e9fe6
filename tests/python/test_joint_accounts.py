# SPDX-License-Identifier: MIT
"""JointAccounts (spec 2.3): which ids are one real account, and which rows of transactions stay."""

from __future__ import annotations

import copy
import importlib
import pickle
from typing import Any, NamedTuple

import pytest

from bankhook import Account, JointAccounts, Tracker
from python.parsed import connections_update, transaction_update, unknown_event

ACCOUNTS = [
    Account(id="acc-2", account_hash="hash-1"),
    Account(id="acc-1", account_hash="hash-1"),
    Account(id="acc-3", account_hash=None),
    Account(id="acc-4", account_hash=None),
]
ROWS: list[dict[str, Any]] = [
    {"account": "acc-1", "day": "2026-05-03", "amount": 19.9},
    {"account": "acc-2", "day": "2026-05-03", "amount": 19.9},
    {"account": "acc-3", "day": "2026-05-03", "amount": 19.9},
    {"account": "acc-4", "day": "2026-05-03", "amount": 19.9},
    {"account": "acc-2", "day": "2026-05-04", "amount": 19.9},
    {"account": None, "day": "2026-05-03", "amount": 19.9},
    {"account": None, "day": "2026-05-03", "amount": 19.9},
    {"account": "acc-9", "day": "2026-05-03", "amount": 19.9},
]
KEPT = [0, 2, 3, 4, 5, 6, 7]


class Row(NamedTuple):
    """A row that is an object and a tuple."""

    account: str | None
    day: str
    amount: float


def test_accounts_that_share_a_hash_are_one() -> None:
    joint = JointAccounts(ACCOUNTS)
    assert joint.canonical("acc-2") == joint.canonical("acc-1") == "acc-1"
    assert joint.groups() == (("acc-1", "acc-2"),)
    assert joint.same("acc-1", "acc-2")
    assert len(joint) == 4


def test_null_hash_matches_nothing() -> None:
    joint = JointAccounts(ACCOUNTS)
    assert not joint.same("acc-3", "acc-4")
    assert joint.canonical("acc-9") == "acc-9"


def test_any_mix_of_sources_is_taken() -> None:
    update = connections_update("connection_updated_with_accounts")
    tracker = Tracker()
    tracker.apply(update)
    mix: list[Any] = [update.connection.accounts[0], update.connection, update.customer, update]
    mix += [transaction_update(), unknown_event()]
    joint = JointAccounts(iter([*mix, *tracker.connections()]))
    assert len(joint) == len(update.connection.accounts)


def test_last_hash_wins_and_null_takes_none_away() -> None:
    joint = JointAccounts(ACCOUNTS)
    joint.add(Account(id="acc-3", account_hash="hash-1"), Account(id="acc-1", account_hash=None))
    assert joint.groups() == (("acc-1", "acc-2", "acc-3"),)
    joint.add(Account(id="acc-1", account_hash="hash-2"))
    assert joint.groups() == (("acc-2", "acc-3"),)


@pytest.mark.parametrize("wrong", ["acc-1", None, {"id": "acc-1"}, transaction_update().customer])
def test_what_holds_no_accounts_is_rejected(wrong: Any) -> None:
    with pytest.raises(TypeError, match="JointAccounts: expected Account"):
        JointAccounts([wrong])


def test_rows_of_any_kind_are_deduplicated() -> None:
    joint = JointAccounts(ACCOUNTS)
    objects = [Row(**row) for row in ROWS]
    tuples = [tuple(row) for row in objects]
    key = ("day", "amount")
    assert joint.deduplicate(ROWS, bank_account_id="account", key=key) == [ROWS[i] for i in KEPT]
    assert joint.deduplicate(iter(ROWS), bank_account_id="account", key=key) == [ROWS[i] for i in KEPT]
    assert joint.deduplicate(objects, bank_account_id="account", key=key) == [objects[i] for i in KEPT]
    assert joint.deduplicate(tuples, bank_account_id=0, key=(1, 2)) == [tuples[i] for i in KEPT]
    assert joint.deduplicate(objects, bank_account_id=lambda row: row.account, key=lambda row: row.day) == [
        objects[i] for i in KEPT
    ]
    assert joint.deduplicate([], bank_account_id="account", key="day") == []


def test_two_equal_purchases_of_one_account_stay_two() -> None:
    rows = [{"account": account, "day": 1} for account in ("acc-1", "acc-1", "acc-3", "acc-3", "acc-9", "acc-9", "acc-2")]
    kept = JointAccounts(ACCOUNTS).deduplicate(rows, bank_account_id="account", key="day")
    assert [row["account"] for row in kept] == ["acc-1", "acc-1", "acc-3", "acc-3", "acc-9", "acc-9"]


def test_nth_equal_row_of_one_id_meets_the_nth_of_another() -> None:
    joint = JointAccounts(ACCOUNTS)

    def kept(*accounts: str) -> list[int]:
        rows = list(enumerate(accounts))
        return [row[0] for row in joint.deduplicate(rows, bank_account_id=1, key=lambda row: None)]

    assert kept("acc-1", "acc-2", "acc-1", "acc-2") == [0, 2]
    assert kept("acc-1", "acc-2", "acc-2", "acc-1") == [0, 2]
    assert kept("acc-2", "acc-1", "acc-1", "acc-1") == [0, 2, 3]


def test_empty_hash_matches_nothing() -> None:
    joint = JointAccounts([Account(id="acc-1", account_hash=""), Account(id="acc-2", account_hash="")])
    assert not joint.same("acc-1", "acc-2")


def test_key_stays_when_accounts_are_added() -> None:
    joint = JointAccounts(ACCOUNTS)
    key, of_null, of_unknown = joint.key("acc-2"), joint.key("acc-3"), joint.key("acc-9")
    assert key == joint.key("acc-1")
    assert len({key, of_null, of_unknown, joint.key("hash:hash-1"), joint.key("hash-1")}) == 5
    joint.add(Account(id="acc-0", account_hash="hash-1"), Account(id="acc-9", account_hash=None))
    assert joint.canonical("acc-2") == "acc-0"
    assert joint.key("acc-2") == joint.key("acc-0") == key
    assert (joint.key("acc-3"), joint.key("acc-9")) == (of_null, of_unknown)


def test_wrong_rows_and_keys_say_so() -> None:
    joint = JointAccounts(ACCOUNTS)
    with pytest.raises(KeyError):
        joint.deduplicate(ROWS, bank_account_id="acount", key="day")
    with pytest.raises(TypeError, match="unhashable"):
        joint.deduplicate(ROWS, bank_account_id="account", key=unhashable)
    with pytest.raises(TypeError):
        joint.deduplicate([{"account": 5, "day": 1}], bank_account_id="account", key="day")
    with pytest.raises(TypeError, match="a name or a function"):
        joint.deduplicate(ROWS, bank_account_id=None, key="day")  # type: ignore[call-overload]


def unhashable(row: Any) -> Any:
    """No key."""
    return [row["day"]]


class Frame:
    """The least that a table offers."""

    def __init__(self, columns: dict[str, list[Any]]) -> None:
        self.data = columns
        self.columns = list(columns)

    def __getitem__(self, name: str) -> list[Any]:
        return self.data[name]

    def take(self, positions: list[int]) -> Frame:
        return Frame({name: [column[i] for i in positions] for name, column in self.data.items()})


def columns() -> dict[str, list[Any]]:
    return {name: [row[name] for row in ROWS] for name in ROWS[0]}


def test_tables_come_back_as_tables() -> None:
    kept = JointAccounts(ACCOUNTS).deduplicate(Frame(columns()), bank_account_id="account", key=["day", "amount"])
    assert isinstance(kept, Frame)
    assert kept.data["account"] == [ROWS[i]["account"] for i in KEPT]
    with pytest.raises(TypeError, match="names of columns"):
        JointAccounts().deduplicate(Frame(columns()), bank_account_id="account", key=lambda row: 5)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_tables_of_the_usual_libraries_are_taken(library: str) -> None:
    module: Any = importlib.import_module(library)
    table = module.table(columns()) if library == "pyarrow" else module.DataFrame(columns())
    kept = JointAccounts(ACCOUNTS).deduplicate(table, bank_account_id="account", key=["day", "amount"])
    assert type(kept) is type(table)
    assert len(kept) == len(KEPT)


def test_copies_and_pickles_know_the_same() -> None:
    joint = JointAccounts(ACCOUNTS)
    for made in (copy.copy(joint), copy.deepcopy(joint), pickle.loads(pickle.dumps(joint))):
        assert made.groups() == joint.groups()
        made.add(Account(id="acc-4", account_hash="hash-1"))
        assert not joint.same("acc-4", "acc-1")
    assert "acc-1" not in repr(joint)


def test_half_a_surrogate_pair_is_no_account_and_stands_for_itself() -> None:
    joint = JointAccounts([])
    assert joint.canonical("\ud800") == "\ud800"
    assert joint.key("\ud800") != joint.key("\ud801")
    assert joint.deduplicate(["\ud800", "\ud800"], bank_account_id=lambda row: row, key=len) == ["\ud800", "\ud800"]
