# SPDX-License-Identifier: MIT
"""What helps when something is wrong: the closest name, a rule's explanation, colours that can be read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

import bankhook
from bankhook.cli import terminal
from bankhook.testing import samples
from cli.command import faulty_archive, objects, run

RULES = [rule.id for rule in bankhook.rules]
LEVELS = (0, 95, 135, 175, 215, 255)  # of the cube in the 256 colours of terminals


@pytest.mark.parametrize(
    ("arguments", "close"),
    [
        (["chek"], "check"),
        (["help"], "--help"),
        (["check", "--erors", "-"], "--errors"),
        (["schema", "Custmer"], "Customer"),
        (["rule", "status_equals_type"], "status_equals_event_type"),
        (["lifecycle", "transactions"], "transaction"),
        (["simulate", "--faults", "dro=0.1"], "drop"),
        (["simulate", "--choice", "connection_ids=x"], None),
    ],
)
def test_a_name_that_is_not_known_is_answered_with_the_closest_one(arguments: list[str], close: str | None) -> None:
    done = run(*arguments)
    assert done.status == 2
    if close is not None:
        assert re.search(rf"(?i)did you mean '{close}'\?", done.err)


def test_a_misspelt_field_is_answered_with_the_field_that_is_missing() -> None:
    payload = samples.get("transaction_created").payload
    for wrong, right in (("statu0", "status"), ("ammount", "amount")):
        out = run("check", "-", stdin=payload.replace(f'"{right}"'.encode(), f'"{wrong}"'.encode())).out
        assert f"$.initialTransaction.{wrong}: unknown field; did you mean `{right}`? [" in out
    assert "did you mean" not in run("check", "-", stdin=payload.replace(b'{"event"', b'{"zzz":1,"event"', 1)).out


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_explained(rule: str) -> None:
    done = run("rule", rule)
    (found,) = [one for one in bankhook.rules if one.id == rule]
    assert (done.status, done.err) == (0, "")
    assert found.sentence in done.out
    assert f"section {found.section}, " in done.out
    assert ("breaks it:" in done.out and "keeps it:" in done.out and "^" in done.out) or "bankhook track" in done.out


def test_the_example_of_a_rule_breaks_it() -> None:
    out = run("rule", "status_equals_event_type").out
    assert "$.initialTransaction.status: expected the same as eventType, found another status\n" in out
    shown, caret = out.splitlines()[-4:-2]
    assert shown[caret.index("^") :].startswith('"validated"')
    assert '$.initialTransaction.status is "created", in a sample of initial_transaction_update' in out


def test_all_rules_are_listed() -> None:
    listed = objects(run("rule", "--json"))
    assert [one["id"] for one in listed] == RULES
    shape = json.loads(run("schema", "rules").out)
    for one in listed:
        jsonschema.validate(one, shape)
    out = run("rule").out
    assert all(
        f"{rule.id} [section {rule.section}, {rule.evidence}]\n    {rule.sentence}\n" in out for rule in bankhook.rules
    )


def test_colours_can_be_asked_for_and_turned_off(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    path.write_bytes(faulty_archive())
    cases: tuple[tuple[list[str | Path], dict[str, str], bool], ...] = (
        (["check", path], {}, False),
        (["check", "--color=always", path], {}, True),
        (["--color=always", "check", path], {}, True),
        (["--color=always", "check", "--color=never", path], {}, False),
        (["check", path], {"FORCE_COLOR": "1"}, True),
        (["check", path], {"FORCE_COLOR": "0"}, False),
        (["check", path], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["check", "--color=never", path], {"FORCE_COLOR": "1"}, False),
        (["check", "--color=always", path], {"NO_COLOR": "1"}, True),
        (["show", "--color=always", path, "--line", "14"], {}, True),
    )
    for arguments, env, is_coloured in cases:
        assert ("\x1b[" in run(*arguments, env={"NO_COLOR": "", "FORCE_COLOR": "", **env}).out) is is_coloured


def luminance(colour: int) -> float:
    """Return the relative luminance of one of the 216 fixed colours, as WCAG 2 defines it."""
    cube = colour - 16
    parts = [LEVELS[cube // 36] / 255, LEVELS[cube // 6 % 6] / 255, LEVELS[cube % 6] / 255]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", terminal.COLOURS)
def test_colours_can_be_read_on_every_background(name: str) -> None:
    """A coloured text has a background of its own, so the contrast is the same on light and on dark terminals."""
    front, back = terminal.COLOURS[name]
    assert all(16 <= colour <= 231 for colour in (front, back))
    darker, lighter = sorted((luminance(front), luminance(back)))
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def test_no_colour_is_printed_without_its_background(tmp_path: Path) -> None:
    path = tmp_path / "a.ndjson"
    path.write_bytes(faulty_archive())
    pairs = {f"38;5;{front}m\x1b[48;5;{back}" for front, back in terminal.COLOURS.values()}
    for arguments in (
        ["check", path],
        ["track", "--changes", path],
        ["show", path, "--line", "14"],
        ["rule", "text_is_utf8"],
    ):
        out = run("--color=always", *arguments).out.replace(";48;5;", "m\x1b[48;5;")
        codes = re.findall(r"\x1b\[(?:1;)?(3[0-9;]+m\x1b\[48;5;\d+|[39]\d[0-9;]*)", out)
        assert {code for code in codes if code != "39"} <= pairs
