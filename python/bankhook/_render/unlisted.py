# SPDX-License-Identifier: MIT
"""Findings without the names of unlisted fields: a sender chooses them, so they may be personal as values are."""

from __future__ import annotations

import re
from functools import cache

from bankhook import _core
from bankhook._records.findings import Finding

_WORD = re.compile(r'[^\s{}\[\]:,"·…]+')


def path_without_unlisted(finding: Finding) -> str:
    """Return the path of a finding with `[…]` for each field that the specification does not list."""
    names = _listed()
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" if step in names else "[…]" for step in finding.steps)
    return "$" + "".join(steps)


def masked(excerpt: str) -> str:
    """Return a redacted line of a payload with dots for each word that is no listed name, as long as it was."""
    names = _listed() | {"null", "true", "false"}
    return _WORD.sub(lambda word: word[0] if word[0] in names else "·" * len(word[0]), excerpt)


@cache
def _listed() -> frozenset[str]:
    """Return the wire names of all fields of payloads."""
    classes = [getattr(_core, name) for name in _core.asyncapi()["components"]["schemas"]]
    return frozenset(field.wire_name for cls in classes for field in _core.fields(cls))
