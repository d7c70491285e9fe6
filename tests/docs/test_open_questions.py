# SPDX-License-Identifier: MIT
"""The open questions name every gap of the specification and everything that is assumed, and what they offer exists."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import NamedTuple

import pytest

import bankhook
from docs.tables import gaps
from python.parsed import own_tables

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "open_questions.md").read_text(encoding="utf-8")
ENDS = ("**Replace:**", "**Yours:**", "**Fixed:**", "**Fixed.**")
LIFECYCLES = (bankhook.transaction_lifecycle, bankhook.connection_lifecycle)
OPTIONS = set(inspect.signature(bankhook.Tracker).parameters)


class Entry(NamedTuple):
    """A question: its number where the specification says "not shown", its title in bold, and its whole text."""

    number: int | None
    title: str
    text: str

    @property
    def section(self) -> str:
        """The section in parentheses at the end of the title, if there is one."""
        found = re.search(r"\((\d(?:\.\d)?)\)\.$", self.title)
        return found[1] if found else ""

    @property
    def offers(self) -> list[str]:
        """The names that its last part offers, without the calls and definitions around them."""
        return re.findall(r"`(\w[\w.]*)`", self.text.partition("**Replace:**")[2])


def entries() -> list[Entry]:
    """The items of the page's lists, after its introduction."""
    body = PAGE[PAGE.index("\n## ") :]
    items = re.findall(r"^(?:(\d+)\.|-) (\*\*.+?)(?=^(?:\d+\.|-) \*\*|^#|\Z)", body, re.DOTALL | re.MULTILINE)
    found = []
    for number, text in items:
        words = " ".join(text.split())
        found.append(Entry(int(number) if number else None, words.split("**")[1], words))
    return found


ENTRIES = entries()


def test_every_place_of_not_shown_has_its_entry_in_order() -> None:
    numbered = [entry for entry in ENTRIES if entry.number is not None]
    assert [entry.number for entry in numbered] == list(range(1, len(gaps()) + 1))
    assert [entry.section for entry in numbered] == [section for section, _ in gaps()]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_an_entry_says_whether_it_can_be_replaced(entry: Entry) -> None:
    assert sum(entry.text.count(end) for end in ENDS) == 1


def known_names() -> set[str]:
    """What an entry may offer: options, choices, rules that can be left out, definitions for C++ and public names."""
    macros = {
        word
        for path in (ROOT / "include").rglob("*.hpp")
        for word in re.findall(r"\bBANKHOOK_\w+", path.read_text("utf-8"))
    }
    public = {f"bankhook.{name}" for name in bankhook.__all__}
    choices = {choice.name for choice in bankhook.Sandbox.choices}
    return OPTIONS | choices | macros | public


@pytest.mark.parametrize(
    "entry", [entry for entry in ENTRIES if "**Replace:**" in entry.text], ids=lambda entry: entry.title
)
def test_what_an_entry_offers_exists(entry: Entry) -> None:
    listed = {value for choice in bankhook.Sandbox.choices for value in choice.values} | {"create"}
    assert [name for name in entry.offers if name not in known_names() | listed] == []


def test_everything_that_is_assumed_is_named() -> None:
    names = [f"`{rule.id}`" for rule in bankhook.rules if rule.evidence == "assumed"]
    names += [f"`{choice.name}`" for choice in bankhook.Sandbox.choices]
    names += [f"`{option}`" for option in OPTIONS]
    for lifecycle in LIFECYCLES:
        names += [
            f"`{transition.from_}` → `{transition.to}`"
            for transition in lifecycle.transitions
            if transition.is_assumed and transition.from_ is not None and transition.to is not None
        ]
        names += [f"`{final.state}`" for final in lifecycle.final_states if final.evidence == "assumed"]
    words = " ".join(PAGE.split())
    assert [name for name in names if name not in words] == []


def test_whatever_an_entry_decides_can_be_listed_by_a_program() -> None:
    """But for what decides nothing: no rule depends on a fifth cause, and Python's datetimes are no choice of ours."""
    listed = {rule.id for rule in bankhook.rules} | {choice.name for choice in bankhook.Sandbox.choices}
    decided = [entry for entry in ENTRIES if "**Yours:**" not in entry.text and "a table of your own" not in entry.text]
    unlisted = [entry.title for entry in decided if not listed & set(re.findall(r"`(\w+)`", entry.text))]
    assert unlisted == ["The account update is a fifth cause.", "How exact a time is."]


def test_each_table_of_your_own_is_run_by_tests_of_both_languages() -> None:
    offered = [entry.title for entry in ENTRIES if "a table of your own" in entry.text.partition("**Replace:**")[2]]
    assert list(dict.fromkeys(row["entry"] for row in own_tables())) == offered


def test_no_entry_calls_assumed_what_is_not() -> None:
    assumed = {rule.id for rule in bankhook.rules if rule.evidence == "assumed"}
    for entry in ENTRIES:
        called = set(re.findall(r"`(\w+)`[^`.]{0,40}`assumed`", entry.text))
        assert called & {rule.id for rule in bankhook.rules} <= assumed, entry.title


def test_the_explanation_counts_the_gaps_as_they_are() -> None:
    words = (ROOT / "docs" / "explanation" / "evidence.md").read_text(encoding="utf-8")
    assert len(gaps()) == 15 and 'fifteen times it says "not shown"' in words
