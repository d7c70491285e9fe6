# SPDX-License-Identifier: MIT
"""Makes changes for so many minutes, and writes to `tests/mutants.tsv` which of them a test noticed: `./dev mutate`."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib.util import cache_from_source
from itertools import chain
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

from bankhook import _core
from mutants import Key, Mutant, cpp, python
from mutants.reached import Reached

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "mutants.tsv"
WORK = ROOT / "build" / "mutants"
# The tests of a folder, and where they leave much to those of another one, these after them.
CPP = {"json": ("json", "events"), "events": ("events",), "machine": ("machine",), "tracking": ("tracking",)}
PYTHON, PYTHON_TESTS = "python/bankhook/inbox", "tests/inbox"
REQUIRED = {"": "true", "_FALSE": "false"}
BATCH = 400  # changes of C++ that are compiled together
LIMIT = 5  # times as much of a processor as without a change: it runs without end
HANGS = 3600  # seconds: it waits without end, however busy the machine is
MEMORY = 4 << 30
JOBS = os.cpu_count() or 1
NOT_COMPILED = "not compiled"


class Table:
    """What became of each change. One whose line is gone is forgotten, one that survived without a reason is made again."""

    def __init__(self, texts: Mapping[str, str], mutants: Iterable[Mutant]) -> None:
        before = set[Key]()
        self._mutants = {one.key(texts[one.path], before): one for one in mutants}
        rows = (row.split("\t") for row in TABLE.read_text(encoding="utf-8").split("\n")[1:-1])
        self._results = {(a, b, c): (result, why) for a, b, c, result, why in rows if (a, b, c) in self._mutants}

    def next(self, ending: str, count: int) -> Iterator[tuple[Key, Mutant]]:
        """Yield changes of files that end so: those that survived, then new ones, in an order that is always the same."""
        due = [
            key for key in self._mutants if key[0].endswith(ending) and self._results.get(key) in (None, ("survived", ""))
        ]
        due.sort(key=lambda key: (key not in self._results, hashlib.sha256("\t".join(key).encode()).digest()))
        return ((key, self._mutants[key]) for key in due[:count])

    def add(self, key: Key, result: str) -> None:
        """Add a result, and write all."""
        self._results[key] = (result, "")
        if result == "survived":
            print("survived:", *key, sep="  ", flush=True)
        rows = sorted((*key, *result) for key, result in self._results.items())
        text = "".join("\t".join(row) + "\n" for row in (("file", "line", "change", "result", "why"), *rows))
        TABLE.with_suffix(".new").write_text(text, encoding="utf-8")
        TABLE.with_suffix(".new").replace(TABLE)

    def __str__(self) -> str:
        results = [one for one in self._results.values() if one[0] != NOT_COMPILED]
        killed, holes = results.count(("killed", "")), results.count(("survived", ""))
        found = f"{killed} killed, {len(results) - killed - holes} that change nothing a test could see, {holes} holes"
        return f"{len(results)} of {len(self._mutants)} changes: {found}"


async def noticed(command: list[str], **environment: str) -> bool:
    """Return whether a run of tests fails, or does not end. What it started ends with it."""
    with tempfile.NamedTemporaryFile(dir=WORK, prefix="tests-", suffix=".log") as log:
        environ = os.environ | environment
        run = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, env=environ, stdout=log, stderr=log, start_new_session=True
        )
        try:
            return await asyncio.wait_for(run.wait(), HANGS) != 0
        except TimeoutError:
            return True
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            await run.wait()
            shutil.copyfile(log.name, WORK / "tests.log")


def in_order(commands: Iterable[list[str]]) -> list[str]:
    """Return a command that runs these until one fails."""
    return ["sh", "-c", " && ".join(map(shlex.join, commands))]


async def passed(command: list[str], **environment: str) -> float:
    """Run tests that have to pass, without a change; return the time of a processor that they took."""
    before = getrusage(RUSAGE_CHILDREN).ru_utime
    if await noticed(command, **environment):
        sys.exit(f"These tests fail without a change, see {WORK / 'tests.log'}: {shlex.join(command)}")
    return getrusage(RUSAGE_CHILDREN).ru_utime - before


async def in_turns(changes: Iterable[tuple[Key, Callable[[], Awaitable[bool]]]], table: Table, end: float) -> None:
    """Make changes beside each other until the end, and write of each whether it was noticed."""
    turns = asyncio.Semaphore(JOBS)

    async def turn(key: Key, is_noticed: Callable[[], Awaitable[bool]]) -> None:
        async with turns:
            if time.monotonic() < end:
                table.add(key, "killed" if await is_noticed() else "survived")

    async with asyncio.TaskGroup() as group:
        for key, is_noticed in changes:
            group.create_task(turn(key, is_noticed))


def cpp_tests(folder: str, seconds: float) -> list[str]:
    """Return the command that runs the C++ tests of a folder, for so much time of a processor."""
    files = ",".join(f"[#{path.stem}]" for path in sorted((ROOT / "tests" / folder).glob("*_test.cpp")))
    # A change may ask for memory without end.
    limited = ["prlimit", f"--as={MEMORY}", f"--cpu={seconds:.0f}", str(WORK / "gcc" / "tests" / "bankhook_tests")]
    return [*limited, "--abort", "--filenames-as-tags", files]


def build(mutants: dict[int, Mutant], texts: Mapping[str, str]) -> set[int]:
    """Compile the tests with all changes; return those that were taken out, because they do not compile."""
    tree = WORK / "tree"
    left_out = shutil.ignore_patterns("build", ".git", "docs", "notebooks", "python")
    shutil.copytree(ROOT, tree, ignore=left_out, dirs_exist_ok=True)
    for test in tree.glob("tests/*/*_test.cpp"):
        if test.parent.name not in chain(*CPP.values()):
            test.write_text("")  # programs of their own name theirs
    # Checks for the compiler run like the others.
    for shim in tree.glob("tests/support/*/bankhook_catch.hpp"):
        run_time = "#define STATIC_REQUIRE{}(...) REQUIRE(([&] {{ return static_cast<bool>(__VA_ARGS__) == {}; }}()))\n"
        lines = (f"#undef STATIC_REQUIRE{name}\n" + run_time.format(name, value) for name, value in REQUIRED.items())
        shim.write_text(shim.read_text() + "#if BANKHOOK_MUTANT < 0\n" + "".join(lines) + "#endif\n")
    (WORK / "mutant.hpp").write_text(cpp.SWITCH.replace("COUNT", str(max(mutants) + 1)))
    flags = f"-std=c++23 -w -Wno-narrowing -include {WORK / 'mutant.hpp'} -DBANKHOOK_MUTANT=-1"
    options = [f"-DCMAKE_CXX_FLAGS={flags}", f"-DBANKHOOK_CONFORMANCE={ROOT.parent / 'shared' / 'conformance'}"]
    configure = [
        "cmake",
        "--preset",
        "gcc",
        "-S",
        str(tree),
        "-B",
        str(WORK / "gcc"),
        "-DCMAKE_COMPILE_WARNING_AS_ERROR=OFF",
        *options,
    ]
    subprocess.run(configure, check=True, stdout=subprocess.DEVNULL)
    compile_ = [
        "cmake",
        "--build",
        str(WORK / "gcc"),
        "--target",
        "bankhook_tests",
        "-j",
        str(os.cpu_count()),
        "--",
        "-k",
        "0",
    ]
    paths, out = {one.path for one in mutants.values()}, set[int]()
    while True:
        for path in paths:
            these = ((number, one) for number, one in mutants.items() if one.path == path and number not in out)
            (tree / path).write_text(cpp.switched(texts[path], these))
        said = subprocess.run(
            compile_, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False
        )
        if said.returncode == 0:
            return out
        (WORK / "build.log").write_text(said.stdout)
        wrong = {int(number) for number in re.findall(r"\bmutant\((\d+)\)", said.stdout)} - out
        if not wrong:
            sys.exit(f"The changes do not compile, see {WORK / 'build.log'}")
        print(f"-- {len(wrong)} changes do not compile, or stand in a line with one that does not", flush=True)
        out |= wrong


def compiled_with(number: int, folder: str) -> list[str]:
    """Return the command that compiles the tests of a folder with a change that only the compiler evaluates."""
    commands = json.loads((WORK / "gcc" / "compile_commands.json").read_text())
    (command,) = (one["command"] for one in commands if re.search(rf"/unity_(\w+_)?{folder}_", one["file"]))
    command = command.replace("-DBANKHOOK_MUTANT=-1", f"-DBANKHOOK_MUTANT={number} -fsyntax-only")
    return ["env", f"--chdir={WORK / 'gcc'}", *shlex.split(command)]


async def change_cpp(table: Table, texts: Mapping[str, str], end: float) -> None:
    """Compile a batch of changes of headers, and run the tests with each."""
    chosen = list(table.next(".hpp", BATCH))
    keys, mutants = dict(enumerate(key for key, _ in chosen)), dict(enumerate(one for _, one in chosen))
    if not mutants:
        return
    print(f"-- compiling {len(mutants)} changes, some minutes", flush=True)
    for number in build(mutants, texts):
        del mutants[number]
        table.add(keys[number], NOT_COMPILED)
    limits, reached = dict[str, float](), dict[str, set[int]]()
    for folder in CPP:
        limits[folder] = LIMIT * await passed(cpp_tests(folder, HANGS), BANKHOOK_REACHED=str(WORK / "reached")) + 5
        reached[folder] = set(map(int, (WORK / "reached").read_text().split()))

    async def is_noticed(number: int) -> bool:
        folders = [one for one in CPP[mutants[number].path.split("/")[2]] if number in reached[one]]
        return await noticed(in_order(cpp_tests(one, limits[one]) for one in folders), BANKHOOK_MUTANT=str(number))

    async def is_refused(number: int) -> bool:
        return await noticed(in_order(compiled_with(number, one) for one in CPP[mutants[number].path.split("/")[2]]))

    runs = set(mutants).intersection(chain(*reached.values()))
    for numbers, look in ((runs, is_noticed), (mutants.keys() - runs, is_refused)):
        await in_turns(((keys[number], partial(look, number)) for number in sorted(numbers)), table, end)


async def change_python(table: Table, texts: Mapping[str, str], end: float) -> None:
    """Run the tests of the inbox that reach a change, the short ones first, with a changed copy of the package."""
    packages = [WORK / f"python-{job}" / "bankhook" for job in range(JOBS)]
    for package in packages:
        shutil.rmtree(package, ignore_errors=True)
        shutil.copytree(ROOT / "python" / "bankhook", package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        shutil.copy2(_core.__file__, package)

    def environment(package: Path) -> dict[str, str]:
        return {"PYTHONPATH": f"{package.parent}:{ROOT / 'tools'}"}

    def write(path: Path, text: str) -> None:
        path.write_text(text)
        Path(cache_from_source(path)).unlink(missing_ok=True)  # files of the same time and size are the same to Python

    pytest = ["pytest", "-q", "-p", "no:cacheprovider", "--timeout=300"]
    covered = [sys.executable, "-m", "coverage", "run", f"--data-file={WORK / 'covered'}", "-m"]
    print("-- looking which tests reach which lines, some minutes", flush=True)
    for file in WORK.glob("covered.*"):
        file.unlink()
    marked = ["-m", "not soak and not slow", PYTHON_TESTS]
    if await noticed([*covered, *pytest, f"-n{JOBS}", "-p", "mutants.reached", *marked], **environment(packages[0])):
        print(f"-- Tests fail without a change, and are left out, see {WORK / 'tests.log'}", flush=True)
    subprocess.run([*covered[:3], "combine", "-q", covered[4]], cwd=ROOT, check=True)
    reached = Reached(WORK / "covered", packages[0])
    await passed([sys.executable, "-m", *pytest, "--collect-only", *reached.tests])  # each is found by its name

    async def is_noticed(mutant: Mutant) -> bool:
        package, text = packages.pop(), texts[mutant.path]
        path = package.parent / Path(mutant.path).relative_to("python")
        write(path, text[: mutant.start] + mutant.becomes + text[mutant.end :])
        first = text.count("\n", 0, mutant.start) + 1
        tests = reached.by(mutant.path, range(first, first + text.count("\n", mutant.start, mutant.end) + 1))
        limited = ["prlimit", f"--cpu={LIMIT * sum(map(reached.tests.__getitem__, tests)) + 60:.0f}", sys.executable]
        is_noticed = bool(tests) and await noticed([*limited, "-m", *pytest, "-x", *tests], **environment(package))
        write(path, text)
        packages.append(package)
        return is_noticed

    await in_turns(((key, partial(is_noticed, one)) for key, one in table.next(".py", sys.maxsize)), table, end)


async def main(minutes: float) -> None:
    """Change headers for half of the time, and modules for the rest of it."""
    WORK.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    folders = [f"include/bankhook/{folder}" for folder in CPP] + [PYTHON]
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".hpp", ".py"))
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}
    finders: dict[str, Callable[[str, str], Iterator[Mutant]]] = {".hpp": cpp.mutants_of, ".py": python.mutants_of}
    table = Table(texts, (one for path, text in texts.items() for one in finders[Path(path).suffix](path, text)))
    await change_cpp(table, texts, begin + 30 * minutes)
    await change_python(table, texts, begin + 60 * minutes)
    print(table)


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1])))
