# SPDX-License-Identifier: MIT
"""What reading an archive on a cluster costs, beside Spark's own `from_json` with the same schema: `./dev bench --spark`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import col, from_json
from pyspark.sql.types import StructType

import bankhook
from bankhook.spark import read

BAR = 2.0
KEYS = ("source", "block", "line", "eventIndex")
TABLES = ("initial_transaction_update", "bank_connections_update_v2")
SETTINGS: Mapping[str, object] = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.executor.memory": "512m",
    "spark.sql.session.timeZone": "UTC",
    "spark.ui.enabled": False,
    "spark.ui.showConsoleProgress": False,
}


def write(folder: Path, table: str, megabytes: int) -> int:
    """Write an archive of one event in four files, and return its size."""
    bodies = [one.payload for one in bankhook.Sandbox(seed=3, members=200).deliveries(20_000)]
    lines = b"".join(body + b"\n" for body in bodies if bankhook.parse(body).event == table)
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.ndjson").write_bytes(lines * max(1, megabytes * 250_000 // len(lines)))
    return sum(file.stat().st_size for file in folder.iterdir())


def processor_seconds() -> float:
    """What this process and all that it started have used: Spark's driver, the executors, and their Python workers."""
    parents, used = dict[int, int](), dict[int, int]()
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            facts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        parents[int(process)] = int(facts[1])
        used[int(process)] = sum(map(int, facts[11:15]))
    ours = {os.getpid()}
    while added := {process for process, parent in parents.items() if parent in ours} - ours:
        ours |= added
    return sum(used.get(process, 0) for process in ours) / os.sysconf("SC_CLK_TCK")


def measured(frames: Mapping[str, DataFrame], rounds: int) -> dict[str, tuple[float, float]]:
    """Processor and wall time of each, the least of some rounds; in the first round everything warms up."""
    least = dict.fromkeys(frames, (float("inf"), float("inf")))
    for number in range(rounds + 1):
        for name, df in frames.items():
            used, begun = processor_seconds(), time.monotonic()
            df.write.format("noop").mode("overwrite").save()
            if number > 0:
                least[name] = min(least[name], (processor_seconds() - used, time.monotonic() - begun))
    return least


def compare(spark: SparkSession, folder: Path, table: str, megabytes: int, rounds: int) -> None:
    """Print what both take for an archive of one event."""
    size = write(folder, table, megabytes)
    ours: DataFrame = getattr(read(spark, str(folder)), table)
    schema = StructType([field for field in ours.schema if field.name not in KEYS])
    text = spark.read.text(str(folder))
    theirs = text.select(from_json(col("value"), schema).alias("event")).select("event.*")
    if ours.count() != theirs.count():
        raise SystemExit(f"{table}: the rows are not as many")
    found = measured({"bankhook": ours, "from_json": theirs, "the text alone": text}, rounds)
    print(f"{table}, {size / 1e6:.0f} MB")
    for name, (used, wall) in found.items():
        print(f"  {name:<15} {used:7.2f} s of processors {wall:7.2f} s {size / 1e6 / used:7.1f} MB a second of processor")
    ratio = found["from_json"][0] / found["bankhook"][0]
    print(f"  from_json takes {ratio:.2f} times the processor time; bar {BAR:g}: {'reached' if ratio >= BAR else 'missed'}")


def main() -> None:
    """Measure on two executors, each with one core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("benchmark")
    for name, value in SETTINGS.items():
        builder = builder.config(name, str(value))
    spark = builder.getOrCreate()
    try:
        with tempfile.TemporaryDirectory() as folder:
            for table in TABLES:
                compare(spark, Path(folder) / table, table, options.megabytes, options.rounds)
    finally:
        spark.stop()


main()
