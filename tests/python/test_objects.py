# SPDX-License-Identifier: MIT
"""Records are what they claim to be, dataclasses, to libraries that take these apart, and to whoever asks for their types."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import subprocess
import sys
import threading
import typing
from collections.abc import Iterator
from textwrap import dedent
from typing import Any

import pytest

import bankhook
from bankhook._records.record import LateFields, Record
from bankhook.types import Finding
from installed import missing

MODULES = ["bankhook", "bankhook.types", "bankhook.inbox", "bankhook.receiver", "bankhook.sandbox", "bankhook.testing"]


def public_classes() -> Iterator[type]:
    for name in MODULES:
        module = importlib.import_module(name)
        yield from (one for one in (getattr(module, name) for name in module.__all__) if isinstance(one, type))


def records() -> Iterator[type[Record]]:
    left: list[type[Record]] = [Record]
    while left:
        left += (one := left.pop()).__subclasses__()
        yield one


@pytest.mark.parametrize("cls", dict.fromkeys(public_classes()), ids=lambda cls: cls.__name__)
def test_the_types_of_every_public_class_are_found(cls: type) -> None:
    typing.get_type_hints(cls)


def test_fields_are_one_object_for_the_life_of_their_class_and_have_their_types_and_defaults() -> None:
    for cls in records():
        fields: Any = cls.__dataclass_fields__
        assert fields is cls.__dataclass_fields__
        types = typing.get_type_hints(cls)
        assert [(one.name, one.type) for one in dataclasses.fields(cls)] == [(n, types[n]) for n in cls.__match_args__]
        assert {one.name: one.default for one in fields.values() if one.default is not dataclasses.MISSING} == {
            name: default for name, default in cls._defaults.items() if name in cls.__match_args__
        }


def test_threads_that_ask_at_once_get_the_same_fields() -> None:
    class Late(Finding):
        more: NoSuchType = None  # type: ignore[name-defined]  # noqa: F821

    assert isinstance(vars(Late)["__dataclass_fields__"], LateFields)
    start, found = threading.Barrier(8), list[int]()

    def ask() -> None:
        start.wait()
        found.extend(id(Late.__dataclass_fields__) for _ in range(100))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) == {id(Late.__dataclass_fields__)}
    assert [one.name for one in dataclasses.fields(Late)][-1] == "more"


SAMPLES = """
import bankhook
sandbox, tracker = bankhook.Sandbox(1, members=2, faults=0.1), bankhook.Tracker()
deliveries = list(sandbox.deliveries(50))
archive = b"\\n".join(one.payload for one in deliveries)
parsed = bankhook.parse_lines(archive, on_error="collect")
outcomes = [tracker.apply(event) for event in parsed]
findings = bankhook.diagnose(b'{"event":"initial_transaction_update"}')
records = [*findings, *bankhook.rules, *deliveries, *outcomes, *sandbox.choices, *bankhook.fields(bankhook.Account)]
records += [*parsed.rejected, *bankhook.transaction_lifecycle.transitions, *bankhook.diagnose_lines(archive).unclean]
"""


@pytest.mark.parametrize(
    ("package", "use"),
    [
        ("orjson", "orjson.dumps(one, default=str)"),
        ("dataclasses", "dataclasses.asdict(one), dataclasses.astuple(one), dataclasses.replace(one)"),
        ("msgspec", "msgspec.json.encode(one, enc_hook=str), msgspec.to_builtins(one, enc_hook=str)"),
        ("cattrs", "cattrs.unstructure(one)"),
        ("pydantic", "adapters.setdefault(type(one), pydantic.TypeAdapter(type(one))).dump_python(one)"),
        ("pandas", "pandas.DataFrame([one]) if number % 50 == 0 else pandas.api.types.is_scalar(one)"),
    ],
)
def test_a_record_is_taken_apart_any_number_of_times(package: str, use: str) -> None:
    """In a process of its own: what is taken to live as long as a class, and does not, ends the process."""
    if importlib.util.find_spec(package) is None:
        missing(package)
    code = SAMPLES + dedent(f"""
        import {package}
        adapters = {{}}
        for number in range(10_000):
            one = records[number % len(records)]
            {use}
        """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_polars_takes_lists_of_records() -> None:
    polars = pytest.importorskip("polars")
    sandbox = bankhook.Sandbox(1, members=1)
    outcome = bankhook.Tracker().apply(sandbox.create_connection(sandbox.member(0)))
    findings = bankhook.diagnose(b'{"event":"initial_transaction_update"}')
    for records in (findings, outcome.changes, bankhook.rules, sandbox.choices, bankhook.fields(bankhook.Account)):
        frame = polars.DataFrame(list(records))
        assert (frame.columns, len(frame)) == (list(records[0].__match_args__), len(records))
