# SPDX-License-Identifier: MIT
"""Checks of what a receiver is made with: a mistake is an error at once, and not with each delivery."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any, cast

from bankhook._handlers import Handlers
from bankhook._records.errors import check_whole, wrong_type
from bankhook.inbox import DeliveryStore

BESIDE = ("/healthz", "/readyz", "/metrics")


def check_types(**given: Any) -> None:
    """Raise TypeError for what has the wrong type."""
    for name, value in given.items():
        is_right, what = _EXPECTED[name]
        if not is_right(value):
            raise wrong_type(name, what, value)


def _is_of_texts(values: object) -> bool:
    if not isinstance(values, Collection) or isinstance(values, str | bytes):
        return False
    return all(isinstance(one, str) for one in cast("Collection[object]", values))


_EXPECTED: dict[str, tuple[Callable[[Any], bool], str]] = {
    "inbox": (lambda one: isinstance(one, DeliveryStore), "what bankhook.inbox.open returns, or another DeliveryStore"),
    "path": (lambda one: isinstance(one, str), "a text"),
    "handlers": (lambda one: one is None or isinstance(one, Handlers), "bankhook.Handlers"),
    "headers": (_is_of_texts, "a collection of names"),
    "trusted_proxies": (_is_of_texts, "a collection of addresses"),
    "unpack": (lambda one: isinstance(one, bool), "True or False"),
    "on_stored": (lambda one: one is None or callable(one), "a function"),
}


def check_values(path: str, answer_invalid: object, limits: object, timeout: object, **numbers: object) -> None:
    """Raise TypeError or ValueError for a path, an answer or a number that cannot work."""
    _check_path(path)
    if not path.startswith("/") or path in BESIDE:
        raise ValueError(f"path: expected a path that starts with / and is not one of {', '.join(BESIDE)}")
    if answer_invalid not in (204, 422):
        raise ValueError(f"answer_invalid: expected 204 or 422, found {answer_invalid!r}")
    if limits not in (None, "elsewhere"):
        raise ValueError(f'limits: expected None or "elsewhere", found {limits!r}')
    if isinstance(timeout, bool) or not isinstance(timeout, int | float):
        raise wrong_type("timeout", "seconds", timeout)
    if not timeout > 0:
        raise ValueError("timeout: expected a positive number")
    for name, number in numbers.items():
        check_whole(name, number, 1)
    if numbers["max_total"] < numbers["max_body"]:  # type: ignore[operator]  # both are whole by now
        raise ValueError("max_total: expected max_body or more, or the largest bodies would always be answered with 503")


def _check_path(path: str) -> None:
    """Raise ValueError for a path that no request has, once it is decoded: one with a query, say, or with a line end."""
    if path != path.strip() or not path.isprintable():
        raise ValueError("path: it ends with a blank or a line end, or has a character that is not printed")
    if re.search(r"[?#]|%[0-9A-Fa-f]{2}|/\.\.?(/|$)", path) is not None:
        raise ValueError("path: expected no query, no fragment, nothing that is percent-encoded, and no segment . or ..")
