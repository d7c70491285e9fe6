# SPDX-License-Identifier: MIT
"""`__signature__` of the compiled classes: a docstring, which CPython reads one from, can state literals only."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspect import Signature

__all__ = ["LateSignature"]


class LateSignature:
    """A signature of keywords that is made when it is asked for: `inspect` takes longer to load than all of the package."""

    __slots__ = ("_parameters",)

    def __init__(self, parameters: tuple[tuple[str] | tuple[str, object], ...]) -> None:
        """Keep a name and, unless it is required, a default for each parameter."""
        self._parameters = parameters

    def __get__(self, instance: object, owner: type) -> Signature:
        from inspect import Parameter, Signature

        keyword = Parameter.KEYWORD_ONLY
        return Signature(
            [
                Parameter(name, keyword, default=default[0] if default else Parameter.empty)
                for name, *default in self._parameters
            ]
        )
