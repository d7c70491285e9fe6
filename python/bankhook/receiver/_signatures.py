# SPDX-License-Identifier: MIT
"""Signatures by HMAC, as most senders make them; the specification shows none, so they are not the service's."""

from __future__ import annotations

import base64
import hmac
import re
import string
import time
from datetime import timedelta
from typing import Literal, TypeAlias

from starlette.datastructures import Headers as Received

from bankhook._records.errors import check_type
from bankhook.receiver._secrets import (
    BLANKS,
    Headers,
    Reader,
    Scheme,
    Secrets,
    check_printed,
    check_secrets,
    check_token,
)

FIVE_MINUTES = timedelta(minutes=5)
BODY = bytes | bytearray | memoryview

_Claimed: TypeAlias = tuple[dict[str, bytes], list[str]]
"""What is signed beside the body, and the signatures."""

# No zeros before it: where the message has the body before the time, they could be moved from one to the other.
_SECONDS = re.compile("[1-9][0-9]{0,14}")
# Without a check of the time: what none of these is part of can be moved from the body to the time, or back.
_TIME = re.compile("[0-9A-Za-z:.,+ -]{1,64}")


class Signature(Scheme):
    """A signature in one header, perhaps beside its time, or with that in another one."""

    def __init__(
        self,
        keys: list[bytes],
        header: str,
        timestamp_header: str | None,
        message: str,
        within: float | None,
        *,
        algorithm: str = "sha256",
        encoding: str,
        prefix: str,
        fields: tuple[str, str] | None = None,
        id_header: str = "",
    ) -> None:
        self._read, self._has_id = Reader(header, timestamp_header or "", id_header), bool(id_header)
        self._seen: tuple[object, _Claimed | None] = None, None
        self._header, self._timestamp_header, self._fields = header, timestamp_header, fields
        self._is_hex, self._prefix = encoding == "hex", prefix
        parts = [(text.encode(), name) for text, name, *_ in string.Formatter().parse(message)]
        self._parts: list[bytes | str] = [one for part in parts for one in part if one]
        self._has_time = "timestamp" in self._parts
        self._macs = [hmac.new(key, digestmod=algorithm) for key in keys]
        self._within = within
        self._length = len(self._signature(self._macs[0], {"id": b"", "timestamp": b"", "body": b""}))

    def before_body(self, headers: Headers) -> bool:
        claimed = self._claimed(headers)
        if type(headers) is Received:  # which cannot change until it is asked about the body
            self._seen = headers, claimed
        return claimed is not None

    def __call__(self, headers: Headers, body: bytes) -> bool:
        check_type("body", body, BODY, "bytes, as they were received")
        (seen, claimed), self._seen = self._seen, (None, None)
        if seen is not headers:
            claimed = self._claimed(headers)
        elif claimed is not None and self._has_time and not self._is_due(claimed[0]["timestamp"].decode()):
            return False  # the body was slow: that it is a repeat may be forgotten by now
        if claimed is None:
            return False
        signed, signatures = claimed
        signed["body"] = body
        for mac in self._macs:
            right = self._signature(mac, signed)
            for found in signatures:
                if hmac.compare_digest(found, right):
                    return True
        return False

    def sign(self, body: bytes) -> dict[str, str]:
        return self._signed(body)

    def _signed(self, body: bytes, **signed: bytes) -> dict[str, str]:
        check_type("body", body, BODY, "bytes")
        now = str(int(time.time()))
        signature = self._signature(self._macs[0], {"timestamp": now.encode(), "body": body, **signed})
        if self._fields is not None:
            return {self._header: f"{self._fields[0]}={now},{self._fields[1]}={signature}"}
        return {self._header: signature} | ({} if self._timestamp_header is None else {self._timestamp_header: now})

    def _claimed(self, headers: Headers) -> _Claimed | None:
        """Return what is signed beside the body, and the signatures, one of which may be right; None if none can be."""
        value, sent, name = self._read(headers)
        if self._fields is not None:
            parts = [part.strip(BLANKS).partition("=") for part in value.split(",")]
            times, signatures = ([text for name, _, text in parts if name == wanted] for wanted in self._fields)
            sent = times[0] if len(times) == 1 and all(text for *_, text in parts) else ""
        else:
            signatures = self._split(value)
        signatures = [self._folded(one) for one in signatures if self._may_be_one(one)]
        is_named = not self._has_id or (name.isascii() and name)
        if not (signatures and is_named and (self._is_due(sent) or not self._has_time)):
            return None
        return {"timestamp": sent.encode(), "id": name.encode()}, signatures

    def _split(self, value: str) -> list[str]:
        """Return the signatures that a header has, if they are all that it has."""
        return [value]

    def _may_be_one(self, text: str) -> bool:
        return len(text) == self._length and text.isascii() and text.startswith(self._prefix)

    def _folded(self, signature: str) -> str:
        return self._prefix + signature[len(self._prefix) :].lower() if self._is_hex else signature

    def _is_due(self, sent: str) -> bool:
        if self._within is None:
            return _TIME.fullmatch(sent) is not None
        return _SECONDS.fullmatch(sent) is not None and abs(time.time() - int(sent)) <= self._within

    def _signature(self, mac: hmac.HMAC, signed: dict[str, bytes]) -> str:
        mac = mac.copy()
        mac.update(b"".join([signed[part] if isinstance(part, str) else part for part in self._parts]))
        return self._prefix + (mac.hexdigest() if self._is_hex else base64.b64encode(mac.digest()).decode())


def hmac_signature(
    *,
    header: str,
    secret: Secrets,
    algorithm: Literal["sha1", "sha256", "sha384", "sha512"] = "sha256",
    encoding: Literal["hex", "base64"] = "hex",
    prefix: str = "",
    timestamp_header: str | None = None,
    message: str = "{body}",
    within: timedelta | None = FIVE_MINUTES,
    fields: tuple[str, str] | None = None,
) -> Scheme:
    """Return a check of an HMAC over the body, or over a time and the body, which is how most senders sign.

    Signatures are compared in constant time; hexadecimal ones may be in either case. With `fields`, the header has one
    time, and may have several signatures, one of which has to be right. A header that is there twice is rejected.

    Parameters
    ----------
    header : str
        Name of the header that has the signature, in any case.
    secret : str or list of str
        What both sides know, verbatim: its UTF-8 is the key. Several while one replaces another.
    algorithm : "sha1", "sha256", "sha384" or "sha512"
        The hash of the HMAC.
    encoding : "hex" or "base64"
        How the signature is written.
    prefix : str
        What is before the signature, such as `sha256=`.
    timestamp_header : str, optional
        Name of the header that has the time at which it was signed.
    message : str
        What is signed, with `{body}`, and `{timestamp}` for the time as it was sent; `{{` stands for `{`.
    within : timedelta, optional
        How far the time may be from now, before or after; it is in seconds since 1970, so one in milliseconds is rejected.
        None for no check of the time, of which only its characters are looked at then. Not used without a time.
    fields : pair of str, optional
        The names of the time and of the signature, if one header has both: `("t", "v1")` for `t=1700000000,v1=...`.

    Returns
    -------
    function
        The check, for `Receiver(verify=...)`; its method `sign(body)` returns the headers of a sender, as a dict.

    Raises
    ------
    TypeError
        If an argument has the wrong type, as when a setting is missing.
    ValueError
        If no request can ever match, or the time would not be signed.

    Examples
    --------
    >>> from bankhook.receiver import hmac_signature
    >>> verify = hmac_signature(header="X-Signature", secret="agreed", prefix="sha256=")
    >>> headers = verify.sign(b"{}")
    >>> headers["X-Signature"][:7], verify(headers, b"{}"), verify(headers, b"{ }")
    ('sha256=', True, False)
    """
    check_token("header", header)
    if timestamp_header is not None and check_token("timestamp_header", timestamp_header).lower() == header.lower():
        raise ValueError("timestamp_header: expected another name than that of header; fields= reads both from one header")
    if algorithm not in ("sha1", "sha256", "sha384", "sha512"):
        raise ValueError("algorithm: expected sha1, sha256, sha384 or sha512")
    if encoding not in ("hex", "base64"):
        raise ValueError("encoding: expected hex or base64")
    if fields is not None:
        check_type("fields", fields, tuple | list, "two names")
        if len(fields) != 2 or len({check_token("fields", one) for one in fields}) != 2:
            raise ValueError("fields: expected two names, that of the time and that of the signature")
    check_type("prefix", prefix, str, "a text")
    if not (prefix.isascii() and prefix.isprintable()) or prefix.startswith(" "):
        raise ValueError("prefix: expected visible ASCII, as a header has it, and no blank at its start")
    if fields is not None and "," in prefix:
        raise ValueError("prefix: with fields, a comma would end the signature")
    _check_message(message, times=(timestamp_header is not None) + (fields is not None))
    keys = [one.encode() for one in check_printed(check_secrets(secret))]
    return Signature(
        keys,
        header,
        timestamp_header,
        message,
        seconds("within", within),
        algorithm=algorithm,
        encoding=encoding,
        prefix=prefix,
        fields=fields,
    )


def _check_message(message: str, *, times: int) -> None:
    """Raise TypeError or ValueError for a template that cannot work with so many places of the time."""
    check_type("message", message, str, "a text")
    try:
        fields = [one[1:] for one in string.Formatter().parse(message) if one[1] is not None]
        message.encode()
    except ValueError:
        raise ValueError("message: expected a text with {body}; {{ stands for {, and }} for }") from None
    if any(field not in (("body", "", None), ("timestamp", "", None)) for field in fields):
        raise ValueError("message: expected no other fields than {body} and {timestamp}")
    names = [name for name, *_ in fields]
    if "body" not in names:
        raise ValueError("message: expected {body} in it, or any body would pass")
    if times > 1:
        raise ValueError("timestamp_header: fields= has the time already")
    if times and "timestamp" not in names:
        raise ValueError("message: expected {timestamp} in it, or the time would not be signed")
    if not times and "timestamp" in names:
        raise ValueError("message: {timestamp} needs timestamp_header= or fields=")


def seconds(argument: str, within: timedelta | None) -> float | None:
    """Return how far a time may be off; raises TypeError or ValueError for another value."""
    if within is None:
        return None
    check_type(argument, within, timedelta, "a timedelta, or None")
    if within <= timedelta(0):
        raise ValueError(f"{argument}: expected more than no time, or None for no check of the time")
    return within.total_seconds()
