# SPDX-License-Identifier: MIT
"""The id of a rule is a link to its explanation, in terminals that show links and nowhere else."""

from __future__ import annotations

import os
import re
import urllib.parse
from pathlib import Path

import pytest

import bankhook
from cli.command import faulty_archive, run
from cli.test_terminal import in_terminal

LINK = re.compile(r"\x1b\]8;([^;]*);([^\x1b]+)\x1b\\(.+?)\x1b\]8;;\x1b\\", re.DOTALL)
STYLE = re.compile(r"\x1b\[[\d;]*m")
RULES = {rule.id for rule in bankhook.rules}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "a.ndjson"
    path.write_bytes(faulty_archive())
    return path


@pytest.mark.parametrize("arguments", [["check", "--limit", "0"], ["show", "--line", "14"]])
def test_the_id_of_a_rule_is_a_link_to_its_explanation(arguments: list[str], archive: Path) -> None:
    _, seen = in_terminal(*arguments, archive)
    links = LINK.findall(seen)
    assert links
    for _, address, text in links:
        found = urllib.parse.urlsplit(address)
        assert (found.scheme, found.hostname) == ("file", os.uname().nodename.lower())
        assert found.fragment in RULES
        assert found.fragment in re.sub(r"\x1b\[[\d;]*m", "", text)
        assert f'<section id="{found.fragment}">' in Path(urllib.parse.unquote(found.path)).read_text(encoding="utf-8")


def test_a_list_of_rules_has_a_link_for_each() -> None:
    _, seen = in_terminal("rule")
    assert [text for _, _, text in LINK.findall(STYLE.sub("", seen))] == [rule.id for rule in bankhook.rules]


def test_there_are_no_links_without_a_terminal_or_without_colours(archive: Path) -> None:
    for command in (["check", archive], ["show", archive, "--line", "14"], ["rule"]):
        assert "\x1b]" not in run("--color=always", *command).out
        assert "\x1b]" not in in_terminal("--color=never", *command)[1]
        assert "\x1b]" not in in_terminal(*command, env={"NO_COLOR": "1"})[1]
        assert "\x1b]" not in in_terminal(*command, env={"TERM": "dumb"})[1]
