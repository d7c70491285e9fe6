# SPDX-License-Identifier: MIT
"""Pages read without Sphinx: what they derive from the code is committed, and is what the code says today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from derived import DERIVED, MODULE, Headers, module, pages, rewritten
from installed import need_packages, need_screenshots
from public_names import ROOT, write_xml

DOCS = sorted((ROOT / "docs").rglob("*.md"))
PAGES = pages()
# A directive or a role of Sphinx, which a code host shows as text.
SPHINX = re.compile(r"^(?:`{3,}|:{3,})\{.*|\{[a-z:]+\}`.*", re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


@pytest.fixture(scope="module")
def headers(tmp_path_factory: pytest.TempPathFactory) -> Headers:
    return Headers(lambda: write_xml(tmp_path_factory.mktemp("doxygen")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT / "docs")))
def test_a_page_has_what_the_code_says(page: Path, headers: Headers) -> None:
    if page.name == "spark.md":
        need_packages("pyspark")
    if "derived: screenshot" in page.read_text(encoding="utf-8"):
        need_screenshots()
    written = rewritten(headers, page)
    assert page.read_text(encoding="utf-8") == written, "write the pages again: ./dev docs --write"
    assert "<!-- end -->" in written


def test_the_module_exports_what_the_headers_have(headers: Headers) -> None:
    assert MODULE.read_text(encoding="utf-8") == module(headers), "write it again: ./dev docs --write"


def test_each_reference_is_derived() -> None:
    used = set(re.findall(r"<!-- derived: (\w+)", "".join(page.read_text(encoding="utf-8") for page in PAGES)))
    assert used == set(DERIVED)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT / "docs")))
def test_no_cell_of_a_derived_table_is_empty(page: Path) -> None:
    derived = re.findall(r"<!-- derived: .*?-->\n(.*?)<!-- end -->", page.read_text(encoding="utf-8"), re.DOTALL)
    assert re.findall(r"^\|.*(?<!\\)\| *\|.*$", "".join(derived), re.MULTILINE) == []


@pytest.mark.parametrize("page", DOCS, ids=lambda page: str(page.relative_to(ROOT / "docs")))
def test_a_page_reads_on_a_code_host(page: Path) -> None:
    visible = COMMENT.sub("", page.read_text(encoding="utf-8"))
    assert SPHINX.findall(visible) == []
    if "pictures/" in visible:
        need_screenshots()
    links = re.findall(r"\]\(([^)\s]+)\)", visible) + re.findall(r' (?:src|srcset)="([^"]+)"', visible)
    linked = {link.partition("#")[0] for link in links if "://" not in link}
    assert [link for link in linked if not (page.parent / link).exists()] == []
    assert len([line for line in visible.splitlines() if line.strip()]) > 1, "nothing is left to read"


def test_what_is_stale_or_not_closed_is_found(tmp_path: Path, headers: Headers) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n\n<!-- derived: choices -->\nold\n<!-- end -->\n", encoding="utf-8")
    assert "| `desynchronise_event_type` |" in rewritten(headers, page)
    page.write_text("# A\n\n<!-- derived: choices -->\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no `<!-- end -->`"):
        rewritten(headers, page)
    page.write_text("<!-- derived: nosuch -->\n<!-- end -->\n", encoding="utf-8")
    with pytest.raises(ValueError, match="nothing derives 'nosuch'"):
        rewritten(headers, page)
