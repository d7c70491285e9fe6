# SPDX-License-Identifier: MIT
"""The options of commands that make a sandbox: its seed, its size, its faults, its choices."""

from __future__ import annotations

import datetime
import re
from typing import TYPE_CHECKING, ClassVar

import click
from click.shell_completion import CompletionItem

import bankhook
from bankhook._records.closest import did_you_mean

__all__ = ["Duration", "Pair", "faults", "members", "seed", "shares_of"]

if TYPE_CHECKING:
    _ParamType = click.ParamType[tuple[str, str]]
    _DurationType = click.ParamType[datetime.timedelta]
else:
    _ParamType = _DurationType = click.ParamType  # generic from click 8.4 on


class Pair(_ParamType):
    """`name=value`; the shell completes the names."""

    name = "name=value"

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def convert(
        self, value: str | tuple[str, str], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Return the name and the text after the equals sign."""
        if isinstance(value, tuple):
            return value
        name, equals, text = value.partition("=")
        expected = f"expected {self.name.upper()}; {self.name.partition('=')[0].upper()} is one of {', '.join(self._names)}"
        if not equals:
            self.fail(f"{expected}; there is no `=` in {value!r}", param, ctx)
        if name not in self._names:
            self.fail(f"there is no {name!r}{did_you_mean(name, self._names) or f'; {expected}'}", param, ctx)
        return name, text

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Offer the names."""
        names = (f"{name}=" for name in self._names)
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


class _Shares(Pair):
    """`kind=rate`, or a rate for all kinds."""

    name = "kind=rate"

    def convert(
        self, value: str | tuple[str, str], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        if isinstance(value, str) and "=" not in value:
            value = ("", value)
        name, rate = super().convert(value, param, ctx)
        try:
            is_share = 0 <= float(rate) <= 1
        except ValueError:
            is_share = False
        if not is_share:
            self.fail("expected a rate from 0 to 1", param, ctx)
        return name, rate


class Duration(_DurationType):
    """A number and its unit: `250ms`, `10s`, `15m`, `6h`, `2d`."""

    name = "time"
    _UNITS: ClassVar = {"ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours", "d": "days"}

    def convert(
        self, value: str | datetime.timedelta, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime.timedelta:
        """Return the time; what is not a number with a unit is wrong usage."""
        if isinstance(value, datetime.timedelta):
            return value
        written = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|s|m|h|d)", value)
        if written is None:
            self.fail("expected a number and a unit: 250ms, 10s, 15m, 6h, 2d", param, ctx)
        try:
            return datetime.timedelta(**{self._UNITS[written[2]]: float(written[1])})
        except OverflowError:
            self.fail("expected at most 24d", param, ctx)


seed = click.option(
    "--seed",
    default=0,
    type=click.IntRange(0, 2**64 - 1),
    show_default=True,
    metavar="N",
    help="The same seed gives the same bytes everywhere.",
)
members = click.option(
    "--members",
    default=100,
    type=click.IntRange(1, 2**32 - 1),
    show_default=True,
    metavar="N",
    help="How many members the programmes have.",
)
faults = click.option(
    "--faults",
    multiple=True,
    metavar="KIND=RATE",
    type=_Shares(bankhook.sandbox.Faults.__match_args__),
    help=f"The share of events with a fault, 0 to 1; repeatable. KIND: {', '.join(bankhook.sandbox.Faults.__match_args__)}; "
    "a rate alone applies to each of them.",
)


def shares_of(faults: tuple[tuple[str, str], ...]) -> bankhook.sandbox.Faults:
    """Return the shares of all kinds; of a kind that is given twice, the last one counts."""
    shares = bankhook.sandbox.Faults()
    for kind, rate in faults:
        kinds = (kind,) if kind else bankhook.sandbox.Faults.__match_args__
        shares = shares.replace(**dict.fromkeys(kinds, float(rate)))
    if shares == bankhook.sandbox.Faults(drop=1.0):
        raise click.BadParameter("drop=1 delivers nothing, ever", param_hint="--faults")
    return shares
