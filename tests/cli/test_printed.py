# SPDX-License-Identifier: MIT
"""`bankhook schema`, `lifecycle` and `demo`: what they print."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from cli.command import COMMAND, run
from installed import need_programs


@pytest.mark.slow
def test_every_name_that_is_listed_has_a_schema() -> None:
    names = run("schema").out.split()
    assert "BankConnectionsUpdateV2" in names
    assert names[-1] == "asyncapi"
    for name in [name for name in names[:-1] if name[0].isupper()]:
        assert json.loads(run("schema", name).out) == bankhook.json_schema(getattr(bankhook, name))
    assert json.loads(run("schema", "asyncapi").out) == bankhook.asyncapi()


def test_the_shapes_of_lines_list_every_value_of_an_enumeration() -> None:
    deliveries, cases = (json.loads(run("schema", name).out)["oneOf"][0]["properties"] for name in ("deliveries", "cases"))
    finding = json.loads(run("schema", "findings").out)["oneOf"][0]["properties"]
    outcome, *_ = json.loads(run("schema", "outcomes").out)["oneOf"]
    change = outcome["properties"]["changes"]["items"]["properties"]
    for field, type_ in (
        (deliveries["state"], bankhook.inbox.DeliveryState),
        (cases["kind"], bankhook.inbox.CaseKind),
        (finding["evidence"], bankhook.Evidence),
        (finding["severity"], bankhook.types.Severity),
        (outcome["properties"]["verdict"], bankhook.Verdict),
        (change["kind"], bankhook.types.ChangeKind),
        (change["subject"], bankhook.types.ChangeSubject),
    ):
        assert sorted(field["enum"]) == sorted(map(str, type_))


@pytest.mark.parametrize("name", ["transaction", "connection"])
def test_a_lifecycle_is_printed_in_every_form(name: str) -> None:
    lifecycle = getattr(bankhook, f"{name}_lifecycle")
    assert run("lifecycle", name, "-f", "mermaid").out.strip() == lifecycle.to_mermaid().strip()
    assert run("lifecycle", name, "-f", "dot").out.strip() == lifecycle.to_dot().strip()
    text = run("lifecycle", name).out
    rows, _, triggers = text.partition("\n\n")
    assert len(rows.splitlines()) == 1 + len((*lifecycle.transitions, *lifecycle.final_states))
    assert all(str(transition.trigger) in rows for transition in lifecycle.transitions)
    assert [line.partition(": ")[0] for line in triggers.splitlines()] == [*lifecycle.triggers]


def test_a_lifecycle_is_drawn_by_graphviz() -> None:
    need_programs("dot")
    source = run("lifecycle", "transaction", "-f", "dot").out
    drawn = subprocess.run(["dot", "-T", "svg"], input=source, capture_output=True, text=True, check=True).stdout
    root = xml.etree.ElementTree.fromstring(drawn)
    assert root.tag.endswith("svg")
    assert "validated" in drawn


def test_the_demo_shows_a_mistake_an_archive_a_member_and_a_delivery_and_ends_by_itself() -> None:
    done = run("demo")
    assert (done.status, done.err) == (0, "")
    assert "\x1b" not in done.out
    for part in (
        "$.initialTransaction.amount: expected number, found string",
        "status_equals_event_type",
        " of 999 events; 32 events cannot be parsed",
        "created → rejected by store_not_set_up",
        "1 answered 204",
        "state=pending",
    ):
        assert part in done.out


@pytest.mark.slow
def test_what_the_demo_offers_to_paste_works_where_it_was_called(tmp_path: Path) -> None:
    said = subprocess.run([COMMAND, "demo"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    lines = said.partition("each line can be pasted")[2].splitlines()[1:]
    assert len(lines) > 3
    for line in lines:
        if "listen" not in line:
            done = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
            assert done.returncode in (0, 1) and done.stdout + done.stderr and "Error" not in done.stderr, line


def test_the_package_can_be_run_as_the_command() -> None:
    done = subprocess.run([sys.executable, "-m", "bankhook", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"bankhook, version {bankhook.__version__}\n"


def test_without_click_the_command_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['click'] = None; from bankhook.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 2
    assert done.stderr == "bankhook: click is missing: pip install 'bankhook[cli]'\n"
