# SPDX-License-Identifier: MIT
"""How much there is to read, and whether a reader finds the page that answers a question.

`PYTHONPATH=tests python -m docs.test_prose` prints the words of each page.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.snippets import ROOT, pages

GUIDES = sorted(page for page in (ROOT / "docs" / "how-to").glob("*.md") if page.name != "index.md")
SHORT = [ROOT / "docs" / f"{name}.md" for name in ("comparison", "evaluate", "faq", "installation", "security", "upgrade")]
WORDS = 29_000

_DERIVED = re.compile(r"<!-- derived: [^>]*?-->.*?<!-- end -->|<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"^(?P<fence>`{3,})[^\n]*\n.*?^(?P=fence)$", re.DOTALL | re.MULTILINE)


def words(page: Path) -> int:
    """The words that somebody wrote to be read: no code, and nothing that is derived from it."""
    return len(_CODE.sub("", _DERIVED.sub("", page.read_text(encoding="utf-8"))).split())


def test_all_pages_together_have_at_most_so_many_words() -> None:
    assert sum(map(words, pages())) <= WORDS


@pytest.mark.parametrize("page", [*GUIDES, *SHORT], ids=lambda page: page.stem)
def test_a_page_begins_with_the_question_that_it_answers(page: Path) -> None:
    _, question, *_ = page.read_text(encoding="utf-8").split("\n\n")
    assert question.endswith("?")


@pytest.mark.parametrize("page", [*GUIDES, *(ROOT / "docs" / "tutorial").glob("*.md")], ids=lambda page: page.stem)
def test_a_page_that_is_read_from_its_start_can_be_read_to_its_end(page: Path) -> None:
    assert words(page) <= 1_500


@pytest.mark.parametrize("page", SHORT, ids=lambda page: page.stem)
def test_a_short_page_is_short(page: Path) -> None:
    assert words(page) < 600


def test_each_guide_is_in_one_of_four_groups() -> None:
    index = (ROOT / "docs" / "how-to" / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", index, re.MULTILINE) == ["Receive", "Analyse", "Test", "C++"]
    assert sorted(re.findall(r"\]\((\w+)\.md\)", index)) == [page.stem for page in GUIDES]


if __name__ == "__main__":
    for page in pages():
        print(f"{words(page):6,}  {page.relative_to(ROOT)}")
    print(f"{sum(map(words, pages())):6,}  in all")
