# SPDX-License-Identifier: MIT
"""Addresses: which peer the bounds of one peer are for, and which proxies are trusted."""

from __future__ import annotations

import contextlib
import ipaddress
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from starlette.types import Scope

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
MAPPED = int(ipaddress.IPv6Address("::ffff:0:0"))
"""Where IPv6 has the addresses of IPv4, as sockets of both write them."""


def address_of(host: str) -> Address:
    """Return the one address that all forms of a host stand for: of IPv4 if it is mapped, without a scope and a port.

    Raises ValueError for another text.
    """
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    address = ipaddress.ip_address(host.partition("%")[0])
    return getattr(address, "ipv4_mapped", None) or address


class Trusted:
    """The proxies that are trusted: each sends for many, so that no bound of one peer is theirs."""

    def __init__(self, proxies: Iterable[str]) -> None:
        """Take addresses and networks, or "*" for all; raises ValueError for what no peer can match."""
        names = frozenset(proxies)
        self._has_all = "*" in names
        self._networks = [_network_of(name) for name in names - {"*"}]
        self.peer_of = lru_cache(4096)(self._compute)
        """Whom the bounds of one peer are for, of an address: an IPv6 client has a whole /64."""

    @classmethod
    def of_setting(cls, setting: str | list[str]) -> Trusted:
        """Return those of uvicorn's setting, which may also name something else than addresses, such as `unix:`."""
        names = [one.strip() for one in (setting.split(",") if isinstance(setting, str) else setting)]
        proxies = list[str]()
        for name in names:
            with contextlib.suppress(ValueError):
                cls((name,))
                proxies.append(name)
        return cls(proxies)

    def peer(self, scope: Scope) -> str:
        """Return whom the bounds of one peer are for; an empty text if there are no bounds."""
        client = scope.get("client")
        return self.peer_of(client[0]) if client else ""

    def is_of_this_process(self, scope: Scope) -> bool:
        """Whether no server is there, as in tests, or one that only this machine reaches, by a Unix socket."""
        peer, server = self.peer(scope), scope.get("server")
        if (scope.get("client") or ("",))[0] == "testclient":  # Starlette's
            return True
        is_near = not peer or ("/" not in peer and address_of(peer).is_loopback)
        return is_near and (server is None or server[1] is None)

    def _compute(self, host: str) -> str:
        try:
            address = address_of(host)
        except ValueError:
            return ""
        wide = ipaddress.IPv6Address(MAPPED + int(address)) if address.version == 4 else address
        if self._has_all or any(wide in network for network in self._networks):
            return ""
        return str(
            address if address.version == 4 or address.is_loopback else ipaddress.ip_network((address, 64), strict=False)
        )


def _network_of(name: str) -> ipaddress.IPv6Network:
    """Return the network of IPv6, into which that of IPv4 is mapped; raises ValueError for what no peer can match."""
    host, slash, bits = name.partition("/")
    try:
        network = ipaddress.ip_network(host.partition("%")[0] + slash + bits)
    except ValueError as error:
        raise ValueError(f"trusted_proxies: {error}") from None
    first = address_of(str(network.network_address))
    if first.is_multicast or (first.is_unspecified and network.num_addresses == 1):
        raise ValueError(f"trusted_proxies: no peer has the address {name!r}; * is all of them")
    if isinstance(network, ipaddress.IPv6Network):
        return network
    return ipaddress.IPv6Network((MAPPED + int(first), 96 + network.prefixlen))
