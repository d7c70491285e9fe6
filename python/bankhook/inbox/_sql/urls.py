# SPDX-License-Identifier: MIT
"""What a path or URL of an inbox means to SQLAlchemy."""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bankhook._records.errors import check_type

EXPECTED = "a path, sqlite:///PATH or postgresql://..."


def database_url(url: str | os.PathLike[str], name: str = "url") -> URL:
    """Return the URL with its driver, the path of a file absolute and without symbolic links.

    Raises ValueError for a URL of something else, and for a SQLite database that is not a file.
    """
    text = os.fspath(url) if isinstance(url, os.PathLike) else url
    check_type(name, text, str, "str or a path")
    if "://" not in text or not isinstance(url, str):
        return _file(text, name)
    try:
        made = make_url(text)
    except (ArgumentError, ValueError):  # ValueError for a port that is not a number; its message may have the password
        raise ValueError(f"{name}: expected {EXPECTED}, found what is not a URL") from None
    match made.drivername:
        case "sqlite":
            return _file(made.database or "", name).update_query_dict(made.query)
        case "postgresql" | "postgresql+psycopg":
            password = made.query.get("password")  # where SQLAlchemy and whoever prints the URL expect it
            made = made.difference_update_query(["password"]).set(drivername="postgresql+psycopg")
            return made.set(password=password) if isinstance(password, str) else made
        case other:
            raise ValueError(f"{name}: expected {EXPECTED}, found {other}://")


def shown(url: str) -> str:
    """Return what may be printed of a path or URL: a password may be before the host or in the query."""
    if "://" not in url:
        return url
    made = database_url(url)
    name = made.get_backend_name()
    return URL.create(name, host=made.host, port=made.port, database=made.database).render_as_string()


def _file(path: str, name: str) -> URL:
    if path in ("", ":memory:") or "\0" in path:
        raise ValueError(f"{name}: an inbox needs a file")
    return URL.create("sqlite+pysqlite", database=str(Path(path).resolve()))
