# SPDX-License-Identifier: MIT
"""Units that are compiled for other processors, or with another name, share no function: the linker keeps one of two."""

from __future__ import annotations

import platform
import re
import subprocess
from itertools import combinations
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


UNITS = ((), ("-mavx2",), ("-msse4.2",), ("-mavx",), ("-mlzcnt",), ("-DBANKHOOK_SORTED_NAMES",))


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="needs a processor of x86-64")
def test_units_for_other_instructions_or_orders_share_nothing_of_the_library(tmp_path: Path) -> None:
    units = [shareable(tmp_path, *options) for options in UNITS]
    for one, other in combinations(units, 2):
        own = {name for name in one if "bankhook::" in name}
        assert len(own) > 50
        assert not own & other


WRITER = """
#include <bankhook/serialize.hpp>
std::string NAME() { return bankhook::serialize(bankhook::InitialTransaction{.place_id = "p"}); }
"""
MAIN = """
#include <iostream>
#include <string>
std::string plain(), wide(), named(), other();
int main() {
  for (const std::string& text : {plain(), WIDE() named(), other()}) std::cout << text.substr(43, 12) << '\\n';
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_units_that_differ_are_one_program_and_each_writes_its_own_name(level: str, tmp_path: Path) -> None:
    wide = ["wide"] if "avx2" in Path("/proc/cpuinfo").read_text() else []
    units = {
        "plain": [],
        **{name: ["-mavx2"] for name in wide},
        "named": ["-DBANKHOOK_PLACE_ID=mapPlaceId"],
        "other": ["-DBANKHOOK_PLACE_ID=geoPlaceId"],
        "main": [],
    }
    for name, options in units.items():
        source = MAIN.replace("WIDE()", "wide()," if wide else "") if name == "main" else WRITER.replace("NAME", name)
        (tmp_path / f"{name}.cpp").write_text(source)
        command = ["g++", "-std=c++23", level, *options, f"-I{ROOT / 'include'}", "-c", f"{name}.cpp"]
        subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run(["g++", *(f"{name}.o" for name in units), "-o", "all"], cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "all"], check=True, capture_output=True, text=True).stdout.split()
    assert printed == ['"placeId":"p', *['"placeId":"p' for _ in wide], '"mapPlaceId"', '"geoPlaceId"']


def test_the_tag_names_the_version() -> None:
    compiler = (ROOT / "include" / "bankhook" / "base" / "compiler.hpp").read_text()
    tags = re.findall(
        r"^#define BANKHOOK_ABI [\\\s]*BANKHOOK_SHARED_TYPES BANKHOOK_JOINED\((\w+), ", compiler, re.MULTILINE
    )
    assert tags == ["v" + bankhook.__version__.replace(".", "_")] * 2
