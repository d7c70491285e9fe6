# SPDX-License-Identifier: MIT
"""The one table of colours: a status or a state has the same hue in every view; evidence has none, but a line style.

The hues differ in lightness too, so that nobody has to tell red from green, and each has a contrast of at least 3:1 with
white and with black.
"""

from __future__ import annotations

from collections.abc import Mapping

HUES: Mapping[str, str] = {
    "good": "#00916a",
    "bad": "#d55e00",
    "new": "#3b82f6",
    "warn": "#a87900",
    "gone": "#7f828c",
}
"""The hues by what they mean."""
INK = "#757780"
"""Texts and lines of a picture that stands alone and does not know its background: at least 4.4:1 with white and with black."""

_MEANINGS: Mapping[str, str] = {
    "create": "new",
    "created": "new",
    "connected, no accounts yet": "new",
    "updated": "good",
    "validated": "good",
    "connected": "good",
    "rejected": "bad",
    "in error": "bad",
    "delete": "gone",
    "deleted": "gone",
    "unlisted": "warn",
    "only listed": "warn",
    "other status": "warn",
}


def hue_of(state: str) -> str:
    """Return the name of the hue of a status, a state or an event type; `plain` for another word."""
    return _MEANINGS.get(state, "plain")
