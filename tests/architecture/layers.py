# SPDX-License-Identifier: MIT
"""The rules of the architecture, read off the source files: layers, includes, file heads, preprocessor, length."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

__all__ = ["LAYERS", "violations"]

# A folder includes itself and strictly lower layers; siblings never meet.
LAYERS = {
    "base": 0,
    "reflect": 1,
    "text": 1,
    "machine": 1,
    "json": 2,
    "domain": 2,
    "events": 3,
    "tracking": 4,
    "columns": 5,
    "sandbox": 5,
}
COMPILER = "base/compiler.hpp"
ABI = "BANKHOOK_ABI"
# The headers with which the bindings include the library: all of it, and what has to be specialised first.
LIBRARY_HEADERS = ("library.hpp", "place_id.hpp")
# What the build takes from the stub.
DOCSTRINGS = "docstrings.inc"
MAX_LINES = 300
MAX_CODE_LINES = 250  # of Python, without docstrings and comments
CPP_FOLDERS = ("include", "bindings", "tests", "examples", "benchmarks", "fuzz")
PYTHON_FOLDERS = ("python", "tests")
# The library neither reads, nor writes, nor prints.
IO_HEADERS = {"cstdio", "filesystem", "fstream", "iostream", "ostream", "print", "stdio.h", "syncstream"}
CPYTHON_HEADERS = {"Python.h", "datetime.h", "structmember.h"}

_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
_TEST_NAME = re.compile(r'^TEST_CASE\(\s*"([^"]*)"', re.MULTILINE)
_DIRECTIVE = re.compile(r"^\s*#\s*(\w+)\s*(.*?)\s*$")
# Universal Ctags and tools like it do not read `namespace bankhook::inline BANKHOOK_ABI::detail`.
_OPENED = f"namespace bankhook {{ inline namespace {ABI} {{"
# Structs are in namespaces of their own, which units for different processors share, and nothing else is.
_NAMESPACE = re.compile(
    re.escape(_OPENED)
    + r"( namespace detail \{( namespace \w+ \{)?)?|namespace bankhook \{ inline namespace BANKHOOK_(STRUCTS|PLACED) \{"
)
_COMMENT_OR_TEXT = re.compile(
    r'R"(?P<mark>[^(\s]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL
)


def violations(root: Path) -> list[str]:
    """Return every violation of the rules below `root`, as `path: sentence`."""
    return sorted(f"{path.relative_to(root)}: {violation}" for path, violation in _all_violations(root))


def _all_violations(root: Path) -> Iterator[tuple[Path, str]]:
    library = root / "include" / "bankhook"
    for path in _files(root, CPP_FOLDERS, (".hpp", ".cpp")):
        yield from (
            (path, violation)
            for violation in (*_head_violations(path), *_length_violations(path), *_test_name_violations(path))
        )
    for path in _files(root, PYTHON_FOLDERS, (".py",)):
        yield from ((path, violation) for violation in _python_length_violations(path))
    headers = list(_files(root, ("include/bankhook",), (".hpp", ".cpp", ".h", ".inc")))
    for path in headers:
        yield from ((path, violation) for violation in _layer_violations(path.relative_to(library), path))
        yield from ((path, violation) for violation in _preprocessor_violations(path.relative_to(library), path))
        yield from ((path, violation) for violation in _compiler_violations(path.relative_to(library), path))
    graph = {path.relative_to(library).as_posix(): _own_includes(path) for path in headers}
    for circle in _circles(graph):
        yield library / circle[0], f"circle of includes: {' > '.join(circle)}"
    for path in headers:
        yield from ((path, violation) for violation in _namespace_violations(path.relative_to(library), path, graph))
    for path in _files(root, ("bindings",), (".hpp", ".cpp")):
        yield from ((path, violation) for violation in _binding_violations(path, root / "bindings"))


def _files(root: Path, folders: tuple[str, ...], endings: tuple[str, ...]) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in sorted((root / folder).rglob("*")) if path.suffix in endings)


def _head_violations(path: Path) -> Iterator[str]:
    lines = [*path.read_text().splitlines(), "", "", ""]
    if lines[0] != "// SPDX-License-Identifier: MIT":
        yield "line 1 is not `// SPDX-License-Identifier: MIT`"
    if not re.fullmatch(r"// \S.*[.!?]", lines[1]):
        yield "line 2 is not one sentence in a comment"
    if path.suffix == ".hpp" and lines[2] != "#pragma once":
        yield "line 3 is not `#pragma once`"


def _length_violations(path: Path) -> Iterator[str]:
    length = len(path.read_text().splitlines())
    if length > MAX_LINES:
        yield f"{length} lines, at most {MAX_LINES} fit a reader"


def _python_length_violations(path: Path) -> Iterator[str]:
    """A module may have as many docstrings as its public names need."""
    layout = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    source, lines = path.read_text(), set[int]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        lines |= set() if token.type in layout else {*range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    if len(lines) > MAX_CODE_LINES:
        yield f"{len(lines)} lines of code, at most {MAX_CODE_LINES} fit a reader"


def _test_name_violations(path: Path) -> Iterator[str]:
    # Each test is run by its name, and Catch2 takes a name that begins like an option or a pattern for one.
    for name in _TEST_NAME.findall(path.read_text()):
        if not re.match(r"[A-Za-z0-9]", name):
            yield f"the name of a test begins with a letter or a digit: {name}"


def _layer_violations(inside: Path, path: Path) -> Iterator[str]:
    folder = inside.parts[0] if len(inside.parts) > 1 else ""
    if folder and folder not in LAYERS:
        yield f"no layer is called {folder}"
        return
    for mark, name in _includes(path):
        if mark == '"':
            yield f'"{name}" is not included by its full path'
        elif name.startswith("bankhook/"):
            yield from _direction_violations(folder, name)
        elif name in IO_HEADERS:
            yield f"<{name}>: the library does no input or output"
        elif not folder:
            yield f"<{name}>: a public header includes the library only"
        elif folder != "base" and not re.fullmatch(r"[a-z_0-9]+", name):
            yield f"<{name}> is not of the standard library"


def _direction_violations(folder: str, name: str) -> Iterator[str]:
    other = name.split("/")[1]
    if other.endswith(".hpp"):
        if folder:
            yield f"<{name}>: only public headers include a public header"
    elif other not in LAYERS:
        yield f"<{name}>: no layer is called {other}"
    elif folder and other != folder and LAYERS[other] >= LAYERS[folder]:
        yield f"<{name}>: {folder} does not stand above {other}"


def _compiler_violations(inside: Path, path: Path) -> Iterator[str]:
    """What a compiler that is too old, or one without exceptions, would stumble over."""
    mark, first = next(iter(_includes(path)), ("", ""))
    if mark == "<" and not first.startswith("bankhook/") and inside.as_posix() != COMPILER:
        yield f"<{first}> comes before <bankhook/{COMPILER}>, which refuses compilers that are too old"
    if inside.parts[0] != "base" and re.search(r"\bthrow\b", _code(path)):
        yield f"throws: fail_without_memory of <bankhook/{COMPILER}> also compiles without exceptions"


def _namespace_violations(inside: Path, path: Path, graph: dict[str, list[str]]) -> Iterator[str]:
    """What units that are compiled for different processors would share."""
    lines, code = path.read_text().splitlines(), _code(path).splitlines()
    opened = [line for line in code if re.match(r"\s*namespace bankhook\b", line)]
    for line in opened:
        if not _NAMESPACE.fullmatch(line):
            yield f"`{line}` is not `{_OPENED}`: units for different processors would share it, and tags do not see it"
    for number, line in enumerate(code):
        inside_bankhook = re.match(r"(?:inline )?namespace (?!bankhook\b|std\b|detail\b)(\w+)", line)
        if inside_bankhook and not lines[number - 1].startswith("///"):
            yield f"namespace {inside_bankhook[1]} is internal, and not in `bankhook::detail`"
    name = inside.as_posix()
    if opened and name != COMPILER and COMPILER not in _reached(name, graph):
        yield f"{ABI} is defined in <bankhook/{COMPILER}>, which it does not include"


def _reached(file: str, graph: dict[str, list[str]]) -> set[str]:
    reached, waiting = set[str](), [file]
    while waiting:
        for other in graph.get(waiting.pop(), []):
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached


def _preprocessor_violations(inside: Path, path: Path) -> Iterator[str]:
    if inside.parts[0] == "base":
        return
    for line in _code(path).splitlines():
        found = _DIRECTIVE.match(line)
        if found and found[1] != "include" and (found[1], found[2]) != ("pragma", "once"):
            yield f"#{found[1]} outside base/"
    if len(inside.parts) == 1 and (rest := re.sub(r"^\s*#.*$", "", _code(path), flags=re.MULTILINE).strip()):
        yield f"a public header holds more than includes: {rest.splitlines()[0]}"


def _binding_violations(path: Path, bindings: Path) -> Iterator[str]:
    for mark, name in _includes(path):
        own = (bindings / name).is_file() or (path.parent / name).is_file()
        standard = re.fullmatch(r"[a-z_0-9]+", name)
        if name.startswith("bankhook/"):
            if path.name not in LIBRARY_HEADERS:
                yield f"<{name}>: bindings include {LIBRARY_HEADERS[0]}, or a name known while the program runs is a constant"
        elif not (own or standard or name.startswith("pybind11/") or name in (*CPYTHON_HEADERS, DOCSTRINGS)):
            yield f"{mark}{name}: bindings include {LIBRARY_HEADERS[0]}, pybind11, Python and the standard library only"


def _code(path: Path) -> str:
    """The text without comments, and without what stands in quotes; the quoted name of an include stays."""

    def blank(found: re.Match[str]) -> str:
        keep = found[0] if found[0].startswith('"') else ""
        return keep + "\n" * (found[0].count("\n") - keep.count("\n"))

    return _COMMENT_OR_TEXT.sub(blank, path.read_text())


def _includes(path: Path) -> list[tuple[str, str]]:
    return [(found[1], found[2]) for line in _code(path).splitlines() if (found := _INCLUDE.match(line))]


def _own_includes(path: Path) -> list[str]:
    return [name.removeprefix("bankhook/") for _, name in _includes(path) if name.startswith("bankhook/")]


def _circles(graph: dict[str, list[str]]) -> Iterator[list[str]]:
    done: set[str] = set()

    def walk(file: str, way: list[str]) -> Iterator[list[str]]:
        if file in way:
            yield [*way[way.index(file) :], file]
        elif file not in done:
            for other in graph.get(file, []):
                yield from walk(other, [*way, file])
            done.add(file)

    for file in graph:
        yield from walk(file, [])
