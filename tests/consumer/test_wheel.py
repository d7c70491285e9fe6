# SPDX-License-Identifier: MIT
"""The headers travel in the wheel: a C++ project finds and uses them where Python says that they are."""

from __future__ import annotations

import subprocess
from pathlib import Path

import bankhook

PROJECT = Path(__file__).parent / "project"


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
