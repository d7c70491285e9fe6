# SPDX-License-Identifier: MIT
"""One interpreter a process: a second one is refused in words, and a fork keeps what it has."""

from __future__ import annotations

import os
import subprocess
import sys

from python.parsed import transaction_update

SECOND_INTERPRETER = """
import sys
if sys.version_info >= (3, 13):
    import _interpreters as interpreters
else:
    import _xxsubinterpreters as interpreters
{before}
second = interpreters.create()
code = "import sys; sys.path[:] = %r" % (sys.path,)
code += "\\ntry:\\n  import bankhook\\nexcept ImportError: print('refused', flush=True)"
interpreters.run_string(second, code)
interpreters.destroy(second)
{after}
"""


def run_python(program: str) -> str:
    """What the program prints; a crash or a hang fails the test."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-X", "faulthandler", "-c", program]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    assert said.returncode == 0, f"status {said.returncode}\n{said.stdout}{said.stderr}"
    return said.stdout


def test_a_second_interpreter_is_refused() -> None:
    assert run_python(SECOND_INTERPRETER.format(before="", after="")) == "refused\n"


def test_a_second_interpreter_does_not_disturb_the_first() -> None:
    before = """import bankhook; raw = b'{"event":"x"}'; event = bankhook.parse(raw)"""
    after = "print(event.event, bankhook.parse(raw) == event)"
    assert run_python(SECOND_INTERPRETER.format(before=before, after=after)) == "refused\nx True\n"


def test_a_forked_process_reads_what_its_parent_parsed() -> None:
    program = f"""
import bankhook, os
raw = {transaction_update().raw!r}
event = bankhook.parse(raw)
child = os.fork()
if child == 0:
    os._exit(0 if bankhook.parse(event.to_json()) == event else 1)
print(os.waitpid(child, 0)[1])
"""
    assert run_python(program) == "0\n"
