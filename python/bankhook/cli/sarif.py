# SPDX-License-Identifier: MIT
"""Findings as tools of continuous integration read them: a SARIF 2.1.0 log, and GitHub's workflow commands."""

from __future__ import annotations

import sys
import urllib.parse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bankhook
from bankhook.cli.terminal import dumped, say_json

if TYPE_CHECKING:
    from bankhook.types import Finding, Severity

_PLACES = {rule.id: number for number, rule in enumerate(bankhook.rules)}


class SarifLog:
    """A log that is printed while it grows: of a long archive, no result is kept in memory."""

    def __init__(self) -> None:
        self._has_results = False
        rules = [
            {
                "id": rule.id,
                "shortDescription": {"text": rule.sentence},
                "defaultConfiguration": {"level": str(rule.severity)},
                "properties": {"section": rule.section, "evidence": str(rule.evidence)},
            }
            for rule in bankhook.rules
        ]
        driver = {"name": "bankhook", "semanticVersion": bankhook.__version__, "rules": rules}
        run = dumped({"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": []})
        schema = "https://json.schemastore.org/sarif-2.1.0.json"
        sys.stdout.write(f'{{"$schema":"{schema}","version":"2.1.0","runs":[{run.removesuffix("]}")}\n')

    def add(self, made: dict[str, Any], message: str) -> None:
        """Print a result: a finding as a JSON object, and its message."""
        region = {"startLine": made["line"], **({} if made["column"] is None else {"startColumn": made["column"]})}
        file = made["file"]
        uri = Path(file).as_uri() if file.startswith("/") else urllib.parse.quote(file)
        result = {
            "ruleId": made["rule"],
            "ruleIndex": _PLACES[made["rule"]],
            "level": made["severity"],
            "message": {"text": f"{made['path']}: {message}"},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}],
        }
        sys.stdout.write("," if self._has_results else "")
        self._has_results = True
        say_json(result)

    def close(self, *, is_complete: bool) -> None:
        """Print the end, with whether all files were read to theirs."""
        sys.stdout.write("],")
        say_json(f'"invocations":[{dumped({"executionSuccessful": is_complete})}]}}]}}')


def annotation(finding: Finding, hint: str, file: str, line: int, column: int | None, severity: Severity) -> str:
    """Return the line by which a workflow on GitHub marks a place."""
    place = {"file": file, "line": str(line), "col": str(column or 1), "title": finding.rule}
    properties = ",".join(f"{name}={_escaped(value, ':,')}" for name, value in place.items())
    return f"::{severity} {properties}::{_escaped(f'{finding.path}: {finding.message}{hint}')}"


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(one):02X}" if one in "%\r\n" + more else one for one in text)
