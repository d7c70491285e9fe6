# SPDX-License-Identifier: MIT
"""Arguments that no public function should have to expect, and what of the package can be called with them."""

from __future__ import annotations

import datetime
import enum
import inspect
import io
import mmap
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import bankhook
from bankhook.testing import samples, strategies

__all__ = ["HEAVY", "SECRET", "Mischief", "hostile_values", "public_functions"]

SECRET = "s3cr3t"
"""In all texts and names of values here: no message may hold it."""


class Mischief(Exception):
    """What hostile objects raise; it may pass through unchanged."""


def _raise(*_: object, **__: object) -> Any:
    raise Mischief


class Raising:
    """Whatever it is asked for, it raises."""

    __eq__ = __ne__ = __lt__ = __bool__ = __index__ = __int__ = __float__ = __len__ = _raise
    __iter__ = __next__ = __getitem__ = __contains__ = __call__ = __enter__ = __exit__ = __reversed__ = _raise
    __fspath__ = __str__ = __repr__ = __format__ = __bytes__ = __hash__ = __reduce_ex__ = __length_hint__ = _raise
    __buffer__ = __getattr__ = __copy__ = __deepcopy__ = __complex__ = _raise


class Lying:
    """It gives what nobody can use."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __len__(self) -> int:
        return sys.maxsize

    def __getitem__(self, key: object) -> object:
        return self

    def __iter__(self) -> Iterator[object]:
        return iter([self, self])

    def keys(self) -> object:
        return 5

    def read(self, size: int = -1) -> object:
        return self

    def __index__(self) -> Any:
        return SECRET

    def __fspath__(self) -> Any:
        return 5

    def __call__(self, *_: object, **__: object) -> object:
        return self


class LyingText(str):
    """A str that is equal to all and prints as another."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True

    def __str__(self) -> str:
        return SECRET


class EmptyingMapping(Mapping[str, object]):
    """Its keys have no values."""

    def __getitem__(self, key: object) -> object:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(["id", "event"])

    def __len__(self) -> int:
        return 2


class Number(enum.IntEnum):
    """An int by its class."""

    ONE = 1


def _generator() -> Iterator[object]:
    yield 1
    raise Mischief


def _closed_map() -> mmap.mmap:
    mapped = mmap.mmap(-1, 16)
    mapped.close()
    return mapped


def _closed_file() -> io.BufferedReader:
    file = Path(__file__).open("rb")
    file.close()
    return file


def _released() -> memoryview:
    view = memoryview(SECRET.encode())
    view.release()
    return view


def _nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


def _in_itself() -> dict[str, Any]:
    loop: dict[str, Any] = {"event": SECRET}
    loop["connection"] = loop["customer"] = [loop]
    return loop


_VALUES: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "object": lambda: object(),
    "class": lambda: bankhook.Account,
    "module": lambda: sys,
    "ellipsis": lambda: ...,
    "absent": lambda: bankhook.ABSENT,
    "true": lambda: True,
    "int": lambda: -1,
    "wide int": lambda: 2**64,
    "huge int": lambda: 10**5000,
    "float": lambda: 1.5,
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "complex": lambda: 1j,
    "decimal": lambda: Decimal("1.5"),
    "decimal nan": lambda: Decimal("sNaN"),
    "decimal infinity": lambda: Decimal("-Infinity"),
    "decimal exponent": lambda: Decimal("1E+999999"),
    "date": lambda: datetime.date.min,
    "naive": lambda: datetime.datetime.max,
    "aware": lambda: datetime.datetime.min.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=23, seconds=1))),
    "empty text": lambda: "",
    "text": lambda: SECRET,
    "half a pair": lambda: f"{SECRET}\ud800",
    "zero in text": lambda: f"{SECRET}\0",
    "huge text": lambda: SECRET * 500_000,
    "lying text": lambda: LyingText(SECRET),
    "enumerator": lambda: Number.ONE,
    "empty bytes": lambda: b"",
    "bytes": lambda: SECRET.encode(),
    "huge bytes": lambda: SECRET.encode() * 500_000,
    "brackets": lambda: b"[" * 3_000_000,
    "names": lambda: b'{"a":' * 500_000,
    "bytearray": lambda: bytearray(SECRET.encode()),
    "released view": lambda: _released(),
    "wide view": lambda: memoryview(b"12345678").cast("d"),
    "closed map": lambda: _closed_map(),
    "closed file": lambda: _closed_file(),
    "text file": lambda: io.StringIO(SECRET),
    "folder": lambda: Path(tempfile.gettempdir()),
    "empty list": list,
    "list": lambda: [SECRET, 1, None],
    "huge list": lambda: [SECRET] * 1_000_000,
    "nested list": lambda: _nested(100_000),
    "dict": lambda: {SECRET: SECRET, 1: SECRET},
    "lying names": lambda: {LyingText("id"): 1, "id": 2},
    "emptying mapping": lambda: EmptyingMapping(),
    "in itself": lambda: _in_itself(),
    "set": lambda: {SECRET},
    "generator": lambda: _generator(),
    "function": lambda: _raise,
    "raising": lambda: Raising(),
    "lying": lambda: Lying(),
    "exception": lambda: Mischief(SECRET),
}
HEAVY = {"huge int", "huge text", "huge bytes", "brackets", "names", "huge list", "nested list"}
"""Those that take time to look at."""


def hostile_values(*names: str) -> dict[str, Any]:
    """Those of these names, or all, each made again; by what they are called in reports."""
    return {name: _VALUES[name]() for name in names or _VALUES}


def public_functions() -> dict[str, Callable[..., Any]]:
    """All that can be called by its public name: functions, classes, and methods of an object of each class."""
    import bankhook.integrations.cattrs
    import bankhook.integrations.fastapi
    import bankhook.integrations.pydantic

    adapters: list[ModuleType] = [
        bankhook.integrations.cattrs,
        bankhook.integrations.fastapi,
        bankhook.integrations.pydantic,
    ]
    found: dict[str, Callable[..., Any]] = {}
    for module in (bankhook, bankhook.types, bankhook.sandbox, samples, strategies, *adapters):
        for name in module.__all__:
            item = getattr(module, name)
            if callable(item):
                found[re.sub(r"^bankhook\.((types|sandbox)\.)?", "", f"{module.__name__}.{name}")] = item
    for item in _objects():
        for name, member in inspect.getmembers(type(item)):
            is_its_own = hasattr(item, name)  # and not of the class of its class
            if callable(member) and is_its_own and (not name.startswith("_") or name in _SPECIAL):
                found[f"{type(item).__name__}().{name}"] = getattr(item, name)
    return found


_SPECIAL = {"__replace__", "__eq__", "__contains__", "__getitem__", "__call__", "__deepcopy__", "__format__"}


def _objects() -> Iterator[Any]:
    """An object of every public class that has methods of its own."""
    from python.parsed import one_of_each

    yield from one_of_each()
    sandbox = bankhook.Sandbox(members=1)
    yield from (sandbox, next(sandbox.deliveries()), bankhook.Tracker(), bankhook.JointAccounts())
    yield bankhook.select("event")
    yield from (bankhook.transaction_lifecycle, bankhook.transaction_lifecycle.transitions[0], bankhook.rules[0])
    yield from (bankhook.diagnose(b""), bankhook.diagnose(b"")[0], bankhook.parse_lines(b""))
    yield from (bankhook.Evidence.STATED, bankhook.ABSENT)
    tracker = bankhook.Tracker()
    outcome = tracker.apply(sandbox.create_connection(sandbox.member(0)))
    yield from (outcome, outcome.changes[0], tracker.timeline(sandbox.member(0).id), samples.valid()[0])
