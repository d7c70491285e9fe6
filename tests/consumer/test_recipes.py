# SPDX-License-Identifier: MIT
"""The library in projects of Meson and Conan, and as a module in one of CMake."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from installed import need_packages, need_programs

pytestmark = [pytest.mark.compiler, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


def run(*command: str | Path, **environment: str) -> str:
    """What a command prints; what it complains of where it fails."""
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_project_of_meson_finds_the_installed_library(tmp_path: Path) -> None:
    need_packages("mesonbuild")
    need_programs("cmake", "ninja", "pkg-config")
    prefix = tmp_path / "prefix"
    run("cmake", "-S", ROOT, "-B", tmp_path / "library", f"-DCMAKE_INSTALL_PREFIX={prefix}")
    run("cmake", "--install", tmp_path / "library")
    search = {"PKG_CONFIG_PATH": str(prefix / "share" / "pkgconfig")}
    assert Path(run("pkg-config", "--variable=includedir", "bankhook", **search).strip()).samefile(prefix / "include")
    assert Path(run("pkg-config", "--variable=prefix", "bankhook", **search).strip()).samefile(prefix)
    meson = (sys.executable, "-m", "mesonbuild.mesonmain")
    run(*meson, "setup", tmp_path / "build", HERE / "meson_project", **search)
    run(*meson, "compile", "-C", tmp_path / "build")
    assert run(tmp_path / "build" / "consumer") == "ext-1\n"


@pytest.mark.parametrize("taken", ["installed", "from its sources"])
def test_a_project_of_cmake_imports_the_module(taken: str, tmp_path: Path) -> None:
    need_packages("cmake")  # 3.28 or newer; Debian 12 has 3.25
    need_programs("clang++-19", "clang-scan-deps-19", "ninja")
    cmake = (sys.executable, "-m", "cmake")
    where = f"-DBANKHOOK_SOURCE={ROOT}"
    if taken == "installed":
        run(*cmake, "-S", ROOT, "-B", tmp_path / "library", f"-DCMAKE_INSTALL_PREFIX={tmp_path / 'prefix'}")
        run(*cmake, "--install", tmp_path / "library")
        where = f"-DCMAKE_PREFIX_PATH={tmp_path / 'prefix'}"
    build = tmp_path / "build"
    run(*cmake, "-S", HERE / "module_project", "-B", build, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++-19", where)
    run(*cmake, "--build", build)
    assert run(build / "consumer") == "ext-1\n"


def test_conan_makes_a_package_and_a_consumer_of_it(tmp_path: Path) -> None:
    need_packages("conan")
    need_programs("cmake", "ninja")
    home = {"CONAN_HOME": str(tmp_path / "home"), "CMAKE_GENERATOR": "Ninja"}
    conan = (sys.executable, "-m", "conans.conan")
    run(*conan, "profile", "detect", **home)
    here = ("-c", f"tools.cmake.cmake_layout:test_folder={tmp_path}")
    create = (*conan, "create", ROOT / "packaging", "-s", "build_type=Debug", *here)
    run(*create, "-s", "compiler.cppstd=23", **home)
    refused = subprocess.run((*create, "-s", "compiler.cppstd=20"), env=os.environ | home, capture_output=True, check=False)
    assert b"lower than the required C++ standard (23)" in refused.stderr
