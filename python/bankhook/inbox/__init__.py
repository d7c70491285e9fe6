# SPDX-License-Identifier: MIT
"""Inboxes: deliveries stored before they are acknowledged, and handled afterwards; needs `bankhook[inbox]`."""

from __future__ import annotations

from bankhook.inbox._examination import examine
from bankhook.inbox._open import open
from bankhook.inbox._protocol import Inbox, InboxError, InUse
from bankhook.inbox._records import Arrival, Case, CaseKind, DeadLetters, DeliveryState, Overdue, Query, StoredDelivery

__all__ = [
    "Arrival",
    "Case",
    "CaseKind",
    "DeadLetters",
    "DeliveryState",
    "InUse",
    "Inbox",
    "InboxError",
    "Overdue",
    "Query",
    "StoredDelivery",
    "examine",
    "open",
]
