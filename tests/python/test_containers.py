# SPDX-License-Identifier: MIT
"""What archives contain their events in: arrays, texts, base64, CSV; the same events whatever it is, and nothing lost."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

import bankhook
from python.table_rows import TABLES, rows_of

FAULTS = {"duplicate": 0.05, "mutate": 0.1, "truncate": 0.1, "future": 0.05}


class Container(NamedTuple):
    """How payloads are written, and how they are read."""

    write: Callable[[list[bytes]], bytes]
    options: dict[str, str]


def text(payload: bytes) -> str:
    return payload.decode(errors="replace")


def lines(write: Callable[[bytes], object]) -> Callable[[list[bytes]], bytes]:
    return lambda payloads: b"".join(json.dumps(write(one)).encode() + b"\n" for one in payloads)


def encoded(payload: bytes) -> str:
    return base64.b64encode(payload).decode()


def in_batches(write: Callable[[list[bytes]], object]) -> Callable[[list[bytes]], bytes]:
    """A line for every ten payloads."""
    return lambda payloads: b"\n".join(
        json.dumps(write(payloads[start : start + 10])).encode() for start in range(0, len(payloads), 10)
    )


def as_csv(cell: Callable[[bytes], str]) -> Callable[[list[bytes]], bytes]:
    def write(payloads: list[bytes]) -> bytes:
        file = io.StringIO(newline="")
        rows = csv.writer(file)
        rows.writerow(["id", "note", "payload", "received_at"])
        for number, payload in enumerate(payloads):
            rows.writerow([number, 'a "note",\nof two lines' if number % 7 == 0 else "", cell(payload), "2026-05-03"])
        return file.getvalue().encode()

    return write


def request_of(payload: bytes) -> bytes:
    return b"POST /webhook HTTP/1.1\r\nHost: example.org\r\nContent-Length: %d\r\n\r\n%b" % (len(payload), payload)


CONTAINERS = {
    "texts": Container(lines(lambda one: {"headers": {"a": ["}"]}, "body": text(one)}), {"at": "body"}),
    "CloudEvents": Container(
        lines(lambda one: {"specversion": "1.0", "data_base64": encoded(one)}), {"at": "data_base64", "encoding": "base64"}
    ),
    "Pub/Sub": Container(
        lines(lambda one: {"message": {"data": encoded(one)}}), {"at": "message.data", "encoding": "base64"}
    ),
    "SQS": Container(
        in_batches(lambda some: {"Records": [{"messageId": "m", "body": text(one)} for one in some]}),
        {"at": "Records[].body"},
    ),
    "SNS in SQS": Container(
        in_batches(lambda some: {"Records": [{"body": json.dumps({"Message": text(one)})} for one in some]}),
        {"at": "Records[].body.Message"},
    ),
    "Kinesis": Container(
        in_batches(lambda some: {"Records": [{"kinesis": {"data": encoded(one)}} for one in some]}),
        {"at": "Records[].kinesis.data", "encoding": "base64"},
    ),
    "webhook.site": Container(
        lambda payloads: json.dumps({"data": [{"content": text(one)} for one in payloads], "total": 1}).encode(),
        {"at": "data[].content"},
    ),
    "Hookdeck": Container(
        lambda payloads: json.dumps({"models": [{"data": {"body": text(one)}} for one in payloads]}, indent=2).encode(),
        {"at": "models[].data.body"},
    ),
    "arrays in arrays": Container(
        in_batches(lambda some: {"pages": [{"of": [{"e": text(one)} for one in part]} for part in (some[:3], some[3:])]}),
        {"at": "pages[].of[].e"},
    ),
    "ngrok": Container(
        lambda payloads: json.dumps(
            {"requests": [{"request": {"raw": encoded(request_of(one))}} for one in payloads]}
        ).encode(),
        {"at": "requests[].request.raw", "encoding": "base64"},
    ),
    "lines of base64": Container(lambda payloads: b"\n".join(map(base64.b64encode, payloads)), {"encoding": "base64"}),
    "CSV": Container(as_csv(text), {"at": "payload", "format": "csv"}),
    "CSV of base64": Container(as_csv(encoded), {"at": "payload", "format": "csv", "encoding": "base64"}),
    "CSV of envelopes": Container(
        as_csv(lambda one: json.dumps({"body": text(one)})), {"at": "payload.body", "format": "csv"}
    ),
}


def deliveries(seed: int, count: int) -> list[bytes]:
    """Payloads on a line each, some of which are damaged."""
    found = [one.payload for one in bankhook.Sandbox(seed, members=5, faults=FAULTS).deliveries(count)]
    return [text(one.replace(b"\n", b" ").replace(b"\r", b" ")).encode() for one in found if one.strip()]


def rows(source: Any, table: str, **options: Any) -> list[dict[str, Any]]:
    """The rows of a table without the places, which differ."""
    found = rows_of(getattr(bankhook.tables(source, **options), table))
    for row in found:
        for place in ("line", "column", "offset"):
            row.pop(place, None)
    return found


@pytest.mark.parametrize("name", CONTAINERS)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_rows_of_all_containers_are_equal(name: str, seed: int) -> None:
    payloads = deliveries(seed, 300)
    plain, container = b"\n".join(payloads), CONTAINERS[name]
    archive = container.write(payloads)
    for table in TABLES:
        expected = rows(plain, table)
        assert rows(archive, table, **container.options) == expected
        assert rows(archive, table, threads=2, **container.options) == expected
    ours, theirs = bankhook.Tracker(), bankhook.Tracker()
    ours.apply_lines(archive, **container.options)  # type: ignore[arg-type]
    theirs.apply_lines(plain)
    assert ours == theirs
    found, whole = bankhook.diagnose_lines(archive, **container.options), bankhook.diagnose_lines(plain)  # type: ignore[arg-type]
    assert [one.raw for one in found.unclean] == [one.raw for one in whole.unclean]
    assert found.events == whole.events
    parsed = bankhook.parse_lines(archive, on_error="collect", **container.options)  # type: ignore[call-overload]
    assert list(parsed) == list(bankhook.parse_lines(plain, on_error="collect"))


@pytest.mark.parametrize("name", CONTAINERS)
@pytest.mark.parametrize("size", [1, 7, 64, 100_003])
def test_a_container_may_come_in_pieces(name: str, size: int) -> None:
    payloads = deliveries(3, 20 if size < 64 else 200)
    archive = CONTAINERS[name].write(payloads)

    class Pieces(io.BytesIO):
        def read(self, _: int | None = -1, /) -> bytes:
            return super().read(size)

    report = bankhook.diagnose_lines(Pieces(archive), **CONTAINERS[name].options)  # type: ignore[arg-type]
    assert report == bankhook.diagnose_lines(archive, **CONTAINERS[name].options)  # type: ignore[arg-type]
    assert report.count == len(payloads)


@pytest.mark.parametrize("name", CONTAINERS)
def test_places_are_those_of_the_archive(name: str) -> None:
    payloads = [b'{"event":"a"}', b'{"event":5}', b'{"event":"b"}']
    archive = CONTAINERS[name].write(payloads)
    (found,) = bankhook.diagnose_lines(archive, **CONTAINERS[name].options).unclean[1:2]  # type: ignore[arg-type]
    assert found.raw == payloads[1]
    assert found.index == (1 if "[]" in CONTAINERS[name].options.get("at", "") else None)
    before = archive[: found.offset]
    assert found.line == before.count(b"\n") + 1
    assert found.column == len(before.rpartition(b"\n")[2].decode())
    written = encoded(payloads[1]), encoded(request_of(payloads[1])), "{"
    assert archive[found.offset :].startswith(tuple(map(str.encode, written)))


@pytest.mark.parametrize("name", [name for name in CONTAINERS if "[]" in CONTAINERS[name].options.get("at", "")])
def test_an_error_names_the_event_of_its_line(name: str) -> None:
    archive = CONTAINERS[name].write([b'{"event":"a"}', b'{"event":5}'])
    with pytest.raises(bankhook.ParseError) as raised:
        list(bankhook.parse_lines(archive, **CONTAINERS[name].options))  # type: ignore[call-overload]
    assert raised.value.__notes__[0].startswith("in event 1 in line ")
