# SPDX-License-Identifier: MIT
"""What the answers of docs/how-to/answer_questions.md take on two million deliveries: `./dev bench --questions`.

The page's own snippets run, each answer in a process of its own. Times and memory are given as multiples of
what it takes to read the file into memory, so they mean something on another machine, too.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from docs.snippets import ROOT, Snippet, snippets
from machine import this_machine

PAGE = ROOT / "docs" / "how-to" / "answer_questions.md"
LIBRARIES = ("pandas", "polars", "DuckDB")
FILE = "received.ndjson"
_DELIVERIES = 2_000_000
_SIMULATED = re.compile(r"^members, count, pace = (\d+), ([\d_]+), timedelta\(hours=1\)$", re.MULTILINE)


class Taken(NamedTuple):
    """What an answer takes: seconds of processor time, of all threads, and bytes of memory over what was there before."""

    seconds: float
    memory: int


def main() -> None:
    """Prints the page of results, and writes it and its chart where `--results` says."""
    options = argparse.ArgumentParser(prog="benchmarks/python/questions.py", description=__doc__)
    options.add_argument("--deliveries", type=int, default=_DELIVERIES, help="how many (default: %(default)s)")
    options.add_argument("--made", default="", help="when, and by which state of the sources")
    options.add_argument("--results", type=Path, help="where to write PATH.md and PATH.svg")
    options.add_argument("--answer", choices=LIBRARIES, help=argparse.SUPPRESS)
    options.add_argument("--now", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if chosen.answer:
        json.dump(dict(_answers(chosen.answer, chosen.now)), sys.stdout)
        return
    with tempfile.TemporaryDirectory(dir="build") as folder:
        now, reading = _made(Path(folder), chosen.deliveries), _read(Path(folder) / FILE)
        taken = {library: _run(library, now, Path(folder)) for library in LIBRARIES}
    page = "\n".join(_page(chosen.deliveries, reading, taken, chosen.made)) + "\n"
    print(page)
    if chosen.results is not None:
        chosen.results.with_suffix(".md").write_text(page, encoding="utf-8")
        _write_chart(reading, taken, chosen.results.with_suffix(".svg"))


def _made(folder: Path, deliveries: int) -> str:
    """Makes the archive by the page's first snippet, with more members in the same time; returns when it ends."""
    simulation = snippets(PAGE, "python")[0].text
    found = _SIMULATED.search(simulation)
    assert found is not None
    members, count = int(found[1]) * deliveries // int(found[2]), int(found[2])
    more = f"members, count, pace = {members}, {deliveries}, timedelta(hours={count / deliveries})"
    names: dict[str, Any] = {}
    with contextlib.chdir(folder):
        exec(_SIMULATED.sub(more, simulation), names)
    return str(names["now"].isoformat())


def _read(path: Path) -> Taken:
    """The quickest of some readings, from the system's cache."""
    seconds: list[float] = []
    for _ in range(5):
        start = time.process_time()
        path.read_bytes()
        seconds.append(time.process_time() - start)
    return Taken(min(seconds), path.stat().st_size)


def _run(library: str, now: str, folder: Path) -> dict[str, Taken]:
    command = [sys.executable, os.path.abspath(__file__), "--answer", library, "--now", now]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True)
    return {question: Taken(*one) for question, one in json.loads(done.stdout).items()}


def _answers(library: str, now: str) -> Iterator[tuple[str, Taken]]:
    """What the tracker takes, and each answer of one library."""
    first, prepared, *others = snippets(PAGE, "python")
    names: dict[str, Any] = {}
    exec(_SIMULATED.split(first.text)[0], names)  # what it imports
    names["now"] = names["datetime"].fromisoformat(now)
    yield "The tracker, which three questions ask", _taken(prepared, names)
    for snippet in others:
        question, of = _place(snippet)
        if of is None:
            _taken(snippet, names)
        elif of == library:
            yield question, _taken_apart(snippet, names)


def _place(snippet: Snippet) -> tuple[str, str | None]:
    """The heading above a snippet, and the library that its introduction names, if it is an answer."""
    before = PAGE.read_text(encoding="utf-8").splitlines()[: snippet.line - 3]
    heading = next(line for line in reversed(before) if line.startswith("## "))
    return heading.removeprefix("## "), next((one for one in LIBRARIES if before[-1].startswith(one)), None)


def _taken_apart(snippet: Snippet, names: dict[str, Any]) -> Taken:
    """What it takes in a child, because what an answer frees would be there for the next one."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        os.write(writing, json.dumps(_taken(snippet, names)).encode())
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="ascii") as answer:
        taken = Taken(*json.load(answer))
    os.waitpid(child, 0)
    return taken


def _taken(snippet: Snippet, names: dict[str, Any]) -> Taken:
    code = compile(snippet.text, str(PAGE), "exec")
    assigned = [node.targets[0] for node in ast.parse(snippet.text).body if isinstance(node, ast.Assign)][-1]
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins at what is used now
    before, start = _memory("VmRSS"), time.process_time()
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        exec(code, names)
    fetch = getattr(names[ast.unparse(assigned)], "fetchall", list)
    fetch()  # a relation is evaluated only then
    return Taken(time.process_time() - start, max(0, _memory("VmHWM") - before))


def _memory(name: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)
    assert found is not None
    return 1024 * int(found[1])


def _page(deliveries: int, reading: Taken, taken: dict[str, dict[str, Taken]], made: str) -> Iterator[str]:
    yield "# Questions to an archive"
    yield ""
    yield f"`./dev bench --questions`{made and f', {made}'}, {this_machine()}:"
    yield f"{', '.join(f'{name} {version(name.lower())}' for name in ('bankhook', *LIBRARIES))}."
    yield ""
    yield "<!-- speed:begin -->"
    size = f"{reading.memory / 1e6:,.0f} MB in {deliveries:,} lines"
    yield f"Multiples of what it takes to read the file of {size} into memory: of its processor time, and in brackets of its"
    yield "size, the most memory that was needed beside what was there before."
    yield ""
    yield f"| question | {' | '.join(LIBRARIES)} |"
    yield f"|---|{'--:|' * len(LIBRARIES)}"
    for question in taken[LIBRARIES[0]]:
        yield f"| {question} | {' | '.join(_cell(taken[library][question], reading) for library in LIBRARIES)} |"
    yield ""
    yield f"Here, to read it took {reading.seconds:.2f} seconds."
    yield "<!-- speed:end -->"


def _cell(taken: Taken, reading: Taken) -> str:
    return f"{taken.seconds / reading.seconds:.1f} ({taken.memory / reading.memory:.2f})"


def _write_chart(reading: Taken, taken: dict[str, dict[str, Taken]], path: Path) -> None:
    altair: Any = import_module("altair")
    rows = [
        {"library": library, "question": question, "times": one.seconds / reading.seconds}
        for library, answers in taken.items()
        for question, one in answers.items()
    ]
    questions = list(taken[LIBRARIES[0]])
    chart = (
        altair.Chart(altair.Data(values=rows))
        .mark_bar()
        .encode(
            x=altair.X("times:Q", title="times reading the file into memory, shorter is faster"),
            y=altair.Y("question:N", sort=questions, title=None, axis=altair.Axis(labelLimit=400)),
            yOffset=altair.YOffset("library:N", sort=list(LIBRARIES)),
            color=altair.Color(
                "library:N", sort=list(LIBRARIES), title=None, scale=altair.Scale(range=["#1b7f5c", "#9aa5b1", "#d98e04"])
            ),
        )
        .properties(title="Processor time of the answers", width=420, height=280)
    )
    chart.save(path)


if __name__ == "__main__":
    main()
