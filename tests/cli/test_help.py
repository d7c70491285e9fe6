# SPDX-License-Identifier: MIT
"""Help texts, each with an example that works, and completion by the shell's own protocol."""

from __future__ import annotations

import asyncio
import re
import shlex
import subprocess
from pathlib import Path

import click
import pytest

import bankhook.inbox
from bankhook.cli.commands import commands
from cli import zst
from cli.command import COMMAND, clean_archive, faulty_archive, run
from cli.server import receiving
from installed import need_programs

COMMANDS = commands.list_commands(click.Context(commands))
ENDLESS = ("listen",)  # tests/receiver/ runs it


def complete(shell: str, words: str, count: int) -> list[str]:
    """What click offers where the shell asks it."""
    env = {"_BANKHOOK_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": str(count)}
    return run(env=env).out.splitlines()


@pytest.mark.slow
def test_every_help_text_fits_a_terminal() -> None:
    for arguments in ([], *([name] for name in COMMANDS)):
        assert [line for line in run(*arguments, "--help").out.splitlines() if len(line) > 80] == []


def test_the_help_lists_every_command_with_a_sentence() -> None:
    said = run("--help").out
    for name in COMMANDS:
        assert re.search(rf"^  {name} +[A-Z].*\.$", said, re.MULTILINE)


async def store_one(path: Path) -> None:
    """Make an inbox with a delivery that is not an event."""
    async with bankhook.inbox.open(path) as inbox:
        await inbox.append([bankhook.inbox.examine(b"{}")])


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in (*ENDLESS, "demo")])
def test_the_example_of_a_help_text_works(name: str, tmp_path: Path) -> None:
    said = run(name, "--help").out
    assert "Exit status" in said
    example = said.split("Example:\n")[1].splitlines()[0].strip()
    for file in re.findall(r"[\w-]+\.ndjson(?:\.gz|\.zst)?", example):
        archive = faulty_archive() if name == "show" else clean_archive()
        packed = {"gz": ["gzip", "-c"], "zst": None}.get(file.rpartition(".")[2], ["cat"])
        data = (
            zst.compress(archive)
            if packed is None
            else subprocess.run(packed, input=archive, capture_output=True, check=True).stdout
        )
        (tmp_path / file).write_bytes(data)
    if "inbox.db" in example:
        asyncio.run(store_one(tmp_path / "inbox.db"))
    if "svg" in example:
        need_programs("dot")
    script = example.replace("bankhook ", f"{shlex.quote(COMMAND)} ", 1)
    with receiving() as receiver:
        script = script.replace("http://localhost:8000/webhook", receiver.url)
        done = subprocess.run(
            ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120
        )
        assert len(receiver.requests) == {"send": 1, "replay": 1}.get(name, 0)
    assert done.stderr == {"simulate": "1,000 deliveries written to out.ndjson\n"}.get(name, "")
    assert done.returncode == 0 or name in ("show", "track")  # where there is something to be found


def test_commands_options_and_values_are_completed() -> None:
    assert [line.partition(",")[2] for line in complete("bash", "bankhook ", 1)] == COMMANDS
    assert "plain,--strict" in complete("bash", "bankhook check --s", 2)
    assert "plain,mermaid" in complete("bash", "bankhook lifecycle transaction --format ", 4)
    assert "plain,drop=" in complete("bash", "bankhook simulate --faults d", 3)
    assert "plain,rejected" in complete("bash", "bankhook send http://localhost/ --event r", 4)
    assert any("BankConnectionsUpdateV2" in line for line in complete("bash", "bankhook schema B", 2))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_has_its_script(shell: str) -> None:
    done = run("completion", shell)
    assert (done.status, done.err) == (0, "")
    assert done.out.rstrip("\n") == run(env={"_BANKHOOK_COMPLETE": f"{shell}_source"}).out.rstrip("\n")
    assert f"bankhook completion {shell}" in run("completion", "--help").out


def test_bash_completes_with_it() -> None:
    script = f"""
PATH={shlex.quote(str(Path(COMMAND).parent))}:$PATH
eval "$(bankhook completion bash)"
COMP_WORDS=(bankhook life) COMP_CWORD=1
$(complete -p bankhook | sed 's/.*-F \\([^ ]*\\).*/\\1/') bankhook life bankhook
echo "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr) == ("lifecycle\n", "")
