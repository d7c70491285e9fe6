# SPDX-License-Identifier: MIT
"""What a handler is for: events of a class with named values, or what becomes of a transaction or connection."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import product
from operator import attrgetter
from typing import get_args

from bankhook import _core
from bankhook._core import AnyEvent, TransactionStatus, UnknownEvent
from bankhook._records.closest import did_you_mean_one_of
from bankhook._records.errors import check_type
from bankhook._records.tracking import Change

EVENTS: tuple[type[AnyEvent], ...] = get_args(AnyEvent)


class Condition:
    """The events of one class whose named fields have one of the values given for them."""

    def __init__(self, event: type, wanted: dict[str, str | Collection[str]]) -> None:
        """Check that some event can meet it: TypeError or ValueError if none ever does."""
        if event not in EVENTS:
            names = ", ".join(cls.__name__ for cls in EVENTS)
            raise TypeError(f"expected a class of events ({names}), found {event!r}")
        known = enumerated(event)
        self.event = event
        self._getters: dict[str, Callable[[AnyEvent], object]] = {}
        self._values: dict[str, frozenset[str]] = {}
        for name, values in wanted.items():
            if name not in known:
                raise TypeError(
                    f"{event.__name__} has no enumerated field {name!r}{did_you_mean_one_of(name, sorted(known))}"
                )
            path, listed = known[name]
            self._getters[name] = attrgetter(".".join(path))
            self._values[name] = _checked(f"{event.__name__}, {name}", values, listed)

    def holds(self, event: AnyEvent) -> bool:
        """Whether the event is one of those."""
        return type(event) is self.event and all(get(event) in self._values[name] for name, get in self._getters.items())

    def is_covered_by(self, others: Collection[Condition]) -> bool:
        """Whether each event that meets this condition meets one of the others."""
        same = [other for other in others if other.event is self.event]
        combinations = (dict(zip(self._values, values, strict=True)) for values in product(*self._values.values()))
        return all(any(other._takes(combination) for other in same) for combination in combinations)

    def _takes(self, combination: dict[str, str]) -> bool:
        """Whether whatever has these values is taken; a field that is not among them may have a value not known yet."""
        return all(combination.get(name) in values for name, values in self._values.items())


def cover_all(conditions: Collection[Condition]) -> bool:
    """Whether every event meets one of these."""
    return all(Condition(event, {}).is_covered_by(conditions) for event in EVENTS)


def became(change: Change, status: TransactionStatus | None) -> bool:
    """Whether a transaction got this status; for None, whether a connection got an error."""
    return change.raises_error if status is None else change.status_reached == status


def enumerated(event: type) -> dict[str, tuple[tuple[str, ...], frozenset[str] | None]]:
    """The enumerated fields of an event and of the resources directly in it: where each is, and its listed values.

    The event's own come first, should a resource have a field of the same name. An unknown event has its name, of which no
    list is known.
    """
    if event is UnknownEvent:
        return {"event": (("event",), None)}
    found: dict[str, tuple[tuple[str, ...], frozenset[str] | None]] = {}
    for field in _core.fields(event):
        inner = getattr(_core, field.type, None)
        for one in _core.fields(inner) if isinstance(inner, type) else ():
            if one.values:
                found.setdefault(one.name, ((field.name, one.name), frozenset(one.values)))
    return found | {field.name: ((field.name,), frozenset(field.values)) for field in _core.fields(event) if field.values}


def _checked(where: str, values: str | Collection[str], listed: frozenset[str] | None) -> frozenset[str]:
    """The values as a set, each of them listed."""
    check_type(where, values, Collection, "str or a collection of str")
    wanted = frozenset((values,) if isinstance(values, str) else values)
    if not wanted:
        raise ValueError(f"{where}: expected at least one value")
    for value in wanted:
        check_type(where, value, str)
        if listed is None and value in _core._event_names:
            raise ValueError(f"{where}: {value} has a class of its own and is never an unknown event")
        if listed is not None and value not in listed:
            raise ValueError(f"{where}: {value!r} is not listed{did_you_mean_one_of(value, sorted(listed))}")
    return wanted
