# SPDX-License-Identifier: MIT
"""After long calls were interrupted, a forked child process works as if they had never been made."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

INTERRUPTED = """
import os, signal, sys, time
import bankhook

def interrupted(signum, frame):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, interrupted)
large = b'{"event":"x","p":[' + b"1," * 30_000_000 + b"1]}"
left = 0
while left < 8:  # more stacks than glibc keeps for later threads
    signal.setitimer(signal.ITIMER_REAL, 0.03)
    try:
        bankhook.diagnose(large)
    except KeyboardInterrupt:
        left += 1
    signal.setitimer(signal.ITIMER_REAL, 0)
"""

FORKED = """
child = os.fork()
if child == 0:
    event = bankhook.parse(b'{"event":"x","p":"' + b"a" * 5_000_000 + b'"}')
    os._exit(0 if event.event == "x" else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
event = bankhook.parse(b'{"event":"x","p":"' + b"a" * 5_000_000 + b'"}')
print(event.event)
"""


def said_by(code: str) -> tuple[str, str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-X", "faulthandler", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    return done.stdout, done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system does not fork")
@pytest.mark.parametrize("wait", ["", "time.sleep(5)\n"], ids=["at once", "when the work is done"])
def test_a_child_reads_on_after_long_calls_of_its_parent_were_interrupted(wait: str) -> None:
    assert said_by(INTERRUPTED + wait + FORKED) == ("0\nx\n", "")
