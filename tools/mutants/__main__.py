# SPDX-License-Identifier: MIT
"""Makes changes for so many minutes, and writes to `tests/mutants.tsv` which of them a test noticed: `./dev mutate`."""

from __future__ import annotations

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
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from bankhook import _core
from mutants import Key, Mutant, cpp, python

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests" / "mutants.tsv"
WORK = ROOT / "build" / "mutants"
# The tests of a folder, and where they leave much to those of another one, these after them.
CPP = {"json": ("json", "events"), "events": ("events",), "machine": ("machine",), "tracking": ("tracking",)}
PYTHON, PYTHON_TESTS = "python/bankhook/inbox", "tests/inbox"
# The tests on SQLite first: they are quicker than those on PostgreSQL.
STORES = ("sqlite", "not sqlite")
REQUIRED = {"": "true", "_FALSE": "false"}
BATCH = 400  # changes of C++ that are compiled together
LIMIT = 5  # times as long as without a change: it hangs
MEMORY = 4 << 30
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


def noticed(command: list[str], seconds: float, **environment: str) -> bool:
    """Return whether a run of tests fails, or does not end. What it started ends with it."""
    with (WORK / "tests.log").open("wb") as log:
        environ = os.environ | environment
        run = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            return run.wait(seconds) != 0
        except subprocess.TimeoutExpired:
            return True
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
            run.wait()


def timed(command: list[str], **environment: str) -> float:
    """Return for how long tests may run that pass without a change."""
    begin = time.monotonic()
    if noticed(command, 3600, **environment):
        sys.exit(f"These tests fail without a change, see {WORK / 'tests.log'}: {shlex.join(command)}")
    return LIMIT * (time.monotonic() - begin) + 5


def cpp_tests(folder: str) -> list[str]:
    """Return the command that runs the C++ tests of a folder."""
    files = ",".join(f"[#{path.stem}]" for path in sorted((ROOT / "tests" / folder).glob("*_test.cpp")))
    # A change may ask for memory without end.
    limited = ["prlimit", f"--as={MEMORY}", str(WORK / "gcc" / "tests" / "bankhook_tests")]
    return [*limited, "--abort", "--filenames-as-tags", files]


def build(mutants: dict[int, Mutant], texts: Mapping[str, str]) -> set[int]:
    """Compile the tests with all changes; return those that were taken out, because they do not compile."""
    tree = WORK / "tree"
    left_out = shutil.ignore_patterns("build", ".git", "docs", "notebooks", "python")
    shutil.copytree(ROOT, tree, ignore=left_out, dirs_exist_ok=True)
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


def compiler_takes(number: int, folder: str) -> bool:
    """Return whether the tests of a folder compile with a change that only the compiler evaluates."""
    commands = json.loads((WORK / "gcc" / "compile_commands.json").read_text())
    (command,) = (one["command"] for one in commands if re.search(rf"/unity_(\w+_)?{folder}_", one["file"]))
    command = command.replace("-DBANKHOOK_MUTANT=-1", f"-DBANKHOOK_MUTANT={number} -fsyntax-only")
    return subprocess.run(shlex.split(command), cwd=WORK / "gcc", capture_output=True, check=False).returncode == 0


def change_cpp(table: Table, texts: Mapping[str, str], end: float) -> None:
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
        limits[folder] = timed(cpp_tests(folder), BANKHOOK_REACHED=str(WORK / "reached"))
        reached[folder] = set(map(int, (WORK / "reached").read_text().split()))
    unreached = dict[int, str]()
    for number, mutant in mutants.items():
        if time.monotonic() > end:
            return
        folder = mutant.path.split("/")[2]
        folders = [one for one in CPP[folder] if number in reached[one]]
        if not folders:
            unreached[number] = folder
            continue
        is_killed = any(noticed(cpp_tests(one), limits[one], BANKHOOK_MUTANT=str(number)) for one in folders)
        table.add(keys[number], "killed" if is_killed else "survived")
    for number, folder in unreached.items():
        if time.monotonic() > end:
            return
        table.add(keys[number], "survived" if all(compiler_takes(number, one) for one in CPP[folder]) else "killed")


def change_python(table: Table, texts: Mapping[str, str], end: float) -> None:
    """Run the tests of the inbox with one changed module after the other."""
    package = WORK / "python" / "bankhook"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(ROOT / "python" / "bankhook", package, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy2(_core.__file__, package)
    environment = {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}  # changes may have the same time
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--timeout=60", PYTHON_TESTS]
    commands = [[*pytest, "-m", "not soak and not slow", "-k", store] for store in STORES]
    limits = [timed(command, **environment) for command in commands]
    for key, mutant in table.next(".py", sys.maxsize):
        if time.monotonic() > end:
            return
        path = package.parent / Path(mutant.path).relative_to("python")
        text = texts[mutant.path]
        path.write_text(text[: mutant.start] + mutant.becomes + text[mutant.end :])
        is_killed = any(noticed(command, limit, **environment) for command, limit in zip(commands, limits, strict=True))
        table.add(key, "killed" if is_killed else "survived")
        path.write_text(text)


def main(minutes: float) -> None:
    """Change headers for half of the time, and modules for the rest of it."""
    WORK.mkdir(parents=True, exist_ok=True)
    begin = time.monotonic()
    folders = [f"include/bankhook/{folder}" for folder in CPP] + [PYTHON]
    paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".hpp", ".py"))
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}
    finders: dict[str, Callable[[str, str], Iterator[Mutant]]] = {".hpp": cpp.mutants_of, ".py": python.mutants_of}
    table = Table(texts, (one for path, text in texts.items() for one in finders[Path(path).suffix](path, text)))
    change_cpp(table, texts, begin + 30 * minutes)
    change_python(table, texts, begin + 60 * minutes)
    print(table)


if __name__ == "__main__":
    main(float(sys.argv[1]))
