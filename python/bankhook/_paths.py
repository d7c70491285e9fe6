# SPDX-License-Identifier: MIT
"""Where the C++ side lies: the headers and the CMake package travel in the wheel."""

from __future__ import annotations

import os.path

__all__ = ["get_cmake_dir", "get_include"]

_HERE = os.path.dirname(os.path.abspath(__file__))


def get_include() -> str:
    """The folder to give to a C++ compiler as include directory."""
    return os.path.join(_HERE, "include")


def get_cmake_dir() -> str:
    """The folder for CMake's `bankhook_DIR`: it holds bankhook-config.cmake."""
    return os.path.join(_HERE, "share", "cmake", "bankhook")
