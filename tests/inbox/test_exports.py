# SPDX-License-Identifier: MIT
"""Deliveries as the tools that people have write them: the rows are those of the plain archive."""

from __future__ import annotations

import csv
import importlib
import json
import subprocess
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent

import bankhook
from inbox.postgresql import PostgreSQL
from python.table_rows import TABLES, rows_of
from python.test_containers import deliveries

PAYLOADS = deliveries(11, 200)
PARSERS: Any = importlib.import_module("botocore.parsers")  # which has no types
SESSION: Any = importlib.import_module("botocore.session")
PLACES = ("source", "line", "column", "offset", "eventIndex")


def rows(source: Any, table: str, **options: Any) -> list[dict[str, Any]]:
    """The rows of a table without their places."""
    found = rows_of(getattr(bankhook.tables(source, **options), table))
    return [{name: value for name, value in row.items() if name not in PLACES} for row in found]


def is_whole(source: Any, **options: Any) -> bool:
    """Whether all tables are those of the plain archive."""
    plain = b"\n".join(PAYLOADS)
    return all(rows(source, table, **options) == rows(plain, table) for table in TABLES)


def test_copies_of_postgresql(postgresql: PostgreSQL, tmp_path: Path) -> None:
    texts = [one.decode() for one in PAYLOADS]
    with psycopg.connect(postgresql.url()) as connection:
        connection.execute("CREATE TABLE received (id bigint, at timestamptz DEFAULT now(), payload text)")
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO received VALUES (%s, DEFAULT, %s)", enumerate(texts))
        connection.commit()
        schema = connection.execute("SELECT current_schema()").fetchone()
        assert schema is not None

    def copied(column: str) -> Path:
        path, of = tmp_path / "received.csv", connection.info
        query = f"SELECT id, at, {column} FROM {schema[0]}.received ORDER BY id"
        copy = f"\\copy ({query}) TO '{path}' WITH (FORMAT csv, HEADER)"
        subprocess.run(["psql", "-qX", "-h", of.host, "-p", str(of.port), "-U", of.user, "-c", copy, of.dbname], check=True)
        return path

    with psycopg.connect(postgresql.url()) as connection:
        assert is_whole(copied("payload"), at="payload")
        packed = copied("encode(convert_to(payload, 'UTF8'), 'base64') AS packed")
        assert is_whole(packed, at="packed", encoding="base64")
        assert is_whole(copied("json_build_object('body', payload) AS envelope"), at="envelope.body")
        with pytest.raises(OSError, match="bytes of PostgreSQL in hexadecimal: export them by convert_from"):
            bankhook.diagnose_lines(copied("convert_to(payload, 'UTF8') AS body"), at="body")


@pytest.mark.parametrize(
    ("name", "how", "options"),
    [
        ("all.csv", "HEADER", {"at": "payload"}),
        ("all.csv.gz", "HEADER", {"at": "payload"}),
        ("quoted.csv", "HEADER, FORCE_QUOTE *", {"at": "payload"}),
        ("lines.ndjson", "FORMAT json", {"at": "payload"}),
        ("array.json", "FORMAT json, ARRAY true", {"at": "payload"}),
        ("lines.ndjson.zst", "FORMAT json, COMPRESSION zstd", {"at": "payload"}),
    ],
)
def test_copies_of_duckdb(tmp_path: Path, name: str, how: str, options: dict[str, str]) -> None:
    path = tmp_path / name
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE received (id BIGINT, payload VARCHAR)")
        connection.executemany("INSERT INTO received VALUES (?, ?)", [[i, one.decode()] for i, one in enumerate(PAYLOADS)])
        connection.execute(f"COPY (FROM received ORDER BY id) TO '{path}' ({how})")
    assert is_whole(path, **options)


def test_cloud_events(tmp_path: Path) -> None:
    path, writer = tmp_path / "events.ndjson", JSONFormat()
    about = {"type": "delivery", "source": "/webhook", "specversion": "1.0"}
    events = [CloudEvent(attributes=about | {"id": str(i)}, data=one) for i, one in enumerate(PAYLOADS)]
    path.write_bytes(b"\n".join(writer.write(one) for one in events))
    assert is_whole(path, at="data_base64", encoding="base64")
    whole = [one for one in PAYLOADS if bankhook.is_clean(one)]
    json_events = [
        CloudEvent(attributes=about | {"id": "1", "datacontenttype": "application/json"}, data=json.loads(one))
        for one in whole
    ]
    path.write_bytes(b"\n".join(writer.write(one) for one in json_events))
    with pytest.raises(OSError, match='try at="data"'):
        bankhook.diagnose_lines(path)
    assert bankhook.diagnose_lines(path, at="data").count == len(whole)


def test_messages_of_sqs() -> None:
    """As `aws sqs receive-message` prints what botocore has parsed, and as a queue gives them to Lambda."""
    shape = SESSION.get_session().get_service_model("sqs").operation_model("ReceiveMessage").output_shape
    sent = json.dumps({"Messages": [{"MessageId": str(i), "Body": one.decode()} for i, one in enumerate(PAYLOADS)]})
    response = {"body": sent.encode(), "headers": {}, "status_code": 200}
    parsed = PARSERS.create_parser("json").parse(response, shape)
    assert is_whole(json.dumps(parsed, indent=4).encode(), at="Messages[].Body")
    records = {"Records": [{"messageId": one["MessageId"], "body": one["Body"]} for one in parsed["Messages"]]}
    assert is_whole(json.dumps(records).encode(), at="Records[].body")


def test_a_file_that_is_not_separated_by_commas(tmp_path: Path) -> None:
    path = tmp_path / "all.csv"
    with path.open("w", newline="") as file:
        csv.writer(file, delimiter=";").writerows([["id", "payload"], ["1", PAYLOADS[0].decode()]])
    with pytest.raises(OSError, match=r"no column .payload.; it is not separated by commas"):
        bankhook.diagnose_lines(path, at="payload")
