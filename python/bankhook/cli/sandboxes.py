# SPDX-License-Identifier: MIT
"""The options of commands that make a sandbox: its seed, its size, its faults, its choices."""

from __future__ import annotations

import datetime
import re

import click

import bankhook
from bankhook._records.closest import did_you_mean
from bankhook.cli.options import Parsed, option

__all__ = ["CHOICES", "DURATION", "faults", "members", "seed", "shares_of"]

_UNITS = {"ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_KINDS = bankhook.sandbox.Faults.__match_args__


def _pairs(form: str, names: tuple[str, ...]) -> Parsed[tuple[str, str]]:
    """Return the type of `name=value`; the shell completes the names."""
    expected = f"expected {form.upper()}; {form.partition('=')[0].upper()} is one of {', '.join(names)}"

    def parse(text: str) -> tuple[str, str]:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"{expected}; there is no `=` in {text!r}")
        if name not in names:
            raise ValueError(f"there is no {name!r}{did_you_mean(name, names) or f'; {expected}'}")
        return name, value

    return Parsed(form, parse, (f"{name}=" for name in names))


def _shares(text: str) -> tuple[str, str]:
    """`kind=rate`, or a rate for all kinds."""
    name, rate = _FAULTS.parse(text) if "=" in text else ("", text)
    try:
        is_share = 0 <= float(rate) <= 1
    except ValueError:
        is_share = False
    if not is_share:
        raise ValueError("expected a rate from 0 to 1")
    return name, rate


def _duration(text: str) -> datetime.timedelta:
    """A number and its unit."""
    written = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|s|m|h|d)", text)
    if written is None:
        raise ValueError("expected a number and a unit: 250ms, 10s, 15m, 6h, 2d")
    try:
        return datetime.timedelta(**{_UNITS[written[2]]: float(written[1])})
    except OverflowError:
        raise ValueError("expected at most 24d") from None


_FAULTS = _pairs("kind=rate", _KINDS)
CHOICES = _pairs("name=value", tuple(choice.name for choice in bankhook.Sandbox.choices))
DURATION = Parsed("time", _duration)

seed = option("--seed", "The same seed gives the same bytes everywhere.", click.IntRange(0, 2**64 - 1), 0)
members = option("--members", "How many members the programmes have.", click.IntRange(1, 2**32 - 1), 100)
faults = option(
    "--faults",
    f"The share of events with a fault, 0 to 1; repeatable. KIND: {', '.join(_KINDS)}; a rate alone applies to each of them.",
    Parsed("kind=rate", _shares, _FAULTS.offered),
    multiple=True,
)


def shares_of(faults: tuple[tuple[str, str], ...]) -> bankhook.sandbox.Faults:
    """Return the shares of all kinds; of a kind that is given twice, the last one counts."""
    shares = bankhook.sandbox.Faults()
    for kind, rate in faults:
        shares = shares.replace(**dict.fromkeys((kind,) if kind else _KINDS, float(rate)))
    if shares == bankhook.sandbox.Faults(drop=1.0):
        raise click.BadParameter("drop=1 delivers nothing, ever", param_hint="--faults")
    return shares
