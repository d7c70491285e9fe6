# SPDX-License-Identifier: MIT
"""nginx before receivers, and whether they answer."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import subprocess
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from inbox.history import Progress
from installed import missing

__all__ = ["answers", "nginx", "until"]

PROGRAMS = f"{os.environ['PATH']}{os.pathsep}/usr/sbin"  # where an ordinary user does not look
NGINX = """
daemon off; master_process off; pid nginx.pid; error_log error.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path a; proxy_temp_path b; fastcgi_temp_path c; uwsgi_temp_path d; scgi_temp_path e;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    upstream application {{ server 127.0.0.1:{application}; keepalive 16; }}
    upstream listener {{ server 127.0.0.1:{listener}; keepalive 16; }}
    server {{
        listen 127.0.0.1:{port};
        location / {{ proxy_pass http://application; }}
        location = /webhook {{ proxy_pass http://listener; }}
    }}
}}
"""


@contextlib.contextmanager
def nginx(folder: Path, *, port: int, application: int, listener: int, health: str = "/bank/healthz") -> Generator[None]:
    """Run nginx in a folder of its own, as whoever runs the test, before what listens at two ports."""
    folder.mkdir()
    (folder / "nginx.conf").write_text(NGINX.format(port=port, application=application, listener=listener))
    program = shutil.which("nginx", path=PROGRAMS) or missing("nginx")
    process = subprocess.Popen([program, "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"])
    try:
        until(port, health, process)
        yield
    finally:
        process.kill()
        process.wait()


def answers(port: int, path: str) -> int | None:
    """The status with which something answers at a port."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    with contextlib.suppress(OSError, http.client.HTTPException), closing(connection):
        connection.request("GET", path)
        return connection.getresponse().status
    return None


def until(port: int, path: str, process: subprocess.Popen[bytes], status: int = 200) -> None:
    """Wait until a process answers, by default that it is well."""
    progress = Progress("a process that was started answers")
    while answers(port, path) != status:
        assert process.poll() is None
        progress.check()
        time.sleep(0.1)
