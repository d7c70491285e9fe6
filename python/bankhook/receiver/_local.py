# SPDX-License-Identifier: MIT
"""What `bankhook listen` checks without `--verify`: web pages deliver nothing."""

from __future__ import annotations

from collections.abc import Mapping

from bankhook.receiver._requests import TurnedAway

__all__ = ["not_by_a_web_page"]


def not_by_a_web_page(headers: Mapping[str, str], body: bytes) -> bool:
    """Turn away a request that a browser makes for a web page: any page may post to a server on loopback.

    This is no authentication: it is for a receiver on loopback that has none.
    """
    if "origin" in headers or headers.get("sec-fetch-site", "none") != "none":
        raise TurnedAway(401, "a web page sent it, and there is no --verify")
    return True
