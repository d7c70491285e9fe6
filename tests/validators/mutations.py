# SPDX-License-Identifier: MIT
"""Payloads with something changed in them: what a fixed seed makes of an event, as a value and not as a text."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random
from typing import Any

__all__ = ["mutated"]

# Something of every kind, and texts that are nearly right somewhere.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2.5, -0.01, "", "text", [], {}, [None], {"id": "1"}),
    *("create", "created", "validated", "rejected", "deleted", "Created", "purchaseNotFound", "bankConsentExpired"),
    *("initial_transaction_update", "bank_connections_update_v2", "bank_connections_update_v3"),
    *("2024-02-29", "2023-02-29", "1900-02-29", "2000-02-29", "2026-04-31", "2026-00-10", "2026-13-01"),
    *("2026-03-01 09:30:00.0000", "2026-03-01 09:30:00", "2026-03-01 24:00:00.0", "2026-02-30 09:30:00.1"),
    *("2026-03-01T09:30:00Z", "2026-03-01T09:30:00.5+0200", "2026-03-01T09:30:00-02", "2026-03-01T09:30:00+24:00"),
    *("2026-03-01T09:30:60Z", "2026-03-01T09:30:00", "2026-03-01t09:30:00z", "2026-02-29T09:30:00Z"),
)
CHARACTERS = "0123456789-:.TZ+ xé"


def mutated(payload: bytes, random: Random) -> bytes:
    """The payload with one to three changes, members kept in their order."""
    value = json.loads(payload)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        value = _changed(value, random)
    return json.dumps(value, ensure_ascii=False).encode()


def _changed(value: Any, random: Random) -> Any:
    """`value` with one change somewhere within."""
    places = list(_places(value))
    if not places:
        return deepcopy(random.choice(VALUES))
    holder, key = random.choice(places)
    match random.randrange(6):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[random.choice(("more", "placeId", "storeName", "connectionsOn"))] = deepcopy(random.choice(VALUES))
        case 2 | 3 if isinstance(holder[key], str):
            holder[key] = _misspelt(holder[key], random)
        case _:
            holder[key] = deepcopy(random.choice(VALUES))
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every member and every element within, as what holds it and its name or index."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [(value, key) for key in keys] + [place for key in keys for place in _places(value[key])]


def _misspelt(text: str, random: Random) -> str:
    """With one character exchanged, left out or put in."""
    at = random.randrange(len(text) + 1)
    put_in, left_out = random.choice(("", *CHARACTERS)), random.randrange(2)
    return f"{text[:at]}{put_in}{text[at + left_out :]}"
