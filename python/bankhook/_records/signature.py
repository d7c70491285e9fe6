# SPDX-License-Identifier: MIT
"""`__signature__` of the classes that hold fields: made when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspect import Signature

__all__ = ["LateSignature"]


class LateSignature:
    """A signature that is made when it is asked for: `inspect` takes longer to load than all of the package."""

    __slots__ = ("_parameters", "_positional")

    def __init__(self, parameters: tuple[tuple[str] | tuple[str, object], ...], *, positional: bool = False) -> None:
        """Keep a name and, unless it is required, a default for each parameter; by default they are keywords."""
        self._parameters, self._positional = parameters, positional

    def __get__(self, instance: object, owner: type) -> Signature:
        from inspect import Parameter, Signature

        kind = Parameter.POSITIONAL_OR_KEYWORD if self._positional else Parameter.KEYWORD_ONLY
        return Signature(
            [
                Parameter(name, kind, default=default[0] if default else Parameter.empty)
                for name, *default in self._parameters
            ]
        )
