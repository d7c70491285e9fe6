# SPDX-License-Identifier: MIT
"""uvicorn with limits on what a client may keep open, and for how long."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["Server", "bind", "is_loopback", "url_of"]

HEAD_BYTES = 64 << 10
HEAD_SECONDS = 10.0
KEEP_ALIVE_SECONDS = 30
CONNECTIONS_LIMIT = 2_000
BACKLOG = 1_024
STOP_SECONDS = 10

SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter while another one waits for it. With Python's 5 ms, the thread that stores waits for
the event loop at each statement, and a commit takes several times as long under load."""

_STOPS = (signal.SIGINT, signal.SIGTERM)


class _Protocol(HttpToolsProtocol):
    """HTTP/1.1 with a limit of size and time for the head of a request: uvicorn has them for h11 only, or not at all."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._head_size: int | None = 0
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._deadline = self.loop.call_later(HEAD_SECONDS, transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._head_size is not None:
            self._head_size += len(data)
            if self._head_size > HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        self._head_size = 0
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._end_head()
        super().on_headers_complete()

    def _end_head(self) -> None:
        self._head_size = None
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Server(uvicorn.Server):
    """A server of one application on one socket; SIGINT and SIGTERM end it, and what was received is answered before."""

    def __init__(self, app: ASGIApp, listener: socket.socket, *, on_started: Callable[[], None] | None = None) -> None:
        """Take the application, a socket from `bind`, and what is called once requests are answered."""
        config = uvicorn.Config(
            app,
            http=_Protocol,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            backlog=BACKLOG,
            limit_concurrency=CONNECTIONS_LIMIT,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
        super().__init__(config)
        self._listener, self._on_started = listener, on_started

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until it is stopped; in the main thread the process is its own, and gives threads their turn sooner."""
        if threading.current_thread() is threading.main_thread():
            sys.setswitchinterval(SWITCH_SECONDS)
        super().run([self._listener])

    def stop(self) -> None:
        """Stop it soon; may be called from any thread."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._on_started is not None:
            self._on_started()

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """End in order at the first signal, and at once at the second; uvicorn itself would raise it again afterwards."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        loop = asyncio.get_running_loop()
        for number in _STOPS:
            loop.add_signal_handler(number, self.handle_exit, number, None)
        try:
            yield
        finally:
            for number in _STOPS:
                loop.remove_signal_handler(number)


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
    return all(ipaddress.ip_address(str(address).partition("%")[0]).is_loopback for address in addresses)
