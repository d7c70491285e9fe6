# SPDX-License-Identifier: MIT
"""What an outcome means to people: cases that a person should look at, and transactions that are open or no longer are.

An event that is applied raises its cases once, unless newer news came between it and the same event again: a repeat
contains nothing new, and what it says is tracked. One that is not applied leaves nothing there, so its case is all that
people see of it. While that is open, the same bytes again add nothing to it. If they come again after it was settled, their
sender still claims what is not tracked: that is a case again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from bankhook._core import (
    AnyEvent,
    ChangeKind,
    ChangeSubject,
    Evidence,
    InitialTransaction,
    InitialTransactionUpdate,
    TrackedTransaction,
    TransactionStatus,
    Verdict,
    fields,
)
from bankhook._records.tracking import Outcome
from bankhook.inbox._examination import about
from bankhook.inbox._records import CaseKind

NewCase: TypeAlias = tuple[CaseKind, str | None, str]
"""The kind of a case, its field, and the id of the transaction or connection."""

PROCESSED = (TransactionStatus.VALIDATED, TransactionStatus.REJECTED)
PROCESSING = ("rejectionReason", "transactionId")
"""Fields that the service sets when it processes a transaction (3.1): a reason, or the id of what was matched, if anything."""
STORE_NAMES = ("store_external_id", "place_id", "store_name")
STORE = [field.wire_name for field in fields(InitialTransaction) if field.name in STORE_NAMES]
"""Fields of the store: 2.4 says that no client identifier exists *yet*, so one may take the place of the others."""


def new_cases(event: AnyEvent, outcome: Outcome, held: TrackedTransaction | None = None, /) -> Iterator[NewCase]:
    """Yield the cases of an event. A repeat has none, since its cases were raised already.

    `held` is the tracked transaction, for an event of it that is not applied: what it says otherwise is a case, too. A step that
    a table of one's own expects is not a case.
    """
    is_expected = outcome.verdict in (Verdict.SPECIFIED, Verdict.ASSUMED)
    named = any(change.field == "storeExternalId" and change.before is None for change in outcome.changes)
    for change in outcome.changes:
        differs = change.kind is ChangeKind.CHANGED and change.subject is ChangeSubject.TRANSACTION
        if differs and change.status_reached is not None:
            if change.before in PROCESSED and not is_expected:
                left = change.before == TransactionStatus.VALIDATED
                yield CaseKind.LEFT_VALIDATED if left else CaseKind.LEFT_REJECTED, None, change.id
        elif differs and not (
            (change.field in PROCESSING and None in (change.before, change.after))
            or change.field == "rejectionReason"
            or (named and change.field in STORE)
        ):
            yield CaseKind.DIFFERS_FROM_CREATED, change.field, change.id
        elif change.first_event_missing and not is_expected:
            yield CaseKind.FIRST_EVENT_MISSING, None, change.id
    _, key = about(event)
    if key is not None and not outcome.repeat:
        for rule in dict.fromkeys(one.rule for one in outcome.findings if one.evidence is Evidence.STATED):
            yield CaseKind.FINDINGS_STATED, rule, key
    if isinstance(event, InitialTransactionUpdate) and held is not None and not outcome.accepted:
        said, known = event.initial_transaction, held.initial_transaction
        is_named = said.store_external_id is None and known.store_external_id is not None
        for field in fields(InitialTransaction):
            if field.name == "status" or field.wire_name in PROCESSING or (is_named and field.wire_name in STORE):
                continue
            if getattr(said, field.name) != getattr(known, field.name):
                yield CaseKind.DIFFERS_FROM_CREATED, field.wire_name, event.initial_transaction.id


def reopened(outcome: Outcome, /) -> dict[str, bool]:
    """Return the ids of the transactions that are open now, True, or no longer are: neither validated nor rejected."""
    reached = [change for change in outcome.changes if change.status_reached is not None]
    closed = [(change, change.before in (None, *PROCESSED), change.after in PROCESSED) for change in reached]
    return {change.id: not after for change, before, after in closed if before != after}


def adds_transaction(outcome: Outcome, /) -> bool:
    """Whether a transaction is tracked for the first time."""
    return any(one.subject is ChangeSubject.TRANSACTION and one.kind is ChangeKind.ADDED for one in outcome.changes)
