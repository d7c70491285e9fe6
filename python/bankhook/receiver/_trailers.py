# SPDX-License-Identifier: MIT
"""Trailers under uvicorn's own protocol, which takes them for headers of the request."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class _Head(list[tuple[bytes, bytes]]):
    """The headers of a head that is complete: what is appended afterwards is a trailer (RFC 9110, 6.5.1)."""

    def append(self, field: tuple[bytes, bytes], /) -> None:
        """Drop it."""


_begin = HttpToolsProtocol.on_headers_complete


def _on_headers_complete(self: HttpToolsProtocol, *arguments: Any) -> None:
    self.headers = self.scope["headers"] = _Head(self.headers)
    _begin(self, *arguments)


def drop_trailers() -> None:
    """Have uvicorn drop trailers in this process: a secret in one is not in the head, and many of them take memory.

    An application is called after all that came in one packet was parsed, so it could not tell them from headers itself.
    """
    HttpToolsProtocol.on_headers_complete = _on_headers_complete  # type: ignore[method-assign]
