# SPDX-License-Identifier: MIT
"""Signatures as specified at standardwebhooks.com; the specification shows none, so they are not the service's."""

from __future__ import annotations

import base64
import time
import uuid
from datetime import timedelta

from bankhook._records.errors import check_type
from bankhook.receiver._requests import TurnedAway
from bankhook.receiver._secrets import Headers, Reader, Scheme, Secrets, check_differ, check_secrets
from bankhook.receiver._signatures import FIVE_MINUTES, Signature, seconds

SECRET_BYTES = 24
"""The fewest that Standard Webhooks allows."""

_id_and_signature = Reader("webhook-id", "webhook-signature")


class _StandardWebhooks(Signature):
    def __init__(self, keys: list[bytes], within: float | None, refuse_repeats: bool) -> None:
        signed = "webhook-signature", "webhook-timestamp", "{id}.{timestamp}.{body}"
        super().__init__(keys, *signed, within, encoding="base64", prefix="v1,", id_header="webhook-id")
        self._refuse_repeats = refuse_repeats
        self._received: dict[str, tuple[float, str]] = {}
        """Ids of the messages that passed, when that was, in this order, and their signatures."""

    def __call__(self, headers: Headers, body: bytes) -> bool:
        is_right = super().__call__(headers, body)
        if is_right and self._refuse_repeats:
            self._add(*_id_and_signature(headers))
        return is_right

    def sign(self, body: bytes) -> dict[str, str]:
        name = f"msg_{uuid.uuid4().hex}"
        return {"webhook-id": name} | self._signed(body, id=name.encode())

    def _split(self, value: str) -> list[str]:
        parts = value.split(" ")  # those of other versions may be among them
        return parts if all(part.count(",") == 1 for part in parts) else []  # else the header was there twice

    def _add(self, name: str, signature: str) -> None:
        # Twice the tolerance: a message may be signed up to one tolerance ahead, and passes until one after that.
        now, kept = time.time(), 2 * (self._within or 0)
        while self._received and now - next(iter(self._received.values()))[0] > kept:
            del self._received[next(iter(self._received))]
        if name in self._received:
            raise TurnedAway(409, "a message with this id was received before")
        self._received[name] = now, signature

    def not_stored(self, headers: Headers) -> None:
        name, signature = _id_and_signature(headers)
        if self._received.get(name, (0, ""))[1] == signature:  # else another check has passed it, beside this one
            self._received.pop(name, None)


def standard_webhooks(
    secret: Secrets, /, *, refuse_repeats: bool = False, within: timedelta | None = FIVE_MINUTES
) -> Scheme:
    """Return a check of signatures as specified at standardwebhooks.com, over id, time and body.

    The body is any bytes.

    Parameters
    ----------
    secret : str or list of str
        The secret: at least 24 bytes in base64, with or without the prefix `whsec_`; several while one replaces another.
    refuse_repeats : bool
        Whether a message whose id was stored within twice `within`, by this check in this process, is answered
        with 409 and not stored. A sender that did not get the first answer, and sends again, gets 409, too.
    within : timedelta, optional
        How far the time of a signature may be from now, before or after. None for no check of the time.

    Returns
    -------
    function
        The check, for `Receiver(verify=...)`; its method `sign(body)` returns the headers of a sender, as a dict, with a new id.

    Raises
    ------
    TypeError
        If a secret is not a text, as when a setting is missing, or `within` no timedelta.
    ValueError
        If a secret is empty, is not base64, is too short or is given twice, or repeats are to be refused for ever.

    Examples
    --------
    >>> import base64
    >>> from bankhook.receiver import standard_webhooks
    >>> verify = standard_webhooks("whsec_" + base64.b64encode(b"24 bytes or more of them").decode())
    >>> headers = verify.sign(b"{}")
    >>> sorted(headers)
    ['webhook-id', 'webhook-signature', 'webhook-timestamp']
    >>> verify(headers, b"{}"), verify(headers, b"{ }")
    (True, False)
    """
    keys: list[bytes] = []
    for one in check_secrets(secret):
        try:
            keys.append(base64.b64decode(one.removeprefix("whsec_").encode(), validate=True))
        except ValueError:
            raise ValueError("secret: expected base64, with or without the prefix whsec_") from None
        if len(keys[-1]) < SECRET_BYTES:
            raise ValueError(f"secret: expected at least {SECRET_BYTES} bytes in base64, found {len(keys[-1])}")
    check_differ(keys)
    check_type("refuse_repeats", refuse_repeats, bool)
    if refuse_repeats and within is None:
        raise ValueError("refuse_repeats: expected within=, or ids would have to be remembered for ever")
    return _StandardWebhooks(keys, seconds("within", within), refuse_repeats)
