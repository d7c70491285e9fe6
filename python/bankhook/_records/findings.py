# SPDX-License-Identifier: MIT
"""The rules for payloads, and the findings about payloads that break them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, SupportsIndex, overload

from bankhook._records.display import html, pretty
from bankhook._records.record import Record

if TYPE_CHECKING:
    from bankhook._core import Evidence, Severity


class Rule(Record):
    """One rule of the catalogue, for a payload or for a stream of payloads."""

    id: str
    """A stable name: `status_equals_event_type`."""
    section: str
    """The section of the specification."""
    evidence: Evidence
    """What the rule rests on."""
    severity: Severity
    """`error` if parse rejects a payload that breaks the rule, else `warning`."""
    sentence: str
    """What the rule requires."""


class Finding(Record):
    """One thing that is wrong with a payload, and where; contains no value from the payload."""

    rule: str
    """The id of the rule that is broken."""
    evidence: Evidence
    """What the rule rests on."""
    section: str
    """The section of the specification."""
    severity: Severity
    """`error` if `parse` rejects the payload because of it, else `warning`."""
    steps: tuple[str | int, ...]
    """The path to the value: decoded names of fields, indices of elements; at most 32 steps, and 64 characters per name."""
    path: str
    """The path in the notation of RFC 9535, like `$.connection.accounts[2].id` or `$['a\\n']`; it is safe to print."""
    offset: int | None
    """Bytes from the start of the payload, its byte order mark included; None if there is no payload."""
    line: int | None
    """Counted from 1; None if there is no payload."""
    column: int | None
    """Characters from the start of the line, without a byte order mark, counted from 1; None if there is no payload."""
    expected: str
    """What was expected, like `string or null`."""
    found: str
    """What was found, like `number`: a kind, never a value."""

    @property
    def message(self) -> str:
        """What was expected and what was found, as a sentence: that of `explain`."""
        if self.found == "another field":
            return "unknown field"
        if self.expected == "the rest of the value":
            return "the payload ends inside this value (is it cut off?)"
        return f"expected {self.expected}, found {self.found}"

    _repr_html_ = html


class Findings(tuple[Finding, ...]):
    """Findings in the order of their payload: a tuple that a notebook shows with the payload and the marked places.

    It keeps the payload alive for that; slices, pickles and tuples made from it do not. Raises TypeError for other items.
    """

    _payload: bytes | None

    def __new__(cls, findings: Iterable[Finding] = (), payload: bytes | None = None, /) -> Findings:
        made = super().__new__(cls, findings)
        if not all(isinstance(finding, Finding) for finding in made):
            raise TypeError("Findings: expected objects of Finding")
        if not isinstance(payload, bytes | None):
            raise TypeError(f"Findings: expected the payload as bytes or None, found {type(payload).__name__}")
        made._payload = payload
        return made

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Finding: ...
    @overload
    def __getitem__(self, index: slice, /) -> Findings: ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> Finding | Findings:
        found = super().__getitem__(index)
        return Findings(found) if isinstance(found, tuple) else found

    def __copy__(self) -> Findings:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Findings:
        return self

    def __reduce__(self) -> tuple[type[Findings], tuple[tuple[Finding, ...]]]:
        return Findings, (tuple(self),)

    _repr_html_ = html

    _repr_pretty_ = pretty


Findings.__module__ = "bankhook.types"
