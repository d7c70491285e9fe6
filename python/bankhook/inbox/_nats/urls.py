# SPDX-License-Identifier: MIT
"""The URL of an inbox on NATS: servers, a name, options."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

from bankhook.inbox._nats.connection import Connection
from bankhook.inbox._nats.layout import Layout

__all__ = ["parts"]

DEFAULTS = {"partitions": 32.0, "replicas": 1.0, "max_age": 0.0, "ack_wait": 30.0, "timeout": 5.0}
SMALLEST = {"partitions": 1.0, "replicas": 1.0, "max_age": 0.0, "ack_wait": 0.1, "timeout": 0.1}
WHOLE = ("partitions", "replicas")


def parts(url: str) -> tuple[Connection, Layout]:
    """What `nats://user:password@host:4222,host:4222/name?replicas=3` describes; nothing is connected yet."""
    scheme, separator, rest = url.partition("://")
    if scheme not in ("nats", "tls") or not separator:
        raise ValueError("the URL of an inbox: expected nats:// or tls://")
    address, _, query = rest.partition("?")
    hosts, _, name = address.partition("/")
    given = dict(parse_qsl(query, strict_parsing=bool(query)))
    credentials = given.pop("credentials", None)
    values = {option: _number(option, given.pop(option)) if option in given else DEFAULTS[option] for option in DEFAULTS}
    if given:
        raise ValueError(
            f"options of an inbox on NATS: expected {', '.join(DEFAULTS)} or credentials, found {min(given)!r}"
        )
    servers = [f"{scheme}://{host}" for host in hosts.split(",")]
    if not all(urlsplit(server).hostname for server in servers):
        raise ValueError("the URL of an inbox: expected a host after nats://")
    layout = Layout(
        unquote(name) or "bankhook",
        partitions=int(values["partitions"]),
        replicas=int(values["replicas"]),
        max_age=values["max_age"],
        ack_wait=values["ack_wait"],
    )
    return Connection(servers, values["timeout"], credentials), layout


def _number(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not SMALLEST[option] <= value < 1e9 or (option in WHOLE and value % 1):
        kind = "a whole number" if option in WHOLE else "a number of seconds"
        raise ValueError(f"{option}: expected {kind}, at least {SMALLEST[option]:g}")
    return value
