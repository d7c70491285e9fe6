# SPDX-License-Identifier: MIT
"""Units that are compiled for different processors share no function of the library: the linker keeps one of two."""

from __future__ import annotations

import platform
import re
import subprocess
from pathlib import Path

import pytest

import bankhook

pytestmark = pytest.mark.compiler

ROOT = Path(__file__).parents[2]
UNIT = """
#include <bankhook/parse.hpp>
#include <bankhook/serialize.hpp>
bool use(std::string_view text, bankhook::Arena& arena, std::string& out) {
  const auto event = bankhook::parse(text, arena);
  if (event) bankhook::serialize_to(*event, out);
  return event.has_value();
}
"""


def shareable(folder: Path, *options: str) -> set[str]:
    """The names in a unit that the linker takes from any unit that has them."""
    unit = folder / "unit.cpp"
    unit.write_text(UNIT)
    command = ["g++", "-std=c++23", "-O1", *options, f"-I{ROOT / 'include'}", "-c", unit.name, "-o", "unit.o"]
    subprocess.run(command, cwd=folder, check=True)
    listed = subprocess.run(["nm", "-C", "unit.o"], cwd=folder, check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"^[0-9a-f]* +[WVu] (.*)$", listed, re.MULTILINE))


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="needs a processor of x86-64")
def test_units_with_and_without_avx2_share_nothing_of_the_library(tmp_path: Path) -> None:
    plain, wide = shareable(tmp_path), shareable(tmp_path, "-mavx2")
    own = {name for name in plain if "bankhook::" in name}
    assert len(own) > 50
    assert not own & wide


def test_the_tag_names_the_version() -> None:
    compiler = (ROOT / "include" / "bankhook" / "base" / "compiler.hpp").read_text()
    tags = re.findall(r"^#define BANKHOOK_ABI (\w+)$", compiler, re.MULTILINE)
    assert {tag.rpartition("_")[0] for tag in tags} == {"v" + bankhook.__version__.replace(".", "_")}
    assert len(tags) == len(set(tags)) > 1
