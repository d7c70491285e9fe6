# SPDX-License-Identifier: MIT
"""What packagers ask of the installed files: folders of their own, components, versions."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from installed import need_programs

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ASKING = """
cmake_minimum_required(VERSION 3.25)
project(asking LANGUAGES CXX)
find_package(bankhook {asked})
message(STATUS "found: ${{bankhook_FOUND}}, module: ${{bankhook_module_FOUND}}.")
file(WRITE main.cpp "#include <bankhook/events.hpp>\\nint main() {{}}\\n")
add_executable(main main.cpp)
if(bankhook_FOUND)
  target_link_libraries(main PRIVATE bankhook::bankhook)
endif()
"""


def run(*command: str | Path, status: int = 0, **environment: str) -> str:
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installed into absolute folders that are not below the prefix, as Nix does."""
    need_programs("cmake", "ninja")
    folder = tmp_path_factory.mktemp("package")
    folders = [f"-DCMAKE_INSTALL_INCLUDEDIR={folder}/dev/headers", f"-DCMAKE_INSTALL_DATADIR={folder}/dev/data"]
    run("cmake", "-S", ROOT, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_INSTALL_PREFIX={folder}/out", *folders)
    run("cmake", "--install", folder / "build")
    return folder / "dev"


def asked(package: Path, folder: Path, what: str, status: int = 0) -> str:
    (folder / "CMakeLists.txt").write_text(ASKING.format(asked=what))
    return " ".join(
        run("cmake", "-S", folder, "-B", folder / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={package}", status=status,
            bankhook_DIR=str(package / "data" / "cmake" / "bankhook")).split()
    )  # fmt: skip


def test_absolute_folders_are_the_right_ones(package: Path, tmp_path: Path) -> None:
    assert "found: 1" in asked(package, tmp_path, "REQUIRED")
    run("cmake", "--build", tmp_path / "build")
    need_programs("pkg-config")
    flags = run("pkg-config", "--cflags", "bankhook", PKG_CONFIG_PATH=str(package / "data" / "pkgconfig"))
    assert flags.strip() == f"-I{package}/headers"
    assert (package / "headers" / "bankhook" / "bankhook.hpp").exists()


@pytest.mark.parametrize(
    ("version", "found"),
    [
        ("0.1", True),
        ("0.1.0 EXACT", True),
        ("0.1.1", False),
        ("0.0", False),
        ("0.2", False),
        ("1.0", False),
        ("0.1...0.2", True),
        ("0.1...<1", True),
        ("0.0.5...0.1", True),
        ("0.0...<0.1", False),
        ("0.2...2", False),
    ],
)
def test_versions_and_ranges(package: Path, tmp_path: Path, version: str, *, found: bool) -> None:
    assert f"found: {int(found)}," in asked(package, tmp_path, version)


def test_a_component_that_cannot_be_had_is_fatal_only_if_it_is_asked_for(package: Path, tmp_path: Path) -> None:
    is_new = tuple(map(int, run("cmake", "--version").split()[2].split(".")[:2])) >= (3, 28)
    if not is_new:
        assert "found: 1, module: ." in asked(package, tmp_path, "OPTIONAL_COMPONENTS module")
        assert "bankhook::module needs CMake 3.28" in asked(package, tmp_path, "REQUIRED COMPONENTS module", status=1)
    assert "found: 1," in asked(package, tmp_path, "REQUIRED COMPONENTS compiled OPTIONAL_COMPONENTS other")
    said = asked(package, tmp_path, "REQUIRED COMPONENTS other", status=1)
    assert "bankhook has the components compiled and module, not other" in said


def test_a_folder_of_which_nothing_is_installed_says_so(tmp_path: Path) -> None:
    text = "cmake_minimum_required(VERSION 3.25)\nproject(whole LANGUAGES CXX)\nset(BANKHOOK_INSTALL ON)\n"
    for how, warned in (("EXCLUDE_FROM_ALL", True), ("SYSTEM", False)):
        (tmp_path / "CMakeLists.txt").write_text(f'{text}add_subdirectory("{ROOT}" b {how})\n')
        said = run("cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja")
        assert ("CMake installs nothing of a directory" in " ".join(said.split())) is warned
