# SPDX-License-Identifier: MIT
"""What an outcome means to people: cases that a person should look at, and transactions that are open or no longer are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from bankhook._core import AnyEvent, ChangeKind, Evidence, TransactionStatus
from bankhook._records.tracking import Change, Outcome
from bankhook.inbox._examination import about
from bankhook.inbox._records import CaseKind

__all__ = ["NewCase", "new_cases", "reopened"]

NewCase: TypeAlias = tuple[CaseKind, str | None, str]
"""The kind of a case, its field, and the id of the transaction or connection."""

ADDITIONS = (ChangeKind.CONNECTION_ADDED, ChangeKind.TRANSACTION_ADDED)
PROCESSED = (TransactionStatus.VALIDATED, TransactionStatus.REJECTED)


def new_cases(event: AnyEvent, outcome: Outcome, /) -> Iterator[NewCase]:
    """Yield the cases of an event. A repeat has none, since its cases were raised already."""
    for change in outcome.changes:
        if change.kind is ChangeKind.TRANSACTION_STATUS_CHANGED and change.before == TransactionStatus.VALIDATED:
            yield CaseKind.LEFT_VALIDATED, None, change.id
        elif change.kind is ChangeKind.TRANSACTION_CHANGED and not _comes_with_processing(change):
            yield CaseKind.DIFFERS_FROM_CREATED, change.field, change.id
        elif change.kind in ADDITIONS and change.first_event_missing:
            yield CaseKind.FIRST_EVENT_MISSING, None, change.id
    _, key = about(event)
    if key is not None and not outcome.repeat:
        for rule in dict.fromkeys(one.rule for one in outcome.findings if one.evidence is Evidence.STATED):
            yield CaseKind.FINDINGS_STATED, rule, key


def reopened(outcome: Outcome, /) -> dict[str, bool]:
    """Return the ids of the transactions whose status changed; True if they are neither validated nor rejected now."""
    return {change.id: change.after not in PROCESSED for change in outcome.changes if change.field == "status"}


def _comes_with_processing(change: Change) -> bool:
    """Whether the service sets the field when it processes a transaction (3.1): a reason, or the id of what was matched."""
    return change.field == "rejectionReason" or (change.field == "transactionId" and change.before is None)
