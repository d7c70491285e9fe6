# SPDX-License-Identifier: MIT
"""A payload that a page, a notebook or an example writes out has no finding, unless the text says which."""

from __future__ import annotations

from pathlib import Path

import pytest

import bankhook
from docs.literals import Block, in_cells, in_page, in_program, literals

BLOCKS = literals()


def unannounced(block: Block) -> set[str]:
    """The rules that a payload breaks and the text does not name, and those that it announces and no payload breaks."""
    broken = {finding.rule for payload in block.payloads for finding in bankhook.diagnose(payload)}
    return {rule for rule in broken if rule not in block.announced and rule not in block.shown} | (block.announced - broken)


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_a_payload_of_a_text_has_no_finding_but_those_that_the_text_names(block: Block) -> None:
    assert unannounced(block) == set()


@pytest.mark.parametrize("folder", ["README.md", "docs/tutorial", "docs/how-to", "notebooks"])
def test_payloads_are_found_where_texts_have_them(folder: str) -> None:
    assert any(str(block).startswith(folder) for block in BLOCKS)


def page_with(folder: Path, before: str, payload: str, output: str = "") -> list[Block]:
    """The blocks of a page that has one."""
    page = folder / "page.md"
    page.write_text(f"Text.\n\n{before}```python\nevent = parse(b'''{payload}''')\n```\n{output}", encoding="utf-8")
    return list(in_page(page))


def test_a_payload_with_findings_has_to_be_announced(tmp_path: Path) -> None:
    odd = '{"event": "loyalty_points_update"}'
    (silent,) = page_with(tmp_path, "", odd)
    assert unannounced(silent) == {"event_is_listed"}
    (announced,) = page_with(tmp_path, "<!-- findings: event_is_listed -->\n", odd)
    assert unannounced(announced) == set()
    (shown,) = page_with(tmp_path, "", odd, "\n```text\n  rule: event_is_listed\n```\n")
    assert unannounced(shown) == set()
    (stale,) = page_with(tmp_path, "<!-- findings: event_is_listed, values_are_listed -->\n", odd)
    assert unannounced(stale) == {"values_are_listed"}


def test_a_payload_that_is_not_json_is_found_too(tmp_path: Path) -> None:
    (broken,) = page_with(tmp_path, "", '{"event": "loyalty_points_update", "points": {1}}')
    assert "payload_is_json_object" in unannounced(broken)


def test_what_a_snippet_prints_is_not_a_payload(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("""```python\nprint(event.to_json()[:10])  # b'{"event":'\n```\n""", encoding="utf-8")
    assert list(in_page(page)) == []


def test_payloads_of_sources_and_cells_are_found(tmp_path: Path) -> None:
    program = tmp_path / "own.cpp"
    program.write_text(
        'auto a = R"({"id": 1})", b = R"({"n": {"event": 1},)"\n  R"("event": "x"})";\n// findings: event_is_listed\n'
    )
    (block,) = in_program(program)
    assert block.payloads == ('{"n": {"event": 1},"event": "x"}',)
    assert block.announced == {"event_is_listed"}
    notebook = tmp_path / "own.ipynb"
    notebook.write_text('{"cells": [{"source": ["a = \'{\\"event\\": \\"x\\"}\'"]}]}')
    assert [str(each).rpartition("/")[2] for each in in_cells(notebook)] == ["own.ipynb:1"]
