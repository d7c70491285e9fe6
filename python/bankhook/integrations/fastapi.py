# SPDX-License-Identifier: MIT
"""Events as bodies of FastAPI handlers: `Received[bankhook.AnyEvent]`; needs `bankhook[fastapi]`.

    router = APIRouter(route_class=EventRoute)

    @router.post("/webhook")
    async def receive(event: Received[bankhook.AnyEvent]) -> None: ...

`EventRoute` passes the body to `bankhook.parse` unchanged: no amount loses a digit, `event.raw` is what was sent, findings
have line and column, and JSON is read once. Other routes work too, but FastAPI then reads the body with json.loads: that
costs what `bankhook.integrations.pydantic` says of dicts, and a body that is not JSON is answered by FastAPI, without
findings.

A payload that is rejected is answered with 422 and the findings: `type` is the rule, `loc` the place, `msg` the sentence, `ctx`
the parts of the finding, `input` the kind that was found. It contains no value of the payload. The specification does not
say how to answer the sender (spec 6); this is FastAPI's default. A consumer that must not lose a payload stores it first and
answers itself: `await request.body()` returns the bytes in dependencies, handlers and exception handlers; a handler of
`RequestValidationError` also finds them as `error.body`, and decides on the status.

Pydantic writes an event that a handler returns, with amounts as floats: 19.90 as 19.9.
`Response(event.to_json(), media_type="application/json")` is exact.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Annotated, Any, TypeAlias, TypeVar

from fastapi import Body, Request, Response
from fastapi.routing import APIRoute

from bankhook.integrations.pydantic import Validated

__all__ = ["EventRoute", "Received", "StrictlyReceived"]

T = TypeVar("T")

Received: TypeAlias = Annotated[T, Validated(), Body()]
"""The body of a request, parsed by the library; to a type checker it is the class itself."""

StrictlyReceived: TypeAlias = Annotated[T, Validated(strict=True), Body()]
"""The same, but a payload that breaks a rule that the specification states is rejected, too."""


class EventRoute(APIRoute):
    """A route that passes the body to the library as bytes if the body is an event, and does not change other bodies."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return FastAPI's own handler, with a request that does not read the JSON of an event.

        Returns
        -------
        Callable
            For FastAPI: nobody else calls it.

        Examples
        --------
        >>> from fastapi import APIRouter
        >>> from bankhook.integrations.fastapi import EventRoute
        >>> APIRouter(route_class=EventRoute).route_class.__name__
        'EventRoute'
        """
        handle = super().get_route_handler()
        body = self.body_field
        if body is None or not any(isinstance(mark, Validated) for mark in body.field_info.metadata):
            return handle

        async def handle_event(request: Request) -> Response:
            return await handle(_EventRequest(request))

        return handle_event


class _EventRequest(Request):
    """A request whose first `json()`, which FastAPI calls, returns the bytes; a handler that calls it again gets the JSON.

    The request that FastAPI made reads and keeps the bytes, because exception handlers get that request, and the server
    delivers a body only once.
    """

    def __init__(self, request: Request) -> None:
        super().__init__(request.scope, request.receive)
        self._request = request
        self._asked = False

    async def body(self) -> bytes:
        return await self._request.body()

    async def stream(self) -> AsyncGenerator[bytes, None]:
        async for chunk in self._request.stream():
            yield chunk

    async def json(self) -> Any:
        if self._asked:
            return await super().json()
        self._asked = True
        return await self.body()


__dir__ = __all__.copy
