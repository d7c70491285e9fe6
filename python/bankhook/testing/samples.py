# SPDX-License-Identifier: MIT
"""Payloads to try a consumer on from its first day: valid, rule-breaking and invalid ones, each with its expected findings.

Each sample belongs to exactly one group: `valid()`, `rule_breaking()`, `invalid()`. A handler should take every one of
the first two without an exception, and send the last to where a payload goes that is no event:

    @pytest.mark.parametrize("sample", samples.invalid(), ids=str)
    def test_an_invalid_payload_goes_to_quarantine(sample: samples.Sample) -> None:
        assert handle(sample.payload) == "quarantined"

All ids, names and hashes in them are made up. These are the payloads that bankhook itself is tested with.
"""

from __future__ import annotations

import csv
import functools
import importlib.resources
import pathlib
from typing import TYPE_CHECKING, Final

from bankhook._core import Evidence, Severity, UnknownEvent, parse
from bankhook._records.errors import ParseError
from bankhook._records.findings import Finding
from bankhook._records.record import Record

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

__all__ = ["Sample", "all", "archive", "get", "invalid", "rule_breaking", "valid"]

_FOLDERS: Final = ("valid", "broken_rules", "invalid")


class Sample(Record):
    """One payload and what is expected of it; as a string, its name."""

    name: str
    """Like `transaction_created`: what is particular about it."""
    payload: bytes
    """The bytes as they would be received."""
    event: str | None
    """The name of the event; None where `parse` refuses the payload."""
    event_type: str | None
    """The type of the event; None where `parse` refuses the payload, and for an event that is not listed."""
    findings: tuple[Finding, ...]
    """Exactly what `diagnose` has to say, in the payload's order."""

    def __str__(self) -> str:
        return self.name


def valid() -> tuple[Sample, ...]:
    """Those that are events of the specification, with nothing to find; by name."""
    return tuple(sample for sample in all() if sample.event is not None and not sample.findings)


def rule_breaking() -> tuple[Sample, ...]:
    """Those that are events but break a rule, or hold a name or value that the specification does not list; by name.

    What a rule rests on says `findings[0].evidence`: some are stated, some seen in an example only, some assumed.
    """
    return tuple(sample for sample in all() if sample.event is not None and sample.findings)


def invalid() -> tuple[Sample, ...]:
    """Those that are no event: `parse` refuses them; by name."""
    return tuple(sample for sample in all() if sample.event is None)


@functools.cache
def all() -> tuple[Sample, ...]:
    """Every sample: the valid ones, the rule-breaking ones, the invalid ones, each group by name; read once."""
    data = _data()
    findings = _findings(data)
    samples = [
        _sample(file, findings.get(f"{folder}/{file.name}", ()))
        for folder in _FOLDERS
        for file in (data / folder).iterdir()
        if file.name.endswith(".json")
    ]
    return tuple(sorted(samples, key=lambda sample: (sample.event is None, bool(sample.findings), sample.name)))


def get(name: str) -> Sample:
    """The sample of this name; KeyError, with the names that come close, where there is none."""
    named = {sample.name: sample for sample in all()}
    if name not in named:
        import difflib

        close = ", ".join(difflib.get_close_matches(str(name), named)) or "bankhook.testing.samples.all() lists them"
        raise KeyError(f"no sample is called {str(name)[:80]!r}; close: {close}")
    return named[name]


def archive() -> bytes:
    """A small archive of one payload a line (NDJSON), good lines and bad ones."""
    return (_data() / "archive.ndjson").read_bytes()


def _data() -> Traversable:
    """The payloads in the installed package, else those of the source tree that this file lies in."""
    installed = importlib.resources.files("bankhook") / "_samples"
    return installed if installed.is_dir() else pathlib.Path(__file__).resolve().parents[3] / "tests" / "data"


def _findings(data: Traversable) -> dict[str, tuple[Finding, ...]]:
    """The listed findings by file, `valid/unknown_event.json`; a file without findings is not listed."""
    found: dict[str, tuple[Finding, ...]] = {}
    lines = (data / "findings.tsv").read_text(encoding="utf-8").split("\n")
    for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
        found[row["file"]] = (*found.get(row["file"], ()), _finding(row))
    return found


def _finding(row: dict[str, str]) -> Finding:
    return Finding(
        rule=row["rule"],
        evidence=Evidence(row["evidence"]),
        section=row["section"],
        severity=Severity(row["severity"]),
        steps=_steps(row["steps"]),
        path=row["path"],
        offset=int(row["offset"]),
        line=int(row["line"]),
        column=int(row["column"]),
        expected=row["expected"],
        found=row["found"],
    )


def _steps(json: str) -> tuple[str | int, ...]:
    """The steps of a path from their JSON: an event that is not listed may hold any."""
    event = UnknownEvent(raw=b'{"event":"steps","steps":%s}' % json.encode())
    return tuple(event.to_wire()["steps"])


def _sample(file: Traversable, findings: tuple[Finding, ...]) -> Sample:
    name, payload = file.name.removesuffix(".json"), file.read_bytes()
    try:
        event = parse(payload)
    except ParseError:
        return Sample(name, payload, None, None, findings)
    event_type = None if isinstance(event, UnknownEvent) else str(event.event_type)
    return Sample(name, payload, event.event, event_type, findings)
