# SPDX-License-Identifier: MIT
"""Fields of envelopes as columns of tables: what `keep` names, compared with what Python's json reads there."""

from __future__ import annotations

import asyncio
import datetime
import gzip
import io
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from bankhook import tables
from python.table_rows import TABLES, Row, pyarrow, rows_of

KEEP = ("received_at", "request.headers.host", "request.size", "caf\u00e9", "request", "nowhere", "none.at.all")
FAULTS = dict.fromkeys(map(str, bankhook.sandbox.FaultKind), 0.05)
TEXTS = (
    "",
    "now",
    "2026-05-03T10:00:00Z",
    'a "b" \\ /',
    "\0\n\t\x1f",
    "caf\u00e9 \u20ac",
    "\U0001f600" * 20,
    "null",
    "x" * 3000,
)
VALUES = (
    "0",
    "-0.0",
    "1.50",
    "1e400",
    "true",
    "false",
    "null",
    "[]",
    '[1, {"a" :"\\u0041"}]',
    '{"host":"x"}',
    '{ "a": { } }',
)
NO_ENVELOPES = (b"nothing", b"7", b"null", b"[]", b'"received_at"', b"\xff", b"{", b"")
DECODER = json.JSONDecoder()


def value(choose: random.Random) -> str:
    """A value of JSON, as it might be written."""
    text = json.dumps(choose.choice(TEXTS), ensure_ascii=choose.random() < 0.5)
    return text if choose.random() < 0.6 else choose.choice(VALUES)


def written(choose: random.Random, fields: list[tuple[str, str]]) -> str:
    """An object with these fields in any order, one of them perhaps twice, with white space."""
    fields = fields + choose.choices(fields, k=choose.random() < 0.2)
    choose.shuffle(fields)
    space = choose.choice(("", "", " ", "\t "))
    return "{" + space + f"{space},{space}".join(f"{name}{space}:{space}{text}" for name, text in fields) + space + "}"


def envelope(choose: random.Random, payload: bytes) -> bytes:
    """A payload within an envelope, as an object or as a text."""
    text = payload.decode(errors="replace")
    body = text if choose.random() < 0.5 and is_json(text) else json.dumps(text, ensure_ascii=choose.random() < 0.5)
    names = ('"host"', '"h\\u006fst"', '"other"')
    headers = written(choose, [(name, value(choose)) for name in choose.sample(names, 2)])
    request = written(choose, [('"headers"', headers), ('"size"', value(choose)), ('"body"', body)])
    fields = [('"received_at"', value(choose)), ('"caf\u00e9"', value(choose)), ('"at"', value(choose))]
    return written(choose, [*choose.sample(fields, 2), ('"request"', request)]).encode()


def is_json(text: str) -> bool:
    """Whether this is one line of JSON; Python's reader also takes other texts."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return not any(other in text for other in ("\n", "\\u", "NaN", "Infinity"))


def envelopes(seed: int, count: int) -> list[bytes]:
    """Varied envelopes of varied events, and other lines."""
    choose = random.Random(seed)
    payloads = [delivery.payload for delivery in bankhook.Sandbox(seed, members=9, faults=FAULTS).deliveries(count)]
    return [choose.choice(NO_ENVELOPES) if choose.random() < 0.1 else envelope(choose, payload) for payload in payloads]


def fields_of(text: str) -> dict[str, str]:
    """The fields of an object, the first of each name, as their values are written; none of anything else."""
    found = dict[str, str]()
    rest = text.strip()[1:].lstrip() if text.startswith("{") else "}"
    while not rest.startswith("}"):
        name, end = DECODER.raw_decode(rest)
        rest = rest[end:].lstrip().removeprefix(":").lstrip()
        end = DECODER.raw_decode(rest)[1]
        found.setdefault(name, rest[:end])
        rest = rest[end:].lstrip().removeprefix(",").lstrip()
    return found


def kept(line: bytes) -> dict[str, str | None]:
    """What a row of this line has to have."""
    try:
        whole = line.decode()
        json.loads(whole)
    except ValueError:
        return dict.fromkeys(KEEP)
    row: dict[str, str | None] = {}
    for path in KEEP:
        text = whole
        for name in path.split("."):
            text = fields_of(text).get(name, "null")
        found = json.loads(text)
        row[path] = found if isinstance(found, str) else None if found is None else text
    return row


LINES = envelopes(seed=3, count=700)
ARCHIVE = b"\n".join(LINES)
KEPT = [kept(line) for line in LINES if line]


def split(table: bankhook.types.Table) -> Iterator[tuple[Row, Row]]:
    """Yield each row without what is kept, and that; all texts are UTF-8."""
    found = pyarrow.table(table)
    found.validate(full=True)
    for row in found.to_pylist():
        yield row, {name: row.pop(name) for name in KEEP}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("options", [{}, {"batch_rows": 1}, {"threads": 2}, {"threads": 5, "batch_rows": 3}])
def test_each_row_has_the_fields_of_its_envelope(name: str, options: Any) -> None:
    plain = rows_of(getattr(tables(ARCHIVE, at="request.body"), name))
    count = 0
    for (row, found), expected in zip(
        split(getattr(tables(ARCHIVE, at="request.body", keep=KEEP, **options), name)), plain, strict=True
    ):
        assert row == expected
        assert found == KEPT[row["eventIndex"]]
        count += 1
    assert count > 10


@pytest.mark.parametrize("form", ["array", "over several lines", "gz", "file"])
def test_it_is_the_same_in_every_form_of_an_archive(form: str) -> None:
    whole = [line for line in LINES if line.startswith(b"{") and line != b"{"]
    sources: dict[str, Any] = {
        "array": b"[%s]" % b",\n".join(whole),
        "over several lines": b"\n".join(b"{\n %s\n}" % line[1:-1] for line in whole),
        "gz": gzip.compress(b"\n".join(whole)),
        "file": io.BytesIO(b"\n".join(whole)),
    }
    found = list(split(tables(sources[form], at="request.body", keep=list(KEEP), threads=2).findings))
    assert len({row["eventIndex"] for row, _ in found}) > 30
    assert all(texts == kept(whole[row["eventIndex"]]) for row, texts in found)


def test_each_source_has_its_own_envelopes() -> None:
    many = LINES * (5_000_000 // len(ARCHIVE) + 1)  # several times what a thread takes at once
    archive = tables([b"\n".join(many), b"", ARCHIVE], at="request.body", keep=KEEP, threads=3)
    for table in (archive.initial_transaction_update, archive.rejected):
        assert all(texts == KEPT[row["eventIndex"] % len(KEPT)] for row, texts in split(table))


def test_kept_fields_end_the_row_and_can_be_selected() -> None:
    archive = tables(ARCHIVE, at="request.body", keep=("request.headers.host", "received_at"))
    for name in TABLES:
        schema = pyarrow.schema(getattr(archive, name))
        assert schema.names[-2:] == ["request.headers.host", "received_at"]
        assert {(field.type, field.nullable) for field in list(schema)[-2:]} == {(pyarrow.string(), True)}
    rejected = archive.rejected
    assert rows_of(rejected.select("request.headers.host")) == [
        {"request.headers.host": row["request.headers.host"]} for row in rows_of(rejected)
    ]
    some = rejected.select("received_at", "line")
    assert repr(some) == "<bankhook.types.Table rejected: received_at, line>"
    assert repr(rejected).endswith(" raw, request.headers.host, received_at>")
    assert str(some).splitlines()[1:] == ["  line         int64", "  received_at  string or null"]
    with pytest.raises(
        ValueError, match=r"rejected has no column request.headers.hots; did you mean 'request.headers.host'"
    ):
        rejected.select("request.headers.hots")


def test_names_that_begin_with_another_one_are_columns_of_their_own() -> None:
    archive = tables(b'{"a":{"b":1},"e":{"event":"x"}}', at="e", keep=("a.b", "a", "customer.x"))
    assert rows_of(archive.unknown_events.select("a.b", "a", "customer.x")) == [
        {"a.b": "1", "a": '{"b":1}', "customer.x": None}
    ]


@pytest.mark.parametrize("surrogate", [b'"\\ud800"', b'"\\udc00x"', b'"\\ud800\\ud800"', b'"\xed\xa0\x80"', b'"\xff"'])
def test_what_cannot_be_read_as_text_is_null(surrogate: bytes) -> None:
    before, after = (b'{"a":%b,"e":{"event":"x"}}' % surrogate, b'{"b":1,"e":{"event":"x"},"a":%b}' % surrogate)
    table = tables(before + b"\n" + after, at="e", keep=("a", "b")).unknown_events
    pyarrow.table(table).validate(full=True)
    assert [(row["a"], row["b"]) for row in rows_of(table)] == [(None, None), (None, "1")]


def test_what_precedes_the_end_of_a_line_that_was_cut_off_is_kept() -> None:
    (row,) = rows_of(tables(b'{"a":"now","e":{"event":"x', at="e", keep=("a",)).rejected)
    assert row["a"] == "now"


@pytest.mark.parametrize("threads", [1, 3])
def test_a_source_that_fails_has_a_row_without_them(threads: int) -> None:
    class Broken(io.RawIOBase):
        pieces: Sequence[bytes] = (ARCHIVE + b"\n", ARCHIVE[:200])

        def read(self, size: int = -1) -> bytes:
            if not self.pieces:
                raise OSError("the disk is on fire")
            piece, *self.pieces = self.pieces
            return piece

    *rows, (last, texts) = split(tables(Broken(), at="request.body", keep=KEEP, threads=threads).rejected)
    assert last["rule"] == "source_is_readable"
    assert set(texts.values()) == {None}
    assert all(found == KEPT[row["eventIndex"] % len(KEPT)] for row, found in rows)


@pytest.mark.parametrize("threads", [1, 3])
def test_long_texts_end_a_batch(threads: int) -> None:
    """Offsets of Arrow's texts have 31 bits, and a text is repeated for each row of its line."""
    events = bankhook.Sandbox(seed=1, members=3).deliveries(60)
    lines = [b'{"note":"%s","body":%b}' % (b"x" * 100_000, event.payload) for event in events]
    archive = tables(b"\n".join(lines), at="body", keep=("note",), threads=threads)
    batches = list(pyarrow.RecordBatchReader.from_stream(archive.accounts))
    assert sum(batch.num_rows for batch in batches) > len(lines)
    assert max(batch.nbytes for batch in batches) < 1_200_000
    unkept = pyarrow.RecordBatchReader.from_stream(archive.accounts.select("id"))
    assert len(list(unkept)) < len(batches)


@pytest.mark.parametrize(
    ("keep", "at", "message"),
    [
        (("a",), None, "keep takes fields of envelopes: say with at where in them the events are"),
        (("a\0b",), "body", "keep: expected names without NUL"),
        (("a", "b", "a"), "body", "keep: the table bank_connections_update_v2 has a column a already"),
        (("line",), "body", "keep: the table bank_connections_update_v2 has a column line already"),
        (("a", "rule"), "body", "keep: the table rejected has a column rule already"),
        (("customer.id",), "body", "keep: the table bank_connections_update_v2 has a column customer.id already"),
        (("\ud800",), "body", "keep: expected str without surrogates"),
    ],
)
def test_what_cannot_be_kept_is_a_value_error(keep: tuple[str, ...], at: str | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tables(b"", at=at, keep=keep)


@pytest.mark.parametrize("given", [{"at": "body"}, {"keep": ("a",)}])
def test_a_tracker_has_no_envelopes(given: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="at and keep are about lines of archives, which a tracker does not have"):
        tables(bankhook.Tracker(), **given)


TIMES = {
    "2026-05-03T10:00:00Z": "2026-05-03T10:00:00+00:00",
    "2026-05-03T10:00:00.123456+02:00": "2026-05-03T08:00:00.123456+00:00",
    "2026-05-03 10:00:00.5+00": "2026-05-03T10:00:00.500000+00:00",  # as PostgreSQL writes it
    "2026-05-03T10:00:00-0330": "2026-05-03T13:30:00+00:00",
}
NO_TIMES = ("now", "", "2026-05-03", "2026-05-03T10:00:00", "2026-02-30T10:00:00Z", 1777802400, {"at": 1}, True)


def dated(*times: object) -> bytes:
    """Envelopes with these times, and two without one."""
    lines = [{"received_at": time, "body": {"event": "a"}} for time in (*times, None)]
    return b"\n".join(json.dumps(line).encode() for line in [*lines, {"body": {"event": "a"}}])


@pytest.mark.parametrize("threads", [1, 2])
def test_a_kept_field_can_be_a_time(threads: int) -> None:
    keep = {"received_at": datetime.datetime, "nothing": str}
    found = tables(dated(*TIMES), at="body", keep=keep, threads=threads)
    table = pyarrow.table(found.unknown_events)
    assert [str(table.schema.field(name).type) for name in keep] == ["timestamp[us, tz=UTC]", "string"]
    shown = [one and one.isoformat() for one in table.column("received_at").to_pylist()]
    assert shown == [*TIMES.values(), None, None]
    assert rows_of(found.rejected) == []


def test_an_event_beside_another_text_than_a_time_is_rejected_with_its_field() -> None:
    found = tables(dated(*NO_TIMES, *TIMES), at="body", keep={"received_at": datetime.datetime})
    assert len(rows_of(found.unknown_events)) == len(TIMES) + 2
    assert len(rows_of(found.outcomes)) == len(NO_TIMES) + len(TIMES) + 2
    rejected = rows_of(found.rejected)
    assert [row["line"] for row in rejected] == [*range(1, len(NO_TIMES) + 1)]
    assert {(row["rule"], row["expected"], row["found"], row["received_at"]) for row in rejected} == {
        ("timestamp_fits_column", "a time with an offset in the field received_at", "another text", None)
    }
    assert rows_of(found.rejected.select("line")) == [{"line": row["line"]} for row in rejected]
    late = tables(dated("2300-01-01T00:00:00Z"), at="body", keep={"received_at": datetime.datetime}, unit="ns")
    assert len(rows_of(late.rejected)) == 1


def test_what_an_inbox_received_can_be_a_time(tmp_path: Path) -> None:
    async def received() -> tuple[list[datetime.datetime], list[datetime.datetime]]:
        async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
            await inbox.append([bankhook.inbox.examine(b'{"event":"a"}') for _ in range(3)])
            stored = [one.received async for one in inbox.find()]
            found = tables(inbox, keep={"received": datetime.datetime}).unknown_events
            return stored, [row["received"] for row in rows_of(found)]

    stored, found = asyncio.run(received())
    assert stored == found


@pytest.mark.parametrize(
    "keep", [{"received_at": int}, {5: str}, {"a": "datetime"}, "received_at", None, 7, (7,), ["a", None], {"a"}]
)
def test_what_cannot_be_kept_is_a_type_error(keep: Any) -> None:
    with pytest.raises(TypeError, match="tables: keep: expected fields such as"):
        tables(b"", at="body", keep=keep)
