# SPDX-License-Identifier: MIT
"""What may have been meant by a name that is not known, and the errors that say so."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import islice
from typing import NoReturn

_INDEX = re.compile(r"\[\d*\]")
_EXAMPLES = "; paths look like 'initialTransaction.amount', 'customer.connections[].id' or 'connection.accounts[0].id'"


def closest(given: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known name that is most similar to the given one; None if none is similar."""
    from difflib import get_close_matches  # takes a while to load, and only errors need it

    # To compare with more names takes longer than the answer is worth.
    return next(iter(get_close_matches(given[:200], islice(known, 10_000), 1, cutoff)), None)


def did_you_mean(given: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return `; did you mean 'check'?` with the closest name, or nothing if none is similar."""
    close = closest(given, known, cutoff)
    return f"; did you mean {close!r}?" if close else ""


def did_you_mean_one_of(given: str, known: Collection[str]) -> str:
    """Return the same, or all of the few known names if none is similar."""
    return did_you_mean(given, known) or f"; there are {', '.join(known) or 'none'}"


def did_you_mean_path(given: str, known: Iterable[str]) -> str:
    """Return the same for a path such as `customer.connections[0].id`, with its indexes: those of `known` are `[]`.

    A path that ends too early is continued, and one that only lacks its start gets it.
    """
    paths = list(known)
    bare = _INDEX.sub("[]", given)
    begun = [path for path in paths if path.startswith((f"{bare}.", f"{bare}["))]
    ended = [path for path in paths if path.endswith(f".{bare}")]
    close = next(iter(begun or ended), None) or closest(bare, paths)
    if close is None:
        return ""
    indexes = iter(_INDEX.findall(given))
    return f"; did you mean {_INDEX.sub(lambda _: next(indexes, '[]'), close)!r}?"


def refuse_keywords(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise TypeError if one of the given names is not known; those of parameters without a name are empty."""
    names = [name for name in known if name]
    for name in given:
        if name not in names:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r:.80}{did_you_mean(name, names)}")


def refuse_status(name: str, given: str) -> NoReturn:
    """Raise ValueError for a status that is not listed, and that nothing has."""
    from bankhook._core import TransactionStatus  # the module is made of these records

    listed = [status.value for status in TransactionStatus]
    raise ValueError(f"{name}: no transaction has this one, which is not listed{did_you_mean_one_of(given, listed)}")


def refuse_path(given: str, known: Iterable[str]) -> NoReturn:
    """Raise ValueError for a path of `select` that leads nowhere."""
    hint = did_you_mean_path(given, known) or _EXAMPLES
    raise ValueError(f"select(): {given!r:.200} leads to no text, number, date or listed value in any event{hint}")
