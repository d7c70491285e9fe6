# SPDX-License-Identifier: MIT
"""Where deliveries are sent to: a checked URL, on this machine unless the user allows another one."""

from __future__ import annotations

import contextlib
import ipaddress
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

import click

from bankhook.cli.options import Parsed, option

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SENT = re.compile(r"[\x20-\x7e\x80-\xff\t]*")
_VISIBLE = re.compile(r"[\x20-\x7e\t]*")
_OURS = {"connection", "content-length", "host", "te", "trailer", "transfer-encoding", "upgrade"}


def checked_url(text: str, *, is_remote_allowed: bool) -> str:
    """Return the URL. Raises click.BadParameter, without the URL, which may contain a secret."""
    if any(character <= " " or character == "\x7f" for character in text):
        raise _wrong("it has spaces or control characters")
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise _wrong("it is malformed") from None
    if parts.scheme not in ("http", "https") or not host:
        raise _wrong("expected http://HOST/PATH or https://HOST/PATH")
    if parts.username is not None or parts.password is not None:
        raise _wrong("it has a user name; send credentials with --header")
    if not (is_remote_allowed or _is_loopback(host)):
        raise _wrong("expected localhost or an address of this machine such as 127.0.0.1; --allow-remote sends anywhere")
    return text


def _wrong(reason: str) -> click.BadParameter:
    return click.BadParameter(reason, param_hint="URL")


def _is_loopback(host: str) -> bool:
    """Return whether a host is on this machine whatever a resolver answers: no other name than localhost is."""
    with contextlib.suppress(ValueError):
        ip = ipaddress.ip_address(host)
        return (getattr(ip, "ipv4_mapped", None) or ip).is_loopback
    return host == "localhost"


def _header(text: str) -> tuple[str, str]:
    """Return the name and the value of `NAME:VALUE`. Raises ValueError, without the value, which may be a secret."""
    name, colon, value = text.partition(":")
    if not colon or not _TOKEN.fullmatch(name):
        raise ValueError("expected NAME:VALUE")
    if name.lower() in _OURS:
        raise ValueError(f"{name.lower()} is set by the command")
    if not _VISIBLE.fullmatch(value):
        raise ValueError(f"the value of {name} has characters that are not visible ASCII")
    return name, value.strip()


def checked_headers(name: str, given: Mapping[Any, Any], others: Iterable[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    """Return headers that something made for a delivery; raises click.ClickException for what cannot be sent."""
    taken = {other.lower() for other, _ in others} | _OURS
    for header, value in given.items():
        if not (isinstance(header, str) and _TOKEN.fullmatch(header) and isinstance(value, str) and _SENT.fullmatch(value)):
            raise click.ClickException(f"{name}: it returned something that is no header")
        if header.lower() in taken:
            raise click.ClickException(f"{name}: {header} is set by the command or by --header")
    return [(header.encode(), value.encode("latin-1")) for header, value in given.items()]


headers = option(
    "--header headers", "Send this header with every delivery; repeatable.", Parsed("name:value", _header), multiple=True
)
allow_remote = option("--allow-remote", "Allow a URL on another machine.", bool)
