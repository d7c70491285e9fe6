# SPDX-License-Identifier: MIT
"""Stores deliveries without an event loop, as the handlers of WSGI applications need it."""

from __future__ import annotations

import logging as logging  # its hook of forks is older than that of this module, so it runs later: connecting needs its lock
import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Self
from weakref import WeakSet

from bankhook._records.errors import suggest_keywords
from bankhook._records.stored import Delivery
from bankhook.inbox._arguments import checked_deliveries

if TYPE_CHECKING:
    from sqlalchemy import URL

    from bankhook.inbox._sql.store import Store


class Appender:
    """Stores deliveries, one call after another, by a connection that it keeps; `bankhook.inbox.appender` makes it.

    `with` connects at once, and closes it in the end. Without, the first call connects, for as long as the process lives. Any
    thread may call it, and waits: async code uses `Inbox.append`. Before the process is forked it waits for a call that runs, and
    closes the connection: then each process connects for itself.
    """

    def __init__(self, url: URL) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._store: Store | None = None
        _appenders.add(self)

    def _opened(self) -> Store:
        from bankhook.inbox._sql.jobs import check_caller
        from bankhook.inbox._sql.store import Store

        check_caller(self._url)
        if self._store is None:
            store = Store(self._url, create=True)
            try:
                store.open()
            except BaseException:
                store.close()
                raise
            self._store = store
        return self._store

    def _close(self) -> None:
        store, self._store = self._store, None
        if store is not None:
            store.close()

    def __enter__(self) -> Self:
        with self._lock:
            self._opened()
        return self

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            self._close()

    def append(self, deliveries: Sequence[Delivery], /) -> Sequence[int]:
        """Store deliveries in one transaction and return their numbers, as `Inbox.append` does.

        Parameters
        ----------
        deliveries : Sequence[Delivery]
            What `examine` makes of bodies.

        Returns
        -------
        Sequence[int]
            The number of each, in their order.

        Raises
        ------
        InboxError
            If nothing could be stored; it may be called again.

        Examples
        --------
        >>> with bankhook.inbox.appender(tmp_path / "events.db") as inbox:
        ...     list(inbox.append([bankhook.inbox.examine(b"{}"), bankhook.inbox.examine(b"[")]))
        [1, 2]
        """
        new = checked_deliveries(deliveries)
        with self._lock:
            return self._opened().append(new) if new else ()


_appenders = WeakSet[Appender]()
_waiting: list[Appender] = []
_forking = threading.Lock()  # one fork after another: each waits for the appenders, and lets those go


def _before_fork() -> None:
    _forking.acquire()
    for one in tuple(_appenders):
        one._lock.acquire()
        _waiting.append(one)
        one._close()


def _after_fork() -> None:
    while _waiting:
        _waiting.pop()._lock.release()
    _forking.release()


os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)


@suggest_keywords
def appender(url: str | os.PathLike[str], /) -> Appender:
    """Return what stores deliveries in an inbox without an event loop, as durably as `Inbox.append`.

    Parameters
    ----------
    url : str or os.PathLike
        As for `bankhook.inbox.open`; what is missing is made.

    Returns
    -------
    Appender
        Not connected yet: `with` connects, or the first call of `append`.

    Raises
    ------
    TypeError
        If the URL is no text and no path.
    ValueError
        If the URL names nothing that an inbox can be stored in.
    ImportError
        If what the store needs is not installed.

    Examples
    --------
    >>> import bankhook.inbox
    >>> with bankhook.inbox.appender(tmp_path / "events.db") as inbox:
    ...     list(inbox.append([bankhook.inbox.examine(b"{}")]))
    [1]
    """
    from bankhook.inbox._sql.urls import database_url

    return Appender(database_url(url))
