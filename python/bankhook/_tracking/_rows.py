# SPDX-License-Identifier: MIT
"""Rows of transactions as `JointAccounts.deduplicate` takes them: mappings, sequences, objects, or a table of columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, TypeAlias, cast

from bankhook._core import _hidden_characters

Name: TypeAlias = str | int
Triple: TypeAlias = tuple[str | None, str | None, Hashable]
"""The account id of a row, the hash that it carries itself, and its key."""
_SEEN = re.compile(rf"[^\s{_hidden_characters}]")


class Frame(Protocol):
    """A table with named columns: of pandas, polars or pyarrow."""

    @property
    def columns(self) -> Any: ...

    def __getitem__(self, name: Any, /) -> Any: ...


def getter(of: Name | Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that gets the value of a row: `of` itself, or one that gets an item or an attribute."""
    if callable(of):
        return of
    if not isinstance(of, (str, int)):
        raise TypeError(f"expected a name or a function of a row, found {type(of).__name__}")

    def value(row: Any) -> Any:
        if isinstance(of, int) or isinstance(row, Mapping):
            return cast(Any, row)[of]
        return getattr(row, of)

    return value


def key_getter(of: Name | Sequence[Name] | Callable[[Any], Hashable]) -> Callable[[Any], Hashable]:
    if callable(of) or isinstance(of, (str, int)):
        return getter(of)
    getters = [getter(name) for name in of]
    return lambda row: tuple(get(row) for get in getters)


def as_frame(rows: object) -> Any:
    """Return a stream of Arrow, such as a relation of DuckDB or a table of an archive, as a table of pyarrow."""
    has_rows = any(hasattr(type(rows), name) for name in ("take", "slice"))
    return rows if has_rows or not hasattr(rows, "__arrow_c_stream__") else import_module("pyarrow").table(rows)


def is_frame(rows: object) -> bool:
    """Return whether this is a table: it has `columns`, which iterables of rows do not have.

    Raises TypeError for one whose rows are not there yet.
    """
    if hasattr(type(rows), "collect"):  # a column may have that name, too
        raise TypeError(f"rows: expected rows or a table, found {type(rows).__name__}: call collect() first")
    return hasattr(rows, "columns") and hasattr(rows, "__getitem__") and not isinstance(rows, Mapping)


def columns(frame: Frame, account: object, hash_: object, key: object) -> Iterator[Triple]:
    """Yield the triples of a table, column by column; NaN and NA count as None."""
    names = [key] if isinstance(key, (str, int)) else key
    are_names = isinstance(account, (str, int)) and (hash_ is None or isinstance(hash_, (str, int)))
    if not are_names or callable(names) or not isinstance(names, Iterable):
        raise TypeError("bank_account_id, key and account_hash: expected names of columns for a table")
    accounts = _values(frame[account])
    hashes = [None] * len(accounts) if hash_ is None else _values(frame[hash_])
    keys = zip(*(_values(frame[name]) for name in cast(Iterable[Name], names)), strict=True)
    return zip(accounts, hashes, keys, strict=True)


def _values(column: Any) -> list[Any]:
    """Return a column as Python values; what is missing in it is None."""
    if hasattr(column, "notna"):  # of pandas, whose NA is neither equal nor unequal to anything
        column = column.astype(object).where(column.notna(), None)
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return [value if value == value else None for value in getattr(column, method)()]
    return list(column)


def taken(frame: Any, positions: list[int]) -> Any:
    """Return the rows at these positions as a table of the same kind."""
    if hasattr(frame, "iloc"):
        return frame.iloc[positions]
    if not positions and hasattr(frame, "slice"):  # an empty list has no type that pyarrow takes for positions
        return frame.slice(0, 0)
    return frame.take(positions) if hasattr(frame, "take") else frame[positions]


def kept(triples: Iterable[Triple], key_of_account: Callable[[str], str]) -> list[int]:
    """Return the positions of the rows to keep; `key_of_account` gives what all ids of a real account have in common."""
    groups: dict[tuple[str | None, str | None], str | None] = {}
    counts: dict[Hashable, int] = {}
    found: dict[Hashable, int] = {}
    for position, (account, hash_, key) in enumerate(triples):
        if (account, hash_) not in groups:
            groups[account, hash_] = _group(account, hash_, key_of_account)
        group = groups[account, hash_]
        row = account, group, key
        counts[row] = counts.get(row, 0) + 1
        found.setdefault((group, key, counts[row]), position)  # the n-th of one account meets the n-th of another
    return list(found.values())


def _group(account: str | None, hash_: str | None, key_of_account: Callable[[str], str]) -> str | None:
    """Return what all rows of a real account have in common; None for those without an account."""
    for name, value in (("bank_account_id", account), ("account_hash", hash_)):
        if not isinstance(value, str | None):
            raise TypeError(f"{name}: expected str or None, found {type(value).__name__}")
    group = None if account is None else key_of_account(account)
    is_hash = hash_ is not None and _SEEN.search(hash_) is not None
    return f"hash:{hash_}" if group and is_hash and not group.startswith("hash:") else group
