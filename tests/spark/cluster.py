# SPDX-License-Identifier: MIT
"""A cluster on this machine, of two executors that are processes of their own, and how one of them is killed in its work."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import DataFrame, SparkSession

__all__ = ["PARTITIONS", "killing", "started"]

PARTITIONS = 2
CLUSTER = "local-cluster[2,1,1024]"  # two workers, each with one core and 1024 MB


@contextlib.contextmanager
def started(folder: Path, **options: object) -> Generator[SparkSession]:
    """A session whose files all lie in this folder."""
    tests = str(Path(__file__).parents[1])
    os.environ["SPARK_LOCAL_HOSTNAME"] = os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    (folder / "log4j2.properties").write_text("rootLogger.level = off\n")
    java = f"-Dlog4j2.configurationFile={folder}/log4j2.properties -Dderby.system.home={folder}"
    settings = {
        "spark.driver.extraJavaOptions": java,
        "spark.executor.extraJavaOptions": java,
        "spark.executor.memory": "512m",
        "spark.executorEnv.PYTHONPATH": tests,
        "spark.executorEnv.SPARK_LOCAL_HOSTNAME": "127.0.0.1",
        "spark.local.dir": f"{folder}/local",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": PARTITIONS,
        "spark.sql.warehouse.dir": f"{folder}/tables",
        "spark.ui.enabled": False,
        "spark.ui.showConsoleProgress": False,
        **options,
    }
    builder = SparkSession.builder.master(CLUSTER).appName("bankhook")
    for name, value in settings.items():
        builder = builder.config(name, str(value))
    spark = builder.getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()


def killing(df: DataFrame, mark: Path, *, batch: int) -> DataFrame:
    """The same rows, but the first task that gets to this batch kills its executor (`kill -9`), and makes this file."""
    return df.mapInArrow(partial(_killed_once, mark=str(mark), at=batch), df.schema)


def _killed_once(batches: Iterator[pa.RecordBatch], mark: str, at: int) -> Iterator[pa.RecordBatch]:
    for number, batch in enumerate(batches):
        if number == at:
            with contextlib.suppress(FileExistsError):
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
                os.kill(
                    _parent(os.getppid()), signal.SIGKILL
                )  # that of the process that all Python workers are forked from
        yield batch


def _parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
