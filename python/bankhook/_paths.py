# SPDX-License-Identifier: MIT
"""The paths of the C++ headers and of the CMake package, which are part of the wheel."""

from __future__ import annotations

import os.path

_HERE = os.path.dirname(os.path.abspath(__file__))


def get_include() -> str:
    """Return the folder to give to a C++ compiler as include directory.

    Returns
    -------
    str
        For `-I`: `#include <bankhook/bankhook.hpp>` is found in it.

    Examples
    --------
    >>> import bankhook, os
    >>> os.path.isfile(os.path.join(bankhook.get_include(), "bankhook", "bankhook.hpp"))
    True
    """
    return os.path.join(_HERE, "include")


def get_cmake_dir() -> str:
    """Return the folder for CMake's `bankhook_DIR`.

    Returns
    -------
    str
        It has the file bankhook-config.cmake.

    Examples
    --------
    >>> import bankhook, os
    >>> "bankhook-config.cmake" in os.listdir(bankhook.get_cmake_dir())
    True
    """
    return os.path.join(_HERE, "share", "cmake", "bankhook")


get_include.__module__ = get_cmake_dir.__module__ = "bankhook"
