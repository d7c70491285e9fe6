# SPDX-License-Identifier: MIT
"""The library as one file: a program compiles with it, and it is not mixed with another copy."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from amalgamate import amalgamated

pytestmark = [pytest.mark.compiler, pytest.mark.slow]

PROGRAM = (Path(__file__).parents[1] / "consumer" / "project" / "main.cpp").read_text(encoding="utf-8")
COMPILE = ("g++", "-std=c++23", "-Wall", "-Wextra", "-Wswitch-enum", "-Werror")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both files, as a release has them."""
    folder = tmp_path_factory.mktemp("single")
    (folder / "bankhook.hpp").write_text(amalgamated("bankhook.hpp"))
    (folder / "bankhook_parse.hpp").write_text(amalgamated("parse.hpp", "serialize.hpp"))
    return folder


@pytest.mark.parametrize(("name", "kilobytes"), [("bankhook.hpp", 405), ("bankhook_parse.hpp", 208)])
def test_a_program_compiles_with_one_file_of_bounded_size(folder: Path, name: str, kilobytes: int) -> None:
    text = (folder / name).read_text()
    assert "#line" not in text
    assert "#include <bankhook/" not in text
    assert len(text) < kilobytes * 1000
    (folder / "main.cpp").write_text(PROGRAM.replace("<bankhook/parse.hpp>", f'"{name}"'))
    subprocess.run([*COMPILE, "main.cpp", "-o", "main"], cwd=folder, check=True)
    assert subprocess.run([folder / "main"], check=True, capture_output=True, text=True).stdout == "ext-1\n"


def test_two_copies_in_one_unit_get_a_sentence(folder: Path) -> None:
    (folder / "two.cpp").write_text('#include "bankhook.hpp"\n#include "bankhook_parse.hpp"\n')
    said = subprocess.run([*COMPILE, "-fsyntax-only", "two.cpp"], cwd=folder, capture_output=True, text=True, check=False)
    assert said.returncode != 0
    assert "bankhook is included twice: as one file, and as another one or as its sources" in said.stderr


def test_comments_go_and_texts_stay(folder: Path) -> None:
    text = (folder / "bankhook.hpp").read_text()
    assert "// " not in text.partition("#endif")[2]
    assert R'R"({"trackerSnapshot":)"' in text
