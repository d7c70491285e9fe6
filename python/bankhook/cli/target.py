# SPDX-License-Identifier: MIT
"""Where deliveries are sent to: a checked URL, on this machine unless the user allows another one."""

from __future__ import annotations

import ipaddress
import re
import socket
from typing import NamedTuple
from urllib.parse import urlsplit

import click

from bankhook.cli.options import Parsed, option

__all__ = ["Target", "allow_remote", "headers", "target_of"]

_PORTS = {"http": 80, "https": 443}
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VISIBLE = re.compile(r"[\x20-\x7e\t]*")
_OURS = {"connection", "content-length", "host", "te", "trailer", "transfer-encoding", "upgrade"}
_REFUSED = (
    "it is not on this machine: every address of its name has to be a loopback address; --allow-remote sends there anyway"
)


class Target(NamedTuple):
    """A URL to send to."""

    url: str
    """With the address that was checked in place of a name, so that no later answer for the name counts."""
    host: str
    """The header `Host`."""
    server_name: str
    """The name that a certificate has to have."""


def target_of(text: str, *, is_remote_allowed: bool) -> Target:
    """Return the checked target. Raises click.BadParameter, without the URL, which may contain a secret."""
    if any(character <= " " or character == "\x7f" for character in text):
        raise _wrong("it has spaces or control characters")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _wrong("it is malformed") from None
    if parts.scheme not in _PORTS or not host:
        raise _wrong("expected http://HOST/PATH or https://HOST/PATH")
    if parts.username is not None or parts.password is not None:
        raise _wrong("it has a user name; send credentials with --header")
    connected = port or _PORTS[parts.scheme]
    try:
        found = socket.getaddrinfo(host, connected, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise _wrong("its name cannot be resolved") from None
    addresses = list(dict.fromkeys(str(address[0]) for *_, address in found))
    if not is_remote_allowed and not all(map(_is_loopback, addresses)):
        raise _wrong(_REFUSED)
    address = _listening(addresses, connected)
    bracketed = f"[{address}]" if ":" in address else address
    pinned = parts._replace(netloc=bracketed if port is None else f"{bracketed}:{port}", fragment="")
    return Target(pinned.geturl(), parts.netloc, host)


def _wrong(reason: str) -> click.BadParameter:
    return click.BadParameter(reason, param_hint="URL")


def _is_loopback(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (mapped or ip).is_loopback


def _listening(addresses: list[str], port: int) -> str:
    """Return the first address that takes a connection: servers often listen on one of the two addresses of localhost."""
    for address in addresses[:8] if len(addresses) > 1 else ():
        try:
            with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as attempt:
                attempt.settimeout(1)
                attempt.connect((address, port))
                return address
        except OSError:
            continue
    return addresses[0]


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


headers = option(
    "--header headers", "Send this header with every delivery; repeatable.", Parsed("name:value", _header), multiple=True
)
allow_remote = option("--allow-remote", "Allow a URL on another machine.", bool)
