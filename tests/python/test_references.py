# SPDX-License-Identifier: MIT
"""What Python can do to an object besides reading it: refer to it weakly, try to change it, take its class apart."""

from __future__ import annotations

import pickle
import weakref
from typing import Any

import pytest

from bankhook import Account, _core
from python.parsed import connections_update, one_of_each

EACH = pytest.mark.parametrize("item", one_of_each(), ids=lambda item: type(item).__name__)


def test_an_object_may_be_referred_to_weakly() -> None:
    account = Account(id="acc-1", account_hash=None)
    died: list[str] = []
    reference = weakref.ref(account, lambda _: died.append("account"))
    assert reference() is account
    assert list(weakref.WeakSet([account])) == [account]
    del account
    assert reference() is None
    assert died == ["account"]


def test_a_part_is_made_when_it_is_read_and_lives_no_longer_than_it_is_used() -> None:
    update = connections_update()
    assert update.connection is not update.connection
    part = weakref.ref(update.connection)
    assert part() is None


@EACH
def test_a_field_cannot_be_set_or_deleted(item: Any) -> None:
    for name in type(item).__match_args__:
        with pytest.raises(
            AttributeError, match=f"attribute '{name}' of '.*{type(item).__name__}' objects is not writable"
        ):
            setattr(item, name, getattr(item, name))
        with pytest.raises(AttributeError):
            delattr(item, name)


@EACH
def test_nothing_can_be_added(item: Any) -> None:
    with pytest.raises(AttributeError, match="no attribute 'note'"):
        item.note = 1
    with pytest.raises(TypeError, match="vars"):
        vars(item)
    with pytest.raises(TypeError, match="immutable type"):
        type(item).note = 1


@EACH
def test_a_class_is_not_subclassed(item: Any) -> None:
    with pytest.raises(TypeError, match="is not an acceptable base type"):
        type("Other", (type(item),), {})


@EACH
def test_a_pickle_made_by_hand_is_an_object_or_an_error(item: Any) -> None:
    class ByHand:
        def __init__(self, *arguments: object) -> None:
            self.arguments = arguments

        def __reduce__(self) -> Any:
            return _core._restore, self.arguments

    cls = type(item)
    for arguments in [(), (cls,), (cls, None), (cls, b""), (cls, b"{}"), (cls, b"[" * 10_000), (cls, "{}", 1), (cls, cls)]:
        with pytest.raises((TypeError, ValueError)):
            pickle.loads(pickle.dumps(ByHand(*arguments)))
    assert pickle.loads(pickle.dumps(ByHand(cls, item.to_json()))) == item


def test_the_ways_of_pickle_and_copy_to_an_empty_object_are_closed() -> None:
    account = Account(id="acc-1", account_hash=None)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert account.__reduce_ex__(protocol)[0] is _core._restore
        assert object.__reduce_ex__(account, protocol)[0] is _core._restore
    with pytest.raises(TypeError):
        object.__new__(Account)
    with pytest.raises(TypeError, match="misses required"):
        Account.__new__(Account)
    with pytest.raises(AttributeError):
        account.__setstate__({"id": "acc-2"})  # type: ignore[attr-defined]
