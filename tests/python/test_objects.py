# SPDX-License-Identifier: MIT
"""Records are what they claim to be, dataclasses, to libraries that take these apart, and to whoever asks for their types."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import json
import subprocess
import sys
import threading
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import bankhook
import bankhook.inbox  # pyright: ignore[reportUnusedImport]
import bankhook.testing  # pyright: ignore[reportUnusedImport]
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
ALL = """
import asyncio, datetime
import bankhook.testing.samples
lifecycle, report, handlers = bankhook.transaction_lifecycle, bankhook.diagnose_lines(archive), bankhook.Handlers()
applied = bankhook.Tracker().apply_lines(archive, report="specified")
records += [report, applied, *applied.outcomes, *applied.verdict_counts, *tracker.diff(bankhook.Tracker())]
records += [lifecycle, lifecycle.step(None, "submitted"), *lifecycle.final_states]
records += [bankhook.sandbox.Faults(), *(one.fault for one in deliveries if one.fault)]
records += [tracker.timeline(one.customer.id) for one in parsed if not isinstance(one, bankhook.UnknownEvent)]
records += [bankhook.inbox.salvage(b"{}"), bankhook.inbox.Query(), bankhook.inbox.Query(states=["pending"])]
records += [bankhook.inbox._records.IdQuery(id="m1")]  # which the page asks
contexts = []
handlers.fallback(name="seen")(lambda event, context: contexts.append(context))
records += [handlers.handle(event) for event in parsed]
async def stored():
    made = [bankhook.inbox.examine(one.payload, headers={"a": "b"}) for one in deliveries]
    async with bankhook.inbox.open(path) as inbox:
        await inbox.append(made)
        await inbox.drain(handlers)
        found, age = [one async for one in inbox.find()], datetime.timedelta()
        asked = [*await inbox.cases(), *await inbox.dead_letters(), *await inbox.open_since(age)]
        return [*made, *found, *asked, await inbox.reprocess(handlers, name="again")]
validated = bankhook.Handlers()
validated.on_validated(name="credit")(lambda event: None)
replayed = bankhook.testing.replay(validated, kill_at=[2])
records += [*asyncio.run(stored()), *contexts, replayed, *replayed.calls, *bankhook.testing.samples.all()]
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


def by_class(path: Path) -> dict[type[Record], list[Any]]:
    """Records of every class, made as users get them."""
    scope: dict[str, Any] = {"path": path}
    exec(SAMPLES + ALL, scope)
    made: dict[type[Record], list[Any]] = {}
    for one in scope["records"]:
        made.setdefault(type(one), []).append(one)
    of_users = {cls for cls in records() if not cls.__name__.startswith("_") and cls.__module__.startswith("bankhook")}
    assert of_users - {Record} == {*made}
    return made


def test_lists_of_every_record_are_taken_by_libraries_of_data_frames_and_of_json(tmp_path: Path) -> None:
    msgspec, orjson, pandas = map(pytest.importorskip, ("msgspec", "orjson", "pandas"))
    polars, pyarrow, pydantic = map(pytest.importorskip, ("polars", "pyarrow", "pydantic"))
    for cls, ones in by_class(tmp_path / "inbox.db").items():
        names = list(cls.__match_args__)
        dicts = [one.to_dict() for one in ones]
        assert [list(one) for one in map(dataclasses.asdict, ones)] == [list(one) for one in dicts] == [names] * len(ones)
        text = json.dumps(dicts, default=str)
        assert len(orjson.loads(orjson.dumps(dicts, default=str))) == len(ones)
        msgspec.json.encode(ones, enc_hook=str)
        assert all(pydantic.TypeAdapter(cls).dump_python(one) for one in ones[:5])
        assert pandas.DataFrame(ones).shape == (len(ones), len(names))
        frame = polars.DataFrame(json.loads(text), strict=False, infer_schema_length=None)
        assert (frame.columns, len(frame)) == (names, len(ones))
        assert pyarrow.table(frame).num_rows == len(ones)


def test_flat_records_are_taken_by_polars_and_pyarrow_directly() -> None:
    polars, pyarrow = map(pytest.importorskip, ("polars", "pyarrow"))
    sandbox = bankhook.Sandbox(1, members=1)
    outcome = bankhook.Tracker().apply(sandbox.create_connection(sandbox.member(0)))
    findings = bankhook.diagnose(b'{"event":"initial_transaction_update"}')
    for ones in (findings, outcome.changes, bankhook.rules, sandbox.choices, bankhook.fields(bankhook.Account)):
        frame = polars.DataFrame(list(ones))
        assert (frame.columns, len(frame)) == (list(ones[0].__match_args__), len(ones))
        assert pyarrow.Table.from_pylist([one.to_dict() for one in ones]).num_rows == len(ones)


def test_events_of_other_names_are_null_in_the_dict_of_a_report_as_in_json() -> None:
    report = bankhook.diagnose_lines(b'{"event": "another"}')
    assert (report.events[None], report.to_dict()["events"]["null"]) == (1, 1)


def test_the_types_of_every_public_function_are_found() -> None:
    for one in public_classes():
        for name, found in vars(one).items():
            function = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
            if isinstance(function, types.FunctionType) and not name.startswith("_"):
                typing.get_type_hints(function)
