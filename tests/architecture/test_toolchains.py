# SPDX-License-Identifier: MIT
"""Compilers with options and macros of others, include cleaners, and types that cross shared libraries."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from docs.snippets import Snippet, pages, snippets
from installed import missing, need_programs

pytestmark = [pytest.mark.compiler, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
CXX = os.environ.get("CXX", "g++")
PROGRAMS = [snippet for page in pages() for snippet in snippets(page, "cpp")]
OF_OURS = re.compile(r"included header \w+\.hpp|no header providing .bankhook::")


def compiled(*options: str, text: str = "#include <bankhook/bankhook.hpp>\n") -> subprocess.CompletedProcess[str]:
    command = [CXX, "-std=c++23", "-fsyntax-only", f"-I{ROOT / 'include'}", *options, "-x", "c++", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "options",
    [
        "-fno-char8_t -fno-asm -fno-operator-names",
        "-funsigned-char -fshort-wchar -fshort-enums -fno-rtti -fno-exceptions",
        "-std=gnu++23 -Dinline=__inline -ffreestanding -fms-extensions",
        "-mno-sse2 -mno-sse",
    ],
)
def test_headers_compile_with_options_that_take_something_away(options: str) -> None:
    assert compiled("-Wall", "-Wextra", "-Werror", *options.split()).stderr == ""


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("-D__PRETTY_FUNCTION__=__FUNCTION__", "is a macro: #undef it"),
        ("-Dinline=", "is a macro: #undef it"),
        ("-Dnoexcept=", "is a macro: #undef it"),
        ("-Dconstexpr=const", "is a macro: #undef it"),
        ("-Dclass=struct", "is a macro: #undef it"),
        ("-D_GLIBCXX_USE_CXX11_ABI=0", "needs the strings of C++11"),
    ],
)
def test_what_cannot_compile_is_one_sentence(option: str, sentence: str) -> None:
    said = compiled(option).stderr
    assert sentence in said
    assert len(said.splitlines()) <= 20


@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_an_include_cleaner_takes_no_header_of_ours_away(program: Snippet, tmp_path: Path) -> None:
    """In every editor that uses clangd, that warns of the same."""
    need_programs("clang-tidy-19")
    (tmp_path / "program.cpp").write_text(program.text)
    command = ["clang-tidy-19", "--quiet", "--checks=-*,misc-include-cleaner", str(tmp_path / "program.cpp")]
    options = ["--", "-std=c++23", "-Iinclude"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "clang-diagnostic-error" not in done.stdout
    assert OF_OURS.findall(done.stdout) == []


LIBRARY = """
#include <any>
#include <bankhook/bankhook.hpp>
#define SHOWN __attribute__((visibility("default")))
SHOWN void fail() { throw std::bad_expected_access(bankhook::Error{}); }
SHOWN std::any values[] = {bankhook::Errc{}, bankhook::Decimal{}, bankhook::Findings{}, bankhook::Account{}};
"""
PROGRAM = """
#include <any>
#include <bankhook/bankhook.hpp>
#include <iostream>
void fail();
extern std::any values[4];
int main() {
  try { fail(); } catch (const std::bad_expected_access<bankhook::Error>&) { std::cout << "caught "; } catch (...) {}
  std::cout << (std::any_cast<bankhook::Errc>(values) != nullptr) << (std::any_cast<bankhook::Decimal>(values + 1) != nullptr)
            << (std::any_cast<bankhook::Findings>(values + 2) != nullptr)
            << (std::any_cast<bankhook::Account>(values + 3) != nullptr) << '\\n';
}
"""


@pytest.mark.parametrize("compiler", ["g++", "clang++-19 -stdlib=libc++"])
def test_types_are_the_same_in_shared_libraries_that_hide_their_symbols(compiler: str, tmp_path: Path) -> None:
    need_programs(compiler.split()[0])
    (tmp_path / "library.cpp").write_text(LIBRARY)
    (tmp_path / "program.cpp").write_text(PROGRAM)
    hidden = ["-fvisibility=hidden", "-fvisibility-inlines-hidden"]
    command = [*compiler.split(), "-std=c++23", *hidden, f"-I{ROOT / 'include'}"]
    for last in (["-fPIC", "-shared", "library.cpp", "-o", "library.so"], ["program.cpp", "./library.so", "-o", "program"]):
        subprocess.run([*command, *last], cwd=tmp_path, check=True)
    done = subprocess.run(["./program"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout == "caught 1111\n"


@pytest.mark.parametrize("header", ["fmt/ostream.h", "spdlog/fmt/ostr.h"])
def test_fmt_and_spdlog_take_our_values_by_the_line_of_the_guide(header: str, tmp_path: Path) -> None:
    if not Path("/usr/include", header).exists():
        missing(header)
    lines = (ROOT / "docs" / "how-to" / "cmake.md").read_text().splitlines()
    recipe = next(line.partition("`")[2].partition("`")[0] for line in lines if "fmt::ostream_formatter" in line)
    (tmp_path / "program.cpp").write_text(
        f"#include <{header}>\n#include <bankhook/bankhook.hpp>\n{recipe}\n"
        'int main() { fmt::print("{} {:>6} {}", bankhook::Verdict::assumed, bankhook::Decimal(1990, 2), bankhook::Account{}); }\n'
    )
    options = [f"-I{ROOT / 'include'}", "-DFMT_HEADER_ONLY", "-DSPDLOG_FMT_EXTERNAL"]
    subprocess.run([CXX, "-std=c++23", *options, "program.cpp", "-o", "program"], cwd=tmp_path, check=True)
    done = subprocess.run(["./program"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout.startswith('assumed  19.90 {"id":')


DEBUGGED = """
#include <bankhook/events.hpp>
using namespace bankhook;
struct Values {
  Decimal price{1990, 2}, debt{-5, 1}, whole{7}, tiny{-3, 40}, cents{-5, 2};
  OpenEnum<TransactionStatus> listed = TransactionStatus::validated, other = TransactionStatus{};
  nullable<std::string_view> null{}, text{std::string_view("a")};
  maybe_absent<std::string_view> absent{};
  Timestamp unset{}, zone = *Timestamp::parse("2026-05-04T10:15:00.250+02:00");
  Timestamp west = *Timestamp::parse("2026-05-04T10:15:00-0330");
  nullable<LocalTimestamp> local = *LocalTimestamp::parse("2026-05-04 10:15:00.0001");
  std::chrono::year_month_day day = std::chrono::year(2026) / 2 / 28;
};
constinit Values values;  // gdb reads it in the file, without a process
int main() {}
"""


def test_gdb_prints_values_as_json_writes_them(tmp_path: Path) -> None:
    need_programs("gdb", "g++")
    (tmp_path / "program.cpp").write_text(DEBUGGED)
    include = f"-I{ROOT / 'include'}"
    subprocess.run(
        ["g++", "-std=c++23", "-g", "-no-pie", include, "program.cpp", "-o", "program"], cwd=tmp_path, check=True
    )
    printers = ROOT / "cmake" / "bankhook_gdb.py"
    command = ["gdb", "-nx", "-q", "-batch", "-ex", f"source {printers}", "-ex", "print values"]
    done = subprocess.run([*command, "program"], cwd=tmp_path, check=True, capture_output=True, text=True)
    # Texts and spans are printed by the standard library's own printers, which come with a process.
    assert done.stdout.startswith(
        "$1 = {price = 19.90, debt = -0.5, whole = 7, tiny = -3e-40, cents = -0.05, listed = validated, other = created, "
        'null = null, text = {_M_len = 1, _M_str = "a"}, absent = absent, unset = 0000-00-00T00:00:00Z, '
        "zone = 2026-05-04T10:15:00.250+02:00, "
        "west = 2026-05-04T10:15:00-0330, local = 2026-05-04 10:15:00.0001, day = 2026-02-28}"
    ), done.stdout + done.stderr
