# SPDX-License-Identifier: MIT
"""Ready checks of who sent a request; the specification shows none, so none of them is the service's."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

__all__ = ["Verify", "shared_secret", "standard_webhooks"]

Verify: TypeAlias = Callable[[Mapping[str, str], bytes], bool | Awaitable[bool]]
"""A check of the headers, whose names may be in any case, and of the verbatim body: True if the sender is the right one."""


def shared_secret(*, header: str, secret: str) -> Verify:
    """Return a check that a header has a secret that both sides know.

    Parameters
    ----------
    header : str
        Name of the header, in any case.
    secret : str
        The value that it must have, compared in constant time.

    Returns
    -------
    Verify
        The check, for `Receiver(verify=...)`.

    Raises
    ------
    ValueError
        If the secret is empty.

    Examples
    --------
    >>> from bankhook.receiver import shared_secret
    >>> verify = shared_secret(header="x-secret", secret="agreed")
    >>> verify({"x-secret": "agreed"}, b"{}"), verify({"x-secret": "guessed"}, b"{}")
    (True, False)
    """
    expected = _secret(secret).encode()

    def verify(headers: Mapping[str, str], body: bytes) -> bool:
        return hmac.compare_digest(headers.get(header, "").encode("latin-1"), expected)

    return verify


def standard_webhooks(secret: str, /) -> Verify:
    """Return a check of signatures as specified at standardwebhooks.com, over id, time and body.

    A signature that is more than five minutes off is rejected. Needs `bankhook[standardwebhooks]`.

    Parameters
    ----------
    secret : str
        The secret in base64, with or without the prefix `whsec_`.

    Returns
    -------
    Verify
        The check, for `Receiver(verify=...)`; it raises for a signature that does not match.

    Raises
    ------
    ImportError
        If the package standardwebhooks is not installed.
    ValueError
        If the secret is not base64, or is empty.

    Examples
    --------
    >>> from datetime import UTC, datetime
    >>> from standardwebhooks import Webhook
    >>> from bankhook.receiver import standard_webhooks
    >>> secret, now = "whsec_c2VjcmV0", datetime.now(UTC)
    >>> headers = {
    ...     "webhook-id": "msg_1",
    ...     "webhook-timestamp": str(int(now.timestamp())),
    ...     "webhook-signature": Webhook(secret).sign("msg_1", now, "{}"),
    ... }
    >>> standard_webhooks(secret)(headers, b"{}")
    True
    """
    import standardwebhooks

    key = _secret(secret)
    try:
        webhook = standardwebhooks.Webhook(key)
    except Exception:
        raise ValueError("secret: expected base64, with or without the prefix whsec_") from None

    def verify(headers: Mapping[str, str], body: bytes) -> bool:
        webhook.verify(body, dict(headers), json_parse=False)
        return True

    return verify


def _secret(secret: str) -> str:
    if not secret:
        raise ValueError("secret: expected a text that is not empty")
    return secret
