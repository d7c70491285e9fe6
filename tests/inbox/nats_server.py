# SPDX-License-Identifier: MIT
"""A NATS server of the tests' own: on a free port of the loopback, in a temporary folder, and stopped by who started it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Self

from installed import missing, need_programs

__all__ = ["NatsServer"]

START_SECONDS = 120


class NatsServer:
    """A server that is started in a `with` block; `url()` names an inbox that does not exist yet."""

    def __init__(self, **options: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="bankhook-nats-"))
        self._options = options
        self._server: subprocess.Popen[bytes] | None = None
        self._names = count(1)
        self.port = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        """Start the server, on the same port as before, and wait until it answers."""
        if self.port == 0:
            with socket.create_server(("127.0.0.1", 0)) as free:
                self.port = free.getsockname()[1]
        need_programs("setpriv")
        program = shutil.which("nats-server", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or missing("nats-server")
        config = self._folder / "server.conf"
        options = "".join(f"{name}: {value}\n" for name, value in self._options.items())
        config.write_text(f'{options}jetstream {{ store_dir: "{self._folder}/store" }}\n')
        # The server gets a signal when the thread that started it ends, however that happens.
        command = ["setpriv", "--pdeathsig=KILL", program, "-c", str(config), "-a", "127.0.0.1", "-p", str(self.port)]
        with (self._folder / "log").open("ab") as log:
            self._server = subprocess.Popen(command, stdout=log, stderr=log)
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._server.poll() is not None or time.monotonic() > end:
                raise RuntimeError((self._folder / "log").read_text())
            time.sleep(0.02)

    def kill(self) -> None:
        """`kill -9`: the server ends at once, and recovers at the next start."""
        if self._server is not None:
            self._server.send_signal(signal.SIGKILL)
            self._server.wait(START_SECONDS)
            self._server = None

    def pause(self) -> None:
        """Stop the server in the middle of whatever it does; connections stay open, and nothing answers."""
        assert self._server is not None
        self._server.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self._server.pid, os.WSTOPPED)

    def resume(self) -> None:
        """Let it go on."""
        assert self._server is not None
        self._server.send_signal(signal.SIGCONT)

    def url(self, **options: object) -> str:
        """The URL of a new inbox."""
        query = "&".join(f"{name}={value}" for name, value in {"timeout": 30, **options}.items())
        return f"nats://127.0.0.1:{self.port}/test{next(self._names)}?{query}"

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                return connection.recv(4) == b"INFO"
        except OSError:
            return False
