# SPDX-License-Identifier: MIT
"""What follows a topic, Spark by the guide's program and the example's consumer: each delivery once, though all are killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Producer

import bankhook
from bankhook.inbox import examine
from docs.snippets import ROOT, snippets
from installed import need_packages
from kafka.broker import Broker, jars
from kafka.receiving import EXAMPLE, once, read, topic_of

pytestmark = [pytest.mark.kafka, pytest.mark.slow]
TOPIC, SECONDS = "deliveries", 240
FAULTS = bankhook.sandbox.Faults(duplicate=0.1, reorder=0.1, drop=0.05, truncate=0.05, future=0.05)
HISTORY = [one.payload for one in bankhook.Sandbox(seed=7, members=12, faults=FAULTS).deliveries(240)]


@pytest.fixture
def broker(tmp_path: Path) -> Generator[Broker]:
    with Broker(tmp_path / "broker").running() as running:
        running.create(TOPIC, partitions=2)
        yield running


def append(broker: Broker, folder: Path, begin: int, end: int) -> None:
    """Append a part of the history; each tenth delivery comes again, with its id, after later ones."""
    named = [(f"{place}", HISTORY[place]) for place in range(begin, end)]
    named += named[::10]

    async def run() -> None:
        async with topic_of(broker, TOPIC, folder) as store:
            await store.append([examine(body, headers={"webhook-id": name}) for name, body in named])

    asyncio.run(run())


def append_foreign(broker: Broker) -> None:
    """What something else has written: no body, no event, and events whose headers are not ours."""
    producer = Producer({"bootstrap.servers": broker.servers})
    producer.produce(TOPIC, None, b"key")
    producer.produce(TOPIC, b"\xff\0", headers=[("delivery-id", None), ("x", b"\xff")])
    producer.produce(TOPIC, b'{"event":"other"}', headers={"x": b"1"})
    producer.produce(TOPIC, b'{"event":"other"}')
    assert producer.flush(30) == 0


def expected(broker: Broker) -> list[bytes]:
    """The bodies of the topic, without repeats."""
    messages = read(broker, TOPIC)
    bodies = [one.value() or b"" for one in once(messages)]
    assert len(bodies) == len(HISTORY) + 4 < len(messages)
    return bodies


@contextmanager
def program(folder: Path, *command: str, **environment: str) -> Generator[subprocess.Popen[bytes]]:
    """Run a program of Python, and kill it with all that it has started."""
    with (folder / "program.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, *command], env=os.environ | environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for(process: subprocess.Popen[bytes], path: Path) -> None:
    """Wait until a file is there."""
    deadline = time.monotonic() + SECONDS
    while not path.exists():
        assert process.poll() is None and time.monotonic() < deadline, path
        time.sleep(0.01)


@pytest.mark.jvm
@pytest.mark.timeout(900)
@pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")
def test_the_program_of_the_guide_follows_members_though_driver_and_broker_are_killed(
    broker: Broker, tmp_path: Path
) -> None:
    need_packages("pyspark")
    import pyarrow.dataset as dataset  # type: ignore[import-untyped]
    from pyspark.sql import Row

    from spark import members

    (page,) = [one for one in snippets(ROOT / "docs/how-to/use_spark.md", "python") if one.file == "follow_members.py"]
    (tmp_path / "follow_members.py").write_text(page.text)
    ending = "for query in spark.streams.active:\n    query.processAllAvailable()\n    query.stop()\n"
    ending += "from bankhook.spark import snapshots\n"
    ending += "snapshots(spark, f'{sys.argv[2]}/outcomes').write.parquet(f'{sys.argv[2]}/snapshots.parquet')\n"
    assert "spark.streams.awaitAnyTermination()\n" in page.text
    (tmp_path / "ending.py").write_text(page.text.replace("spark.streams.awaitAnyTermination()\n", ending))
    options = "--master local[2] --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=2"
    options += " --driver-java-options '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'"
    environment = {
        "PYSPARK_SUBMIT_ARGS": f"{options} --jars {','.join(map(str, jars('spark')))} pyspark-shell",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }
    state = tmp_path / "state"
    append(broker, tmp_path, 0, 120)  # before anybody follows
    append_foreign(broker)
    with program(tmp_path, str(tmp_path / "follow_members.py"), broker.servers, str(state), **environment) as driver:
        wait_for(driver, state / "outcomes" / "commits" / "0")
        append(broker, tmp_path, 120, 200)
        wait_for(driver, state / "outcomes" / "offsets" / "1")  # it has begun with them
    broker.kill()
    broker.start()
    append(broker, tmp_path, 200, 240)
    with program(tmp_path, str(tmp_path / "ending.py"), broker.servers, str(state), **environment) as driver:
        assert driver.wait(SECONDS) == 0, (tmp_path / "program.log").read_text()[-5000:]

    def rows(name: str) -> list[Row]:
        found = dataset.dataset(state / f"{name}.parquet", format="parquet", exclude_invalid_files=True).to_table()
        return [Row(**one | {"changes": [Row(**change) for change in one.get("changes", ())]}) for one in found.to_pylist()]

    tracker, outcomes, rejected = members.expected(None, expected(broker))
    assert members.by_member(rows("outcomes")) == outcomes
    assert sorted((bytes(row.raw or b""), row.rule) for row in rows("quarantine")) == rejected
    assert members.merged(rows("snapshots")) == tracker


def test_the_consumer_handles_each_delivery_once_though_it_is_killed(broker: Broker, tmp_path: Path) -> None:
    database = tmp_path / "points.db"

    def found(query: str) -> list[Any]:
        with closing(sqlite3.connect(database)) as opened:
            return opened.execute(query).fetchall()

    def until(count: int) -> None:
        deadline = time.monotonic() + SECONDS
        with program(tmp_path, str(EXAMPLE / "consumer.py"), broker.servers, TOPIC, str(database)) as consumer:
            wait_for(consumer, database)
            while not found("select 1 from sqlite_master where name = 'points'"):
                time.sleep(0.01)
            while found("select count(*) from handled")[0][0] < count:
                assert consumer.poll() is None and time.monotonic() < deadline
                time.sleep(0.01)

    append(broker, tmp_path, 0, 120)
    append_foreign(broker)
    until(1)
    append(broker, tmp_path, 120, 240)
    bodies = expected(broker)
    events = [bankhook.parse(one) for one in bodies if not examine(one).findings]
    until(len(events))

    tracker = bankhook.Tracker()
    validated = [
        (event.initial_transaction.id, str(event.initial_transaction.amount))
        for event in events
        if tracker.apply(event).became("validated") and isinstance(event, bankhook.InitialTransactionUpdate)
    ]
    assert sorted(found("select purchase, amount from points")) == sorted(validated)
    assert len(found("select * from handled")) == len(events)
    merged = bankhook.Tracker()
    for (snapshot,) in found("select snapshot from members"):
        merged.merge(bankhook.Tracker.restore(snapshot))
    assert merged == tracker
