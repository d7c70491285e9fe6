# SPDX-License-Identifier: MIT
"""Checks of what a receiver is made with: a mistake is an error at once, and not with each delivery."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from bankhook._handlers import Handlers
from bankhook.receiver._authentication import shared_secret, standard_webhooks

__all__ = ["check_types", "check_values", "check_verify"]


def check_verify(verify: object) -> None:
    """Raise TypeError, with what to write instead, for something else than a check: a missing setting gives None or a text."""
    if verify is None:
        raise TypeError("verify: expected a check of senders, found None; verify=receiver.anyone lets in anyone")
    if isinstance(verify, str | bytes):
        raise TypeError("verify: expected a check, found a text; write shared_secret(header=..., secret=...)")
    if verify in (shared_secret, standard_webhooks):
        raise TypeError("verify: expected what shared_secret or standard_webhooks returns, found the function itself")
    if not callable(verify):
        raise TypeError(f"verify: expected a function of headers and body, found {type(verify).__name__}")


def check_types(
    inbox: object,
    path: object,
    handlers: object,
    headers: object,
    trusted_proxies: object,
    on_stored: object,
) -> None:
    """Raise TypeError for what has the wrong type."""
    expected = (
        ("inbox", inbox, hasattr(inbox, "append") and hasattr(inbox, "__aenter__"), "what bankhook.inbox.open returns"),
        ("path", path, isinstance(path, str), "a text"),
        ("handlers", handlers, handlers is None or isinstance(handlers, Handlers), "bankhook.Handlers"),
        ("headers", headers, _is_of_texts(headers), "a collection of names"),
        ("trusted_proxies", trusted_proxies, _is_of_texts(trusted_proxies), "a collection of addresses"),
        ("on_stored", on_stored, on_stored is None or callable(on_stored), "a function"),
    )
    for name, value, is_right, what in expected:
        if not is_right:
            raise TypeError(f"{name}: expected {what}, found {type(value).__name__}")


def _is_of_texts(values: object) -> bool:
    if not isinstance(values, Collection) or isinstance(values, str):
        return False
    return all(isinstance(one, str) for one in cast("Collection[object]", values))


def check_values(path: str, answer_invalid: object, **numbers: object) -> None:
    """Raise ValueError for a path, an answer or a number that cannot work."""
    if not path.startswith("/") or path in ("/healthz", "/metrics"):
        raise ValueError("path: expected a path that starts with / and is neither /healthz nor /metrics")
    if answer_invalid not in (204, 422):
        raise ValueError(f"answer_invalid: expected 204 or 422, found {answer_invalid!r}")
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, int | float) or not number > 0:
            raise ValueError(f"{name}: expected a positive number, found {number!r}")
