# SPDX-License-Identifier: MIT
"""A real HTTP server on a free loopback port, in threads of its own: it records what it gets, and a test chooses its answers."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

__all__ = ["Receiver", "Request", "receiving"]


class Request(NamedTuple):
    """What the server got."""

    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes


class Receiver(NamedTuple):
    """A running server."""

    url: str
    requests: list[Request]
    """In the order in which they were read."""

    @property
    def bodies(self) -> list[bytes]:
        """The bodies that came."""
        return [request.body for request in self.requests]


@contextlib.contextmanager
def receiving(answer: Callable[[BaseHTTPRequestHandler, int], object] | int = 204) -> Generator[Receiver]:
    """Run a server that answers with a status, or as a function of the handler and the number of the request does."""
    requests: list[Request] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            with lock:
                number = len(requests)
                requests.append(Request(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            if callable(answer):
                answer(self, number)
            else:
                status(self, answer)

        def log_message(self, format: str, *arguments: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield Receiver(f"http://127.0.0.1:{server.server_address[1]}/webhook?key=1", requests)
        finally:
            server.shutdown()


def status(handler: BaseHTTPRequestHandler, code: int, **headers: str) -> None:
    """Answer with this status and no body."""
    handler.send_response(code)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("content-length", "0")
    handler.end_headers()
