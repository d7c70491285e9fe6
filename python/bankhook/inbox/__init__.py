# SPDX-License-Identifier: MIT
"""Inboxes: deliveries stored before they are acknowledged, and handled afterwards; needs `bankhook[inbox]`."""

from __future__ import annotations

from bankhook._core import salvage
from bankhook._records.salvaged import Salvaged
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._appender import Appender, appender
from bankhook.inbox._examination import examine
from bankhook.inbox._open import open
from bankhook.inbox._protocol import DeliveryStore, Inbox, InboxError, InUse, OutOfOrder, TooLarge
from bankhook.inbox._records import Case, CaseKind, DeadLetters, Overdue, Query, Reprocessed

__all__ = [
    "Appender",
    "Case",
    "CaseKind",
    "DeadLetters",
    "Delivery",
    "DeliveryState",
    "DeliveryStore",
    "InUse",
    "Inbox",
    "InboxError",
    "OutOfOrder",
    "Overdue",
    "Query",
    "Reprocessed",
    "Salvaged",
    "TooLarge",
    "appender",
    "examine",
    "open",
    "salvage",
]

for _name in set(__all__) - {"Salvaged", "salvage"}:
    globals()[_name].__module__ = __name__

__dir__ = __all__.copy
