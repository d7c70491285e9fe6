# SPDX-License-Identifier: MIT
"""Sockets that a server listens on."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Generator

from bankhook.receiver._peers import address_of

BACKLOG = 1_024
STOPS = (signal.SIGINT, signal.SIGTERM)


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens on this address; port 0 takes a free one. Raises OSError."""
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    return socket.create_server(address[:2], family=family, backlog=BACKLOG)


def url_of(listener: socket.socket) -> str:
    """Return the URL of the root of what is served there."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether every address that a name stands for is of this machine only. Raises OSError if it stands for none."""
    addresses = {one[4][0] for one in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)}
    return all(address_of(str(address)).is_loopback for address in addresses)


@contextlib.contextmanager
def handled(handle: Callable[..., object]) -> Generator[None, None, None]:
    """Call a function in the running event loop for each signal that asks this process to end."""
    loop = asyncio.get_running_loop()
    for number in STOPS:
        loop.add_signal_handler(number, handle, number, None)
    try:
        yield
    finally:
        for number in STOPS:
            loop.remove_signal_handler(number)
