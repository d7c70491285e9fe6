# SPDX-License-Identifier: MIT
"""The one table of colours: a status or a state has the same hue in every view; evidence has none, but a line style.

The hues differ in lightness too, so that nobody has to tell red from green, and each has a contrast of at least 3:1 with
white and with black.
"""

from __future__ import annotations

from collections.abc import Mapping

_TABLE: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "good": ("#00916a", ("updated", "validated", "connected")),
    "bad": ("#d55e00", ("rejected", "in error")),
    "new": ("#3b82f6", ("create", "created", "connected, no accounts yet")),
    "warn": ("#a87900", ("unlisted", "only listed", "other status")),
    "gone": ("#7f828c", ("delete", "deleted")),
}
HUES: Mapping[str, str] = {hue: colour for hue, (colour, _) in _TABLE.items()}
"""The hues by what they mean."""
INK = "#757780"
"""Texts and lines of a picture that stands alone and does not know its background: at least 4.4:1 with white and with black."""

_HUE_OF = {state: hue for hue, (_, states) in _TABLE.items() for state in states}


def hue_of(state: str) -> str:
    """Return the name of the hue of a status, a state or an event type; `plain` for another word."""
    return _HUE_OF.get(state, "plain")
