# SPDX-License-Identifier: MIT
"""The wire name of the map-provider place field: the specification shows a stand-in for it (2.4, Note)."""

from __future__ import annotations

import bankhook
from bankhook import _core

__all__ = ["place_id_name", "set_place_id_name"]


def set_place_id_name(name: str) -> None:
    """Give the map-provider place field its wire name, which the specification does not show (2.4, Note).

    From then on payloads, findings, schemas, changes and paths have this name, `placeId` is like any other unlisted
    field, and what 6.3 says about the field's presence is `stated` instead of `assumed`. In Python the field stays
    `InitialTransaction.place_id`.

    Call it once in each process, worker processes included, right after the import and before any payload is read,
    written, simulated or described. A `rules` that was imported from bankhook before the call keeps the old evidence.

    Parameters
    ----------
    name : str
        1 to 56 bytes of UTF-8 that JSON writes without escapes; no other field of an initial transaction may have it.

    Raises
    ------
    ValueError
        If the name does not meet these conditions.
    RuntimeError
        If the field already has another name, or names were already used.

    Examples
    --------
    >>> bankhook.set_place_id_name("mapPlaceId")
    >>> bankhook.place_id_name()
    'mapPlaceId'
    """
    _core._set_place_id_name(name)
    bankhook.rules = _core.rules = _core._rules_in_force()


def place_id_name() -> str:
    """Return the name of the map-provider place field in this process: `placeId` until another one is given."""
    return _core._place_id_name()


place_id_name.__module__ = set_place_id_name.__module__ = "bankhook"
