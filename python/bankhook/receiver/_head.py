# SPDX-License-Identifier: MIT
"""What the head of a request says, the same under every server."""

from __future__ import annotations

import logging
from urllib.parse import unquote

from starlette.datastructures import Headers
from starlette.types import Scope

from bankhook.receiver._peers import Trusted
from bankhook.receiver._requests import CLOSE, LIMITED, TurnedAway

_log = logging.getLogger("bankhook.receiver")


def path_of(scope: Scope) -> str:
    """Return the path below the one at which the application is mounted: a root path is a prefix only before `/`.

    Servers and proxies differ in whether the path still has the root path, and in how that is written. What frameworks
    mount adds to the root path, so that a proxy may have stripped the part that is outside of the framework.
    """
    path: str = scope["path"] or "/"
    if root := scope.get("root_path"):
        inner = root.removeprefix(scope.get("app_root_path", ""))
        for prefix in (root, root.rstrip("/"), unquote(root).rstrip("/"), inner, inner.rstrip("/")):
            if path.startswith(f"{prefix}/"):
                return path[len(prefix) :]
    return path


def headers_of(scope: Scope) -> Headers:
    """Return the headers, without blanks around values, each name once (RFC 9110, 5.3 and 5.5).

    A secret or a signature that is sent twice is thus a list, which is neither of the two.
    """
    joined: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        value = value.strip(b" \t")
        joined[name] = joined[name] + b", " + value if name in joined else value
    return Headers(raw=list(joined.items()))


def check_framing(scope: Scope, headers: Headers) -> None:
    """Raise TurnedAway if two readers of the request could disagree on its body, or if that has an unknown coding (501)."""
    coding = headers.get("transfer-encoding")
    if coding is not None and (scope.get("http_version") == "1.0" or "content-length" in headers):
        raise TurnedAway(400, "Transfer-Encoding goes neither with HTTP/1.0 nor with Content-Length", CLOSE)
    if coding is not None and coding.lower() != "chunked":
        raise TurnedAway(501, "a body is sent with no other transfer coding than chunked", CLOSE)
    if not headers.get("content-length", "0").isdecimal():
        raise TurnedAway(400, "Content-Length is not one number", CLOSE)


def has_limits(scope: Scope, trusted: Trusted) -> bool:
    """Return whether the server has the limits of `http_protocol`, and log it if it has not."""
    if LIMITED in (scope.get("extensions") or ()) or trusted.is_of_this_process(scope):
        return True
    _log.error(
        "the server limits neither heads nor the connections and requests of a peer: run "
        '`uvicorn --http bankhook.receiver:http_protocol`, or pass limits="elsewhere" if a proxy before it does'
    )
    return False
