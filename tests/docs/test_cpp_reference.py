# SPDX-License-Identifier: MIT
"""The C++ reference: every public name has one page, every page one public header, and none names something internal."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from architecture.layers import LAYERS
from public_names import ROOT, WHOLE, PublicName, page_of, problems, public_headers, public_names, write_xml

pytestmark = pytest.mark.doxygen

PAGES = ROOT / "docs" / "reference" / "cpp"
HEADERS = [name for name in public_headers() if name != WHOLE]
INTERNAL = re.compile(rf"\b(?:detail|simd|{'|'.join(LAYERS)})::\w+|<bankhook/\w+/[^>]*>")
FOR_USERS = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.cpp")]


@pytest.fixture(scope="module")
def xml(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_xml(tmp_path_factory.mktemp("doxygen"))


@pytest.fixture(scope="module")
def names(xml: Path) -> list[PublicName]:
    return public_names(xml)


def test_each_public_header_has_a_page_and_each_page_a_public_header() -> None:
    pages = {path.stem: path.read_text(encoding="utf-8") for path in PAGES.glob("*.md") if path.stem != "index"}
    assert sorted(f"{page}.hpp" for page in pages) == HEADERS
    assert [page for page, text in pages.items() if f"<!-- derived: header {page}.hpp -->" not in text] == []
    listed = re.findall(r"^(\w+)$", (PAGES / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(pages)


def test_every_public_name_has_one_page_and_a_comment(names: list[PublicName]) -> None:
    assert len(names) > 100
    assert problems(names) == []


@pytest.mark.slow
@pytest.mark.parametrize("header", HEADERS)
def test_a_public_header_brings_each_name_of_its_page(header: str, names: list[PublicName], tmp_path: Path) -> None:
    own = sorted({name.name for name in names if page_of(name.header) == [header]})
    assert own
    unit = tmp_path / "unit.cpp"
    used = "".join(f"using {name};\n" for name in own)
    unit.write_text(f"#include <bankhook/{header}>\nnamespace user {{\n{used}}}\nint main() {{}}\n", encoding="utf-8")
    command = [os.environ.get("CXX", "g++"), "-std=c++23", "-Werror", "-fsyntax-only", f"-I{ROOT / 'include'}", str(unit)]
    compiled = subprocess.run(command, capture_output=True, text=True, check=False)
    assert compiled.returncode == 0, compiled.stderr


def test_no_signature_names_a_detail(xml: Path, names: list[PublicName]) -> None:
    """Overloads that are deleted are not shown."""
    shown = {"bankhook", *(name.name for name in names)}
    members = [member for page in xml.glob("*bankhook*.xml") for member in ElementTree.parse(page).iter("memberdef")]
    signatures = {
        (member.findtext("qualifiedname", ""), text)
        for member in members
        if member.get("prot") == "public" and not member.findtext("argsstring", "").endswith("delete")
        for part in ("type", "templateparamlist", "requiresclause", "param")
        for text in ("".join(found.itertext()).strip() for found in member.findall(part))
        if member.findtext("qualifiedname", "").rpartition("::")[0] in shown
    }
    assert len(signatures) > 200
    assert [signature for signature in signatures if "detail::" in signature[1]] == []


def test_no_page_for_users_names_something_internal() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in FOR_USERS
        for name in INTERNAL.findall(path.read_text(encoding="utf-8"))
    ]
    assert found == []
    assert INTERNAL.findall("`reflect::path` in <bankhook/reflect/wire_names.hpp>, <bankhook/parse.hpp>") == [
        "reflect::path",
        "<bankhook/reflect/wire_names.hpp>",
    ]


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ("/// Something.\nstruct Named {};", None),
        ("struct Named {};", "a public name has a comment"),
        ("template <class T>\nconcept Named = true;", "a public name has a comment"),
        ("}\nnamespace bankhook::detail {\nstruct Hidden {};", None),
        ("}\nnamespace bankhook::detail::text {\nstruct Hidden {};", None),
        ("}\n/// Words.\nnamespace bankhook::words {\nstruct Named {};", "bankhook::words::Named"),
        ("/// Deleted.\nvoid f(int) = delete;", None),
    ],
)
def test_a_name_without_a_comment_is_found(declared: str, problem: str | None, tmp_path: Path) -> None:
    found = problems_of(tmp_path, {"parse.hpp": ["base/a.hpp"]}, f"namespace bankhook {{\n{declared}\n}}\n")
    assert [problem in sentence for sentence in found] == [True] if problem else found == []


@pytest.mark.parametrize(
    ("public", "problem"),
    [
        ({"parse.hpp": []}, "it has no page"),
        ({"parse.hpp": ["base/a.hpp"], "check.hpp": ["base/a.hpp"]}, "more than one page"),
    ],
)
def test_a_name_without_a_page_of_its_own_is_found(public: dict[str, list[str]], problem: str, tmp_path: Path) -> None:
    [found] = problems_of(tmp_path, public, "namespace bankhook {\n/// Something.\nstruct Named {};\n}\n")
    assert found.startswith("base/a.hpp: bankhook::Named: ")
    assert problem in found


def problems_of(root: Path, public: dict[str, list[str]], header: str) -> list[str]:
    include = root / "include" / "bankhook"
    (include / "base").mkdir(parents=True)
    (include / "base" / "a.hpp").write_text(header, encoding="utf-8")
    for name, included in public.items():
        (include / name).write_text("".join(f"#include <bankhook/{other}>\n" for other in included), encoding="utf-8")
    return problems(public_names(write_xml(root / "xml", root)), include)
