# SPDX-License-Identifier: MIT
"""The program of the guide that follows members: with the columns that people order by, and started again from its checkpoint."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bankhook
from docs.snippets import ROOT, snippets
from installed import need_programs
from spark import members

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ORDER = ["partition", "offset", "number", "line"]
SCHEMA = "value string, partition int, offset long, number long, line long"
pytestmark = [pytest.mark.jvm, pytest.mark.slow, pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning")]


def stored(path: Path, first: int, bodies: list[bytes]) -> None:
    """Write deliveries as a topic of one partition gives them, with the later ones first."""
    rows = [
        {"value": body.decode(errors="replace"), "partition": 0, "offset": first + at, "number": 7, "line": None}
        for at, body in enumerate(bodies)
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{json.dumps(row)}\n" for row in reversed(rows)))


def test_results_are_ordered_by_columns_of_any_name_and_have_them(spark: SparkSession, tmp_path: Path) -> None:
    from bankhook.spark import track

    stored(tmp_path / "deliveries" / "0.json", 0, members.HISTORY)
    tracked = track(spark.readStream.schema(SCHEMA).json(str(tmp_path / "deliveries")), order_by=ORDER)
    outcomes = members.run(tracked.outcomes, tmp_path / "state", tmp_path / "outcomes")
    quarantine = members.run(tracked.quarantine, tmp_path / "other", tmp_path / "quarantine")
    _, rows, rejected = members.expected()
    assert members.by_member(outcomes) == rows
    assert sorted(row.rule for row in quarantine) == sorted(rule for _, rule in rejected)
    places = sorted((row.partition, row.offset, row.number, row.line) for row in [*outcomes, *quarantine])
    assert places == [(0, at, 7, None) for at in range(len(members.HISTORY))]
    for row in quarantine:
        assert bankhook.diagnose(bytes(row.raw))[0].offset == row.findingOffset


@pytest.mark.parametrize("order", [["member"], ["Key"], ["rule"], ["offset", "OFFSET"], ["_payload"]])
def test_a_column_that_a_result_has_already_is_refused(spark: SparkSession, order: list[str]) -> None:
    from bankhook.spark import track

    frame = spark.createDataFrame([(b"", "")], f"value binary, {order[0]} string")
    with pytest.raises(ValueError, match=rf"order_by: the results have a column '{order[-1]}' already: rename it"):
        track(frame, order_by=order)


def test_the_program_of_the_guide_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    """Its source is files instead of a topic, and it ends when it has read what is there."""
    need_programs("java")
    pyspark = pytest.importorskip("pyspark.sql")
    (page,) = [one for one in snippets(ROOT / "docs/how-to/use_spark.md", "python") if one.file == "follow_members.py"]
    before, kafka = page.text.split("deliveries = (\n")
    program = f"{before}deliveries = spark.readStream.schema({SCHEMA!r}).json(sys.argv[1])\n" + kafka.split("\n)\n", 1)[1]
    each = "for query in spark.streams.active:\n    query.processAllAvailable()\n    query.stop()\n"
    assert "spark.streams.awaitAnyTermination()\n" in program
    (tmp_path / "program.py").write_text(program.replace("spark.streams.awaitAnyTermination()\n", each))
    shell = "--master local[2] --conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=2 pyspark-shell"
    environment = {
        **os.environ,
        "PYSPARK_SUBMIT_ARGS": shell,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }
    half = len(members.HISTORY) // 2
    for number, bodies in enumerate((members.HISTORY[:half], members.HISTORY[half:])):
        stored(tmp_path / "deliveries" / f"{number}.json", number * half, bodies)
        command = [sys.executable, "program.py", str(tmp_path / "deliveries"), str(tmp_path / "state")]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
    import pyarrow.dataset as dataset  # type: ignore[import-untyped]

    found = dataset.dataset(tmp_path / "state" / "outcomes.parquet", format="parquet", exclude_invalid_files=True)
    rows = [
        pyspark.Row(**row | {"changes": [pyspark.Row(**one) for one in row["changes"]]})
        for row in found.to_table().to_pylist()
    ]
    _, expected, _ = members.expected()
    assert members.by_member(rows) == expected
