# SPDX-License-Identifier: MIT
"""The extras: each adapter needs its own libraries and no other adapter's, and the tests run with all of them."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from installed import need_packages

ADAPTERS = {"cattrs": {"cattrs"}, "fastapi": {"fastapi", "pydantic"}, "pydantic": {"pydantic"}}
LIBRARIES = set().union(*ADAPTERS.values())
PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))


def loaded_by(module: str) -> set[str]:
    """The libraries that importing a module loads, in an interpreter of its own."""
    code = f"import sys, {module}; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return {name.partition(".")[0] for name in said.split()} & LIBRARIES


@pytest.mark.slow
@pytest.mark.parametrize(("name", "libraries"), ADAPTERS.items())
def test_an_adapter_loads_its_libraries_and_no_others(name: str, libraries: set[str]) -> None:
    need_packages(*libraries)
    assert loaded_by(f"bankhook.integrations.{name}") == libraries


def test_the_package_itself_loads_none() -> None:
    assert loaded_by("bankhook") == set()


def test_every_adapter_is_an_extra_of_the_package() -> None:
    assert ADAPTERS.keys() <= set(importlib.metadata.metadata("bankhook").get_all("Provides-Extra") or ())


def test_the_extra_for_spark_brings_what_its_data_frames_import() -> None:
    need_packages("pyspark", "pandas")

    def names(requirements: list[str]) -> set[str]:
        return {re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in requirements}

    of_pyspark = [one for one in importlib.metadata.requires("pyspark") or [] if one.endswith('extra == "sql"')]
    of_pandas = [one for one in importlib.metadata.requires("pandas") or [] if "extra ==" not in one]
    ours = names(PROJECT["project"]["optional-dependencies"]["spark"])
    assert "pandas" in names(of_pyspark)
    assert names(of_pyspark) - names(of_pandas) <= ours


def test_all_tests_run_with_what_the_extras_ask_for() -> None:
    def packages(group: str) -> set[str]:
        listed = PROJECT["dependency-groups"][group]
        return set().union(*({one} if isinstance(one, str) else packages(one["include-group"]) for one in listed))

    extras = PROJECT["project"]["optional-dependencies"].values()
    assert {one for extra in extras for one in extra if not one.startswith("bankhook[")} <= packages("all")
