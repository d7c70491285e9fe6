# SPDX-License-Identifier: MIT
"""What travels in the wheel beside the module: the headers, which a C++ project finds and uses, and the samples."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

import bankhook
from installed import need_packages, need_programs

pytestmark = [pytest.mark.compiler, pytest.mark.slow]

PROJECT = Path(__file__).parent / "project"
ROOT = Path(__file__).parents[2]

# What lies at the top of the source distribution: the repository with its tests, and what pip reads of it.
TOP_LEVEL = {
    *("PKG-INFO", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff", "LICENSE", "LICENSES"),
    *("CMakeLists.txt", "CMakePresets.json", "REUSE.toml", "pyproject.toml", "dev"),
    *(".clang-format", ".clang-tidy", ".editorconfig", ".gitattributes", ".github", ".gitignore"),
    *("include", "bindings", "python", "cmake", "tests", "benchmarks", "docs", "examples"),
    *("notebooks", "packaging", "tools", ""),
}


def relative(folder: str, pattern: str) -> set[str]:
    """The files of this pattern below a folder of the repository, by their path from there."""
    return {str(path.relative_to(ROOT / folder)) for path in (ROOT / folder).rglob(pattern)}


def test_the_headers_lie_where_get_include_says() -> None:
    assert (Path(bankhook.get_include()) / "bankhook" / "bankhook.hpp").is_file()


def test_a_project_finds_the_library_with_get_cmake_dir(tmp_path: Path) -> None:
    need_programs("ninja")
    build = str(tmp_path / "build")
    configure = ["cmake", "-G", "Ninja", "-S", str(PROJECT), "-B", build, f"-Dbankhook_DIR={bankhook.get_cmake_dir()}"]
    for command in (configure, ["cmake", "--build", build]):
        said = subprocess.run(command, capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stdout + said.stderr
    said = subprocess.run([f"{build}/consumer"], capture_output=True, text=True, check=True)
    assert said.stdout == "ext-1\n"


def test_the_installed_package_holds_what_it_should_and_nothing_else() -> None:
    modules = {*relative("python", "*.py"), *relative("python", "*.pyi"), *relative("python", "py.typed")}
    data = {name for kind in ("html", "css", "js", "json", "svg") for name in relative("python", f"*.{kind}")}
    payloads = {*relative("tests/data", "*.json"), "findings.tsv", "archive.ndjson"}
    package_files = {f"bankhook-{part}.cmake" for part in ("config", "config-version", "targets")}
    package_files |= {"compiled.cpp", "module.cmake", "bankhook.cppm", "bankhook_gdb.py"}
    expected = {
        *modules,
        *data,
        *(f"bankhook/include/{name}" for name in relative("include", "*.hpp")),
        *(f"bankhook/_samples/{name}" for name in payloads),
        *(f"bankhook/share/cmake/bankhook/{name}" for name in package_files),
        f"bankhook/_core{sysconfig.get_config_var('EXT_SUFFIX')}",
    }
    described = importlib.metadata.distribution("bankhook")
    assert described.files is not None
    names = {str(path) for path in described.files if "__pycache__" not in path.parts}
    information = {name for name in names if ".dist-info/" in name}
    (command,) = (name for name in names if name.endswith("/bin/bankhook"))
    assert names - information - {command} == expected
    assert any(name.endswith("/licenses/LICENSE") for name in information)
    others = (path for path in described.files if str(path) != command)
    assert not any(path.is_absolute() or ".." in path.parts for path in others)


def test_the_source_distribution_holds_all_that_the_wheel_takes(tmp_path: Path) -> None:
    """A wheel that is built from it has the samples, too."""
    need_packages("scikit_build_core")
    code = f"from scikit_build_core.build import build_sdist; build_sdist({str(tmp_path)!r})"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as held:
        names = {name.partition("/")[2] for name in held.getnames()}
    samples = {str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "data").rglob("*.*") if path.is_file()}
    assert samples <= names
    assert {"python/bankhook/testing/samples.py", "python/bankhook/testing/pytest_plugin.py", "cmake/python.cmake"} <= names
    assert {name.partition("/")[0] for name in names} <= TOP_LEVEL
    assert not [name for name in names if name.endswith((".so", ".pyc", ".png")) or "node_modules" in name]
