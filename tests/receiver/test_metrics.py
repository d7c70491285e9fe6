# SPDX-License-Identifier: MIT
"""Metrics of two processes at one port: whichever answers, the figures are the same, and the alerts of the guide are right."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families as families

import bankhook
import bankhook.inbox
import bankhook.receiver
from bankhook.inbox import examine
from bankhook.receiver._metrics import Metrics
from inbox.history import Progress, payloads
from inbox.test_files import TESTS
from installed import missing
from receiver.listening import free_port
from receiver.proxied import until

ALERTS = Path(__file__).parents[2] / "examples" / "deploy" / "alerts.yml"
SENDER = {"X-Secret": "agreed"}
HOUR = datetime.timedelta(hours=1)
Scrape = dict[tuple[str, tuple[tuple[str, str], ...]], float]
"""By name and labels."""


class Workers:
    """Two processes of uvicorn at one port."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.inbox, self.port = folder / "inbox.db", free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        asyncio.run(self._make())
        self.process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "receiver.served:app", "--port", str(self.port), "--workers", "2"],
            cwd=TESTS,
            env={**os.environ, "INBOX": str(self.inbox), "LIMITS": "elsewhere", "TIMEOUT": "1", **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    async def _make(self) -> None:
        async with bankhook.inbox.open(self.inbox):
            pass

    def post(self, body: bytes, path: str = "/webhook", **headers: str) -> int:
        """Deliver on a connection of its own, and return the status."""
        return httpx.post(f"{self.url}{path}", content=body, headers=SENDER | headers, timeout=60).status_code

    def scrape(self) -> Scrape:
        """Ask one of them."""
        samples = (one for family in families(httpx.get(f"{self.url}/metrics").text) for one in family.samples)
        return {(one.name, tuple(sorted(one.labels.items()))): one.value for one in samples}

    def scrapes(self, count: int) -> list[Scrape]:
        """Ask until both have answered, each at least a fourth of the last ones, which are returned."""
        found, progress = list[Scrape](), Progress("both processes answer")
        while len(found) < count or len(by := Counter(map(pid_of, found))) < 2 or min(by.values()) < count // 4:
            progress.check()
            found = [*found, self.scrape()][-count:]
        return found


@contextlib.contextmanager
def workers(folder: Path, **environment: str) -> Generator[Workers]:
    """Run them, and end them."""
    both = Workers(folder, **environment)
    try:
        until(both.port, "/healthz", both.process)
        yield both
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(both.process.pid, signal.SIGKILL)
        both.process.wait()


def pid_of(scrape: Scrape) -> str:
    """Who answered."""
    (pid,) = [dict(labels)["pid"] for name, labels in scrape if name == "bankhook_waiting"]
    return pid


def stored(scrape: Scrape) -> Scrape:
    """The figures of the store."""
    return {place: value for place, value in scrape.items() if place[0] in ("bankhook_inbox", "bankhook_attempts")}


@pytest.mark.parametrize("is_merged", [False, True])
def test_scrapes_agree_on_what_is_stored_and_count_each_answer_once(tmp_path: Path, is_merged: bool) -> None:
    (tmp_path / "counted").mkdir()
    with workers(tmp_path, **({"PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "counted")} if is_merged else {})) as both:
        for body in [*payloads(80), b'{"event":"new"}', b"{"]:
            assert both.post(body) == 204
        scrapes = both.scrapes(4)
    expected = stored(scrapes[0])
    assert sum(value for (name, _), value in expected.items() if name == "bankhook_inbox") == 82
    assert [stored(one) for one in scrapes] == [expected] * len(scrapes)
    for name, labels in (("bankhook_answers_total", {"status": "204"}), ("bankhook_answer_seconds_count", {})):
        if is_merged:
            assert {one[name, tuple(labels.items())] for one in scrapes} == {82}
        else:  # the last one of each process
            last = {pid_of(one): one[name, tuple(sorted((labels | {"pid": pid_of(one)}).items()))] for one in scrapes}
            assert sum(last.values()) == 82
            assert min(last.values()) > 0


def test_the_alerts_of_the_guide_fire_for_what_they_are_about_and_never_because_of_who_answers(tmp_path: Path) -> None:
    """Scrapes were recorded in two hours, a minute after one another: all was well in the first one."""
    promtool = shutil.which("promtool") or missing("promtool")
    rules = ALERTS.read_text()
    (tmp_path / "alerts.yml").write_text(rules)
    with workers(tmp_path) as both:
        for body in payloads(40):
            both.post(body)
        well = both.scrapes(8)
        assert both.post(b" " * 20_000) == 413
        large = both.scrapes(8)
        asyncio.run(keep_failing(both.inbox))
        for body in (b'{"event":"new"}', b"{"):
            assert both.post(body) == 204
        assert both.post(b"{}", **{"X-Secret": "guessed"}) == 401
        assert both.post(b"{}", "/webhooks") == 404
        with contextlib.closing(sqlite3.connect(both.inbox, isolation_level=None)) as writer:
            writer.execute("begin immediate")
            assert both.post(b"{}") == 503
            writer.execute("rollback")
        bad = both.scrapes(8)
    away = [{place: value for place, value in one.items() if place not in stored(one)} | unreadable() for one in bad]
    recorded = [*(well * 60)[:60], *(bad * 60)[:30], *away, *(bad * 60)[:22]]
    names = {*re.findall(r"alert: (\w+)", rules)}
    assert fired(promtool, tmp_path, recorded, names, range(60)) == set()
    assert fired(promtool, tmp_path, recorded, names, range(60, 120)) == names
    passing = {"DeliveriesNotStored", "DeliveriesTurnedAway", "InboxCannotBeRead"}
    assert names - fired(promtool, tmp_path, recorded, names, [119]) == passing
    assert fired(promtool, tmp_path, [*well, *large], names, range(16)) == {"DeliveriesTurnedAway"}


def unreadable() -> Scrape:
    """The figures of a store that cannot be read."""
    samples = (one for family in families(Metrics().text().decode()) for one in family.samples)
    return stored({(one.name, tuple(sorted(one.labels.items()))): one.value for one in samples})


def test_every_status_that_a_receiver_answers_with_is_counted_from_0() -> None:
    sources = "".join(one.read_text() for one in Path(bankhook.receiver.__file__).parent.glob("*.py"))
    answered = {*re.findall(r"\bTurnedAway\((\d+)", sources), "204", "404", "422"}
    assert len(answered) > 8
    samples = (one for family in families(Metrics().text().decode()) for one in family.samples)
    assert {one.labels["status"] for one in samples if one.name == "bankhook_answers_total"} == answered


async def keep_failing(inbox: Path) -> None:
    """Let a handler fail for a delivery that came an hour ago, and handle all others."""
    handlers, stop = bankhook.Handlers(), asyncio.Event()

    @handlers.fallback
    def fail(event: bankhook.AnyEvent) -> None:
        if event.event == "old":
            raise LookupError

    async with bankhook.inbox.open(inbox, backoff=HOUR) as opened:
        await opened.append([examine(b'{"event":"old"}', received=datetime.datetime.now(datetime.UTC) - HOUR)])
        running = asyncio.create_task(opened.run(handlers, stop=stop))
        while (await opened.counts())["pending"] > 1:  # type: ignore[index]
            await asyncio.sleep(0.01)
        stop.set()
        await running


def fired(promtool: str, folder: Path, recorded: list[Scrape], names: set[str], minutes: Iterable[int]) -> set[str]:
    """The alerts that fire in one of these minutes after the first scrape."""
    series: dict[str, list[str]] = defaultdict(list)
    for number, scrape in enumerate(recorded):
        for (name, labels), value in scrape.items():
            shown = ",".join(f"{label}={json.dumps(text)}" for label, text in labels)
            values = series[f"{name}{{{shown}}}"]
            if len(values) < number:  # as Prometheus notes that a series has gone
                values += ["stale", *["_"] * (number - len(values) - 1)]
            values.append(f"{value:g}")
    none = [{"alertname": one, "eval_time": f"{minute}m", "exp_alerts": []} for minute in minutes for one in names]
    test = {
        "rule_files": ["alerts.yml"],
        "evaluation_interval": "1m",
        "tests": [
            {
                "interval": "1m",
                "input_series": [{"series": one, "values": " ".join(values)} for one, values in series.items()],
                "alert_rule_test": none,
            }
        ],
    }
    (folder / "test.yml").write_text(json.dumps(test))  # which is YAML, too
    done = subprocess.run([promtool, "test", "rules", "test.yml"], cwd=folder, capture_output=True, text=True, check=False)
    assert "error" not in done.stdout + done.stderr, done.stdout + done.stderr
    return {*re.findall(r"alertname: (\w+)", done.stdout + done.stderr)}
