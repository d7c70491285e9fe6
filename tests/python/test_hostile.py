# SPDX-License-Identifier: MIT
"""Every public function, given what it does not expect, raises an exception of a sensible class that holds no value."""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

import bankhook
from python.hostile import HEAVY, SECRET, Mischief, hostile_values, public_functions

FUNCTIONS = public_functions()
SENSIBLE = (TypeError, ValueError, OSError, LookupError, MemoryError, RecursionError, NotImplementedError)
LIGHT = sorted(hostile_values().keys() - HEAVY)
LONGEST = 1500
TEXTS = {"empty text", "text", "half a pair", "zero in text", "huge text", "lying text"}
BUFFERS = {"empty bytes", "bytes", "huge bytes", "brackets", "names", "bytearray", "wide view"}
WHOLE = {"enumerator"}  # an int by its class
NOTHING = {"empty text", "empty bytes", "empty list"}  # to a loop
ABOUT_ANYTHING = {"__eq__", "__contains__", "__deepcopy__", "count", "index", "__format__"}

# What a function does accept, by the first part of its name that fits.
TAKEN: list[tuple[str, Iterable[str]]] = [
    ("diagnose", TEXTS | BUFFERS),
    ("is_clean", TEXTS | BUFFERS),
    ("diagnose_lines", BUFFERS),
    ("explain", NOTHING),
    ("parse_lines", BUFFERS),
    # Opened when a table is read.
    ("tables", BUFFERS | {"closed map", "empty list", "folder", "lying names", "lying text", "text file"}),
    ("ParsedLines", ()),
    ("json_schema", {"class"}),
    ("fields", {"class"}),
    ("JointAccounts().canonical", TEXTS),
    ("JointAccounts().key", TEXTS),
    ("JointAccounts().same", TEXTS),
    ("JointAccounts", NOTHING),
    ("Outcome().became", {"lying text"}),
    ("Tracker().consents_ending_before", {"naive"}),
    ("Tracker().transactions", TEXTS | {"None"}),
    ("Tracker().connections", TEXTS | {"None"}),
    ("Tracker().apply_lines", BUFFERS | {"None", "true"}),
    ("Tracker()._", {"dict", "lying names", "in itself"}),
    ("Tracker().", TEXTS),
    ("Tracker", {"true"}),
    ("Sandbox().deliveries", WHOLE | {"None"}),
    ("Sandbox", WHOLE | {"None"}),
    ("Handlers", {"None"}),
    ("Park", TEXTS),
    ("Lifecycle().allowed", {"None"}),
    ("testing.strategies.", {"None", "true"}),
]
# Validated elsewhere or made by Python itself: records and errors hold whatever they are made of.
RECORDS = (
    "BankhookError",
    "Faults",
    "Findings",
    "Validated",
    "Rejected",
    "Salvaged",
    "Tables",
    "Timeline",
    "ParseError",
    "MergeError",
    "SnapshotError",
    "SandboxError",
    "Mischief",
    "EventRoute",
)


def is_left_to_python(name: str, function: Callable[..., Any]) -> bool:
    """Methods of str, int and tuple, and classes whose constructors Python makes."""
    owner = type(getattr(function, "__self__", None))
    if issubclass(owner, tuple) and name.rpartition(".")[2] in dir(tuple):
        return True
    if isinstance(function, enum.EnumType) or name.startswith("Evidence()."):
        return True
    return any(left in name for left in RECORDS) or name.rpartition(".")[2] in ABOUT_ANYTHING


OURS = [name for name, function in FUNCTIONS.items() if not is_left_to_python(name, function)]


def ways(function: Callable[..., Any], value: object) -> Iterator[tuple[str, Callable[[], Any]]]:
    yield "alone", lambda: function(value)
    yield "twice", lambda: function(value, value)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return
    for parameter in parameters:
        if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            yield parameter.name, functools.partial(function, **{parameter.name: value})


def taken_by(name: str) -> Iterable[str]:
    return next((taken for part, taken in TAKEN if name.startswith(part)), ())


def faults_of(name: str, kind: str, way: str, call: Callable[[], Any]) -> Iterator[str]:
    """What is wrong with what a call comes to."""
    try:
        result = call()
        if hasattr(result, "__next__") or type(result).__name__ == "ParsedLines":
            for _, _ in zip(range(3), result, strict=False):
                pass
    except Mischief:
        return
    except Exception as error:
        said = str(error)
        if not isinstance(error, SENSIBLE):
            yield f"{kind} {way}: {type(error).__name__}: {said[:100]}"
        elif "Invoked with" in said:  # pybind11's own words, in which the arguments follow
            yield f"{kind} {way}: the arguments are shown"
        elif not said:
            yield f"{kind} {way}: {type(error).__name__} has no message"
        elif len(said) > LONGEST and not isinstance(error, OSError):  # the system's, with a name of a file
            yield f"{kind} {way}: {type(error).__name__} says {len(said)} characters"
        elif SECRET in said and not is_of_the_program(name, error):
            yield f"{kind} {way}: the value is in: {said[:200]}"
        return
    is_no_choice = kind == "None" and way.endswith("_lifecycle")
    if not is_no_choice and not is_flag(name, way) and kind not in taken_by(name):
        yield f"{kind} {way}: taken, and gave {type(result).__name__}"


def is_flag(name: str, way: str) -> bool:
    """Yes or no may be said by any object, as it may in an `if`; None stands for no choice."""
    return way in {"json", "over", "strict", "show_values"} or (way == "number" and "to_wire" in name)


def is_of_the_program(name: str, error: Exception) -> bool:
    """Names that a program writes or a system needs: files, paths of members, keywords, samples, annotations."""
    if isinstance(error, OSError) or "unexpected" in str(error) or "keyword" in str(error):
        return True
    return name.startswith(("select", "testing.samples.get", "integrations.msgspec.", "Sandbox"))


@pytest.mark.parametrize("name", OURS)
def test_what_is_not_expected_is_rejected(name: str) -> None:
    function = FUNCTIONS[name]
    faults = []
    for kind in LIGHT:
        for way, call in ways(function, hostile_values(kind)[kind]):
            faults += list(faults_of(name, kind, way, call))
    assert faults == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(HEAVY))
def test_what_is_huge_or_deep_is_rejected(kind: str) -> None:
    value = hostile_values(kind)[kind]
    faults = []
    for name in OURS:
        said = faults_of(name, kind, "alone", functools.partial(FUNCTIONS[name], value))
        faults += [f"{name}: {fault}" for fault in said]
    assert faults == []


def test_every_public_name_that_can_be_called_is_walked() -> None:
    names = {"parse", "Account().replace", "Tracker().merge", "Selector().__call__"}
    names |= {"testing.samples.get", "testing.strategies.events"}
    assert names <= FUNCTIONS.keys()


def test_what_the_hash_of_a_name_raises_comes_through() -> None:
    class Name(str):
        """A name whose hash fails once it is in a dict."""

        fails = False

        def __hash__(self) -> int:
            if self.fails:
                raise KeyboardInterrupt
            return super().__hash__()

    name = Name("id")
    given: dict[str, Any] = {name: "acc-1", "account_hash": None}
    name.fails = True
    with pytest.raises(KeyboardInterrupt):
        bankhook.Account(**given)
