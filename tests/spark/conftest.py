# SPDX-License-Identifier: MIT
"""One cluster for the tests of Spark, because it takes a while to start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from installed import need_programs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session on two executors that take small batches."""
    from spark import cluster

    need_programs("java")
    folder: Path = tmp_path_factory.mktemp("spark")
    with cluster.started(folder, **{"spark.sql.execution.arrow.maxRecordsPerBatch": 20}) as session:
        yield session
