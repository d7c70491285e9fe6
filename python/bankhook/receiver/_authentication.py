# SPDX-License-Identifier: MIT
"""Ready checks of who sent a request; the specification shows none, so none of them is the service's."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import logging
import math
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from inspect import isawaitable
from typing import Any, TypeAlias

from bankhook._records.errors import check_type
from bankhook.receiver._log import Log
from bankhook.receiver._requests import TurnedAway

Verify: TypeAlias = Callable[[Mapping[str, str], bytes], bool | Awaitable[bool]]
"""A check of the headers, whose names may be in any case, and of the verbatim body: True if the sender is the right one.

If it has an attribute `before_body`, a function of the headers alone that returns a bool, that is asked before the body is read;
if it has `not_stored`, that is called with the headers of a delivery that passed and was not stored."""

TOLERANCE_SECONDS = 300
SECRET_BYTES = 24
"""The fewest that Standard Webhooks allows."""


class _OfHeaders:
    """A check that needs the headers alone."""

    def __init__(self, before_body: Callable[[Mapping[str, str]], bool]) -> None:
        self.before_body = before_body

    def __call__(self, headers: Mapping[str, str], body: bytes) -> bool:
        return self.before_body(headers)


def _is_from_no_page(headers: Mapping[str, str]) -> bool:
    if "origin" in headers or headers.get("sec-fetch-site", "none") != "none":
        raise TurnedAway(401, "a web page sent it, and senders are not authenticated")
    return True


anyone: Verify = _OfHeaders(_is_from_no_page)
"""The check that lets in anyone who reaches the receiver, except for web pages: a browser says that it sends for one.

Any page may post to a server on loopback or in the network of its reader."""


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
    TypeError
        If the header or the secret is not a text, as when a setting is missing.
    ValueError
        If one of them is empty.

    Examples
    --------
    >>> from bankhook.receiver import shared_secret
    >>> verify = shared_secret(header="x-secret", secret="agreed")
    >>> verify({"x-secret": "agreed"}, b"{}"), verify({"x-secret": "guessed"}, b"{}")
    (True, False)
    """
    name, expected = _text("header", header), _text("secret", secret).encode()
    return _OfHeaders(lambda headers: hmac.compare_digest(headers.get(name, "").encode("latin-1"), expected))


class _StandardWebhooks:
    def __init__(self, key: bytes, refuse_repeats: bool) -> None:
        self._key, self._refuse_repeats = key, refuse_repeats
        self._received: dict[str, float] = {}
        """Ids of the messages that passed, and when that was, in this order."""

    def before_body(self, headers: Mapping[str, str]) -> bool:
        sent = headers.get("webhook-timestamp", "")
        is_time = re.fullmatch("[0-9]{1,15}", sent) is not None
        is_due = is_time and math.fabs(time.time() - int(sent)) <= TOLERANCE_SECONDS
        return is_due and bool(headers.get("webhook-id")) and bool(headers.get("webhook-signature"))

    def __call__(self, headers: Mapping[str, str], body: bytes) -> bool:
        if not self.before_body(headers):
            return False
        name, sent = headers["webhook-id"], headers["webhook-timestamp"]
        digest = hmac.digest(self._key, f"{name}.{sent}.".encode("latin-1") + body, hashlib.sha256)
        expected = b"v1," + base64.b64encode(digest)
        signatures = headers["webhook-signature"].encode("latin-1").split(b" ")
        is_right = any(hmac.compare_digest(signature, expected) for signature in signatures)
        if is_right and self._refuse_repeats:
            self._add(name)
        return is_right

    def _add(self, name: str) -> None:
        # Twice the tolerance: a message may be signed up to one tolerance ahead, and passes until one after that.
        now = time.time()
        while self._received and now - next(iter(self._received.values())) > 2 * TOLERANCE_SECONDS:
            del self._received[next(iter(self._received))]
        if name in self._received:
            raise TurnedAway(409, "a message with this id was received before")
        self._received[name] = now

    def not_stored(self, headers: Mapping[str, str]) -> None:
        self._received.pop(headers["webhook-id"], None)


def standard_webhooks(secret: str, /, *, refuse_repeats: bool = False) -> Verify:
    """Return a check of signatures as specified at standardwebhooks.com, over id, time and body.

    A signature that is more than five minutes off is rejected. The body is any bytes.

    Parameters
    ----------
    secret : str
        The secret: at least 24 bytes in base64, with or without the prefix `whsec_`.
    refuse_repeats : bool
        Whether a message whose id was stored within the last ten minutes, by this check in this process, is answered
        with 409 and not stored. A sender that did not get the first answer, and sends again, gets 409, too.

    Returns
    -------
    Verify
        The check, for `Receiver(verify=...)`.

    Raises
    ------
    TypeError
        If the secret is not a text, as when a setting is missing.
    ValueError
        If the secret is empty, is not base64, or is too short.

    Examples
    --------
    >>> import base64, hashlib, hmac, time
    >>> from bankhook.receiver import standard_webhooks
    >>> key, now = b"24 bytes or more of them", str(int(time.time()))
    >>> digest = hmac.digest(key, f"msg_1.{now}.{{}}".encode(), hashlib.sha256)
    >>> headers = {
    ...     "webhook-id": "msg_1",
    ...     "webhook-timestamp": now,
    ...     "webhook-signature": "v1," + base64.b64encode(digest).decode(),
    ... }
    >>> verify = standard_webhooks("whsec_" + base64.b64encode(key).decode())
    >>> verify(headers, b"{}"), verify(headers, b"{ }")
    (True, False)
    """
    try:
        key = base64.b64decode(_text("secret", secret).removeprefix("whsec_").encode(), validate=True)
    except binascii.Error:
        raise ValueError("secret: expected base64, with or without the prefix whsec_") from None
    if len(key) < SECRET_BYTES:
        raise ValueError(f"secret: expected at least {SECRET_BYTES} bytes in base64, found {len(key)}")
    return _StandardWebhooks(key, refuse_repeats)


async def authenticate(verify: Callable[..., Any], log: Log, headers: Mapping[str, str], *body: bytes) -> None:
    """Ask who sent it; raises TurnedAway, with 401 unless the check gave its reason, if the answer is not True.

    A check that raises, or returns neither True nor False, may be a mistake that turns everybody away: that is logged.
    """
    try:
        answer = verify(headers, *body)
        is_right: Any = await answer if isawaitable(answer) else answer
        if not isinstance(is_right, bool):
            found = type(is_right).__name__
            log.problem(
                logging.WARNING, f"verify returned {found}, not True or False: the sender counts as not authenticated"
            )
    except TurnedAway:
        raise
    except Exception as error:
        name = type(error).__name__
        log.problem(logging.WARNING, f"verify raised {name}: the sender counts as not authenticated", error=name)
        is_right = False
    if is_right is not True:
        raise TurnedAway(401, "the sender is not authenticated", {"www-authenticate": "webhook"})


def _text(name: str, value: str) -> str:
    check_type(name, value, str, "a text")
    if not value:
        raise ValueError(f"{name}: expected a text that is not empty")
    return value
