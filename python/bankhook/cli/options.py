# SPDX-License-Identifier: MIT
"""Arguments and options that several commands share."""

from __future__ import annotations

import math
import os
import re
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

import bankhook
from bankhook import _core
from bankhook._records.closest import did_you_mean
from bankhook.cli.terminal import complain

__all__ = ["EVENT", "ID", "STORED_RULE", "Choice", "NumberRange", "archives", "as_json", "at", "output", "show_values"]

if TYPE_CHECKING:
    _ParamType = click.ParamType[str]
else:
    _ParamType = click.ParamType  # generic from click 8.4 on


class _Id(_ParamType):
    """An id as it occurs in events: UTF-8, whatever the locale."""

    name = "id"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        try:
            return os.fsencode(value).decode()
        except UnicodeError:
            self.fail("expected an id in UTF-8", param, ctx)


class Choice(click.Choice):  # type: ignore[type-arg, unused-ignore]  # generic from click 8.2 on
    """One of some names; the error for another name suggests the closest one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            if close := did_you_mean(str(value), map(str, self.choices)):
                self.fail(f"there is no {value!r}{close}", param, ctx)
            raise error


class _Event(_Id):
    """The name of an event, which may be one that the specification does not list; the shell completes those that it lists."""

    name = "event"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Offer the names."""
        return [CompletionItem(name) for name in _core._event_names if name.startswith(incomplete)]


class _StoredRule(_ParamType):
    """The id of a rule for which an inbox stored a delivery: another version may have other rules than this one."""

    name = "rule"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in _RULES:
            return value
        if _RULE_ID.fullmatch(value) is None:
            self.fail("expected the id of a rule, such as text_is_utf8", param, ctx)
        if ctx is None or not ctx.resilient_parsing:
            complain(f"{value} is not a rule of this version{did_you_mean(value, _RULES)}")
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Offer the rules of this version."""
        return [CompletionItem(rule) for rule in _RULES if rule.startswith(incomplete)]


ID = _Id()
EVENT = _Event()
STORED_RULE = _StoredRule()
_RULES = [rule.id for rule in bankhook.rules]
_RULE_ID = re.compile(r"[a-z][a-z0-9_]{0,99}")


class NumberRange(click.FloatRange):
    """A number within bounds; what is not a number is within none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"expected a number, at least {self.min:g} and at most {self.max:g}", param, ctx)
        return number


FILE = click.Path(allow_dash=True, readable=False)
"""A file, or `-`. One that cannot be read is reported where it is read, and does not stop the others."""

archives = click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
at = click.option(
    "--at",
    metavar="PATH",
    help='The events are the values at this path: `body` for lines like {"headers": ..., "body": EVENT}.',
)
allow_empty = click.option("--allow-empty", is_flag=True, help="An archive without events is not an error.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line, for programs.")
show_values = click.option("--show-values", is_flag=True, help="Do not redact texts and numbers, which may be personal.")
output = click.option(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    type=FILE,
    help="Write to this file; `-`, the default, is standard output.",
)
