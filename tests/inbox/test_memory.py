# SPDX-License-Identifier: MIT
"""What handling holds in memory is bounded, however large the states of the members are that a batch needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from inbox import large
from installed import need_packages

pytestmark = pytest.mark.soak

MEMBERS = 100
BOUND = 200 << 10  # KiB; all of the states have twice as many


@pytest.mark.slow
def test_large_states_are_not_all_in_memory_at_once(url: str) -> None:
    need_packages("sqlalchemy")
    assert MEMBERS * large.SIZE >= 2 * BOUND << 10
    command = [sys.executable, "-m", "inbox.large", url, str(MEMBERS)]
    ran = subprocess.run(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE, check=True)
    assert int(ran.stdout) < BOUND
