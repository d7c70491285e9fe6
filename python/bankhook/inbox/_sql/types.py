# SPDX-License-Identifier: MIT
"""The types of columns: any text, even one that a database cannot store, and times in UTC."""

from __future__ import annotations

import datetime
import hashlib
import re
from functools import lru_cache
from typing import Any

from sqlalchemy import DateTime, Dialect, Text, TypeDecorator

LIMIT = 250  # characters: PostgreSQL indexes at most 2,700 bytes, which two ids have to fit, each character escaped
UNSTORABLE = re.compile(r"[\0\\\ud800-\udfff]")
ESCAPED = re.compile(r"\\(\\|[0-9a-f]{4})")


def shortened(text: str) -> str:
    """Return an id that an index can take: a long one as its first characters and a hash, so that ids stay different."""
    if len(text) <= LIMIT:
        return text
    return f"{text[: LIMIT - 66]}…#{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()}"


@lru_cache(1 << 13)  # of a batch
def hash_of(kind: str, text: str) -> int:
    """A number for an id, by which it is found: some share one, so who finds it compares the ids."""
    id = f"{kind} {shortened(text)}".encode(errors="surrogatepass")
    return int.from_bytes(hashlib.blake2b(id, digest_size=8).digest(), signed=True)


def encoded(text: str) -> str:
    r"""Return a text that every database can store: `\0000` for NUL."""
    if text.isascii() and "\\" not in text and "\0" not in text:  # nearly all
        return text
    return UNSTORABLE.sub(lambda found: "\\\\" if found[0] == "\\" else f"\\{ord(found[0]):04x}", text)


def decoded(text: str) -> str:
    """Return the text that was encoded."""
    if "\\" not in text:
        return text
    return ESCAPED.sub(lambda found: "\\" if found[1] == "\\" else chr(int(found[1], 16)), text)


def now() -> datetime.datetime:
    """Return the time, in UTC."""
    return datetime.datetime.now(datetime.UTC)


class AnyText(TypeDecorator[str]):
    """Text from outside: equal texts are stored as equal ones, whatever their characters."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Encode a text."""
        return None if value is None else encoded(value)

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        """Decode texts; SQLite may have bytes."""

        def read(value: object) -> str | None:
            return decoded(value) if isinstance(value, str) else None

        return read


class AnyId(AnyText):
    """Ids from outside, whatever their length."""

    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Shorten and encode a text."""
        return None if value is None else encoded(shortened(value))


class UtcTime(TypeDecorator[datetime.datetime]):
    """Aware times, stored in UTC: SQLite stores them without a zone, as texts in their order."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime.datetime | None, dialect: Dialect) -> Any:
        """Convert an aware time to UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("expected an aware datetime, found one without a zone")
        value = value.astimezone(datetime.UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        """Give times their zone."""

        def read_text(text: str | None) -> datetime.datetime | None:
            return None if text is None else datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC)

        def read(time: datetime.datetime | None) -> datetime.datetime | None:
            return None if time is None else time.astimezone(datetime.UTC)

        return read_text if dialect.name == "sqlite" else read
