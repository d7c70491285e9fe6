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
from installed import need_programs

pytestmark = pytest.mark.compiler

ROOT = Path(__file__).parents[2]
UNIT = """
#include <bankhook/bankhook.hpp>
#include <unordered_set>
std::string NAME(std::string_view text, const bankhook::AnyEvent& event, const bankhook::Connection& connection,
                 bankhook::nullable<bankhook::Timestamp> when, bankhook::Error error) {
  bankhook::Arena arena;
  const auto read = bankhook::parse(text, arena);
  std::unordered_set<bankhook::Account> accounts(connection.accounts.begin(), connection.accounts.end());
  std::unordered_set<bankhook::Decimal> amounts{1, 2};
  std::string out = bankhook::serialize(event) + bankhook::serialize(connection) + to_string(error);
  if (when) out += to_string(*when);
  bankhook::Tracker tracker;
  out += name_of(tracker.apply(event).verdict);
  return out + std::to_string(accounts.size() + amounts.size() + (read == event));
}
"""
CALLS = """
#include <bankhook/bankhook.hpp>
#include <iostream>
#define UNIT(name) std::string name(std::string_view, const bankhook::AnyEvent&, const bankhook::Connection&, \\
                                    bankhook::nullable<bankhook::Timestamp>, bankhook::Error);
UNITS
int main() {
  const bankhook::Account account{.id = "a"};
  const bankhook::Connection connection{.id = "c", .accounts = {&account, 1}};
  const bankhook::InitialTransactionUpdate event{.initial_transaction = {.amount = bankhook::Decimal(1990, 2)}};
  const bankhook::nullable<bankhook::Timestamp> when = *bankhook::Timestamp::parse("2024-01-02T00:00:00Z");
  for (const auto& unit : {ALL}) std::cout << unit("{}", event, connection, when, {}) << '\\n';
}
"""


# What is in namespace bankhook, or is the standard library's for a type of ours: a hash or a formatter.
OWN = re.compile(r"^[0-9a-f]* +[WVu] (_ZN[KVR]*(?:St(?:4hash|9formatter)I)?N?8bankhook\w+)$", re.MULTILINE)
UNITS = {
    "plain": [],
    "avx2": ["-mavx2"],
    "sse4": ["-msse4.2"],
    "avx": ["-mavx"],
    "lzcnt": ["-mlzcnt"],
    "sorted_names": ["-DBANKHOOK_SORTED_NAMES"],
}


def compiled(folder: Path, compiler: str, name: str, source: str, *options: str) -> None:
    (folder / f"{name}.cpp").write_text(source)
    command = [compiler, "-std=c++23", *options, f"-I{ROOT / 'include'}", "-c", f"{name}.cpp"]
    subprocess.run(command, cwd=folder, check=True)


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="needs a processor of x86-64")
@pytest.mark.parametrize(
    ("compiler", "level", "units"), [("g++", "-O1", [*UNITS]), ("clang++-19", "-O0", ["plain", "avx2"])]
)
def test_units_for_other_instructions_pass_structs_and_share_no_function(
    compiler: str, level: str, units: list[str], tmp_path: Path
) -> None:
    need_programs(compiler)
    own = {}
    for name in units:
        options = UNITS[name]
        compiled(tmp_path, compiler, name, UNIT.replace("NAME", name), level, *options)
        listed = subprocess.run(["nm", f"{name}.o"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
        # Constants are the same for all, and so is what the compiler writes by itself: a constructor that sets zeros.
        own[name] = {symbol for symbol in OWN.findall(listed) if not re.search(r"E$|C[12]Ev$", symbol)}
        assert len(own[name]) > 50
    for one, other in combinations(own, 2):
        assert not own[one] & own[other], (one, other)
    called = ["plain", *(["avx2"] if "avx2" in Path("/proc/cpuinfo").read_text() else [])]
    declared = "\n".join(f"UNIT({name})" for name in units)
    compiled(tmp_path, compiler, "main", CALLS.replace("UNITS", declared).replace("ALL", ", ".join(called)), level)
    objects = [f"{name}.o" for name in reversed([*units, "main"])]
    subprocess.run([compiler, *objects, "-o", "all"], cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "all"], check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(printed) == len(called)
    assert len(set(printed)) == 1


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
    tags = re.findall(r"BANKHOOK_SHARED_TYPES (?:BANKHOOK_\w+\()?(v\w+)", compiler)
    assert tags == ["v" + bankhook.__version__.replace(".", "_")] * 3
