# SPDX-License-Identifier: MIT
"""Containers that are damaged, hostile or something else: findings with their places, in bounded memory, and nothing lost."""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import bankhook
from python.table_rows import rows_of
from python.test_containers import CONTAINERS, as_csv, text

EVENTS = [one.payload for one in bankhook.Sandbox(seed=1, members=3).deliveries(30)]
CSV = as_csv(text)(EVENTS)
OF_CSV: dict[str, Any] = {"at": "payload", "format": "csv"}


@pytest.mark.parametrize("name", CONTAINERS)
def test_what_precedes_a_cut_is_read_and_the_rest_is_a_finding(name: str) -> None:
    container, options = CONTAINERS[name], {**CONTAINERS[name].options}
    archive = container.write(EVENTS)
    for end in (len(archive) // 3, len(archive) // 2, len(archive) - 40):
        report = bankhook.diagnose_lines(archive[:end], **options)  # type: ignore[arg-type]
        assert report.rejected >= 1
        assert report.count >= end * len(EVENTS) // len(archive) - 11  # a line of ten may have been cut
        assert report.unclean[-1].offset < end


@pytest.mark.parametrize("name", CONTAINERS)
@pytest.mark.parametrize("between", [b"\n", b"\r\n", b"\n\xef\xbb\xbf"])
def test_files_that_were_joined_have_the_events_of_both(name: str, between: bytes) -> None:
    archive = CONTAINERS[name].write(EVENTS).rstrip()
    report = bankhook.diagnose_lines(archive + between + archive, **CONTAINERS[name].options)  # type: ignore[arg-type]
    assert (report.count, report.rejected) == (2 * len(EVENTS), 0)


def test_an_element_without_an_event_is_a_finding_with_its_index() -> None:
    archive = b'\n{"Records":[{"body":%b},{"other":1},7,{"body":{"event":5}},{"body":%b}]}' % (EVENTS[0], EVENTS[1])
    report = bankhook.diagnose_lines(archive, at="Records[].body")
    assert report.count == 5
    assert [(one.line, one.index, one.raw) for one in report.unclean] == [
        (2, 1, b'{"other":1}'),
        (2, 2, b"7"),
        (2, 3, b'{"event":5}'),
    ]


def test_an_array_without_a_comma_or_an_end_has_a_finding() -> None:
    for rest in (b"", b",", b" 7]}", b",]}"):
        report = bankhook.diagnose_lines(b'{"a":[{"b":%b}%b' % (EVENTS[0], rest), at="a[].b")
        assert (report.count, report.rejected) == (2, 1)
    assert bankhook.diagnose_lines(b'{"a":[]}\n{"a":[{"b":%b}]}' % EVENTS[0], at="a[].b").count == 1


def test_wrong_base64_is_a_finding_and_a_plain_text_is_read() -> None:
    whole = base64.b64encode(EVENTS[0]).decode()
    texts = [whole, "!" + whole, whole[:-5] + "*", text(EVENTS[1])]
    archive = b"\n".join(json.dumps({"d": one}).encode() for one in texts)
    report = bankhook.diagnose_lines(archive, at="d", encoding="base64")
    assert [(one.line, one.column, one.raw.decode()) for one in report.unclean] == [(2, 7, texts[1]), (3, 7, texts[2])]
    assert report.count == 4


def test_a_wrong_quote_breaks_its_row_alone() -> None:
    header, *rows = CSV.splitlines(keepends=True)
    for wrong in (b'31,,"a"b,x\r\n', b'31,"note" ,x,y\r\n', b'31,a"b,x,y\r\n'):
        report = bankhook.diagnose_lines(b"".join([header, *rows, wrong, *rows]), **OF_CSV)
        assert (report.count, report.rejected) == (61, 1)
        assert report.unclean[0].raw == wrong.rstrip()
    cut = CSV[: CSV.index(b"initial")]
    report = bankhook.diagnose_lines(cut + b"\r\n" + CSV, **OF_CSV)
    assert (report.count - report.rejected, report.rejected) == (len(EVENTS) + 1, 1)


def test_a_column_that_is_not_there_is_one_error() -> None:
    columns = "its columns are id, note, payload, received_at"
    with pytest.raises(OSError, match=f'it is CSV and has no column "paylod"; {columns}'):
        bankhook.diagnose_lines(CSV, at="paylod", format="csv")
    with pytest.raises(OSError, match=f'it is CSV: at="COLUMN" names the one that has the events; {columns}'):
        bankhook.diagnose_lines(CSV, format="csv")
    (row,) = rows_of(bankhook.tables(CSV, keep=("when",), **OF_CSV).rejected)
    assert row["found"] == f'it is CSV and has no column "when" to keep; {columns}'


@pytest.mark.parametrize("start", [b'1,{"event":"x"}\n', b'a"b,c\n1,2\n', b'a,"b\n1,2\n', b'"a"b\n', b'"\n' * 3])
@pytest.mark.parametrize("options", [{}, {"at": "payload"}, {"at": "payload", "keep": ["id"]}])
def test_a_row_of_names_with_a_wrong_quote_is_one_error(start: bytes, options: dict[str, Any]) -> None:
    for rest in (b"", CSV):
        with pytest.raises(OSError, match="it has no row of names, or a quote in that is missing"):
            if "keep" not in options:
                bankhook.diagnose_lines(start + rest, format="csv", **options)
            bankhook.tables(start + rest, format="csv", **options)


def test_texts_of_json_with_events_are_one_error_that_says_how_to_go_on() -> None:
    lines = b"\n".join(json.dumps(text(event)).encode() for event in EVENTS)
    for archive in (lines, b"[" + lines.replace(b"\n", b",") + b"]"):
        with pytest.raises(OSError, match=r"its events are in JSON texts: jq -r \. takes them out"):
            bankhook.diagnose_lines(archive)


@pytest.mark.parametrize("ending", [".csv", ".csv.gz", ".CSV"])
def test_a_file_is_csv_by_its_ending(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"export{ending}"
    path.write_bytes(gzip.compress(CSV) if ending.endswith("gz") else CSV)
    assert bankhook.diagnose_lines(path, at="payload").count == len(EVENTS)
    assert len(rows_of(bankhook.tables(path, at="payload", keep=("received_at",)).findings.select("received_at"))) == 0
    with pytest.raises(OSError, match="seems to be CSV"):
        bankhook.diagnose_lines(path, at="payload", format="json")


def test_texts_beside_an_event_of_an_array_and_of_csv_are_kept() -> None:
    records = [{"messageId": f"m{number}", "body": text(event)} for number, event in enumerate(EVENTS)]
    archive = json.dumps({"queue": "q", "Records": records}).encode()
    keep = ("queue", "Records[].messageId", "Others[].x")
    found = rows_of(bankhook.tables(archive, at="Records[].body", keep=keep).outcomes.select(*keep))
    assert found == [{"queue": "q", "Records[].messageId": f"m{number}", "Others[].x": None} for number in range(30)]
    columns = ("note", "received_at")
    rows = rows_of(bankhook.tables(CSV, keep=columns, **OF_CSV).outcomes.select(*columns))
    assert rows[:2] == [
        {"note": 'a "note",\nof two lines', "received_at": "2026-05-03"},
        {"note": None, "received_at": "2026-05-03"},
    ]


OTHERS = {
    "a zip archive": b"PK\x03\x04" + EVENTS[0],
    "a Parquet file": b"PAR1" + EVENTS[0],
    "a request with its head": b"POST /webhook HTTP/1.1\r\nHost: a\r\n\r\n" + EVENTS[0],
    "an SQL dump": b"--\n-- PostgreSQL database dump\n--\n\nSET a = 0;\n",
    'base64: try encoding="base64"': base64.b64encode(EVENTS[0]) + b"\n",
    'CSV: try format="csv"': CSV,
}


@pytest.mark.parametrize("what", OTHERS)
def test_one_line_tells_what_else_a_file_is(what: str) -> None:
    with pytest.raises(OSError, match=f"it (is|seems to be) {what}"):
        list(bankhook.parse_lines(OTHERS[what], on_error="collect"))


MEMORY = """
import sys, bankhook
archive, options = sys.argv[1], dict(one.split("=") for one in sys.argv[2:])
try:
    print(bankhook.diagnose_lines(archive, limit=0, **options).count)
except OSError as error:
    print(error.strerror)
print(*(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def counted(path: Path, **options: str) -> tuple[str, int]:
    """What reading it says, and the most memory that it took, in MB."""
    command = [sys.executable, "-c", MEMORY, str(path), *(f"{name}={value}" for name, value in options.items())]
    said, memory = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return said, int(memory) // 1024


@pytest.mark.slow
def test_200_megabytes_in_one_line_take_three_times_as_much(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    count = 200_000_000 // len(EVENTS[0])
    path.write_bytes(b'{"data":[%b]}' % b",".join([b'{"content":%b}' % EVENTS[0]] * count))
    said, memory = counted(path, at="data[].content")
    assert (int(said), memory < 700) == (count, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("start", "options"),
    [(b'{"data":[', {"at": "data[].content"}), (b"x", {}), (b'id,payload\n1,"', {"at": "payload", "format": "csv"})],
)
def test_a_file_that_unpacks_to_one_endless_line_is_an_error(start: bytes, options: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(start)
        for _ in range(1_000):
            file.write(b"a" * 1_000_000)
    said, memory = counted(path, **options)
    assert "is longer than 256 MiB" in said
    assert memory < 800
