# SPDX-License-Identifier: MIT
"""A secret in a header, and what all checks that know a secret share: the headers they read, the settings they refuse."""

from __future__ import annotations

import hmac
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, cast

from starlette.datastructures import Headers as Received

from bankhook._records.errors import check_type

Headers: TypeAlias = Mapping[str, str] | Iterable[tuple[str, str]] | Iterable[tuple[bytes, bytes]]
"""Headers, as a mapping or as pairs, such as those of ASGI; names may be in any case."""

Secrets: TypeAlias = str | list[str] | tuple[str, ...]
"""One secret, or several while one replaces another."""

BLANKS = " \t"
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class Scheme(ABC):
    """A check of senders that can also sign, as such a sender does."""

    @abstractmethod
    def before_body(self, headers: Headers) -> bool:
        """Whether the headers alone leave it open that the sender is the right one."""

    @abstractmethod
    def __call__(self, headers: Headers, body: bytes) -> bool:
        """Whether the sender is the right one."""

    @abstractmethod
    def sign(self, body: bytes) -> dict[str, str]:
        """Return the headers with which a sender sends this body now; of several secrets, the first signs."""


class _SharedSecret(Scheme):
    def __init__(self, header: str, secrets: list[str]) -> None:
        self._header, self._read = header, Reader(header)
        # Servers read the bytes of a header as Latin-1; other libraries, and other senders, mean the text itself.
        self._sent = secrets[0].encode().decode("latin-1")
        self._expected = [form.encode() for one in secrets for form in (one, one.encode().decode("latin-1"))]

    def before_body(self, headers: Headers) -> bool:
        (value,) = self._read(headers)
        found = value.encode(errors="surrogatepass")
        return any(hmac.compare_digest(found, expected) for expected in self._expected)

    def __call__(self, headers: Headers, body: bytes) -> bool:
        return self.before_body(headers)

    def sign(self, body: bytes) -> dict[str, str]:
        return {self._header: self._sent}


def shared_secret(*, header: str, secret: Secrets) -> Scheme:
    """Return a check that a header has a secret that both sides know.

    Parameters
    ----------
    header : str
        Name of the header, in any case.
    secret : str or list of str
        The value that it must have, compared in constant time; several while one replaces another.

    Returns
    -------
    function
        The check, for `Receiver(verify=...)`; its method `sign(body)` returns the headers of a sender, as a dict.

    Raises
    ------
    TypeError
        If the header or a secret is not a text, as when a setting is missing.
    ValueError
        If no request can ever have them: the header is no name of one, or a secret is empty, starts or ends with a
        blank or a line end, or is given twice.

    Examples
    --------
    >>> from bankhook.receiver import shared_secret
    >>> verify = shared_secret(header="X-Secret", secret=["new one", "agreed"])
    >>> verify({"x-secret": "agreed"}, b"{}"), verify({"x-secret": "guessed"}, b"{}")
    (True, False)
    >>> verify.sign(b"{}")
    {'X-Secret': 'new one'}
    """
    return _SharedSecret(check_token("header", header), check_printed(check_secrets(secret)))


class Reader:
    """Reads the values of some headers, without the blanks around them (RFC 9110, 5.5).

    One is empty if its header is not there, or is there twice: servers differ in which of the two they take.
    """

    def __init__(self, *names: str) -> None:
        lower = [name.lower() for name in names]
        self._places: dict[str | bytes, int] = {form: at for at, name in enumerate(lower) for form in (name, name.encode())}
        self._none = [None] * len(names)

    def __call__(self, headers: Headers) -> list[str]:
        """Return the value of each header."""
        found: list[Any] = self._none.copy()
        # A server's headers are bytes: to decode all of them would cost more than the signature does.
        items = (lambda: headers.raw) if isinstance(headers, Received) else getattr(headers, "items", lambda: headers)
        for name, value in cast("Iterable[tuple[str | bytes, Any]]", items()):
            if (at := self._places.get(name.lower())) is not None:
                found[at] = value if found[at] is None else b""
        return [_text(value) for value in found]


def _text(value: Any) -> str:
    if value is None:
        return ""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    check_type("headers", text, str, "texts")
    return cast("str", text.strip(BLANKS))


def check_token(argument: str, name: str) -> str:
    """Return the name of a header, or of a part of one; raises TypeError or ValueError if it is not a token (RFC 9110, 5.6.2)."""
    check_type(argument, name, str, "a text")
    if not name:
        raise ValueError(f"{argument}: expected a text that is not empty")
    if _TOKEN.fullmatch(name) is None:
        raise ValueError(f"{argument}: expected letters, digits and - as in X-Signature, without blanks or a colon")
    return name


def check_secrets(secret: Secrets) -> list[str]:
    """Return one secret or several as a list; raises TypeError or ValueError for one that no sender can have."""
    secrets = list(secret) if isinstance(secret, list | tuple) else [secret]
    for one in secrets:
        check_type("secret", one, str, "a text")
        if one and one != one.strip():
            raise ValueError("secret: it starts or ends with a blank or a line end; strip what is read from a file")
    if not secrets or not all(secrets):
        raise ValueError("secret: expected a text that is not empty")
    check_differ(secrets)
    return secrets


def check_printed(secrets: list[str]) -> list[str]:
    """Return secrets that are used verbatim; raises ValueError for one that came from something else than a line of text."""
    if not all(one.replace("\t", " ").isprintable() for one in secrets):
        raise ValueError("secret: it has a line end, or another character that is not printed")
    return secrets


def check_differ(secrets: Iterable[object]) -> None:
    """Raise ValueError if two secrets are equal: then a rotation replaces nothing."""
    if len(set(secrets := list(secrets))) < len(secrets):
        raise ValueError("secret: two of them are equal")
