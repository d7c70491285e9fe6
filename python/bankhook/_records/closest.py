# SPDX-License-Identifier: MIT
"""What may have been meant by a name that is not known: the end of an error's message."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import wraps
from typing import ParamSpec, TypeVar

__all__ = ["closest", "did_you_mean", "did_you_mean_path", "suggest_keywords"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

_INDEX = re.compile(r"\[\d*\]")


def closest(given: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known name that is most similar to the given one; None if none is similar."""
    from difflib import get_close_matches  # takes a while to load, and only errors need it

    return next(iter(get_close_matches(given[:200], list(known), 1, cutoff)), None)


def did_you_mean(given: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Return `; did you mean 'check'?` with the closest name, or nothing if none is similar."""
    close = closest(given, known, cutoff)
    return f"; did you mean {close!r}?" if close else ""


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


def suggest_keywords(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Let the TypeError for an unknown keyword argument suggest the closest one, as CPython does only from 3.13 on."""
    code = function.__code__  # inspect takes a while to load
    known = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]

    @wraps(function)
    def called(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        for name in kwargs:
            if name not in known:
                suggestion = did_you_mean(name, known)
                raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument {name!r}{suggestion}")
        return function(*args, **kwargs)

    return called
