# SPDX-License-Identifier: MIT
"""The page for people that `bankhook listen` serves on loopback: deliveries as they come, and what needs a person."""

from __future__ import annotations

from bankhook.receiver._page.routes import routes

__all__ = ["routes"]
