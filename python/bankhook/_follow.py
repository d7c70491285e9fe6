# SPDX-License-Identifier: MIT
"""What a tracker answers: outcomes and changes, and the errors of snapshots and merges."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from bankhook._core import ChangeKind, Tracker, Verdict
    from bankhook._drawing import Printer
    from bankhook._lifecycles import Edge, Final
    from bankhook._values import Finding, Rule

__all__ = ["Change", "ChangeValue", "MergeError", "Outcome", "SnapshotError", "restore_tracker"]

ChangeValue: TypeAlias = str | int | Decimal | datetime.date | datetime.datetime | None
"""A value before or behind a change; None where there is none: null, absent, or not held before."""


class Change(NamedTuple):
    """One thing that is different once an event is taken."""

    kind: ChangeKind
    """What changes."""
    id: str
    """Of the member, connection, account or transaction that changes."""
    owner: str | None
    """An account's connection, a connection's or a transaction's member; a member has none."""
    member: str | None
    """Name on the wire of what is different, like `consentExpiresAt`; None where it is the whole."""
    before: ChangeValue
    """The value that is held; None where there is none."""
    after: ChangeValue
    """The value that the event brings; None where there is none."""
    first_event_missing: bool
    """For what is added: its create or created has not come, so it was missed or is late."""

    def _repr_html_(self) -> str:
        from bankhook._show import html

        return html(self)


class Outcome(NamedTuple):
    """What an event means for what is held."""

    verdict: Verdict
    """CONTRADICTS: the event, or its coming now, is not as the specification says; UNSPECIFIED: that is left open."""
    basis: Rule | Edge[str, str] | Final[str] | None
    """The rule, or the row of a lifecycle, that the verdict rests on."""
    repeat: bool
    """The event says nothing that is not held: it is the last accepted one of its key once more."""
    accepted: bool
    """Whether the tracker holds what the event says: false if a row of the lifecycle says that it never comes now."""
    changes: tuple[Change, ...]
    """What is different once the event is taken; empty for a repeat and for what is not accepted."""
    findings: tuple[Finding, ...]
    """The rules between its members that the event breaks, as `check` gives them, without places."""

    def _repr_html_(self) -> str:
        from bankhook._show import html

        return html(self)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        from bankhook._show import pretty

        pretty(self, printer)


class SnapshotError(ValueError):
    """Bytes that are no snapshot of a tracker, or not whole, or of a version that is not known."""


class MergeError(ValueError):
    """Two trackers that hold a key in common; nothing was merged."""


def restore_tracker(snapshot: bytes) -> Tracker:
    """What pickles of a tracker call."""
    from bankhook import _core

    return _core.Tracker.restore(snapshot)


for _class in (Change, MergeError, Outcome, SnapshotError):
    _class.__module__ = "bankhook"
