# SPDX-License-Identifier: MIT
"""The results of a tracker: outcomes and changes."""

from __future__ import annotations

import datetime
from decimal import Decimal
from operator import methodcaller
from typing import TYPE_CHECKING, Any, TypeAlias

from bankhook._records.display import html, pretty
from bankhook._records.errors import check_type
from bankhook._records.findings import Finding, Rule
from bankhook._records.record import Record
from bankhook._records.transitions import Transition

if TYPE_CHECKING:
    from bankhook._core import ChangeKind, ChangeSubject, Tracker, Verdict

ChangeValue: TypeAlias = str | int | Decimal | datetime.date | datetime.datetime | None
"""A value before or after a change; None if it is null, absent, or was not tracked before."""


class Change(Record):
    """One thing that an event changes, or that differs between two trackers."""

    kind: ChangeKind
    """How it changes."""
    subject: ChangeSubject
    """What it is that changes."""
    id: str
    """The id of the member, connection, account or transaction that changes."""
    parent_id: str | None
    """The id of an account's connection, or of a connection's or a transaction's member; None for a member."""
    field: str | None
    """Wire name of the field that differs, like `consentExpiresAt`; `status` for an added or missing transaction; None if
    a whole object is added or removed."""
    before: ChangeValue
    """The tracked value of this field; None if it has no value."""
    after: ChangeValue
    """The value of this field in the event, or in the other tracker; None if it has no value."""
    first_event_missing: bool
    """True for the first event of a connection or transaction that is no create or created: that was lost or is late."""
    before_wire: str | None = None
    """`before` as written on the wire, digit by digit: `2026-03-01 10:11:18.5465`."""
    after_wire: str | None = None
    """`after` as written on the wire."""
    label: str = ""
    """What it is called, for people and for counting: `connection_added`, `error_raised`, `transaction_status_changed`."""
    raises_error: bool = False
    """Whether a connection thereby has an `errorCode` or an `errorMessage` that it did not have."""
    status_reached: str | None = None
    """The status that a transaction thereby has and did not have, added with it or changed to it; None for other changes."""

    _repr_html_ = html


class Outcome(Record):
    """What an event means for the tracked state."""

    verdict: Verdict
    """SPECIFIED or ASSUMED: as expected; UNSPECIFIED: nothing is known about it (a repeat, a `create` that comes late, a value
    that is not listed), or it takes away or changes what another event reported; CONTRADICTS: the event breaks a stated
    rule within itself."""
    reason: Rule | Transition[str, str] | None
    """The rule, or the row of a lifecycle, that the verdict rests on."""
    accepted: bool
    """Whether the event was applied: false if a row of the lifecycle says never, as for a late `create` or `created`, or if
    `status` and `eventType` differ; nothing of it is taken then. Of one that is applied, its list and counts are not taken
    if they may be old, nor what a `create` says otherwise than a list."""
    repeat: bool
    """Whether the event contains nothing new about its key, and changes nothing else."""
    seen_before: bool
    """Whether this very event, its customer included, is one of the last eight different ones accepted for its key: a redelivery,
    or the same news again. If it changes something, it is at best UNSPECIFIED."""
    changes: tuple[Change, ...]
    """What the event changed; empty if it is a repeat or is not accepted."""
    findings: tuple[Finding, ...]
    """The rules that the event breaks, those between its fields and that its values are listed, as `check` gives them, without
    places."""

    def became(self, status: str, /) -> bool:
        """Return whether the event's transaction now has this status and did not before.

        True if the transaction was added with the status or changed to it; false for a repeat or a late event that is not
        applied. It is true again if the transaction left the status meanwhile: for what must happen only once, keep a key
        of your own.

        Parameters
        ----------
        status : str
            A status of a transaction.

        Returns
        -------
        bool
            Whether this event led to it.

        Examples
        --------
        >>> import bankhook
        >>> tracker, sandbox = bankhook.Tracker(), bankhook.Sandbox(1, members=1)
        >>> event = sandbox.send_initial_transaction(sandbox.member(0))
        >>> tracker.apply(event).became("created"), tracker.apply(event).became("created")
        (True, False)

        Raises TypeError if the status is not a text, and ValueError if it is not listed and no change is from it or to it.
        """
        check_type("Outcome.became", status, str)
        if any(one.status_reached == status for one in self.changes):
            return True
        from bankhook._core import TransactionStatus  # the module is made of these records
        from bankhook._records.closest import refuse_status  # not needed by `import bankhook`

        if status not in [*TransactionStatus, *(one.before for one in self.changes)]:
            refuse_status("Outcome.became: status", status)
        return False

    _repr_html_ = html

    _repr_pretty_ = pretty


def pickled(tracker: Tracker) -> tuple[Any, ...]:
    """Return what a pickle of a tracker calls: the snapshot has no tables, so these go with it."""
    connections, transactions = tracker.connection_lifecycle, tracker.transaction_lifecycle
    tables = {"connection_lifecycle": connections, "transaction_lifecycle": transactions}
    return methodcaller("restore", tracker.snapshot(), **tables), (type(tracker),)
