# SPDX-License-Identifier: MIT
"""What a path or URL of an inbox means to SQLAlchemy."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bankhook._records.closest import did_you_mean
from bankhook._records.errors import check_type

EXPECTED = "a path, sqlite:///PATH or postgresql://USER@HOST/NAME"
PORTS = "a port from 1 to 65535; of several hosts: postgresql:///NAME?host=HOST:PORT&host=HOST:PORT"
OTHERS = re.compile(  # what is not a path: URLs without slashes, and the settings of libpq
    r"(jdbc|file|sqlite|postgres(ql)?)(\+\w+)?:"
    r"|\s*(host(addr)?|port|dbname|user|pass(word|file)|service|sslmode|options|application_name|connect_timeout)\s*=",
    re.IGNORECASE,
)
SQLITE = re.compile("sqlite://(?:/([^?#]*))?", re.IGNORECASE)


def database_url(url: str | os.PathLike[str], name: str = "url") -> URL:
    """Return the URL with its driver, the path of a file absolute and without symbolic links.

    Raises ValueError for a URL of something else or with a part that would not count, and for a SQLite database that is not a
    file. No message has a part of the URL, which may be of a password.
    """
    text = os.fspath(url) if isinstance(url, os.PathLike) else url
    check_type(name, text, str, "str or a path")
    if not isinstance(url, str) or ("://" not in text and not OTHERS.match(text)):
        return _file(text, name)
    if text.lower().startswith("sqlite://"):
        if not (path := SQLITE.fullmatch(text)):
            absolute = "sqlite:////data/inbox.db for an absolute one"
            raise ValueError(f"{name}: expected sqlite:///PATH, {absolute}, with %3F for a ? and %23 for a #")
        return _file(unquote(path[1] or ""), name)
    try:
        made = make_url(text)
    except ArgumentError:
        raise ValueError(f"{name}: expected {EXPECTED}, found what is not a URL") from None
    except ValueError:  # for a port that is not a number
        raise ValueError(f"{name}: expected {PORTS}; found what is not a URL") from None
    match made.drivername.lower():
        case "postgres" | "postgresql" | "postgresql+psycopg":
            return _server(made.set(drivername="postgresql+psycopg"), text, name)
        case other:
            raise ValueError(f"{name}: expected {EXPECTED}, found {other}://")


def _server(made: URL, text: str, name: str) -> URL:
    password = made.query.get("password")  # where SQLAlchemy and whoever prints the URL expect it
    if isinstance(password, str):
        made = made.difference_update_query(["password"]).set(password=password)
    if made.port is not None and (not 0 < made.port < 1 << 16 or "," in (made.host or "")):
        raise ValueError(f"{name}: expected {PORTS}")
    if "#" in text.rpartition("@")[2] or "%00" in text:
        raise ValueError(f"{name}: expected {EXPECTED}, with %23 for a # and without %00")
    made = made.set(host=unquote(made.host)) if made.host else made
    try:
        _, settings = made.get_dialect()().create_connect_args(made)
    except (ArgumentError, ValueError):
        raise ValueError(f"{name}: expected {PORTS}") from None
    with suppress(ImportError):  # which whoever connects says in other words
        from psycopg import pq

        known = {one.keyword.decode() for one in pq.Conninfo.get_defaults()}
        for setting in {*settings} - known:
            close = did_you_mean(setting, known)
            raise ValueError(f"{name}: expected settings of PostgreSQL after the ?, found another one{close}")
    if any(not isinstance(value, str | int) for value in settings.values()) or re.search(r"[?&][^=&@/]+=?(&|$)", text):
        raise ValueError(f"{name}: expected one value for each setting after the ?")
    return made


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
