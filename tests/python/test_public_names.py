# SPDX-License-Identifier: MIT
"""What is public: the names that each public module lists, which say where they are found, and nothing else."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

import bankhook
from installed import need_packages

NEEDS = {"spark": "pyspark", "integrations.cattrs": "cattrs", "cli": "click"}
PUBLIC = (
    "types",
    "sandbox",
    "inbox",
    "receiver",
    "spark",
    "cli",
    *(f"integrations.{name}" for name in ("cattrs", "fastapi", "pydantic")),
    *("testing", "testing.pytest_plugin", "testing.samples", "testing.strategies"),
)


@pytest.mark.parametrize("name", ["", *PUBLIC])
def test_a_module_shows_its_names_and_they_say_that_they_are_there(name: str) -> None:
    if name in NEEDS:
        need_packages(NEEDS[name])
    module = importlib.import_module(f"bankhook.{name}".removesuffix("."))
    if name != "testing.pytest_plugin":  # pytest finds its hooks by dir()
        assert dir(module) == sorted(module.__all__)
    for one in module.__all__:
        item = getattr(module, one)
        if inspect.isclass(item) or inspect.isroutine(item):
            assert item.__module__ == module.__name__, one


def test_every_other_module_is_private() -> None:
    packages = [bankhook, *(importlib.import_module(f"bankhook.{name}") for name in ("integrations", "testing"))]
    names = {
        f"{package.__name__}.{one.name}".removeprefix("bankhook.")
        for package in packages
        for one in pkgutil.iter_modules(package.__path__)
    }
    assert {name for name in names if not name.rpartition(".")[2].startswith("_")} == {*PUBLIC, "integrations"}


def test_at_the_top_there_are_about_forty_names() -> None:
    assert len(bankhook.__all__) == 42
