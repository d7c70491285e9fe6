# SPDX-License-Identifier: MIT
"""The options of commands that make a sandbox: its seed, its size, its faults."""

from __future__ import annotations

import collections
import datetime
import re

import bankhook
from bankhook._sandbox._arguments import KINDS, shares_of as checked_shares
from bankhook.cli.options import Parsed, Whole, option

_UNITS = {"ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def _shares(text: str) -> dict[str, float]:
    """`kind=rate`, or a rate for all kinds."""
    kind, _, rate = text.rpartition("=")
    try:
        shares = dict.fromkeys((kind,) if kind else KINDS, float(rate))
        if not 0 <= float(rate) <= 1:
            raise ValueError
    except ValueError:
        raise ValueError("expected a rate from 0 to 1, or KIND=RATE") from None
    checked_shares(shares)
    return shares


def _duration(text: str) -> datetime.timedelta:
    """A number and its unit."""
    written = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|s|m|h|d)", text)
    if written is None:
        raise ValueError("expected a number and a unit: 250ms, 10s, 15m, 6h, 2d")
    return datetime.timedelta(**{_UNITS[written[2]]: float(written[1])})


DURATION = Parsed("time", _duration)

seed = option("--seed", "The same seed gives the same bytes everywhere.", Whole(0, 2**64 - 1), 0)
members = option("--members", "How many members the programmes have.", Whole(1, 2**32 - 1), 100)
faults = option(
    "--faults",
    f"The share of events with a fault, 0 to 1; repeatable. KIND: {', '.join(KINDS)}; a rate alone applies to each of them.",
    Parsed("kind=rate", _shares, (f"{kind}=" for kind in KINDS)),
    multiple=True,
)


def shares_of(faults: tuple[dict[str, float], ...]) -> bankhook.sandbox.Faults:
    """Return the shares of all kinds; of a kind that is given twice, the last one counts."""
    return bankhook.sandbox.Faults(**dict(collections.ChainMap(*reversed(faults))))
