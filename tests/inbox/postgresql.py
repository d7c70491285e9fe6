# SPDX-License-Identifier: MIT
"""A PostgreSQL server of the tests' own: on a free port of the loopback, in a temporary folder, and stopped by who started it."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator
from itertools import count
from pathlib import Path
from typing import Self

import psycopg
from psycopg.rows import TupleRow
from psycopg.sql import SQL, Identifier

from installed import missing, need_programs

__all__ = ["PostgreSQL"]

START_SECONDS = 120


def _programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return found[-1].parent if found else missing("PostgreSQL")


class PostgreSQL:
    """A server that is started in a `with` block; `url()` makes a place for tables."""

    def __init__(self, folder: Path | None = None) -> None:
        need_programs("setpriv")
        self._programs = _programs()
        self._folder = Path(tempfile.mkdtemp(prefix="bankhook-postgresql-", dir=folder))
        self._server: subprocess.Popen[bytes] | None = None
        self._schemas = count(1)
        self.port = 0
        # initdb refuses root. The server gets a signal when the thread that started it ends, however that happens.
        as_user = ["--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        self._as_user = ["setpriv", *as_user]
        if as_user:
            shutil.chown(self._folder, "postgres", "postgres")

    def __enter__(self) -> Self:
        initdb: list[str | Path] = [
            *self._as_user,
            self._programs / "initdb",
            "-D",
            self._folder / "data",
            "-U",
            "test",
            "-A",
            "trust",
        ]
        subprocess.run([*initdb, "--no-sync", "-E", "UTF8", "--locale=C"], check=True, capture_output=True, cwd="/")
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self, *, as_standby: bool = False) -> None:
        """Start the server, on the same port as before, until it answers; a standby is in recovery until it is promoted."""
        if as_standby:
            (self._folder / "data" / "standby.signal").touch()
        if self.port == 0:
            with socket.create_server(("127.0.0.1", 0)) as free:
                self.port = free.getsockname()[1]
        options = {"port": self.port, "listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        options |= {"shared_buffers": "16MB", "max_connections": 60}
        command: list[str | Path] = [
            *self._as_user,
            "--pdeathsig=QUIT",
            self._programs / "postgres",
            "-D",
            self._folder / "data",
        ]
        command += [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        end = time.monotonic() + START_SECONDS
        while not self._starts(command, end):
            pass

    def _starts(self, command: list[str | Path], end: float) -> bool:
        """Whether the server started; it does not while processes of one that was killed still end."""
        path = self._folder / "log"
        with path.open("ab") as log:
            known = log.tell()
            self._server = subprocess.Popen(command, stdout=log, stderr=log, cwd="/")
        while True:
            try:
                psycopg.connect(self._server_url(), autocommit=True).close()
                return True
            except psycopg.OperationalError:
                text = path.read_bytes()[known:]
                has_ended, is_late = self._server.poll() is not None, time.monotonic() > end
                if has_ended and not is_late and b"pre-existing shared memory block" in text:
                    return False
                if has_ended or is_late:
                    raise RuntimeError(text.decode()) from None
                time.sleep(0.05)

    def kill(self) -> None:
        """`kill -9`: the server ends at once, its processes with it, and recovers at the next start."""
        if self._server is not None:
            self._server.send_signal(signal.SIGSTOP)  # so that it starts no other one meanwhile
            children = Path(f"/proc/{self._server.pid}/task/{self._server.pid}/children").read_text().split()
            self._server.send_signal(signal.SIGKILL)
            for child in children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(child), signal.SIGKILL)
            self._server.wait(START_SECONDS)
            self._server = None

    @contextlib.contextmanager
    def stopped(self) -> Generator[None]:
        """While all of its processes are stopped: it takes connections and answers nothing."""
        assert self._server is not None
        self._server.send_signal(signal.SIGSTOP)
        children = [
            int(one) for one in Path(f"/proc/{self._server.pid}/task/{self._server.pid}/children").read_text().split()
        ]
        for child in children:
            os.kill(child, signal.SIGSTOP)
        try:
            yield
        finally:
            for child in (*children, self._server.pid):
                os.kill(child, signal.SIGCONT)

    def url(self) -> str:
        """A new, empty place for tables: a schema, since databases take long to make and to delete."""
        name = f"test{next(self._schemas)}"
        with self.connect() as connection:
            connection.execute(SQL("CREATE SCHEMA {}").format(Identifier(name)))
        return f"{self._server_url()}?options=-csearch_path%3D{name}"

    def connect(self) -> psycopg.Connection[TupleRow]:
        """A connection of the user that may do anything, whose statements are committed at once."""
        return psycopg.connect(self._server_url(), autocommit=True)

    def _server_url(self) -> str:
        return f"postgresql://test@127.0.0.1:{self.port}/postgres"
