# SPDX-License-Identifier: MIT
"""What travels in the wheel beside the module: the headers, which a C++ project finds and uses, and the samples."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import bankhook

PROJECT = Path(__file__).parent / "project"
ROOT = Path(__file__).parents[2]


def test_the_headers_lie_where_get_include_says() -> None:
    assert (Path(bankhook.get_include()) / "bankhook" / "bankhook.hpp").is_file()


def test_a_project_finds_the_kit_where_get_cmake_dir_says(tmp_path: Path) -> None:
    build = str(tmp_path / "build")
    configure = ["cmake", "-G", "Ninja", "-S", str(PROJECT), "-B", build, f"-Dbankhook_DIR={bankhook.get_cmake_dir()}"]
    for command in (configure, ["cmake", "--build", build]):
        said = subprocess.run(command, capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stdout + said.stderr
    said = subprocess.run([f"{build}/consumer"], capture_output=True, text=True, check=True)
    assert said.stdout == "ext-1\n"


def test_the_source_distribution_holds_all_that_the_wheel_takes(tmp_path: Path) -> None:
    """A wheel that is built from it has the samples, too."""
    code = f"from scikit_build_core.build import build_sdist; build_sdist({str(tmp_path)!r})"
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as held:
        names = {name.partition("/")[2] for name in held.getnames()}
    samples = {str(path.relative_to(ROOT)) for path in (ROOT / "tests" / "data").rglob("*.*") if path.is_file()}
    assert samples <= names
    assert {"python/bankhook/samples.py", "python/pytest_bankhook/__init__.py", "cmake/python.cmake"} <= names
