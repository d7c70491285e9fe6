# SPDX-License-Identifier: MIT
"""What `bankhook listen` adds to a receiver: the page, forwarding, and no deliveries by web pages."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["not_by_a_web_page"]


def not_by_a_web_page(headers: Mapping[str, str], body: bytes) -> bool:
    """Whether a request is not one that a browser makes for a page: any page may post to a server on loopback.

    This is no authentication: it is for a receiver on loopback that has none.
    """
    return "origin" not in headers and headers.get("sec-fetch-site", "none") == "none"
