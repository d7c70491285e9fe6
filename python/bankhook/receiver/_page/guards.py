# SPDX-License-Identifier: MIT
"""Who may read the page, and who may change something: the browser of this machine, and only from the page itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TypeAlias
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bankhook.receiver._peers import address_of

Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",  # "no-referrer" would make the Origin of a form null
    "x-content-type-options": "nosniff",
}

FORWARDED = {"forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip", "x-original-host"}
"""Headers of proxies and tunnels: they run on this machine, and some rewrite Host, but those whom they serve are elsewhere."""


def guarded(endpoint: Endpoint, *, changes: bool = False) -> Endpoint:
    """Return the endpoint with the page's headers, and with 403 for requests that the page's own browser does not send.

    A name that an attacker has pointed to 127.0.0.1 (DNS rebinding) gives itself away by the Host header. A request that
    changes something comes from the page itself: a browser says so in Sec-Fetch-Site, or else in Origin.
    """

    @wraps(endpoint)
    async def run(request: Request) -> Response:
        if not _is_own_host(request):
            response: Response = PlainTextResponse("Only for a browser on this machine.\n", 403)
        elif changes and not _is_from_page(request):
            instead = f"Only for the page in a browser: use `bankhook inbox {request.url.path.strip('/')}`.\n"
            response = PlainTextResponse(instead, 403)
        else:
            response = await endpoint(request)
        response.headers.update(HEADERS)
        return response

    return run


def _is_own_host(request: Request) -> bool:
    """Whether the request is for an address of this machine, at the port of this server, and was not forwarded to here."""
    if any(name in FORWARDED or name.startswith("x-forwarded-") for name in request.headers):
        return False
    try:
        host = urlsplit(f"//{request.headers.get('host', '')}")
        name, port = host.hostname or "", host.port or 80
        is_loopback = name == "localhost" or address_of(name).is_loopback
        client = request.client is None or address_of(request.client.host).is_loopback
    except ValueError:
        return False
    server = request.scope.get("server")
    return is_loopback and client and (server is None or server[1] == port)


def is_from_elsewhere(request: Request) -> bool:
    """Whether another page leads here, in a browser: such a request may show something, but not cost much."""
    return request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin")


def _is_from_page(request: Request) -> bool:
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    if is_from_elsewhere(request) or site == "none":
        return False
    return origin == f"http://{request.headers['host']}" if origin is not None else site is not None
