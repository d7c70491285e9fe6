# SPDX-License-Identifier: MIT
"""Where deliveries are sent to: a checked URL, on this machine unless the user allows another one."""

from __future__ import annotations

import ipaddress
import re
import socket
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import click

__all__ = ["Target", "allow_remote", "header_of", "headers", "target_of"]

if TYPE_CHECKING:
    _ParamType = click.ParamType[tuple[str, str]]
else:
    _ParamType = click.ParamType  # generic from click 8.4 on

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
    addresses = _addresses(host, port or _PORTS[parts.scheme])
    if not is_remote_allowed and not all(_is_loopback(address) for address in addresses):
        raise _wrong(_REFUSED)
    address = _listening(addresses, port or _PORTS[parts.scheme])
    bracketed = f"[{address}]" if ":" in address else address
    pinned = parts._replace(netloc=bracketed if port is None else f"{bracketed}:{port}", fragment="")
    return Target(pinned.geturl(), parts.netloc, host)


def header_of(text: str) -> tuple[str, str]:
    """Return the name and the value of `NAME:VALUE`. Raises ValueError, without the value, which may be a secret."""
    name, colon, value = text.partition(":")
    if not colon or not _TOKEN.fullmatch(name):
        raise ValueError("expected NAME:VALUE")
    if name.lower() in _OURS:
        raise ValueError(f"{name.lower()} is set by the command")
    if not _VISIBLE.fullmatch(value):
        raise ValueError(f"the value of {name} has characters that are not visible ASCII")
    return name, value.strip()


class _Header(_ParamType):
    name = "name:value"

    def convert(
        self, value: str | tuple[str, str], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        try:
            return value if isinstance(value, tuple) else header_of(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


headers = click.option(
    "--header",
    "headers",
    multiple=True,
    metavar="NAME:VALUE",
    type=_Header(),
    help="Send this header with every delivery; repeatable.",
)
allow_remote = click.option("--allow-remote", is_flag=True, help="Allow a URL on another machine.")


def _wrong(reason: str) -> click.BadParameter:
    return click.BadParameter(reason, param_hint="URL")


def _addresses(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise _wrong("its name cannot be resolved") from None
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


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
