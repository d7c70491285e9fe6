# SPDX-License-Identifier: MIT
"""A store that is away is in the log when that begins and when it is over, not once for each attempt to reach it."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import _problems
from bankhook.inbox._problems import Problem
from bankhook.inbox._sql import inbox, spooled
from bankhook.receiver import Receiver, _runner, anyone
from inbox.postgresql import PostgreSQL
from receiver.asked import CREATED, asking, eventually, running

ATTEMPTS = 20


@pytest.mark.parametrize("is_away_at_first", [False, True])
def test_a_server_that_is_killed_and_started_again_is_a_few_lines(
    is_away_at_first: bool, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((inbox, "POLL_SECONDS"), (spooled, "PAUSE"), (_runner, "RETRY_SECONDS")):
        monkeypatch.setattr(module, name, 0.02)
    monkeypatch.setattr(_problems, "QUIET_SECONDS", 1.0)
    noted, note, handlers = Counter[Problem](), Problem.note, bankhook.Handlers()

    def count(problem: Problem, reason: str, first: str | None = None, /, **details: object) -> None:
        noted[problem] += 1
        note(problem, reason, first, **details)

    @handlers.fallback
    async def see(event: bankhook.AnyEvent) -> None:
        pass

    @running
    async def run() -> None:
        with PostgreSQL() as server:
            store = bankhook.inbox.open(server.url(), spool=tmp_path / "spool.db")
            if is_away_at_first:
                server.kill()
            async with asking(Receiver(store, verify=anyone, handlers=handlers)) as client:
                if not is_away_at_first:
                    await eventually(lambda: getattr(store, "_is_handling", False))
                    server.kill()
                while len(noted) < 2 or min(noted.values()) < ATTEMPTS:
                    assert (await client.post("/webhook", content=CREATED)).status_code == 204
                server.start()
                await eventually(lambda: sum("(failed: " in one for one in caplog.messages) == 2)
                await asyncio.sleep(2 * _problems.QUIET_SECONDS)  # nothing follows

    monkeypatch.setattr(Problem, "note", count)
    with caplog.at_level(logging.WARNING, "bankhook"):
        run()
    over = [one for one in caplog.messages if "(failed: " in one]
    what = "handlers are called again" if is_away_at_first else "handling goes on"
    assert sorted(one.partition(" (failed: ")[0] for one in over) == ["deliveries are stored in the table again", what]
    assert sum(record.__dict__.get("count", 0) for record in caplog.records) == noted.total() >= 2 * ATTEMPTS
    # Each reason once: the connection was lost, nobody listens, the server recovers.
    assert len(caplog.messages) == len({*caplog.messages}) <= 2 * 3 + len(over)


def test_what_fails_and_works_in_turns_is_one_problem_and_what_lasts_is_logged_again(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    time = 0.0
    monkeypatch.setattr(_problems, "monotonic", lambda: time)
    problem = Problem(logging.getLogger("bankhook.receiver"), logging.ERROR, "it works again")
    for second in range(3602):
        time = float(second)
        problem.note("no room")
        assert not problem.end()
    time += _problems.QUIET_SECONDS
    assert problem.end()
    problem.note("no room")
    assert [(one.levelname, one.message) for one in caplog.records] == [
        ("ERROR", "no room"),
        ("ERROR", "no room (repeated: 3,600 in 3,600 s)"),
        ("WARNING", "it works again (failed: 3,602 in 3,601 s)"),
        ("ERROR", "no room"),
    ]
