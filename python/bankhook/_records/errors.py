# SPDX-License-Identifier: MIT
"""The errors that the library raises for payloads, snapshots, merges and sandboxes, and for arguments that are wrong."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import wraps
from types import UnionType
from typing import ParamSpec, TypeVar

from bankhook._records.display import html
from bankhook._records.findings import Finding, Findings

_P = ParamSpec("_P")
_R = TypeVar("_R")


class BankhookError(Exception):
    """The base of all errors of the library; wrong types raise TypeError and unreadable files OSError, as usual."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class ParseError(BankhookError, ValueError):
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
        return getattr(self._first(), "path", "$")

    @property
    def offset(self) -> int | None:
        """Bytes from the start of the payload, or of the line of an archive on which it starts; None without a payload."""
        return getattr(self._first(), "offset", None)

    @property
    def line(self) -> int | None:
        """Counted from 1; None if there is no payload."""
        return getattr(self._first(), "line", None)

    @property
    def column(self) -> int | None:
        """Characters from the start of the line, counted from 1; None if there is no payload."""
        return getattr(self._first(), "column", None)

    def _first(self) -> Finding | None:
        return self.args[1] if len(self.args) > 1 and isinstance(self.args[1], Finding) else None

    _repr_html_ = html


class SnapshotError(BankhookError, ValueError):
    """Bytes that are not a snapshot of a tracker, are damaged, or have an unknown version."""


class MergeError(BankhookError, ValueError):
    """Two trackers with a key in common; nothing was merged."""


class SandboxError(BankhookError, ValueError):
    """An operation that is not possible now; nothing was changed.

    Its arguments are the sentence and the code.
    """

    @property
    def code(self) -> str:
        """The reason in one word: `transaction_is_processed`."""
        return str(self.args[1])


BankhookError.__module__ = ParseError.__module__ = "bankhook"
MergeError.__module__ = SnapshotError.__module__ = "bankhook.types"
SandboxError.__module__ = "bankhook.sandbox"


def wrong_type(name: str, expected: str, found: object) -> TypeError:
    """Return the error for an argument that is something else than expected."""
    return TypeError(f"{name}: expected {expected}, found {type(found).__name__}")


def check_type(name: str, value: object, type_: type | UnionType, expected: str = "") -> None:
    """Raise TypeError unless a value is of this type, which the error names in other words if they are given."""
    if not isinstance(value, type_):
        raise wrong_type(name, expected or getattr(type_, "__name__", ""), value)


def check_whole(name: str, value: object, least: int | None = None, most: int | None = None) -> None:
    """Raise TypeError unless a value is a whole number, which a bool is not, and ValueError unless it is in this range."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type(name, "int", value)
    if (least is not None and value < least) or (most is not None and value > most):
        raise ValueError(f"{name}: expected {least} {'or more' if most is None else f'to {most}'}, found {value}")


def check_time(name: str, time: object) -> None:
    """Raise TypeError or ValueError unless a value is a time with a zone."""
    if not isinstance(time, datetime.datetime):
        raise wrong_type(name, "an aware datetime", time)
    if time.utcoffset() is None:
        raise ValueError(f"{name}: expected an aware datetime, found one without a zone")
    try:
        time.astimezone(datetime.UTC)
    except OverflowError:
        raise ValueError(f"{name}: expected a time that has a year in UTC, 1 to 9999") from None


def suggest_keywords(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let the TypeError for an unknown keyword argument suggest the closest one, as CPython does only from 3.13 on."""
    code = function.__code__
    known = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]

    @wraps(function)
    def called(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        if any(name not in known for name in kwargs):
            from bankhook._records.closest import refuse_keywords  # not needed by `import bankhook`

            refuse_keywords(function.__qualname__, kwargs, known)
        return function(*args, **kwargs)

    return called
