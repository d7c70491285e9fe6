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
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from bankhook.receiver._requests import LIMITED, Trusted

HEAD_BYTES = 64 << 10
FIELD_BYTES = 32
"""What a field counts beside its name and its value, as in HTTP/2: it takes memory, too."""

HEAD_SECONDS = 10.0
KEEP_ALIVE_SECONDS = 30
CONNECTIONS_LIMIT = 2_000
PEER_CONNECTIONS = 256
REFUSED_BYTES = 4 << 20
BACKLOG = 1_024
STOP_SECONDS = 10

SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter while another one waits for it. With Python's 5 ms, the thread that stores waits for
the event loop at each statement, and a commit takes several times as long under load."""

_EXTENSIONS: dict[str, dict[object, object]] = {LIMITED: {}}

_STOPS = (signal.SIGINT, signal.SIGTERM)


class _Protocol(HttpToolsProtocol):
    """The callbacks of uvicorn's protocol, with limits."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Take what uvicorn gives."""
        super().__init__(*arguments, **named)
        self._places = _places.setdefault(self.server_state, _Places(self.config.forwarded_allow_ips))
        self._read = self._extra = self._fields = self._refused = 0
        """Bytes: of the last read; beside bodies, since the last head began or ended; of the head's fields; of a body after
        its answer."""
        self._is_in_body = False
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Take a place for the connection."""
        super().connection_made(transport)
        peer = self._places.trusted.peer_of(self.client[0]) if self.client else ""
        self._start_deadline()
        self._places.take(self, peer, self.limit_concurrency or CONNECTIONS_LIMIT)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to another protocol."""
        self._leave()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Parse what came, and close the connection over a limit."""
        self._read = len(data)
        self._extra += self._read
        super().data_received(data)
        if (self._extra > HEAD_BYTES or self._refused > REFUSED_BYTES) and not self.transport.is_closing():
            if self._is_in_body and self.cycle.response_started:
                self.transport.close()
            else:
                self.send_400_response("The request is too large beside its body.")

    def on_message_begin(self) -> None:
        """Count the head of a request."""
        self._extra, self._fields = self._read, 0
        if self._deadline is None:
            self._start_deadline()
        super().on_message_begin()
        self.scope["extensions"] = _EXTENSIONS

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header, within the limit; drop a trailer (RFC 9110, 6.5.1)."""
        if self._is_in_body:
            return
        self._fields += len(name) + len(value) + FIELD_BYTES
        if self._fields > HEAD_BYTES:
            raise ValueError("the head is too large")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Let the application answer, and count what comes beside its body from here."""
        if len(self.url) > HEAD_BYTES:
            raise ValueError("the head is too large")
        self._extra = self._refused = 0
        self._is_in_body = True
        self._end_deadline()
        self._places.idle.pop(self, None)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count a part of a body."""
        self._extra = max(self._extra - len(body), 0)
        if self.cycle and self.cycle.response_complete:
            self._refused += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Wait for the next request."""
        self._is_in_body = False
        self._end_deadline()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Give way to others from now on; what is left of the request has to come soon."""
        if not self.pipeline:
            self._places.idle[self] = None
            if self._is_in_body and self._deadline is None:
                self._start_deadline()
        super().on_response_complete()

    def _start_deadline(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _leave(self) -> None:
        self._end_deadline()
        self._places.leave(self)


def http_protocol(**options: Any) -> asyncio.Protocol:
    """Return a connection of uvicorn with limits on what a client may send and keep open.

    It is for `uvicorn --http bankhook.receiver:http_protocol`; `bankhook listen` has it, too. The limits: 64 KiB and 10
    seconds for the head of a request; 64 KiB after it beside the body (trailers, which are dropped, and the frames of
    chunks), and 4 MiB of a body that was refused; 2,000 connections, and 256 of one peer, of which those that wait for a
    request give way to new ones. uvicorn's `--forwarded-allow-ips`, by default 127.0.0.1 and ::1, names the proxies that
    may have all of them.

    Parameters
    ----------
    **options : Any
        What uvicorn gives.

    Returns
    -------
    asyncio.Protocol
        The connection.

    Examples
    --------
    >>> import uvicorn
    >>> config = uvicorn.Config("app:app", http="bankhook.receiver:http_protocol")
    """
    return _Protocol(**options)


class _Places:
    """The connections of one server: one that waits for a request gives way to a new one if there are too many."""

    def __init__(self, trusted: str | list[str]) -> None:
        self.trusted = Trusted(one.strip() for one in trusted.split(",")) if isinstance(trusted, str) else Trusted(trusted)
        self.idle: dict[_Protocol, None] = {}
        """Those that wait for a request; the one that has waited for longest is the first."""
        self._peers: dict[_Protocol, str] = {}
        self._counts: Counter[str] = Counter()

    def take(self, connection: _Protocol, peer: str, limit: int) -> None:
        self.idle[connection] = None
        self._peers[connection] = peer
        self._counts[peer] += 1
        if peer and self._counts[peer] > PEER_CONNECTIONS:
            self._close(one for one in self.idle if self._peers[one] == peer)
        elif len(self._peers) >= limit:
            self._close(iter(self.idle))

    def leave(self, connection: _Protocol) -> None:
        self.idle.pop(connection, None)
        if (peer := self._peers.pop(connection, None)) is not None:
            self._counts[peer] -= 1
            if not self._counts[peer]:
                del self._counts[peer]

    def _close(self, candidates: Iterator[_Protocol]) -> None:
        if (oldest := next(candidates, None)) is not None:
            self.leave(oldest)
            oldest.transport.close()


_places: WeakKeyDictionary[ServerState, _Places] = WeakKeyDictionary()


class Server(uvicorn.Server):
    """A server of one application on one socket; SIGINT and SIGTERM end it, and what was received is answered before."""

    def __init__(
        self,
        app: ASGIApp,
        listener: socket.socket,
        *,
        on_started: Callable[[], None] | None = None,
        trusted_proxies: Sequence[str] = (),
    ) -> None:
        """Take the application, a socket from `bind`, what is called once requests are answered, and the proxies before it."""
        config = uvicorn.Config(
            app,
            http=_Protocol,
            forwarded_allow_ips=list(trusted_proxies),
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
