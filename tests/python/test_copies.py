# SPDX-License-Identifier: MIT
"""Changed copies, plain copies and pickles."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import pytest

import bankhook
from python.parsed import connections_update, one_of_each, payload, rows, transaction_update, unknown_event

EACH = pytest.mark.parametrize("item", one_of_each(), ids=lambda item: type(item).__name__)
PROTOCOLS = pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))


def test_replace_changes_what_is_named_and_keeps_the_rest() -> None:
    transaction = transaction_update().initial_transaction
    changed = transaction.replace(status="validated", transaction_id="t-1")
    assert changed.status is bankhook.TransactionStatus.VALIDATED
    assert changed.transaction_id == "t-1"
    assert changed.replace(status=transaction.status, transaction_id=None) == transaction


def test_replace_leaves_the_object_as_it_was() -> None:
    update = connections_update()
    before = update.to_json()
    update.replace(connection=update.connection.replace(id="conn-2"))
    assert update.to_json() == before


def test_replace_takes_fields_away_and_adds_them() -> None:
    connection = connections_update().connection
    without = connection.replace(consent_expires_at=bankhook.ABSENT)
    assert b"consentExpiresAt" not in without.to_json()
    assert without.replace(consent_expires_at=connection.consent_expires_at) == connection


@EACH
def test_replace_without_changes_gives_an_equal_object(item: Any) -> None:
    assert item.replace() == item
    assert item.__replace__() == item


@EACH
def test_replace_rejects_what_the_constructor_rejects(item: Any) -> None:
    with pytest.raises(TypeError, match="no_such_member"):
        item.replace(no_such_member=1)
    with pytest.raises(TypeError):
        item.replace("value")


def test_an_unknown_event_is_replaced_by_another_payload() -> None:
    assert unknown_event().replace(raw=b'{"event":"x"}').event == "x"


@pytest.mark.skipif(sys.version_info < (3, 13), reason="copy.replace is new in Python 3.13")
def test_copy_replace_does_the_same() -> None:
    account = bankhook.Account(id="acc-1", account_hash=None)
    assert copy.replace(account, id="acc-2").id == "acc-2"  # type: ignore[attr-defined]


@EACH
def test_a_value_that_does_not_change_is_its_own_copy(item: Any) -> None:
    assert copy.copy(item) is item
    assert copy.deepcopy(item) is item
    assert copy.deepcopy([item])[0] is item


@EACH
@PROTOCOLS
def test_a_pickle_comes_back_equal(item: Any, protocol: int) -> None:
    back = pickle.loads(pickle.dumps(item, protocol))
    assert type(back) is type(item)
    assert back == item
    assert back.to_json() == item.to_json()


@PROTOCOLS
def test_a_pickled_event_keeps_its_payload(protocol: int) -> None:
    event = bankhook.parse(payload("formatted"))
    assert pickle.loads(pickle.dumps(event, protocol)).raw == payload("formatted")


@pytest.mark.parametrize("name", [row["file"].removesuffix(".json") for row in rows("valid")])
def test_every_sample_survives_a_pickle(name: str) -> None:
    event = bankhook.parse(payload(name))
    assert pickle.loads(pickle.dumps(event)) == event


def test_a_pickled_resource_holds_text_of_its_own() -> None:
    """What it views is neither the pickle's nor the payload's once these are gone."""
    pickles = [pickle.dumps(bankhook.Account(id=f"acc-{number:05}" * 20, account_hash="h")) for number in range(500)]
    back = [pickle.loads(data) for data in pickles]
    del pickles
    other = [bytes([number % 256]) * 250 for number in range(5000)]
    assert [account.id for account in back] == [f"acc-{number:05}" * 20 for number in range(500)]
    assert len(other) == 5000


def test_a_pickle_is_read_in_another_process() -> None:
    items: list[Any] = one_of_each()
    code = "import pickle, sys; sys.stdout.buffer.write(b''.join(x.to_json() for x in pickle.load(sys.stdin.buffer)))"
    said = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(items), capture_output=True, check=True)
    assert said.stdout == b"".join(item.to_json() for item in items)


def test_a_nested_object_pickles_without_its_root() -> None:
    update = connections_update("member_with_many_connections")
    connection = update.customer.connections[0]
    assert len(pickle.dumps(connection)) < len(update.raw) / 2
    assert pickle.loads(pickle.dumps(connection)) == connection
