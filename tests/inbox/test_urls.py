# SPDX-License-Identifier: MIT
"""URLs of inboxes: each part of one counts, or is refused in words that say what to write and contain no password."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

import bankhook.inbox
from bankhook.inbox import InboxError
from cli.command import run as run_command
from inbox.postgresql import PostgreSQL


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "needs a file"),
        (":memory:", "needs a file"),
        ("sqlite://", "needs a file"),
        ("mysql://localhost/x", "found mysql://"),
        ("://", "not a URL"),
        ("postgresql://u:p@ss:secret@h:notaport/x", "^[^@]*not a URL$"),
        *((url, "expected sqlite:///PATH") for url in ("sqlite://data/inbox.db", "sqlite://u:secret@/inbox.db")),
        *((f"sqlite:///inbox.db{end}", r"%3F for a \? and %23 for a #") for end in ("?mode=ro", "?", "?mode", "#one")),
        *(
            (url, "not a URL$")
            for url in ("sqlite:inbox.db", "SQLite:/inbox.db", "file:inbox.db", "file::memory:", "postgres:x")
        ),
        *((url, "not a URL$") for url in ("host=h dbname=x password=secret", " dbname = x", "jdbc:postgresql://h/x")),
        ("file:///inbox.db?mode=ro", "expected a path, sqlite:///PATH"),
        ("sqlite:///inbox%00.db", "needs a file"),
        ("sqlite+aiosqlite:///inbox.db", "expected a path, sqlite:///PATH"),
        ("postgresql+asyncpg://u:secret@h/x", "expected a path, sqlite:///PATH or postgresql://USER@HOST/NAME"),
        *((f"postgresql://u:secret@{one}/x", "a port from 1 to 65535") for one in ("h:0", "h:-1", "h:65536", "h:", "h:5a")),
        *((f"postgresql://u:secret@{one}/x", r"\?host=HOST:PORT&host=") for one in ("a:1,b:2", "a,b:2")),
        *((f"postgresql:///x?host=a:1&host=b{one}", "a port from 1 to 65535") for one in (":c", "&port=1,2,3")),
        *((f"postgresql://h/x{end}", "%23 for a # and without %00") for end in ("#one", "%00")),
        ("postgresql://u:secret@h/x?sslmod=require", "did you mean 'sslmode'"),
        ("postgresql://u:secret@h/x?autocommit=1", "expected settings of PostgreSQL"),
        *((f"postgresql://h/x?sslmode{end}", "one value for each setting") for end in ("", "=", "=a&sslmode=b", "&port=5")),
    ],
)
def test_a_url_of_something_else_or_with_a_part_that_would_not_count_is_refused(
    url: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=message) as raised:
        bankhook.inbox.open(url)
    assert "secret" not in str(raised.value)
    for command in (["inbox", "cases", url], ["listen", "--port", "0", "--inbox", url]):
        done = run_command(*command)
        assert done.status in (1, 2), command
        assert ("secret" in done.err, "Traceback" in done.err) == (False, False)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("sqlite:///a%20b%3F%23%2525.db", "a b?#%25.db"),
        ("sqlite:///100%.db", "100%.db"),
        ("SQLITE:///a.db", "a.db"),
        ("a%20b?c#d.db", "a%20b?c#d.db"),
        ("day=2026-05-01.db", "day=2026-05-01.db"),
        (Path("file:a.db"), "file:a.db"),
    ],
)
def test_a_path_is_taken_verbatim_and_that_of_a_url_by_the_rules_of_urls(
    url: str | Path, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    async def run() -> None:
        async with bankhook.inbox.open(url):
            assert name in os.listdir()

    asyncio.run(run())


def test_the_forms_of_libpq_lead_to_the_same_server(postgresql: PostgreSQL) -> None:
    schema, host = postgresql.url().partition("?")[2], f"127.0.0.1:{postgresql.port}"
    urls = [postgresql.url().replace("postgresql://", scheme) for scheme in ("postgres://", "POSTGRESQL://")]
    urls += [f"postgresql:///postgres?host=127.0.0.1:1&host={host}&user=test&{schema}"]
    urls += [f"postgresql://test@%31{host[1:]}/?dbname=postgres&{schema}"]

    async def run(url: str) -> None:
        async with bankhook.inbox.open(url) as inbox:
            await inbox.counts()

    for url in urls:
        asyncio.run(run(url))
    for wrong, reason in (
        ("connect_timeout=soon", "connect_timeout: 'soon'"),
        ("sslmode=requir", 'sslmode value: "requir"'),
    ):
        with pytest.raises(InboxError, match=f"cannot open the inbox: .*{reason}") as raised:
            asyncio.run(run(f"postgresql://u:secret@{host}/x?{wrong}"))
        assert "secret" not in str(raised.value)
