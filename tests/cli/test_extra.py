# SPDX-License-Identifier: MIT
"""The extra `cli`: what the command needs, and what importing the package does not load."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

from installed import need_packages


def test_the_command_is_an_extra_of_the_package() -> None:
    assert "cli" in (importlib.metadata.metadata("bankhook").get_all("Provides-Extra") or ())
    (script,) = importlib.metadata.entry_points(group="console_scripts", name="bankhook")
    assert script.value == "bankhook.cli:main"


def test_a_check_loads_nothing_heavy() -> None:
    need_packages("click")
    code = (
        "import sys; from bankhook.cli.commands import run; run(['check', '-']);"
        "print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=b"", capture_output=True, check=True)
    loaded = set(done.stderr.decode().split())
    assert not loaded & {"rich", "json", "backports", "gzip", "bankhook.testing.strategies", "importlib.metadata"}


def test_without_httpx_the_command_says_which_extra_brings_it() -> None:
    need_packages("click")
    code = (
        "import sys; sys.modules['httpx'] = None; from bankhook.cli.commands import run;"
        "sys.exit(run(['send', 'http://127.0.0.1:9/', '--event', 'created']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "bankhook: httpx is missing: pip install 'bankhook[send]'\n"
