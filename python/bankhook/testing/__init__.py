# SPDX-License-Identifier: MIT
"""For tests of a consumer: payloads, strategies for Hypothesis, fixtures for pytest, and processes that are killed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bankhook.testing._replay import HandlerCall, Replayed, replay

__all__ = ["HandlerCall", "Replayed", "replay"]


def __getattr__(name: str) -> Any:
    """Load what needs an inbox when it is asked for: pytest loads this module for its plugin."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    from bankhook.testing import _replay

    return getattr(_replay, name)


__dir__ = __all__.copy
