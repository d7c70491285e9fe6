# SPDX-License-Identifier: MIT
"""`bankhook listen` in a process of its own, and raw requests to it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Generator
from pathlib import Path
from urllib.parse import urlsplit

import bankhook.inbox
from bankhook.inbox import Delivery
from cli.command import COMMAND

__all__ = ["Listening", "free_port", "head", "listening", "stored"]

SECONDS = 240.0


class Listening:
    """A process that listens; its lines are read as they come, so that it never waits for its reader."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: list[str] = []
        self._came = threading.Condition()
        self._has_ended = False
        threading.Thread(target=self._read, daemon=True).start()
        self.url = self.line(r"POST (http\S+)")
        self.root = re.sub(r"(://[^/]+).*", r"\1", self.url)
        self.address = (urlsplit(self.url).hostname or "", urlsplit(self.url).port or 0)

    def line(self, pattern: str) -> str:
        """Wait for a line with the pattern, and return its first group, or the line."""

        def find() -> re.Match[str] | None:
            return next(filter(None, (re.search(pattern, one) for one in self.lines)), None)

        with self._came:
            self._came.wait_for(lambda: find() or self._has_ended, SECONDS)
            found = find()
            assert found is not None, self.lines
            return found[1] if found.re.groups else found.string

    def connect(self) -> socket.socket:
        """Return a connection to it."""
        return socket.create_connection(self.address, timeout=SECONDS)

    def ask(self, *parts: bytes) -> bytes:
        """Send bytes, and return all that is answered until it closes the connection."""
        answered = b""
        with self.connect() as client, contextlib.suppress(ConnectionError):
            try:
                for part in parts:
                    client.sendall(part)
            except ConnectionError:
                pass
            while received := client.recv(65536):
                answered += received
        return answered

    def stop(self) -> int:
        """End it in order, and return its status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SECONDS)

    def rss(self) -> int:
        """Return the bytes of memory that it has."""
        pages = Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._came:
                self.lines.append(line.rstrip("\n"))
                self._came.notify_all()
        with self._came:
            self._has_ended = True
            self._came.notify_all()


@contextlib.contextmanager
def listening(inbox: Path | str, *options: str, env: dict[str, str] | None = None) -> Generator[Listening, None, None]:
    """Run `bankhook listen` on a free port of loopback."""
    process = subprocess.Popen(
        [COMMAND, "listen", "--inbox", str(inbox), "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **(env or {})},
    )
    assert process.stdout is not None
    with process.stdout:
        try:
            yield Listening(process)
        finally:
            process.kill()
            process.wait()


def free_port() -> int:
    """Return a port of loopback at which nothing listens now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


def head(size: int | str, *fields: str, method: str = "POST", path: str = "/webhook") -> bytes:
    """Return the head of a request, whose answer ends the connection."""
    lines = [f"{method} {path} HTTP/1.1", "host: 127.0.0.1", "connection: close", f"content-length: {size}", *fields]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def stored(inbox: Path | str) -> list[Delivery]:
    """Return what an inbox contains."""

    async def read() -> list[Delivery]:
        async with bankhook.inbox.open(inbox) as opened:
            return [one async for one in opened.find()]

    return asyncio.run(read())
