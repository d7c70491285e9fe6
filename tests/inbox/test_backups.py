# SPDX-License-Identifier: MIT
"""The backup that the guide shows: whole while deliveries come, and an inbox again where it is restored."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from docs.snippets import ROOT, files
from inbox.test_files import is_whole
from receiver.listening import listening, stored
from receiver.test_faults import Load

PAGE = ROOT / "docs" / "how-to" / "before_production.md"


@pytest.mark.slow
def test_a_backup_of_a_live_inbox_is_whole_and_can_be_restored(tmp_path: Path) -> None:
    inbox, load, there = tmp_path / "inbox.db", Load(), list[bytes]()
    files(PAGE, tmp_path)
    copies = [tmp_path / f"copy-{number}.db" for number in range(3)]
    with ThreadPoolExecutor(4) as clients, listening(inbox, "--quiet") as server:
        done = [clients.submit(load.post, server) for _ in range(4)]
        for copy in copies:
            load.wait(100)
            acknowledged = len(load.acknowledged)
            subprocess.run([sys.executable, "back_up.py", inbox, copy], cwd=tmp_path, check=True)
            assert set(load.acknowledged[:acknowledged]) <= {one.body for one in stored(copy)}
        assert server.stop() == 0
        for one in done:
            one.result()
    there = [one.body for one in stored(inbox)]
    assert set(load.acknowledged) <= set(there)
    for copy in copies:
        assert is_whole(copy)
        restored = [one.body for one in stored(copy)]
        assert restored == there[: len(restored)]
        assert copy.stat().st_mode & 0o077 == 0

    for suffix in ("", "-wal", "-shm"):
        Path(f"{inbox}{suffix}").unlink(missing_ok=True)
    copies[0].rename(inbox)
    again = Load()
    with ThreadPoolExecutor(1) as clients, listening(inbox, "--quiet") as server:
        posted = clients.submit(again.post, server)
        again.wait(20)
        assert server.stop() == 0
        posted.result()
    bodies = [one.body for one in stored(inbox)]
    first = len(bodies) - len(again.acknowledged)
    assert bodies[:first] == there[:first]
    assert set(again.acknowledged) <= set(bodies[first - 1 :])
