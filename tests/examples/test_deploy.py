# SPDX-License-Identifier: MIT
"""The files of `examples/deploy`: each by the tool that it is for, and the application with a real nginx before it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

import bankhook
from bankhook.receiver import hmac_signature
from inbox.history import Progress
from installed import missing, need_packages
from receiver.listening import free_port
from receiver.proxied import PROGRAMS, until

DEPLOY = Path(__file__).parents[2] / "examples" / "deploy"
SANDBOX = bankhook.Sandbox(seed=4, members=1)
PURCHASE = SANDBOX.send_initial_transaction(SANDBOX.member(0))
VALIDATED = SANDBOX.validate(PURCHASE.initial_transaction.id)


def test_systemd_takes_the_unit_and_finds_it_hardened(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze") or missing("systemd-analyze")
    unit = (DEPLOY / "bankhook.service").read_text()
    unit = unit.replace("/opt/bankhook/bin/uvicorn", f"{sys.prefix}/bin/uvicorn")
    (tmp_path / "bankhook.service").write_text(unit)
    for how in (["verify", "--man=no"], ["security", "--offline=yes", "--threshold=20"]):
        done = subprocess.run([program, *how, tmp_path / "bankhook.service"], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "bankhook.service:" not in done.stderr, done.stderr  # a line of it that was ignored


@contextlib.contextmanager
def deployed(folder: Path) -> Generator[tuple[int, int]]:
    """The application as the unit starts it, and nginx before it: the ports of both."""
    port, outside = free_port(), free_port()
    (folder / "secrets").write_text("the new secret of both\nthe old secret of both\n".replace(" ", "-"))
    with contextlib.closing(sqlite3.connect(folder / "inbox.db")) as inbox:
        inbox.executescript((DEPLOY / "points.sql").read_text())
    started = re.search(r"^ExecStart=(\S+) ((?:.*\\\n)*.*)$", (DEPLOY / "bankhook.service").read_text(), re.MULTILINE)
    assert started is not None
    arguments = started[2].replace("\\\n", "").replace("/opt/bankhook", str(DEPLOY)).replace("8000", str(port)).split()
    settings = {
        "BANKHOOK_INBOX": str(folder / "inbox.db"),
        "BANKHOOK_VERIFY": str(folder / "secrets"),
        "BANKHOOK_SIGNATURE_HEADER": "X-Signature",
    }
    program = shutil.which("nginx", path=PROGRAMS) or missing("nginx")
    ours = (DEPLOY / "nginx.conf").read_text().replace("127.0.0.1:8000", f"127.0.0.1:{port}")
    (folder / "nginx.conf").write_text(
        "daemon off; master_process off; pid nginx.pid; error_log error.log; events { worker_connections 256; }\n"
        "http { access_log off; client_body_temp_path a; proxy_temp_path b; fastcgi_temp_path c; uwsgi_temp_path d;\n"
        f"scgi_temp_path e;\n{ours.replace('listen 80;', f'listen 127.0.0.1:{outside};')} }}"
    )
    command = [sys.executable, "-m", "uvicorn", *arguments]
    with (
        subprocess.Popen(command, env=os.environ | settings, cwd=folder) as application,
        subprocess.Popen([program, "-e", "stderr", "-p", folder, "-c", folder / "nginx.conf"]) as proxy,
    ):
        try:
            until(port, "/bank/readyz", application)
            until(outside, "/", proxy, 404)
            yield outside, port
        finally:
            proxy.kill()
            application.send_signal(signal.SIGTERM)
    assert application.returncode in (0, -signal.SIGTERM)


def points(folder: Path) -> list[tuple[str, float]]:
    with contextlib.closing(sqlite3.connect(folder / "inbox.db")) as inbox:
        return inbox.execute("SELECT transaction_id, amount FROM points").fetchall()


def test_deliveries_pass_nginx_and_nothing_else_does(tmp_path: Path) -> None:
    need_packages("fastapi", "uvicorn", "httptools")
    old = hmac_signature(header="X-Signature", secret="the-old-secret-of-both")
    with deployed(tmp_path) as (outside, port), httpx.Client(base_url=f"http://127.0.0.1:{outside}") as client:
        bodies = [PURCHASE.raw, VALIDATED.raw, VALIDATED.raw, b'{"event":"new"}']
        posted = [client.post("/bank/webhook", content=one, headers=old.sign(one)) for one in bodies]
        assert [one.status_code for one in posted] == [204] * 4
        assert client.post("/bank/webhook", content=b"{}", headers=old.sign(b"[]")).status_code == 401
        assert client.post("/bank/webhook", content=b" " * (1 << 20) + b"{}").status_code == 413
        for path in ("/bank/metrics", "/bank/readyz", "/bank/healthz", "/", "/docs"):
            assert client.get(path).status_code == 404
        assert client.get("/bank/webhook").status_code in (403, 405)
        metrics = httpx.get(f"http://127.0.0.1:{port}/bank/metrics").text
        board = (DEPLOY / "grafana.json").read_text()
        assert {*re.findall(r"bankhook_\w+", board)} <= {*re.findall(r"^(bankhook_\w+)", metrics, re.MULTILINE)}
        progress = Progress("points are given")
        while not (given := points(tmp_path)):
            progress.check()
    ((purchase, amount),) = given
    assert purchase == VALIDATED.initial_transaction.id
    assert amount == pytest.approx(float(VALIDATED.initial_transaction.amount))


def test_prometheus_takes_the_rules_and_what_the_board_asks(tmp_path: Path) -> None:
    promtool = shutil.which("promtool") or missing("promtool")
    asked = [
        target["expr"]
        for panel in json.loads((DEPLOY / "grafana.json").read_text())["panels"]
        for target in panel["targets"]
    ]
    rules = [{"record": f"board:{number}", "expr": one} for number, one in enumerate(asked)]
    (tmp_path / "board.yml").write_text(json.dumps({"groups": [{"name": "board", "rules": rules}]}))  # which is YAML, too
    for file in (DEPLOY / "alerts.yml", tmp_path / "board.yml"):
        done = subprocess.run([promtool, "check", "rules", file], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_schemas_of_kubernetes_take_the_manifests() -> None:
    need_packages("kubernetes_validate")
    done = subprocess.run(
        [sys.executable, "-m", "kubernetes_validate", "--strict", DEPLOY / "kubernetes.yaml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall("passed", done.stdout + done.stderr)) == 3


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    program = shutil.which("hadolint", path=f"{sys.prefix}/bin") or missing("hadolint")
    done = subprocess.run([program, DEPLOY / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
