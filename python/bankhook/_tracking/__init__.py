# SPDX-License-Identifier: MIT
"""JointAccounts: accounts that share a hash are one real account, and its transactions are counted once (spec 2.3)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, final, overload

from bankhook._core import (
    Account,
    AnyEvent,
    ConnectedCustomer,
    Connection,
    JointAccountIds,
    TrackedConnection,
    Tracker,
)
from bankhook._records.display import html
from bankhook._records.errors import check_type, suggest_keywords

if TYPE_CHECKING:
    from bankhook._tracking._rows import Frame, Name

RowT = TypeVar("RowT")
Source: TypeAlias = Account | Connection | ConnectedCustomer | TrackedConnection | AnyEvent | Tracker
FrameT = TypeVar("FrameT", bound="Frame")


@final
class JointAccounts:
    """Which account ids are one real account: those that share an accountHash (spec 2.3).

    Takes accounts, connections, customers, events and trackers, also from several sources. A joint account of two members
    is one account, too. The specification does not say, so it is assumed: a null, empty or blank hash matches nothing, not
    even another null; if an account occurs more than once, its last hash counts, but one that matches nothing does not
    replace a known one; the `bankAccountId` of the `all_transactions` data is the `id` of an Account, and no two members have
    different accounts of one id.

    Parameters
    ----------
    source : Iterable, or Tracker
        What is added first: accounts, connections, customers or events; of a tracker, the accounts of its connections
        that are neither deleted nor unlisted.

    Raises
    ------
    TypeError
        If something else is among them.

    Examples
    --------
    >>> joint = JointAccounts(Account(id=id, account_hash="a") for id in ("acc-1", "acc-2"))
    >>> joint
    <bankhook.JointAccounts of 2 ids, 1 group>
    """

    __slots__ = ("_ids",)

    def __init__(self, source: Iterable[Source] | Tracker = (), /) -> None:
        self._ids = JointAccountIds()
        if not isinstance(source, Iterable | Tracker):
            expected = "an iterable, such as bankhook.parse_lines(...), or a Tracker"
            raise TypeError(f"JointAccounts() expects {expected}, found {type(source).__name__}")
        for item in (source,) if isinstance(source, Tracker) else source:
            self.add(item)

    def add(self, *items: Source) -> None:
        """Add all accounts in accounts, connections, customers, events or trackers.

        Parameters
        ----------
        items : Account, Connection, ConnectedCustomer, TrackedConnection, AnyEvent or Tracker
            Whatever has accounts; of a tracker, those of its connections that are neither deleted nor unlisted.

        Raises
        ------
        TypeError
            For any other object; nothing of it was added.

        Examples
        --------
        >>> joint = JointAccounts()
        >>> joint.add(Account(id="acc-1", account_hash="a"), Account(id="acc-2", account_hash="a"))
        >>> joint.same("acc-1", "acc-2")
        True
        """
        for item in items:
            if not isinstance(item, Tracker):
                self._ids.add(item)
                continue
            for member in item.members():
                self.add(*item.accounts(member.customer.id))

    def canonical(self, account_id: str, /) -> str:
        """Return the id that stands for the real account: the first of its ids in order, or the id itself if nothing is known.

        It changes when an account with an earlier id is added: store `key` instead.

        Parameters
        ----------
        account_id : str
            The `id` of an Account.

        Returns
        -------
        str
            It may change when accounts are added.

        Examples
        --------
        >>> joint = JointAccounts(Account(id=id, account_hash="a") for id in ("acc-1", "acc-2"))
        >>> joint.canonical("acc-2")
        'acc-1'
        """
        return self._ids.canonical(account_id)

    def key(self, account_id: str, /) -> str:
        """Return a text that stands for the real account, to store with its transactions.

        It is `hash:` and the hash or, if none is known, `account:` and the id. Adding other accounts never changes it;
        only a new hash for this account does, its first or another one.

        Parameters
        ----------
        account_id : str
            The `id` of an Account.

        Returns
        -------
        str
            The same for all ids of one real account.

        Examples
        --------
        >>> joint = JointAccounts([Account(id="acc-2", account_hash="a")])
        >>> joint.key("acc-2"), joint.key("acc-3")
        ('hash:a', 'account:acc-3')
        """
        return self._ids.key(account_id)

    def same(self, one: str, other: str, /) -> bool:
        """Return whether two ids are one real account.

        Parameters
        ----------
        one, other : str
            The ids of two accounts.

        Returns
        -------
        bool
            True for the same id, too.

        Examples
        --------
        >>> joint = JointAccounts(Account(id=id, account_hash="a") for id in ("acc-1", "acc-2"))
        >>> joint.same("acc-1", "acc-2"), joint.same("acc-1", "acc-3")
        (True, False)
        """
        return self.canonical(one) == self.canonical(other)

    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Return the ids of each real account that has more than one, all in order.

        Returns
        -------
        tuple[tuple[str, ...], ...]
            Ids, in order.

        Examples
        --------
        >>> joint = JointAccounts(Account(id=id, account_hash="a") for id in ("acc-1", "acc-2"))
        >>> joint.groups()
        (('acc-1', 'acc-2'),)
        """
        return self._ids.groups()

    def accounts(self) -> tuple[Account, ...]:
        """Return all known accounts, each with the hash that counts, in the order of their ids.

        Returns
        -------
        tuple[Account, ...]
            Of every account that was added.

        Examples
        --------
        >>> joint = JointAccounts(Account(id=id, account_hash="a") for id in ("acc-1", "acc-2"))
        >>> len(joint.accounts())
        2
        """
        return self._ids.accounts()

    @overload
    def deduplicate(
        self,
        rows: FrameT,
        /,
        *,
        bank_account_id: Name | Callable[[Any], str | None],
        key: Name | Sequence[Name] | Callable[[Any], Hashable],
        account_hash: Name | Callable[[Any], str | None] | None = None,
    ) -> FrameT: ...
    @overload
    def deduplicate(
        self,
        rows: Iterable[RowT],
        /,
        *,
        bank_account_id: Name | Callable[[RowT], str | None],
        key: Name | Sequence[Name] | Callable[[RowT], Hashable],
        account_hash: Name | Callable[[RowT], str | None] | None = None,
    ) -> list[RowT]: ...
    @suggest_keywords
    def deduplicate(self, rows: Any, /, *, bank_account_id: Any, key: Any, account_hash: Any = None) -> Any:
        """Return the rows with each transaction of a joint account once (spec 2.3).

        The n-th equal row of one account id is matched with the n-th of each other id with the same hash, and only the
        first of these is kept, of whichever member it is. So rows of one account id never drop each other: two equal
        purchases stay two. All rows are kept of an account that shares its hash with no other, of one whose hash is not
        known, and without an account id.

        Parameters
        ----------
        rows : Iterable, or a table of pandas, polars, pyarrow or DuckDB
            Rows are mappings, sequences or objects. Pass the rows of all accounts together: one call does not know the rows
            of another.
        bank_account_id : str, int or Callable
            Where a row has its account id or None: a name (a number for sequences) or a function of the row.
        key : str, int, Sequence or Callable
            What makes two rows equal besides the account: a name, several names, or a function of the row that returns
            something hashable. The specification does not say what makes two rows the same transaction. Values are
            compared as Python does: the float 19.9 is not the `Decimal("19.90")`, so give amounts one type first.
        account_hash : str, int or Callable, optional
            Where a row has the accountHash itself or None, if rows do: a name or a function of the row. It counts for that
            row if no hash of the row's account was added.

        Returns
        -------
        list or table
            The rows that stay, in their order; a table of the same kind for a table, and one of pyarrow for a relation of
            DuckDB or another stream of Arrow.

        Raises
        ------
        TypeError
            If an account id or a hash is neither a str nor None, or a key is not hashable.

        Examples
        --------
        >>> joint = JointAccounts(Account(id=id, account_hash="a") for id in ("acc-1", "acc-2"))
        >>> joint.deduplicate([("acc-1", 4), ("acc-1", 4), ("acc-2", 4)], bank_account_id=0, key=1)
        [('acc-1', 4), ('acc-1', 4)]
        >>> rows = [("acc-8", "b", 4), ("acc-9", "b", 4)]
        >>> joint.deduplicate(rows, bank_account_id=0, account_hash=1, key=2)
        [('acc-8', 'b', 4)]
        """
        from bankhook._tracking._rows import (  # not when bankhook is imported
            as_frame,
            columns,
            getter,
            is_frame,
            kept,
            key_getter,
            taken,
        )

        rows = as_frame(rows)
        if is_frame(rows):
            return taken(rows, kept(columns(rows, bank_account_id, account_hash, key), self._ids.key))
        check_type("rows", rows, Iterable, "rows, or a table of pandas, polars, pyarrow or DuckDB")
        account_of, key_of = getter(bank_account_id), key_getter(key)
        hash_of = None if account_hash is None else getter(account_hash)
        all_rows = list(rows)
        triples = ((account_of(row), hash_of and hash_of(row), key_of(row)) for row in all_rows)
        return [all_rows[position] for position in kept(triples, self._ids.key)]

    def __eq__(self, other: object) -> bool:
        return set(self.accounts()) == set(other.accounts()) if isinstance(other, JointAccounts) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # accounts may be added

    def __len__(self) -> int:
        return len(self._ids)

    def __reduce__(self) -> tuple[Any, ...]:
        return JointAccounts, (self.accounts(),)

    def __repr__(self) -> str:
        groups = len(self.groups())
        return f"<bankhook.JointAccounts of {len(self)} ids, {groups} group{'' if groups == 1 else 's'}>"

    _repr_html_ = html


JointAccounts.__module__ = "bankhook"
