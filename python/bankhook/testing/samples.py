# SPDX-License-Identifier: MIT
"""Payloads for testing a consumer from its first day: valid, rule-breaking and invalid ones, each with its expected findings.

Each sample belongs to exactly one group: `valid()`, `rule_breaking()`, `invalid()`. A handler should take every one of
the first two without an exception, and put the last aside, because they are not events:

    @pytest.mark.parametrize("sample", samples.invalid(), ids=str)
    def test_an_invalid_payload_goes_to_quarantine(sample: samples.Sample) -> None:
        assert handle(sample.payload) == "quarantined"

All ids, names and hashes in them are made up. These are the payloads that bankhook itself is tested with.
"""

from __future__ import annotations

import functools

from bankhook._core import UnknownEvent, diagnose, parse
from bankhook._payloads import payload_folder, payloads
from bankhook._records.closest import did_you_mean
from bankhook._records.errors import ParseError
from bankhook._records.findings import Finding
from bankhook._records.record import Record

__all__ = ["Sample", "all", "archive", "get", "invalid", "rule_breaking", "valid"]


class Sample(Record):
    """One payload and its expected findings; its `str` is its name."""

    name: str
    """What is particular about it, like `transaction_created`."""
    payload: bytes
    """The bytes as they would be received."""
    event: str | None
    """The name of the event; None if `parse` rejects the payload."""
    event_type: str | None
    """The type of the event; None if `parse` rejects the payload or the event is not listed."""
    findings: tuple[Finding, ...]
    """What `diagnose` returns, in the payload's order."""

    def __str__(self) -> str:
        return self.name


def valid() -> tuple[Sample, ...]:
    """Return the samples that are events of the specification without findings, by name.

    Returns
    -------
    tuple[Sample, ...]
        Each has an `event`.

    Examples
    --------
    >>> from bankhook.testing import samples
    >>> any(sample.findings for sample in samples.valid())
    False
    """
    return tuple(sample for sample in all() if sample.event is not None and not sample.findings)


def rule_breaking() -> tuple[Sample, ...]:
    """Return the samples that are events but break a rule, or have a name or value that is not listed, by name.

    `findings[0].evidence` is the evidence for the rule: some are stated, some seen only in an example, some assumed.

    Returns
    -------
    tuple[Sample, ...]
        Each has an `event` and `findings`.

    Examples
    --------
    >>> from bankhook.testing import samples
    >>> all(sample.event and sample.findings for sample in samples.rule_breaking())
    True
    """
    return tuple(sample for sample in all() if sample.event is not None and sample.findings)


def invalid() -> tuple[Sample, ...]:
    """Return the samples that are not events: `parse` rejects them; by name.

    Returns
    -------
    tuple[Sample, ...]
        Their `event` is None.

    Examples
    --------
    >>> from bankhook.testing import samples
    >>> {sample.event for sample in samples.invalid()}
    {None}
    """
    return tuple(sample for sample in all() if sample.event is None)


@functools.cache
def all() -> tuple[Sample, ...]:
    """Return every sample: the valid, the rule-breaking and the invalid ones, each group by name; read once.

    Returns
    -------
    tuple[Sample, ...]
        The valid ones first.

    Examples
    --------
    >>> from bankhook.testing import samples
    >>> samples.all() == samples.valid() + samples.rule_breaking() + samples.invalid()
    True
    """
    samples = [_sample(file, payload) for file, payload in payloads().items()]
    return tuple(sorted(samples, key=lambda sample: (sample.event is None, bool(sample.findings), sample.name)))


def get(name: str) -> Sample:
    """Return the sample of this name.

    Parameters
    ----------
    name : str
        The `name` of a sample.

    Returns
    -------
    Sample
        The sample.

    Raises
    ------
    KeyError
        With the closest name, if there is no such sample.

    Examples
    --------
    >>> from bankhook.testing import samples
    >>> samples.get("transaction_validated").event_type
    'validated'
    """
    named = {sample.name: sample for sample in all()}
    if name not in named:
        hint = did_you_mean(str(name), named) or "; bankhook.testing.samples.all() lists them"
        raise KeyError(f"no sample is called {str(name)[:80]!r}{hint}")
    return named[name]


def archive() -> bytes:
    """Return a small archive with one payload per line (NDJSON), good and bad ones.

    Returns
    -------
    bytes
        What `parse_lines` and the command take.

    Examples
    --------
    >>> import bankhook
    >>> from bankhook.testing import samples
    >>> bankhook.diagnose_lines(samples.archive()).lines > 0
    True
    """
    return (payload_folder() / "archive.ndjson").read_bytes()


def _sample(file: str, payload: bytes) -> Sample:
    name, findings = file.partition("/")[2].removesuffix(".json"), diagnose(payload)
    try:
        event = parse(payload)
    except ParseError:
        return Sample(name, payload, None, None, (*findings,))
    event_type = None if isinstance(event, UnknownEvent) else str(event.event_type)
    return Sample(name, payload, event.event, event_type, (*findings,))


__dir__ = __all__.copy
