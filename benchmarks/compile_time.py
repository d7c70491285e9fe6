# SPDX-License-Identifier: MIT
"""What a unit of a user's program takes to compile: user time and the most memory, with each compiler."""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

INCLUDE = Path(__file__).parents[1] / "include"
FLAGS = ("-std=c++23", "-O2")


@dataclass(frozen=True)
class Unit:
    """One use of the library: the headers that it needs, and the body of a function of `text`, `arena` and `out`."""

    name: str
    headers: tuple[str, ...]
    body: str = ""

    @property
    def source(self) -> str:
        """The unit as a C++ source."""
        lines = [f"#include <bankhook/{header}.hpp>" for header in self.headers]
        if self.body:
            lines += [
                "#include <string>",
                "#include <string_view>",
                "using namespace bankhook;",
                "bool use(std::string_view text, Arena& arena, std::string& out);",
                "bool use([[maybe_unused]] std::string_view text, [[maybe_unused]] Arena& arena,",
                f"         [[maybe_unused]] std::string& out) {{ {self.body} }}",
            ]
        return "\n".join(lines) + "\n"


BOTH_WAYS = ("events/parse", "events/serialize")
PARSE = "return parse(text, arena).has_value();"
ROUND = "const auto event = parse(text, arena); if (event{}) serialize_to(*event, out); return event.has_value();"
UNITS = (
    Unit("the structs, included only", ("events/any_event",)),
    Unit("reader and writer, included only", BOTH_WAYS),
    Unit("parse one event", ("events/parse",), "return parse_as<InitialTransactionUpdate>(text, arena).has_value();"),
    Unit("parse both events", ("events/parse",), PARSE),
    Unit("parse, serialize", BOTH_WAYS, ROUND.format("")),
    Unit("parse, check, serialize", (*BOTH_WAYS, "events/check"), ROUND.format(" && check(*event).empty()")),
    Unit("`bankhook.hpp`, included only", ("bankhook",)),
    Unit("`bankhook.hpp`, parse both events", ("bankhook",), PARSE),
)


@dataclass
class Runs:
    """What the runs of one compiler over one unit took."""

    seconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{statistics.median(self.seconds):.2f} s, {statistics.median(self.megabytes):.0f} MB"


def compile_once(compiler: str, source: Path, runs: Runs) -> None:
    """Compiles `source` and takes down its cost; a unit that does not compile ends the program."""
    process = subprocess.Popen([compiler, *FLAGS, f"-I{INCLUDE}", "-c", str(source), "-o", os.devnull])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{compiler} does not compile {source}")
    runs.seconds.append(usage.ru_utime)
    runs.megabytes.append(usage.ru_maxrss / 1024)


def version(compiler: str) -> str:
    """The compiler's name and version."""
    said = subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"\d+\.\d+\.\d+", said)
    return f"{compiler} {found[0]}" if found else compiler


def main() -> None:
    """Measures every unit with every compiler, in turns, and prints the medians as a table."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each unit (default 5)")
    parser.add_argument("compilers", nargs="*", default=["g++", "clang++-19"])
    options = parser.parse_args()
    taken = {(unit, compiler): Runs() for unit in UNITS for compiler in options.compilers}
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "unit.cpp"
        for number in range(options.repeat):
            for (unit, compiler), runs in taken.items():
                print(f"run {number + 1} of {options.repeat}, {compiler}: {unit.name}", file=sys.stderr)
                source.write_text(unit.source)
                compile_once(compiler, source, runs)
    print(f"User time and peak memory of one unit, {' '.join(FLAGS)}, medians of {options.repeat} runs:\n")
    print("| unit |", " | ".join(version(compiler) for compiler in options.compilers), "|")
    print("|---" * (1 + len(options.compilers)) + "|")
    for unit in UNITS:
        print(f"| {unit.name} |", " | ".join(str(taken[unit, compiler]) for compiler in options.compilers), "|")


if __name__ == "__main__":
    main()
