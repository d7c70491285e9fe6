# SPDX-License-Identifier: MIT
"""Files of the guides, each with what it is for: a service with a limit, a log that is set up after the library is imported."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import subprocess
import sys
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import bankhook
import bankhook.inbox
from docs.snippets import ROOT, files
from installed import need_packages

GUIDES = ROOT / "docs" / "how-to"


def test_a_handler_waits_as_long_as_the_service_says_and_pays_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: Counter[int] = Counter()
    paid: list[tuple[str, str]] = []
    limited = iter([("Retry-After", "1"), ("Retry-After", "0"), ("X-None", "")])

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            to = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["to"]
            header = next(limited, None) if to == "customer-000001" else None
            status = 429 if header and header[1] else 404 if to == "customer-000002" else 204
            answers[status] += 1
            if status == 204:
                paid.append((to, self.headers["Idempotency-Key"]))
            self.send_response(status)
            if header is not None:
                self.send_header(*header)
            self.end_headers()

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    files(GUIDES / "when_a_handler_fails.md", tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as service:
        threading.Thread(target=service.serve_forever, daemon=True).start()
        monkeypatch.setenv("PAYING", f"http://127.0.0.1:{service.server_port}")
        monkeypatch.syspath_prepend(str(tmp_path))
        handlers = importlib.import_module("paying").handlers
        sandbox = bankhook.Sandbox(seed=1, members=3)
        bodies: list[bytes] = []
        for number in range(3):
            created = sandbox.send_initial_transaction(sandbox.member(number))
            bodies += [created.raw, sandbox.validate(created.initial_transaction.id).raw]

        async def handle() -> dict[str, int]:
            async with bankhook.inbox.open(tmp_path / "paying.db", attempts=1) as inbox:  # which `Retry` does not count
                await inbox.append([bankhook.inbox.examine(body) for body in bodies])
                await inbox.drain(handlers, concurrency=3)
                return {state.value: count for state, count in (await inbox.counts()).items() if count}

        assert asyncio.run(handle()) == {"handled": 5, "parked": 1}
        service.shutdown()
    assert answers == {429: 2, 404: 1, 204: 2}
    assert {to for to, _ in paid} == {"customer-000001", "customer-000003"}
    assert len({key for _, key in paid}) == 2


def test_a_log_that_is_set_up_late_has_every_logger_and_the_fields(tmp_path: Path) -> None:
    need_packages("prometheus_client", "sqlalchemy", "starlette")
    files(GUIDES / "watch_a_receiver.md", tmp_path)
    program = """
import logging
import bankhook.inbox, bankhook.receiver  # before
import json_log
for name in ("receiver", "inbox"):
    logging.getLogger(f"bankhook.{name}").info("delivery %d", 7, extra={"delivery": 7, "state": "pending", "secret": 1})
import importlib
logging.getLogger("uvicorn").addHandler(logging.StreamHandler())  # as uvicorn sets up its own before an application
logging.getLogger("uvicorn").propagate = False
importlib.reload(json_log)
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("uvicorn.error").exception("ends", extra={"reason": "why", "count": 2})
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in done.stderr.splitlines()]
    assert all(one.pop("time").startswith("2") for one in found)
    said = {"level": "INFO", "message": "delivery 7", "delivery": 7, "state": "pending"}
    assert found[:2] == [{"logger": f"bankhook.{name}", **said} for name in ("receiver", "inbox")]
    (ended,) = found[2:]
    assert "ZeroDivisionError" in ended.pop("trace")
    assert ended == {"logger": "uvicorn.error", "level": "ERROR", "message": "ends", "reason": "why", "count": 2}


def test_a_second_send_is_repeats_late_events_and_changes_that_are_unspecified() -> None:
    bodies = [one.payload for one in bankhook.Sandbox(faults=0.02).deliveries(200)]
    events = [event for event in map(parsed, bodies) if event is not None]
    tracker = bankhook.Tracker()
    for event in events:
        tracker.apply(event)
    second = [tracker.apply(event) for event in events]
    assert any(one.changes for one in second) and any(one.repeat for one in second)
    assert {str(one.verdict) for one in second if one.changes} <= {"unspecified", "contradicts"}


def test_a_send_leaves_as_many_credits_as_the_guide_says() -> None:
    guide = (GUIDES / "handle_deliveries.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"bankhook send \S+ -n 200\n\$ sqlite3 inbox.db .*\n(\d+)\n", guide)
    tracker = bankhook.Tracker()
    outcomes = [tracker.apply(bankhook.parse(one.payload)) for one in bankhook.Sandbox().deliveries(200)]
    assert sum(one.became("validated") for one in outcomes) == int(said)


def parsed(body: bytes) -> bankhook.AnyEvent | None:
    try:
        return bankhook.parse(body)
    except bankhook.ParseError:
        return None
