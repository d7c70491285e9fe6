# SPDX-License-Identifier: MIT
"""Docstrings for the fields of named tuples, where help() finds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["documented"]

C = TypeVar("C", bound=type)


def documented(**fields: str) -> Callable[[C], C]:
    """Return a decorator that gives each field of a named tuple its docstring; pass all fields, in order."""

    def give(cls: C) -> C:
        for name, text in fields.items():
            getattr(cls, name).__doc__ = text
        return cls

    return give
