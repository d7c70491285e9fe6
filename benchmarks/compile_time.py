# SPDX-License-Identifier: MIT
"""What a unit of a user's program takes to compile, beside other libraries reading and writing the same two events."""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).parents[1]
PEERS = Path(__file__).parent / "compile_time"
LEVELS = ("-O2", "-O0")


@dataclass(frozen=True)
class Unit:
    """One use of the library: the headers that it needs, and the body of a function of what stands in `source`."""

    name: str
    headers: tuple[str, ...]
    body: str = ""
    compiled: bool = False  # in a program that links to bankhook::compiled
    once: bool = False  # the unit of bankhook::compiled
    imports: bool = False  # the module in place of the headers

    def beside_compiled(self) -> Unit:
        """The same in a program that links to bankhook::compiled."""
        return replace(self, name=f"{self.name}, with `bankhook::compiled`", compiled=True)

    def importing(self) -> Unit:
        """The same in a program that imports the module."""
        return replace(self, name=f"`import bankhook`,{self.name.partition(',')[2]}", imports=True)

    @property
    def source(self) -> str:
        """The unit as a C++ source."""
        lines = ["#define BANKHOOK_COMPILED"] if self.compiled else []
        lines += ["#define BANKHOOK_COMPILING"] if self.once else []
        lines += [f"#include <bankhook/{header}.hpp>" for header in self.headers if not self.imports]
        if self.body:
            types = ["std::string_view text", "Arena& arena", "std::string& out"]
            if "bankhook" in self.headers:
                types.append("Tracker& tracker")
            parameters = ", ".join(f"[[maybe_unused]] {one}" for one in types)
            lines += [
                "#include <string>",
                "#include <string_view>",
                *(["import bankhook;"] if self.imports else []),
                "using namespace bankhook;",
                f"bool use({parameters});",
                f"bool use({parameters}) {{ {self.body} }}",
            ]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Peer:
    """Another library: the unit in `compile_time/`."""

    name: str
    file: str

    @property
    def source(self) -> str:
        """The unit as a C++ source."""
        return (PEERS / self.file).read_text()


@dataclass(frozen=True)
class FirstProgram:
    """The C++ program of the README."""

    name: str = "the README's program"

    @property
    def source(self) -> str:
        """The unit as a C++ source."""
        return (ROOT / "README.md").read_text().split("```cpp\n")[1].split("```")[0]


PARSE = "return parse(text, arena).has_value();"
ROUND = "const auto event = parse(text, arena); if (event{}) serialize_to(*event, out); return event.has_value();"
PARSE_BOTH = Unit("`parse.hpp`, parse", ("parse",), PARSE)
WHOLE = Unit("`bankhook.hpp`, parse, serialize, track", ("bankhook",), ROUND.format(" && tracker.apply(*event).accepted"))
ALONE = Unit("`bankhook.hpp`, included only", ("bankhook",))
README = FirstProgram()
NLOHMANN = Peer("nlohmann/json", "nlohmann.cpp")
NLOHMANN_ALONE = Peer("nlohmann/json, included only", "included.cpp")
UNITS: tuple[Unit | Peer | FirstProgram, ...] = (
    Unit("`events.hpp`, included only", ("events",)),
    Unit("`parse.hpp`, included only", ("parse",)),
    PARSE_BOTH,
    Unit("`parse.hpp`, `serialize.hpp`, both ways", ("parse", "serialize"), ROUND.format("")),
    ALONE,
    README,
    Unit("`bankhook.hpp`, parse", ("bankhook",), PARSE),
    WHOLE,
    PARSE_BOTH.beside_compiled(),
    WHOLE.beside_compiled(),
    Unit("`bankhook::compiled` itself", ("bankhook",), compiled=True, once=True),
    WHOLE.importing(),
    NLOHMANN,
    NLOHMANN_ALONE,
    Peer("Boost.JSON", "boost.cpp"),
    Peer("RapidJSON", "rapidjson.cpp"),
    Peer("simdjson, which does not write", "simdjson.cpp"),
)


@dataclass
class Runs:
    """What the runs of one compiler over one unit took; empty if it does not compile the unit, or no modules (GCC 12)."""

    seconds: list[float] = field(default_factory=list)
    megabytes: list[float] = field(default_factory=list)

    def ratio(self, other: Runs) -> float:
        """The time in parts of the other's: the median of the runs, each beside the other's in the same round."""
        return statistics.median(mine / theirs for mine, theirs in zip(self.seconds, other.seconds, strict=True))

    def cell(self, beside: Runs) -> str:
        """What a table shows."""
        if not self.seconds:
            return "does not compile"
        seconds, megabytes = statistics.median(self.seconds), statistics.median(self.megabytes)
        return f"{seconds:.2f} s, x{self.ratio(beside):.2f}, {megabytes:.0f} MB"


BARS: tuple[tuple[Unit | FirstProgram, Peer, float, float], ...] = (
    (PARSE_BOTH, NLOHMANN, 0.5, 0.5),
    (README, NLOHMANN, 0.8, 1.0),
    (WHOLE, NLOHMANN, 1.0, 1.3),
    (ALONE, NLOHMANN_ALONE, 1.3 / 0.83, 1.3 / 0.83),
    (PARSE_BOTH.beside_compiled(), NLOHMANN, 0.15, 0.15),
    (WHOLE.beside_compiled(), NLOHMANN, 0.4, 0.4),
)
"""What a unit may take with each of LEVELS, in parts of the other's time in the same run; and no more memory than it."""


def bar_line(name: str, most: float, runs: Runs, beside: Runs) -> str:
    """A row of the table of bars."""
    ratio, memory = runs.ratio(beside), statistics.median(runs.megabytes) / statistics.median(beside.megabytes)
    met = "met" if ratio <= most and memory <= 1 else "missed"
    return f"| {name} | x{most:.2f}, memory x1.00 | x{ratio:.2f}, memory x{memory:.2f} | {met} |"


def compile_once(compiler: str, level: str, unit: Unit | Peer | FirstProgram, folder: Path, runs: Runs) -> None:
    """Compiles the unit and records its cost; one of the library that does not compile ends the program."""
    source = folder / "unit.cpp"
    source.write_text(unit.source)
    includes = [f"-I{PEERS}", f"-I{folder}"] if isinstance(unit, Peer) else [f"-I{ROOT / 'include'}"]
    if isinstance(unit, Unit) and unit.imports:
        if "clang" not in compiler:
            return
        includes.append(f"-fmodule-file=bankhook={module(compiler, level, folder)}")
    silent = subprocess.DEVNULL if isinstance(unit, Peer) else None
    process = subprocess.Popen(
        [compiler, "-std=c++23", level, *includes, "-c", str(source), "-o", os.devnull], stderr=silent
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == 0:
        runs.seconds.append(usage.ru_utime)
        runs.megabytes.append(usage.ru_maxrss / 1024)
    elif not isinstance(unit, Peer) or unit in (NLOHMANN, NLOHMANN_ALONE):
        sys.exit(f"{compiler} does not compile {unit.name}")


def module(compiler: str, level: str, folder: Path) -> Path:
    """The module as this compiler reads it; compiled when it is asked for first."""
    made = folder / f"{compiler}{level}.pcm"
    if not made.exists():
        source, includes = ROOT / "cmake" / "bankhook.cppm", f"-I{ROOT / 'include'}"
        subprocess.run([compiler, "-std=c++23", level, includes, "--precompile", source, "-o", made], check=True)
    return made


def mend_rapidjson(folder: Path) -> None:
    """Copies RapidJSON 1.1.0 without a function, called by nobody, that assigns to a constant: Clang rejects it."""
    for include in map(Path, ("/usr/local/include", "/usr/include")):
        if (include / "rapidjson").is_dir():
            for header in (include / "rapidjson").rglob("*.h"):
                copy = folder / header.relative_to(include)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(header.read_text().replace("{ s = rhs.s; length = rhs.length; }", "= delete;"))
            return


def version(compiler: str) -> str:
    """The compiler's name and version."""
    said = subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True).stdout
    found = re.search(r"\d+\.\d+\.\d+", said)
    return f"{compiler} {found[0]}" if found else compiler


def main() -> None:
    """Measures every unit with every compiler, in turns, and prints the medians as a table, and the bars."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="runs of each unit (default 5)")
    parser.add_argument("--check", action="store_true", help="fail if a bar is missed")
    parser.add_argument("compilers", nargs="*", default=["g++", "clang++-19"])
    options = parser.parse_args()
    ways = [(compiler, level) for compiler in options.compilers for level in LEVELS]
    taken = {(unit, *way): Runs() for unit in UNITS for way in ways}
    with tempfile.TemporaryDirectory() as folder:
        mend_rapidjson(Path(folder))
        for number in range(options.repeat):
            for (unit, compiler, level), runs in taken.items():
                print(f"run {number + 1} of {options.repeat}, {compiler} {level}: {unit.name}", file=sys.stderr)
                compile_once(compiler, level, unit, Path(folder), runs)
    print("One unit: user time, the same in parts of nlohmann/json's, and peak memory.")
    print(f"Medians of {options.repeat} runs; a ratio is of two runs in the same round.\n")
    names = [f"{version(compiler)} {level}" for compiler, level in ways]
    print("| unit |", " | ".join(names), "|")
    print("|---" * (1 + len(ways)) + "|")
    for unit in UNITS:
        print(f"| {unit.name} |", " | ".join(taken[unit, *way].cell(taken[NLOHMANN, *way]) for way in ways), "|")
    print("\n| bar | at most | reached | |\n|---|---|---|---|")
    lines = [
        bar_line(f"{unit.name}, {name}", most[LEVELS.index(way[1])], taken[unit, *way], taken[beside, *way])
        for unit, beside, *most in BARS
        for way, name in zip(ways, names, strict=True)
    ]
    print("\n".join(lines))
    if options.check and any(line.endswith("| missed |") for line in lines):
        sys.exit(1)


if __name__ == "__main__":
    main()
