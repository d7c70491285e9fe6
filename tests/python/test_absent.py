# SPDX-License-Identifier: MIT
"""ABSENT stands for a field that is missing, which null is not."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

from bankhook import ABSENT
from bankhook.types import Absent
from python.parsed import connections_update, transaction_update


def test_an_optional_field_that_is_missing_is_absent() -> None:
    """Spec 2.4: placeId and storeName are optional."""
    transaction = transaction_update().initial_transaction
    assert transaction.place_id is ABSENT
    assert transaction.store_name is ABSENT


def test_an_absent_field_is_not_none() -> None:
    assert transaction_update().initial_transaction.place_id is not None
    assert ABSENT != None  # noqa: E711


def test_null_becomes_none_and_not_absent() -> None:
    assert connections_update().connection.error_code is None


def test_null_for_a_field_that_may_be_absent_is_read_as_absent() -> None:
    transaction = transaction_update("null_for_absent").initial_transaction
    assert transaction.place_id is ABSENT
    assert b"placeId" not in transaction.to_json()


def test_absent_is_falsy() -> None:
    assert not ABSENT


def test_absent_shows_its_name() -> None:
    assert repr(ABSENT) == str(ABSENT) == f"{ABSENT}" == "ABSENT"


def test_there_is_one_absent_only() -> None:
    assert list(Absent) == [ABSENT]
    assert len({ABSENT, Absent.ABSENT, Absent("ABSENT")}) == 1


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_absent_pickles_to_itself(protocol: int) -> None:
    assert pickle.loads(pickle.dumps(ABSENT, protocol)) is ABSENT


def test_absent_is_itself_in_another_process() -> None:
    code = "import bankhook, pickle, sys; print(pickle.load(sys.stdin.buffer) is bankhook.ABSENT)"
    said = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(ABSENT), capture_output=True, check=True)
    assert said.stdout.strip() == b"True"


def test_a_copy_of_absent_is_absent() -> None:
    assert copy.copy(ABSENT) is ABSENT
    assert copy.deepcopy([ABSENT])[0] is ABSENT


def test_no_other_absent_can_be_made() -> None:
    with pytest.raises(ValueError, match="is not a valid Absent"):
        Absent("absent")
    with pytest.raises(TypeError):

        class _Other(Absent):  # type: ignore[misc]
            pass
