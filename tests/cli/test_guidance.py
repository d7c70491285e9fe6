# SPDX-License-Identifier: MIT
"""What helps when something is wrong: the closest name, a rule's explanation, colours that can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import bankhook
from bankhook.cli import terminal
from bankhook.cli.commands import commands
from bankhook.cli.options import Choice
from bankhook.testing import samples
from cli.command import faulty_archive, objects, run, shaped

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
        (["version"], "--version"),
        (["lifecycle", "transactions"], "transaction"),
        (["simulate", "--faults", "dro=0.1"], "drop"),
        (["--color=allways", "rule"], "always"),
        (["check", "--color", "nevr", "-"], "never"),
        (["lifecycle", "transaction", "-f", "mermade"], "mermaid"),
        (["inbox", "deliveries", "--state", "park", "-"], "parked"),
        (["inbox", "deliveries", "--rule", "text_is_utf", "-"], "text_is_utf8"),
        (["inbox", "cases", "--kind", "finding_stated", "-"], "findings_stated"),
        (["inbox", "retry", "--state", "quarantine", "-"], "quarantined"),
        (["replay", "-", "http://127.0.0.1:9", "--state", "handeld"], "handled"),
        (["send", "http://127.0.0.1:9", "--event", "reject"], "rejected"),
        (["table", "-", "-o", "x", "--table", "conections"], "connections"),
        (["completion", "bsh"], "bash"),
        (["listen", "--verify", "heder:X-Secret"], "header"),
    ],
)
def test_a_misspelt_name_suggests_the_closest_one(arguments: list[str], close: str) -> None:
    done = run(*arguments, env={"BANKHOOK_SECRET": "a secret"})
    assert (done.status, done.out) == (2, "")
    assert re.search(rf"(?i)did you mean (?:one of: )?'{close}'", done.err)


def every(command: click.Command) -> Iterator[click.Command]:
    """Yield the command and those within."""
    yield command
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                yield from every(inner)


def test_whatever_has_listed_values_suggests_and_completes_them() -> None:
    found = 0
    for command in every(commands):
        for parameter in command.params:
            if isinstance(parameter.type, click.Choice):
                assert isinstance(parameter.type, Choice), f"{command.name}: {parameter.name}"
                first = str(parameter.type.choices[0])
                offered = parameter.shell_complete(click.Context(command), first[:2])
                assert first in [item.value for item in offered]
                found += 1
    assert found > len(list(every(commands)))  # each command has --color


def test_a_misspelt_field_is_answered_with_the_field_that_is_missing() -> None:
    payload = samples.get("transaction_created").payload
    for wrong, right in (("statu0", "status"), ("ammount", "amount")):
        out = run("check", "-", stdin=payload.replace(f'"{right}"'.encode(), f'"{wrong}"'.encode())).out
        assert f"$.initialTransaction.{wrong}: unknown field; did you mean {right!r}? [" in out
    assert "did you mean" not in run("check", "-", stdin=payload.replace(b'{"event"', b'{"zzz":1,"event"', 1)).out


def test_a_field_in_the_wrong_object_is_answered_with_the_object_that_has_it() -> None:
    payload = samples.get("transaction_created").payload
    for name, owner in (("id", "`initialTransaction`"), ("bank", "`connection`"), ("amount", "`initialTransaction`")):
        out = run("check", "-", stdin=payload.replace(b'{"event"', f'{{"{name}":1,"event"'.encode(), 1)).out
        assert f"$.{name}: unknown field; `{name}` is a field of {owner} [" in out


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_explained(rule: str) -> None:
    done = run("rule", rule)
    (found,) = [one for one in bankhook.rules if one.id == rule]
    assert (done.status, done.err) == (0, "")
    assert found.sentence in done.out
    assert f"section {found.section}, " in done.out
    assert ("breaks it:" in done.out and "^" in done.out) or "events that follow" in done.out


def test_the_example_of_a_rule_breaks_it() -> None:
    out = run("rule", "status_equals_event_type").out
    assert "$.initialTransaction.status: expected the same as eventType, found another status\n" in out
    shown, caret = out.splitlines()[-2:]
    assert shown[caret.index("^") :].startswith('"validated"')


def test_all_rules_are_listed() -> None:
    listed = objects(run("rule", "--json"))
    others = [one for id in ("submitted", "purchaseNotFound") for one in objects(run("rule", "--json", id))]
    shaped("rules", listed + others)
    assert [one["id"] for one in listed] == RULES
    out = run("rule").out
    assert all(
        f"{rule.id} [section {rule.section}, {rule.evidence}]\n    {rule.sentence}\n" in out for rule in bankhook.rules
    )


def test_the_rules_of_a_section_are_listed() -> None:
    sections = {rule.section for rule in bankhook.rules}
    assert len(sections) > 5
    for section in sections:
        expected = [rule.id for rule in bankhook.rules if rule.section == section]
        assert [one["id"] for one in objects(run("rule", "--json", section))] == expected


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
