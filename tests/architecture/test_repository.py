# SPDX-License-Identifier: MIT
"""What the files at the root say is so: limits, the version, and the commands that workflows call."""

from __future__ import annotations

import inspect
import re
import subprocess
from pathlib import Path

import pytest

import bankhook

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def limits() -> dict[str, str]:
    """The second column of the table of limits, by the first."""
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| ([^|]+?) \| (\S[^|]*?) \| [^|]+ \|$", text, re.MULTILINE))


def constant(file: str, name: str) -> str:
    """What a constant of the headers is set to."""
    found = re.search(rf"\b{name}(?: = |\{{)(.+?)\}}?;", (ROOT / file).read_text(encoding="utf-8"))
    assert found is not None
    return found[1]


def test_the_limits_of_the_core_are_those_of_the_table() -> None:
    assert limits()["nesting of a payload"] == f"{constant('include/bankhook/json/parse_context.hpp', 'max_depth')} levels"
    assert limits()["findings of a payload"] == constant("include/bankhook/events/rules/finding.hpp", "max_findings")
    assert constant("include/bankhook/columns/tables.hpp", "max_line_size") == "std::size_t{1} << 30"
    assert limits()["a line without this limit that becomes a row of a table"] == "1 GiB"
    assert constant("bindings/archive_parts.hpp", "longest") == "std::size_t{256} << 20"
    assert limits()["a line, an element or a row of an archive; not in C++, and not a line of plain `bytes`"] == "256 MiB"


def test_the_limits_of_the_receiver_are_those_of_the_table() -> None:
    receiver = pytest.importorskip("bankhook.receiver")
    server = pytest.importorskip("bankhook.receiver._server")
    requests = pytest.importorskip("bankhook.receiver._requests")
    chosen = {name: parameter.default for name, parameter in inspect.signature(receiver.Receiver).parameters.items()}
    assert limits()["body of a request"] == f"{chosen['max_body'] >> 20} MiB (`max_body`)"
    slow = f"{requests.LEAST_RATE >> 10} KiB a second after {requests.GRACE_SECONDS:.0f} seconds"
    assert limits()["time of a body"] == f"{chosen['timeout']:.0f} seconds (`timeout`), and {slow}"
    assert limits()["bodies in memory"] == f"{chosen['max_total'] >> 20} MiB (`max_total`)"
    assert limits()["deliveries that wait for the store"] == f"{chosen['max_waiting']} (`max_waiting`)"
    assert limits()["head of a request"] == f"{server.HEAD_BYTES >> 10} KiB, {server.HEAD_SECONDS:.0f} seconds"
    assert limits()["beside a body: trailers and the frames of chunks"] == f"{server.HEAD_BYTES >> 10} KiB"
    assert limits()["what still comes of a body that was refused"] == f"{server.REFUSED_BYTES >> 20} MiB"
    assert limits()["incomplete bodies of one peer"] == str(requests.PEER_BODIES)
    connections = f"{server.CONNECTIONS_LIMIT:,} and {server.PEER_CONNECTIONS}"
    assert limits()["connections, and those of one peer"] == connections


def test_one_version_is_written_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {bankhook.__version__}\n" in citation
    assert f"\n## {bankhook.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_licence_for_readers_is_the_one_for_tools() -> None:
    assert (ROOT / "LICENSE").read_bytes() == (ROOT / "LICENSES" / "MIT.txt").read_bytes()


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_calls_commands_that_there_are(workflow: Path) -> None:
    usage = subprocess.run([ROOT / "dev", "help"], check=True, capture_output=True, text=True).stdout
    text = workflow.read_text(encoding="utf-8")
    called = re.findall(r"run: \./dev ([a-z]+(?: --[a-z]+)*)", text) + re.findall(r'command: "([^"]+)"', text)
    assert called
    for command, *options in map(str.split, called):
        assert re.search(rf"^  {command} ", usage, re.MULTILINE)
        assert [option for option in options if f"    {option} " not in usage] == []
