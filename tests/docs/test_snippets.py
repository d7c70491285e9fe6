# SPDX-License-Identifier: MIT
"""Every snippet of the pages runs as it stands and prints what the page says."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs.snippets import ROOT, RUN, Snippet, agrees, files, pages, snippets
from installed import missing

SESSION = Path(__file__).with_name("session.py")
# `print(...)  # what it prints`
PROMISE = re.compile(r"print\(.*\)  # (.+)$")

PYTHON_PAGES = [page for page in pages() if snippets(page, "python")]
# Some pages write to a database as a consumer should: each delivery reaches the disk.
DURABLE = [page for page in PYTHON_PAGES if "sqlite3.connect" in page.read_text(encoding="utf-8")]
PROGRAMS = [each for page in pages() for each in snippets(page, "cpp") if each.file is None]
SCRIPTS = [each for page in pages() for each in snippets(page, "sh")]
# How Python says that a package is not installed, or the library that an extra of it is not.
MISSING = re.compile(r"(?:No module named|pip install) '(?!bankhook\.)([\w\[\]]+)")
NOT_RUN = ("./dev ", "python3 -m venv ", "pip install ", "cmake --build --preset", "build/")


def run(*command: str | Path, folder: Path, typed: str | None = None) -> str:
    """Runs a command, shows what it says where it fails, and gives its output."""
    # What is installed beside this interpreter is what a reader's shell finds.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PY_COLORS": "0"}
    done = subprocess.run(command, cwd=folder, env=environment, input=typed, capture_output=True, text=True, check=False)
    if done.returncode != 0 and (found := MISSING.search(done.stdout + done.stderr)):
        missing(found[1])
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def run_session(page: Path, folder: Path) -> list[tuple[Snippet, str, list[tuple[int, str]]]]:
    """Each Python snippet of a page, what it printed, and what each call of print did."""
    files(page, folder)
    blocks = [each for each in snippets(page, "python") if each.file is None]
    typed = json.dumps([(each.line, each.text) for each in blocks])
    said = json.loads(run(sys.executable, SESSION, str(page), folder=folder, typed=typed))
    return [(block, printed, calls) for block, (printed, calls) in zip(blocks, said, strict=True)]


@pytest.fixture(scope="session")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    """A compiler that takes every warning for an error; the library is compiled once for all snippets, as far as it can be."""
    folder = tmp_path_factory.mktemp("headers")
    command: list[str | Path] = [os.environ.get("CXX", "g++"), "-std=c++23", "-Wall", "-Wextra", "-Werror"]
    include: list[str | Path] = ["-I", folder, "-I", ROOT / "include"]
    # gcc takes a compiled header where it meets it before the header itself; another compiler takes no notice.
    compiled = folder / "bankhook" / "bankhook.hpp.gch"
    compiled.parent.mkdir()
    (folder / "library.hpp").write_text("#include <bankhook/bankhook.hpp>\n", encoding="utf-8")
    run(*command, *include[2:], "-x", "c++-header", folder / "library.hpp", "-o", compiled, folder=folder)
    return [*command, *include]


def build_and_run(compiler: list[str | Path], source: str, folder: Path) -> str:
    """Compiles one snippet as a user would and runs it."""
    unit, program = folder / "snippet.cpp", folder / "snippet"
    unit.write_text(source, encoding="utf-8")
    run(*compiler, unit, "-o", program, folder=folder)
    return run(program, folder=folder)


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=pytest.mark.slow) if page in DURABLE else page for page in PYTHON_PAGES],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_the_python_of_a_page_prints_what_it_says(page: Path, tmp_path: Path) -> None:
    for snippet, printed, calls in run_session(page, tmp_path):
        if snippet.output is not None:
            assert agrees(printed, snippet.output), f"{snippet} prints:\n{printed}"
        for number, line in enumerate(snippet.text.splitlines(), snippet.line):
            if promise := PROMISE.search(line):
                words = "".join(words for called, words in calls if called == number)
                assert agrees(words, promise[1]), f"{page.name}:{number} prints: {words}"


@pytest.mark.compiler
@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=str)
def test_a_program_of_a_page_compiles_and_prints_what_it_says(
    program: Snippet, compiler: list[str | Path], tmp_path: Path
) -> None:
    printed = build_and_run(compiler, program.text, tmp_path)
    assert agrees(printed, program.output or ""), printed


@pytest.mark.slow
@pytest.mark.parametrize(
    "script",
    [pytest.param(each, marks=pytest.mark.compiler) if "cmake" in each.text else each for each in SCRIPTS],
    ids=str,
)
def test_a_shell_snippet_runs_or_names_commands_that_there_are(script: Snippet, tmp_path: Path) -> None:
    lines = [line for line in script.text.splitlines() if line and not line.startswith("#")]
    if all(line.startswith(NOT_RUN) for line in lines):
        for line in lines:
            assert_is_known(shlex.split(line, comments=True))
        return
    files(script.page, tmp_path)
    printed = run("bash", "-euo", "pipefail", "-c", script.text, folder=tmp_path)
    assert script.output is None or agrees(printed, script.output), printed


def assert_is_known(words: list[str]) -> None:
    """Commands that take minutes, or install something, are not run: that there are such commands and extras is looked up."""
    if words[0] == "./dev":
        help_text = run("./dev", "help", folder=ROOT)
        for word in words[1:]:
            assert word in ("gcc", "clang", "all", "-c", "\\") or re.search(rf"(^|\s){re.escape(word)}\b", help_text), word
    elif words[0] == "pip":
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
        for name in re.findall(r"\[([\w,]+)\]", " ".join(words)):
            assert set(name.split(",")) <= extras.keys(), name


@pytest.mark.parametrize("page", [page for page in pages() if page.parent != ROOT], ids=lambda page: page.name)
def test_a_sample_fits_where_it_is_shown(page: Path) -> None:
    """The built pages show 88 columns; what programs print is as they print it."""
    too_long = [
        f"{snippet.line}: {line}"
        for snippet in snippets(page, *RUN, "c++", "console")
        for line in snippet.text.splitlines()
        if len(line) > 88
    ]
    assert too_long == []


def test_the_readme_fits_the_column_of_a_code_host() -> None:
    (readme, *_) = pages()
    lines = readme.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 96 and not line.startswith(("![", "<picture>"))] == []


def test_the_readme_is_read_in_three_minutes() -> None:
    (readme, *_) = pages()
    assert len(readme.read_text(encoding="utf-8").splitlines()) <= 150


def test_the_readme_has_snippets_of_every_language() -> None:
    (readme, *_) = pages()
    assert {each.language for each in snippets(readme)} == {"cpp", "python", "sh"}


def test_a_promise_that_is_not_kept_is_found() -> None:
    assert agrees("a\n", "a") and agrees("a b c", "a ... c") and agrees("", "")
    assert not agrees("a", "b") and not agrees("a b", "a") and not agrees("a.c", "abc")
