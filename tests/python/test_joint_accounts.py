# SPDX-License-Identifier: MIT
"""JointAccounts (spec 2.3): which ids are one real account, and which rows of transactions stay."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

import bankhook
from bankhook import Account, BankConnectionsUpdateV2, Connection, JointAccounts, Tracker
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


def test_of_a_tracker_the_connections_that_are_neither_deleted_nor_unlisted_count() -> None:
    """Spec 2.1: connections[] are all connections of the member."""

    def connection(id: str, *accounts: Account) -> Connection:
        created = connections_update("connection_created").connection
        return created.replace(id=id, accounts=accounts)

    def update(member: str, event_type: str, own: Connection, *listed: Connection) -> BankConnectionsUpdateV2:
        event = connections_update("connection_created")
        customer = event.customer.replace(id=member, connections=listed)
        return event.replace(event_type=event_type, customer=customer, connection=own)

    first, second = connection("conn-1", ACCOUNTS[0]), connection("conn-2", ACCOUNTS[1])
    third, deleted = connection("conn-3", ACCOUNTS[2]), connection("conn-4", ACCOUNTS[3])
    tracker = Tracker()
    for event in (
        update("m-1", "create", first, first),
        update("m-2", "create", third, third),
        update("m-2", "create", second, second),  # the third one is unlisted
        update("m-2", "create", deleted, second, deleted),
        update("m-2", "delete", deleted, second),
    ):
        tracker.apply(event)
    joint = JointAccounts(tracker)
    assert joint.groups() == (("acc-1", "acc-2"),)
    assert [account.id for account in joint.accounts()] == ["acc-1", "acc-2"]
    added = JointAccounts()
    added.add(tracker, third)
    assert len(added) == 3
    assert len(JointAccounts(tracker.connections())) == 4  # those of all connections, if they are asked for


def test_a_tracked_member_has_no_accounts_of_its_own() -> None:
    tracker = Tracker()
    tracker.apply(connections_update())
    members: Any = tracker.members()
    with pytest.raises(TypeError, match=r"or a Tracker, found .*TrackedMember"):
        JointAccounts(members)


def test_what_cannot_be_iterated_is_rejected_with_what_can() -> None:
    with pytest.raises(TypeError, match=r"an iterable, such as bankhook\.parse_lines\(\.\.\.\), or a Tracker, found Table"):
        JointAccounts(bankhook.tables(b"").accounts)  # type: ignore[arg-type]


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


CARRYING: list[dict[str, Any]] = [
    {"account": "acc-1", "hash": None, "day": 1},
    {"account": "acc-8", "hash": "hash-1", "day": 1},  # its hash is known from the row only
    {"account": "acc-8", "hash": "hash-1", "day": 1},  # the second purchase of that day
    {"account": "acc-2", "hash": "hash-9", "day": 1},  # its hash is known otherwise: that one counts
    {"account": "acc-8", "hash": None, "day": 1},  # nothing is known about this row
    {"account": "acc-8", "hash": "hash-8", "day": 1},
    {"account": "acc-7", "hash": "hash-8", "day": 1},
    {"account": "acc-6", "hash": "", "day": 1},
    {"account": "acc-5", "hash": "", "day": 1},
    {"account": None, "hash": "hash-1", "day": 1},
]
KEPT_CARRYING = [0, 2, 4, 5, 7, 8, 9]


def test_a_hash_that_a_row_carries_counts_for_the_row_if_none_is_known_otherwise() -> None:
    joint = JointAccounts(ACCOUNTS)
    kept = joint.deduplicate(CARRYING, bank_account_id="account", account_hash="hash", key="day")
    assert kept == [CARRYING[i] for i in KEPT_CARRYING]
    by_function = joint.deduplicate(
        [tuple(row.values()) for row in CARRYING], bank_account_id=0, account_hash=lambda row: row[1], key=2
    )
    assert by_function == [tuple(CARRYING[i].values()) for i in KEPT_CARRYING]
    assert len(joint) == len(ACCOUNTS), "what rows carry was remembered"


def test_rows_alone_are_enough_if_they_carry_their_hash() -> None:
    rows = [{"account": f"acc-{i}", "hash": "hash-1", "day": 1} for i in range(3)]
    joint = JointAccounts()
    assert joint.deduplicate(rows, bank_account_id="account", key="day") == rows, "unknown accounts are kept"
    assert joint.deduplicate(rows, bank_account_id="account", account_hash="hash", key="day") == rows[:1]


def test_of_a_joint_account_of_two_members_the_first_row_stays() -> None:
    """Spec 2.3 makes no difference between members: accounts that share a hash are one."""
    mine, yours = (Account(id=id, account_hash="hash-1") for id in ("acc-mine", "acc-yours"))
    rows = [("acc-yours", 1), ("acc-mine", 1)]
    assert JointAccounts([mine, yours]).deduplicate(rows, bank_account_id=0, key=1) == rows[:1]
    assert JointAccounts([mine]).deduplicate(rows, bank_account_id=0, key=1) == rows


def test_keys_are_compared_as_python_compares_values() -> None:
    rows: list[tuple[str, Any]] = [("acc-1", Decimal("19.90")), ("acc-2", Decimal("19.9")), ("acc-2", 19.9)]
    assert JointAccounts(ACCOUNTS).deduplicate(rows, bank_account_id=0, key=1) == [rows[0], rows[2]]


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


BLANKS = (" ", "\t\r\n", "\xa0", "\x85", "\u2003\u3000", "\u202f", "\u200b", "\ufeff", "\0")


@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_a_hash_of_which_nothing_can_be_seen_matches_nothing(blank: str) -> None:
    joint = JointAccounts(Account(id=id, account_hash=blank) for id in ("acc-1", "acc-2"))
    assert joint.groups() == () and joint.canonical("acc-2") == "acc-2" and not joint.same("acc-1", "acc-2")
    assert {account.account_hash for account in joint.accounts()} == {None}
    rows = [(f"acc-{i}", blank, 1) for i in range(4)]
    for known in (joint, JointAccounts()):
        assert known.deduplicate(rows, bank_account_id=0, key=2) == rows
        assert known.deduplicate(rows, bank_account_id=0, account_hash=1, key=2) == rows
    seen = [(account, f"{blank}a", day) for account, _, day in rows]
    assert JointAccounts().deduplicate(seen, bank_account_id=0, account_hash=1, key=2) == seen[:1]


def test_the_hash_of_an_account_and_that_of_a_row_are_blank_alike() -> None:
    for code in range(0x20000):
        if 0xD800 <= code < 0xE000:
            continue
        added = JointAccounts([Account(id="a", account_hash=chr(code)), Account(id="b", account_hash=chr(code))])
        rows = [("a", chr(code)), ("b", chr(code))]
        kept = JointAccounts().deduplicate(rows, bank_account_id=0, account_hash=1, key=lambda row: 0)
        assert len(kept) == (1 if added.same("a", "b") else 2), hex(code)


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
    with pytest.raises(TypeError, match="account_hash: expected str or None"):
        joint.deduplicate([{"account": "a", "hash": 5}], bank_account_id="account", account_hash="hash", key="account")
    with pytest.raises(TypeError, match="a name or a function"):
        joint.deduplicate(ROWS, bank_account_id=None, key="day")  # type: ignore[call-overload]


def unhashable(row: Any) -> Any:
    """No key."""
    return [row["day"]]


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


def test_joint_accounts_are_equal_if_they_know_the_same_accounts() -> None:
    """Spec 2.3."""
    accounts = [Account(id=f"acc-{number}", account_hash=f"hash-{number % 3}") for number in range(9)]
    joint = JointAccounts(accounts)
    assert joint == JointAccounts(reversed(accounts)) == pickle.loads(pickle.dumps(joint)) == copy.deepcopy(joint)
    assert joint != JointAccounts(accounts[:-1])
    assert joint != JointAccounts([*accounts, Account(id="acc-1", account_hash="another")])
    assert joint != accounts
    with pytest.raises(TypeError, match="unhashable"):
        hash(joint)
