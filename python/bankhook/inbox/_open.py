# SPDX-License-Identifier: MIT
"""Opens an inbox by its URL."""

from __future__ import annotations

import datetime
import os

from bankhook._records.errors import check_type, suggest_keywords
from bankhook.inbox._protocol import Inbox


@suggest_keywords
def open(
    url: str | os.PathLike[str],
    /,
    *,
    attempts: int = 8,
    backoff: datetime.timedelta = datetime.timedelta(seconds=1),
    give_up: datetime.timedelta = datetime.timedelta(hours=24),
    turn: datetime.timedelta = datetime.timedelta(seconds=5),
    create: bool = True,
    spool: str | os.PathLike[str] | None = None,
) -> Inbox:
    """Return the inbox at a URL; `async with` connects to it, and makes its tables if they are missing.

    Parameters
    ----------
    url : str or os.PathLike
        A path or `sqlite:///events.db`: a file, made if it is missing. `postgresql://user@host/name`: a database that
        exists; needs `bankhook[postgresql]`.
    attempts : int
        How often handlers are called for a delivery, before it is parked.
    backoff : datetime.timedelta
        How long a delivery waits after the first failure; twice as long after each further one, an hour at most.
    give_up : datetime.timedelta
        How old a delivery is when it is parked although its handler raises `bankhook.Retry`.
    turn : datetime.timedelta
        How long the handlers of a delivery may keep the transaction of `begin`. Then it is rolled back, and the delivery counts
        as failed. In SQLite, `append` waits for them: choose less than a sender waits for an answer.
    create : bool
        Whether `async with` makes what is missing. If not, it changes nothing, and raises InboxError if there is no inbox.
    spool : str or os.PathLike, optional
        A file beside an inbox on PostgreSQL, made if it is missing, which takes deliveries while the server does not answer
        for 5 seconds. `async with` then succeeds without the server, and so does `append`; the numbers that it returns are
        negative. What is in the spool is moved into the table, in order and each delivery once, when the server is back.
        Everything else needs the server. Processes of a machine may share a spool. One that has deliveries of another inbox
        is refused: by `async with`, or, once the server answers, by `append` and `check`. A copy of a spool takes its number
        for its own and would be moved in part: keep it out of images and backups.

    Returns
    -------
    Inbox
        Not connected yet.

    Raises
    ------
    TypeError
        If an argument has another type.
    ValueError
        If the URL names nothing that an inbox can be stored in, or a number or a time is out of range.
    ImportError
        If what the store needs is not installed.

    Examples
    --------
    >>> import asyncio, bankhook.inbox
    >>> async def count(path):
    ...     async with bankhook.inbox.open(path) as inbox:
    ...         await inbox.append([bankhook.inbox.examine(b"{}")])
    ...         return (await inbox.counts())["quarantined"]
    >>> asyncio.run(count(tmp_path / "events.db"))
    1
    """
    from bankhook.inbox._sql.inbox import SqlInbox
    from bankhook.inbox._sql.spooled import SpooledInbox
    from bankhook.inbox._sql.urls import database_url

    where = database_url(url)
    check_type("create", create, bool)
    retries = {"attempts": attempts, "backoff": backoff, "give_up": give_up}
    if spool is None:
        return SqlInbox(where, create=create, turn=turn, **retries)
    beside = database_url(spool, "spool")
    if where.get_backend_name() == "sqlite" or beside.get_backend_name() != "sqlite":
        raise ValueError("spool: expected the path of a file, beside an inbox on PostgreSQL")
    return SpooledInbox(where, beside, create=create, turn=turn, **retries)
