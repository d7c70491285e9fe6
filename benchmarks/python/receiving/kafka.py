# SPDX-License-Identifier: MIT
"""Beyond one machine: the receiver of `examples/kafka` beside one on SQLite, and Spark beside its own `from_json`."""

from __future__ import annotations

import argparse
import asyncio
import os
import runpy
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, from_json
from pyspark.sql.types import StructType

import bankhook
from bankhook.inbox import examine
from bankhook.spark import read, track
from kafka.broker import Broker, jars
from receiving.__main__ import CONNECTIONS, serving
from receiving.filled import bar

ROOT = Path(__file__).parents[3]
KEYS = ("source", "block", "line", "eventIndex")
JAVA = "-Dlog4j2.level=error"


def received(folder: Path, seconds: int, rounds: int) -> float:
    """Print what both acknowledge a second, and return which part of SQLite's Kafka's is."""
    found = defaultdict[str, list[float]](list)
    for _ in range(rounds):  # in turn, so that what else the machine does meets both
        for kind in ("receiver", "kafka"):
            with serving(kind, folder) as server:
                load = server.load(seconds, history=10_000)
            found[kind].append(load.rate)
            store = {"receiver": "SQLite", "kafka": "Kafka"}[kind]
            print(
                f"receiver on {store}, {CONNECTIONS} connections: {load.rate:8,.0f} a second, "
                f"median {load.median:.1f} ms, p99 {load.p99:.1f} ms, {load.errors} errors",
                flush=True,
            )
    return statistics.median(found["kafka"]) / statistics.median(found["receiver"])


def fill(folder: Path, count: int) -> None:
    """Append deliveries of one event to the topic of the environment, and write some of them as an archive."""
    sandbox = bankhook.Sandbox(seed=1, members=2_000)
    bodies = [sandbox.send_initial_transaction(sandbox.member(number % 2_000)).raw for number in range(count)]
    (folder / "some.ndjson").write_bytes(b"\n".join(bodies[:100]))

    async def append() -> None:
        async with runpy.run_path(str(ROOT / "examples/kafka/receiver.py"))["app"]._inbox as store:
            for first in range(0, count, 512):
                await store.append([examine(body) for body in bodies[first : first + 512]])

    asyncio.run(append())


def followed(folder: Path, count: int, rounds: int) -> float:
    """Print what Spark takes a second from the topic, and return which part of its `from_json` tracking has."""
    options = f"--jars {','.join(map(str, jars('spark')))} --driver-java-options {JAVA} pyspark-shell"
    os.environ |= {"PYSPARK_SUBMIT_ARGS": options, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    builder: Any = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    rows = read(spark, str(folder / "some.ndjson")).initial_transaction_update
    schema = StructType([field for field in rows.schema if field.name not in KEYS])
    source = spark.readStream.format("kafka").option("kafka.bootstrap.servers", os.environ["KAFKA"])
    topic = source.option("subscribe", os.environ["TOPIC"]).option("startingOffsets", "earliest").load()
    frames: dict[str, DataFrame] = {
        "from_json": topic.select(from_json(col("value").cast("string"), schema).alias("event")).select("event.*"),
        "track": track(topic, order_by=["partition", "offset"]).outcomes,
    }
    found = defaultdict[str, list[float]](list)
    for round_ in range(rounds + 1):  # in the first one everything warms up
        for name, df in frames.items():
            begun = time.monotonic()
            query = df.writeStream.format("noop").trigger(availableNow=True)
            query.option("checkpointLocation", str(folder / f"{name}-{round_}")).start().awaitTermination()
            if round_ > 0:
                found[name].append(count / (time.monotonic() - begun))
                print(f"Spark, {name}: {found[name][-1]:8,.0f} deliveries a second", flush=True)
    spark.stop()
    return statistics.median(found["track"]) / statistics.median(found["from_json"])


def main() -> int:
    """Measure, print, and return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=4, help="of each load")
    parser.add_argument("--deliveries", type=int, default=200_000, help="that Spark reads")
    parser.add_argument("--partitions", type=int, default=1, help="of the topic; a broker flushes each by itself")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=Path("build"), help="where deliveries are written")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name).absolute()
        (folder / "secret").write_text("c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\n")
        broker = Broker(folder / "broker", memory="512m")
        with broker.running():
            os.environ |= {
                "KAFKA": broker.servers,
                "TOPIC": broker.create("received", options.partitions),
                "BANKHOOK_VERIFY": f"{folder}/secret",
            }
            part = received(folder, options.seconds, options.rounds)
            os.environ["TOPIC"] = broker.create("followed", options.partitions)
            fill(folder, options.deliveries)
            tracked = followed(folder, options.deliveries, options.rounds)
    met = [
        bar("of the receiver on SQLite", part, 0.5, at_least=True),
        bar("of Spark's own from_json with the same schema", tracked, 0.5, at_least=True),
    ]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
