# SPDX-License-Identifier: MIT
"""Wrong calls of whatever is public or bound, chosen at random: none shows an argument, and none ends the process."""

from __future__ import annotations

import enum
import random
from collections.abc import Callable
from typing import Any

import pytest

import bankhook
from bankhook import _core
from python.hostile import HEAVY, SECRET, hostile_values, public_functions

OBJECTS = [
    _core.JointAccountIds(),
    bankhook.Sandbox(1, members=1)._core,
    bankhook.Tracker(),
    _core._MemberState(bankhook.Tracker()),
    _core._read_archive(b"", None, None, False),
]
_METHODS = {
    f"{type(owner).__name__}.{name}": function
    for owner in OBJECTS
    for name, function in vars(type(owner)).items()
    if callable(function) and name != "__new__"
}
_FUNCTIONS = {name: function for name, function in vars(_core).items() if type(function) is type(_core._cells)}
BOUND: dict[str, Callable[..., Any]] = {**_METHODS, **_FUNCTIONS}
CALLABLES: dict[str, Callable[..., Any]] = {**public_functions(), **BOUND}
ENUMS = {name for name, function in CALLABLES.items() if isinstance(function, enum.EnumType)}
# What Python itself makes says what it was given; inboxes and receivers name files and addresses.
LEFT = ("__", "inbox.", "receiver.", "testing.", "integrations.", "spark.", "cli", "Faults", "explain", "select")


@pytest.mark.parametrize("seed", range(5))
def test_a_wrong_call_shows_no_argument(seed: int) -> None:
    chosen = random.Random(seed)
    names = sorted(name for name in CALLABLES.keys() - ENUMS if not any(left in name for left in LEFT))
    kinds = sorted(hostile_values().keys() - HEAVY)
    for _ in range(200):
        name = chosen.choice(sorted(BOUND) if chosen.random() < 0.5 else names)
        values = [hostile_values(kind)[kind] for kind in chosen.choices(kinds, k=chosen.randrange(5))]
        if chosen.random() < 0.3:
            values.insert(0, chosen.choice(OBJECTS))
        keywords = dict.fromkeys(chosen.sample(["status_from", "over", "a", "�"], chosen.randrange(2)), SECRET)
        try:
            CALLABLES[name](*values, **keywords)
        except Exception as error:
            assert SECRET not in str(error), name
            assert "Invoked with" not in str(error), name
            assert not isinstance(error, SystemError), name
