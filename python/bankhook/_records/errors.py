# SPDX-License-Identifier: MIT
"""The errors that the library raises for payloads, snapshots, merges and sandboxes."""

from __future__ import annotations

from bankhook._records.display import html
from bankhook._records.findings import Finding, Findings

__all__ = ["BankhookError", "MergeError", "ParseError", "SandboxError", "SnapshotError"]


class BankhookError(ValueError):
    """The base of all errors of the library; wrong types raise TypeError and unreadable files OSError, as usual."""


class ParseError(BankhookError):
    """A payload that is not an event; its arguments are the message, the finding that rejects it, and all findings."""

    @property
    def findings(self) -> Findings:
        """Everything that is wrong, in the payload's order, as `diagnose` returns it."""
        return Findings(self.args[2:])

    @property
    def finding(self) -> Finding:
        """The first finding for which the payload is rejected; the error's path and offset are its own.

        Raises AttributeError if the error was made without findings.
        """
        if (finding := self._first()) is None:
            raise AttributeError("ParseError.finding: the error was made without findings")
        return finding

    @property
    def path(self) -> str:
        """Where the error is, like `$.connection.accounts[2].id`; `$`, the payload itself, without findings."""
        finding = self._first()
        return "$" if finding is None else finding.path

    @property
    def offset(self) -> int | None:
        """Bytes from the start of the payload; None if there is no payload."""
        finding = self._first()
        return None if finding is None else finding.offset

    @property
    def line(self) -> int | None:
        """Counted from 1; None if there is no payload."""
        finding = self._first()
        return None if finding is None else finding.line

    @property
    def column(self) -> int | None:
        """Characters from the start of the line, counted from 1; None if there is no payload."""
        finding = self._first()
        return None if finding is None else finding.column

    def _first(self) -> Finding | None:
        return self.args[1] if len(self.args) > 1 and isinstance(self.args[1], Finding) else None

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

    def _repr_html_(self) -> str:
        return html(self)


class SnapshotError(BankhookError):
    """Bytes that are not a snapshot of a tracker, are damaged, or have an unknown version."""


class MergeError(BankhookError):
    """Two trackers with a key in common; nothing was merged."""


class SandboxError(BankhookError):
    """An operation that is not possible now; nothing was changed.

    Its arguments are the sentence and the code.
    """

    @property
    def code(self) -> str:
        """The reason in one word: `transaction_is_processed`."""
        return str(self.args[1])

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


for _class in (BankhookError, MergeError, ParseError, SandboxError, SnapshotError):
    _class.__module__ = "bankhook"
