# SPDX-License-Identifier: MIT
"""What hostile senders may write, each at any size: a start, a piece again and again, and an end."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from itertools import count, cycle, repeat
from typing import NamedTuple

import bankhook
from bankhook.testing import samples

__all__ = ["CONTROLS", "SHAPES", "Shape"]

TRANSACTION = samples.get("transaction_created").payload.strip()
BANK = samples.get("connection_updated_with_accounts").payload.strip()
UNKNOWN = b'{"event":"x","y":'
CREATED = b'{"event":"initial_transaction_update","eventType":"created",'
_ACCOUNT = b'{"id":"acc-0001","accountHash":"9f2c51c0a7d84be3a0f5d1"}'
_ACCOUNTS = BANK[BANK.rindex(b'"accounts":[') + 12 : BANK.rindex(b"]")]
_CONNECTION = BANK[BANK.index(b'"connections":[') + 15 : BANK.index(b'}]},"connection"') + 1]


class Shape(NamedTuple):
    """One way to write a payload or an archive."""

    name: str
    start: bytes
    pieces: Callable[[int], Iterator[bytes]]
    """For this size: more of them than it needs."""
    end: bytes
    is_lines: bool = False
    """Whether only archives look like this."""

    def of(self, size: int) -> bytes:
        """As much of it as there is in so many bytes."""
        parts = [self.start]
        left = size - len(self.start) - len(self.end)
        for piece in self.pieces(size):
            left -= len(piece)
            if left < 0:
                return b"".join([*parts, self.end]) if len(parts) > 1 else self.start + piece[:left] + self.end
            parts.append(piece)
        raise AssertionError(self.name)


def _shape(name: str, start: bytes = b"", piece: bytes = b"", end: bytes = b"") -> Shape:
    """A piece that has %d is numbered."""
    if b"%" in piece:
        return Shape(name, start, lambda _: (piece % number for number in count()), end)
    many = max(1, 64 // len(piece))  # a list of fewer and longer ones is made sooner
    return Shape(name, start, lambda _: repeat(piece * many), end)


def _around(payload: bytes, part: bytes) -> tuple[bytes, bytes]:
    start, _, end = payload.partition(part)
    return start, end


def _in_text(name: str, piece: bytes) -> Shape:
    start, end = _around(TRANSACTION, b"store-17")
    return _shape(f"{name} in a text", start, piece, end)


def _as_amount(name: str, before: bytes, piece: bytes) -> Shape:
    start, end = _around(TRANSACTION, b"19.90")
    return _shape(name, start + before, piece, end)


def _in_accounts(name: str, piece: bytes) -> Shape:
    start, _, end = BANK.rpartition(_ACCOUNTS)
    return _shape(name, start + _ACCOUNT, b"," + piece, end)


def _in_list(name: str, piece: bytes) -> Shape:
    start, end = _around(BANK, _CONNECTION)
    return _shape(name, start + _CONNECTION, b"," + piece, end)


def _transaction(**fields: str) -> bytes:
    """The sample on a line, with other fields of these names."""
    event = json.loads(TRANSACTION)
    for place in (event, event["customer"], event["initialTransaction"]):
        place.update({name: value for name, value in fields.items() if name in place and name != "id"})
    event["initialTransaction"]["id"] = fields.get("id", "it-0001")
    event["customer"]["id"] = fields.get("member", "member-0001")
    return json.dumps(event, separators=(",", ":")).encode() + b"\n"


def _after_large(name: str, field: bytes, large: bytes, small: Callable[[], Iterator[bytes]]) -> Shape:
    """Half of it one event, in which a field is long; then small events of the same member."""
    start, end = _around(BANK, field)

    def pieces(size: int) -> Iterator[bytes]:
        yield start + field + b"".join(_numbered(large, size // 2)) + end + b"\n"
        yield from small()

    return Shape(name, b"", pieces, b"")


def _numbered(piece: bytes, size: int) -> Iterator[bytes]:
    for number in range(size // len(piece)):
        yield piece % number if b"%" in piece else piece


def _sent(_: int) -> Iterator[bytes]:
    """What an ordinary service sends."""
    for delivery in bankhook.Sandbox(seed=7, members=100_000).deliveries(200_000):
        yield delivery.payload + b"\n"


_LISTED = _CONNECTION.replace(b"conn-0001", b"c%d") + b","
_CREATE, _UPDATE = (BANK.replace(b'"update"', b'"%s"' % kind) + b"\n" for kind in (b"create", b"update"))
_LIST = (BANK[:-1] + b"," + BANK[1:].partition(b",")[0] + b"}").partition(_CONNECTION)[::2]

_ORDINARY = _in_list("an ordinary event", _CONNECTION.replace(b"conn-0001", b"conn-%07d"))
_ARCHIVE = Shape("an ordinary archive", b"", _sent, b"")
_DAMAGED = Shape(
    "the same damaged", b"", lambda size: (one.replace(b'"eventType"', b'"eventtype"') for one in _sent(size)), b""
)
CONTROLS = {
    "payload": (
        _ORDINARY,
        _ORDINARY._replace(name="the same cut off", end=b""),
        _shape("an unlisted event of small fields", UNKNOWN + b"0", b',"n%d":0', b"}"),
    ),
    "archive": (_ARCHIVE, _DAMAGED, _shape("lines of empty objects", b"", b"{}\n")),
    "accounts": (
        _ARCHIVE,
        _DAMAGED,
        _in_accounts("an event of many accounts", b'{"id":"acc-%07d","accountHash":"9f2c51c0a7"}'),
    ),
}
"""What is ordinary, the same damaged, and what is ordinary in the smallest parts."""

_PAYLOADS = [
    _shape("arrays never closed", b"", b"["),
    _shape("objects never closed", b"", b'{"a":'),
    _shape("brackets of an unlisted field", CREATED + b'"more":', b"["),
    _shape("1,000 levels, again and again", UNKNOWN + b"[0", b"," + b"[" * 1000 + b"]" * 1000, b"]}"),
    _shape("a listed field again and again", CREATED, b'"eventType":"created",'),
    _shape("unlisted fields", CREATED, b'"n%d":0,', TRANSACTION[1:]),
    _shape("one unlisted field again and again", CREATED, b'"name":[],', TRANSACTION[1:]),
    _shape("long names with escapes", CREATED, b'"' + b"\\u00e9" * 100 + b'%d":0,', TRANSACTION[1:]),
    _shape("the event's name at the end", b"{", b'"n%d":{"a":"\\u0041"},', TRANSACTION[1:]),
    _in_list("the event's name after a list", _CONNECTION)._replace(
        start=b"{" + _LIST[0].partition(b",")[2] + _CONNECTION, end=_LIST[1]
    ),
    _in_text("escapes of one letter", b"\\n"),
    _in_text("escapes of four digits", b"\\u00e9"),
    _in_text("halves of pairs", b"\\ud83d"),
    _in_text("backslashes", b"\\\\"),
    _in_text("quotes", b'\\"'),
    _in_text("letters", b"a"),
    _in_text("bytes that are not UTF-8", b"\xff"),
    _in_text("control characters", b"\x01"),
    _shape("a text never closed", CREATED + b'"customer":{"id":"', b"a\\\\"),
    _shape("bare quotes", CREATED, b'"'),
    _shape("bare backslashes", CREATED, b"\\"),
    _shape("bare words", CREATED, b"nul tru,"),
    _shape("blanks before", b"", b" ", TRANSACTION),
    _shape("line breaks within", CREATED, b"\n", TRANSACTION[1:]),
    _shape("line breaks, then a fault", CREATED, b'"n%d"\n:0,\n'),
    _as_amount("a number of a million digits", b"", b"9"),
    _as_amount("a fraction of a million digits", b"0.", b"0"),
    _shape("an unlisted number of a million digits", UNKNOWN, b"9", b"}"),
    _in_accounts("accounts", b'{"id":"a-%d","accountHash":null}'),
    _in_accounts("accounts of one hash", b'{"id":"a-%d","accountHash":"h"}'),
    _in_accounts("accounts of one id", b'{"id":"a","accountHash":"h%d"}'),
    _in_accounts("accounts, ids chosen to collide", b'{"id":"aaaaaaaaaaaaaaaa%08daaaaaaaaaaaaaaaa","accountHash":null}'),
    _in_accounts("accounts, each with a finding", b'{"id":%d,"accountHash":null}'),
    _in_accounts("accounts, each with an unlisted field", b'{"id":"a-%d","accountHash":null,"x":[]}'),
    _in_list("connections, ids from last to first", _CONNECTION.replace(b"conn-0001", b"c%d"))._replace(
        pieces=lambda _: (b"," + _CONNECTION.replace(b"conn-0001", b"c%09d" % (10**8 - n)) for n in count())
    ),
    _in_list("connections of one id", _CONNECTION),
    _in_list("connections that are empty objects", b"{}"),
    _shape("text after the event", TRANSACTION, b"x "),
]
_LINES = [
    _shape("empty lines", b"", b"\n"),
    _shape("lines that are no events", b"", b"x\n"),
    _shape("lines of brackets", b"", b"{\n"),
    _shape("lines of names", b"", b'{"a":\n'),
    _shape("an indented event that goes on", b"{\n", b'  "n%d": 0,\n'),
    _shape("unlisted events", b"", b'{"event":"x%d"}\n'),
    _shape("events without line breaks", b"", TRANSACTION),
    _shape("an array of events", b"[" + TRANSACTION, b"," + TRANSACTION, b"]"),
    _shape("an array of events, never closed", b"[", b"\n" + TRANSACTION + b","),
    _shape("an array of numbers, never closed", b"[", b"1,"),
    _shape("an array of arrays", b"[[]", b",[]", b"]"),
    _shape("bytes of zero between lines", b"{}\n", b"\0\n"),
    _shape("empty frames of Zstandard", b"", b"\x50\x2a\x4d\x18\0\0\0\0"),
    _shape("empty parts of gzip", b"", gzip.compress(b"")),
    Shape("transactions of one member", b"", lambda _: (_transaction(id=f"it-{n}") for n in count()), b""),
    Shape("a transaction of each member", b"", lambda _: (_transaction(member=f"m-{n}") for n in count()), b""),
    Shape(
        "transactions, ids chosen to collide",
        b"",
        lambda _: (_transaction(id=f"{'i' * 16}{n:08}{'i' * 16}", member=f"{'m' * 16}{n:08}{'m' * 16}") for n in count()),
        b"",
    ),
    _shape("one transaction again and again", b"", TRANSACTION + b"\n"),
    _after_large(
        "a long programme, then changes of the member",
        b"programme-1",
        b"h" * 100,
        lambda: (_transaction(id=f"it-{n}", externalId=f"cust-{n % 2}") for n in count()),
    ),
    _after_large("many connections, then late events", b'"connections":[', _LISTED, lambda: repeat(_CREATE)),
    _after_large("many connections, then other lists", b'"connections":[', _LISTED, lambda: cycle((_UPDATE, _CREATE))),
]
SHAPES = [*_PAYLOADS, *(shape._replace(is_lines=True) for shape in _LINES)]
