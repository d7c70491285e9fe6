# SPDX-License-Identifier: MIT
"""uvicorn with limits on what a client may keep open, and for how long."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Any, cast
from weakref import WeakKeyDictionary

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from bankhook.receiver._places import Places
from bankhook.receiver._requests import LIMITED
from bankhook.receiver._sockets import BACKLOG, bind as bind, handled, is_loopback as is_loopback, url_of as url_of

HEAD_BYTES = 64 << 10
FIELD_BYTES = 32
"""What a field counts beside its name and its value, as in HTTP/2: it takes memory, too."""
HEAD_SECONDS = 10.0
KEEP_ALIVE_SECONDS = 30
PIPELINE_LIMIT = 8
"""How many requests of a connection may wait for the answer to the one before."""

UNREAD_SECONDS = 10.0
UNREAD_BYTES = 16 << 10
"""Of answers that are not read, beside what the system keeps: then nothing more is answered."""

CONNECTIONS_LIMIT = 2_000
PEER_CONNECTIONS = 256
REFUSED_BYTES = 4 << 20
STOP_SECONDS = 10

SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter. With Python's 5 ms, the thread that stores waits at each statement under load."""

_EXTENSIONS: dict[str, dict[object, object]] = {LIMITED: {}}


class _Protocol(HttpToolsProtocol):
    """The callbacks of uvicorn's protocol, with limits."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Take what uvicorn gives."""
        super().__init__(*arguments, **named)
        if (places := _places.get(self.server_state)) is None:
            places = _places[self.server_state] = Places(self.config.forwarded_allow_ips, PEER_CONNECTIONS)
        self._places = places
        self._read = self._extra = self._fields = self._refused = 0
        """Bytes: of the last read; beside bodies, since the last head began or ended; of the head's fields; of a body after
        its answer."""
        self._is_in_body = self._is_ending = False
        """Whether the head of a request is complete, and not its body; whether nothing more is read."""
        self._deadline: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None
        self._answered: RequestResponseCycle | None = None
        """What is being answered; uvicorn's cycle is the last request, which may wait for that."""
        self._limit = self.limit_concurrency or CONNECTIONS_LIMIT

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Take a place for the connection."""
        super().connection_made(transport)
        peer = self._places.trusted.peer_of(self.client[0]) if self.client else ""
        transport.set_write_buffer_limits(UNREAD_BYTES)
        self._start_deadline()
        self._places.take(self, peer, self._limit)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place; the application shall not write to what is closed, each time with a traceback in the log."""
        self._leave()
        if self._answered is not None:
            self._answered.disconnected = True
            self._answered.message_event.set()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to another protocol."""
        self._leave()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Parse what came, and close the connection over a limit."""
        if self._is_ending:
            return
        self._read = len(data)
        self._extra += self._read
        super().data_received(data)
        if (self._extra > HEAD_BYTES or self._refused > REFUSED_BYTES) and not self.transport.is_closing():
            if self._is_in_body and self.cycle.response_started:
                self.transport.close()
            else:
                self.send_400_response("The request is too large beside its body.")

    def send_400_response(self, msg: str) -> None:
        """Answer what came before, then close the connection; only if nothing waits for an answer, that is 400."""
        if self._is_ending:
            return None
        if self._is_in_body and self.pipeline:
            self.pipeline.popleft()  # the request that is wrong
        elif self._is_in_body or (cycle := cast("Any", self.cycle)) is None or cycle.response_complete:
            return super().send_400_response(msg)
        (self.pipeline[0][0] if self.pipeline else self.cycle).keep_alive = False
        self._is_ending = True
        self._end_deadline()
        return None

    def pause_writing(self) -> None:
        """Give way to others, and end the connection if nothing is read soon."""
        super().pause_writing()
        self._places.idle[self] = None
        self._start_unread()

    def resume_writing(self) -> None:
        """Answer on."""
        super().resume_writing()
        self._end_unread()
        if self.cycle and not self.cycle.response_complete and not self.pipeline:
            self._places.idle.pop(self, None)

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
        if len(self.pipeline) >= PIPELINE_LIMIT:
            raise ValueError("too many requests wait for their answers")
        self._extra = self._refused = 0
        self._is_in_body = True
        self._end_deadline()
        if self.cycle and not self.cycle.response_complete:
            self._places.idle[self] = None  # senders wait for an answer: who does not gives way
        elif not self.flow.write_paused:
            self._places.idle.pop(self, None)
        # uvicorn counts the idle connections, too, and those that are being closed: none of them costs a request its place.
        self.limit_concurrency = 0 if self._places.are_taken(self._limit) else None
        super().on_headers_complete()
        if not self.pipeline:
            self._answered = self.cycle

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
        if self.transport.is_closing() and self.transport.get_write_buffer_size():
            self._start_unread()
        elif self._is_ending and not self.pipeline:
            self.transport.close()
        self._answered = self.pipeline[-1][0] if self.pipeline else None
        super().on_response_complete()

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection now, even if its last answer is not read."""
        (self.transport.abort if self.transport.get_write_buffer_size() else self.transport.close)()

    def _start_unread(self) -> None:
        if self._unread is None:
            self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def _end_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _start_deadline(self) -> None:
        self._deadline = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _leave(self) -> None:
        self._end_deadline()
        self._end_unread()
        self._places.leave(self)


def http_protocol(**options: Any) -> asyncio.Protocol:
    """Return a connection of uvicorn with limits on what a client may send and keep open.

    It is for `uvicorn --http bankhook.receiver:http_protocol`; `bankhook listen` has it, too. The limits: 64 KiB and 10
    seconds for the head of a request; 64 KiB after it beside the body (trailers, which are dropped, and the frames of
    chunks), and 4 MiB of a body that was refused; 8 requests that wait for the answer to the one before, after which the
    connection is closed; 10 seconds for an answer to be read; 2,000 connections (or `--limit-concurrency`), and 256 of one
    peer, of which those that wait for a request, or do not read, give way to new ones. uvicorn's `--forwarded-allow-ips`,
    by default 127.0.0.1 and ::1, names the proxies that may have all of them.

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


_places: WeakKeyDictionary[ServerState, Places] = WeakKeyDictionary()


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
        with (
            contextlib.nullcontext()
            if threading.current_thread() is not threading.main_thread()
            else handled(self.handle_exit)
        ):
            yield
