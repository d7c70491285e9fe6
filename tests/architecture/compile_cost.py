# SPDX-License-Identifier: MIT
"""What a unit costs to compile, counted without a clock: lines after the preprocessor, and memory that g++'s front end takes.

`./dev record` writes it to `compile_cost.tsv`.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
RECORD = Path(__file__).with_name("compile_cost.tsv")
MOST_PERCENT = 110
FLAGS = ("-std=c++23", "-O2", "-fsyntax-only", "-ftime-report", f"-I{ROOT / 'include'}", "-x", "c++", "-")
PARSE = """#include <bankhook/parse.hpp>
bool use(std::string_view text, bankhook::Arena& arena) { return bankhook::parse(text, arena).has_value(); }
"""
WHOLE = """#include <bankhook/bankhook.hpp>
bool use(std::string_view text, bankhook::Arena& arena, std::string& out, bankhook::Tracker& tracker) {
  const auto event = bankhook::parse(text, arena);
  if (event) bankhook::serialize_to(*event, out);
  return event && tracker.apply(*event).accepted;
}
"""
BESIDE_COMPILED = """#define BANKHOOK_COMPILED
#include <bankhook/bankhook.hpp>
std::string use(std::string_view text, bankhook::Arena& arena, bankhook::Tracker& tracker, std::string& out) {
  bankhook::apply_lines(tracker, text);
  for (const bankhook::ArchiveLine& line : bankhook::Lines(text, arena)) {
    if (line.event) bankhook::serialize_to(*line.event, out);
    else out += bankhook::explain(line.event.error(), line.raw);
  }
  const auto restored = bankhook::Tracker::restore(tracker.snapshot());
  return restored && *restored == tracker ? out : std::string();
}
"""


@dataclass(frozen=True)
class Cost:
    """What a unit costs: it grows with what is included, and with what is instantiated."""

    lines: int
    megabytes: int

    def more_than(self, recorded: Cost) -> list[str]:
        """A sentence for each count that is more than a tenth above the recorded one."""
        counts = (("lines", self.lines, recorded.lines), ("MB", self.megabytes, recorded.megabytes))
        return [f"{now} {what}, recorded are {then}" for what, now, then in counts if now * 100 > then * MOST_PERCENT]


def compiler() -> str:
    """The compiler that counts, with its version: another one counts differently."""
    said = subprocess.run(["g++", "-dumpfullversion"], check=True, capture_output=True, text=True).stdout
    return f"g++ {said.strip()}"


def units() -> dict[str, str]:
    """Each public header, included and not used, and units that use them, the last with what is compiled once."""
    headers = sorted((ROOT / "include" / "bankhook").glob("*.hpp"))
    included = {f"{header.name}, included": f"#include <bankhook/{header.name}>\n" for header in headers}
    used = {"parse.hpp, parse": PARSE, "bankhook.hpp, parse, serialize, track": WHOLE}
    return included | used | {"bankhook.hpp, archives and snapshots, with bankhook::compiled": BESIDE_COMPILED}


def cost_of(source: str) -> Cost:
    """Counts what `source` costs."""
    include = f"-I{ROOT / 'include'}"
    command = ["g++", "-std=c++23", "-O2", "-E", "-P", include, "-x", "c++", "-"]
    preprocessed = subprocess.run(command, input=source, check=True, capture_output=True, text=True).stdout
    report = subprocess.run(["g++", *FLAGS], input=source, check=True, capture_output=True, text=True).stderr
    total = re.search(r"^ TOTAL .* (\d+)M$", report, re.MULTILINE)
    assert total, report
    return Cost(preprocessed.count("\n"), int(total[1]))


def recorded() -> tuple[str, dict[str, Cost]]:
    """The compiler of the record, and the costs in it."""
    first, *rows = RECORD.read_text().splitlines()
    fields = (row.split("\t") for row in rows)
    return first, {unit: Cost(int(lines), int(megabytes)) for unit, lines, megabytes in fields}


def main() -> None:
    """Prints a record of all units."""
    print(compiler())
    for unit, source in units().items():
        cost = cost_of(source)
        print(unit, cost.lines, cost.megabytes, sep="\t")


if __name__ == "__main__":
    main()
