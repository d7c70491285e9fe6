# SPDX-License-Identifier: MIT
"""Events as bodies of FastAPI handlers: `Received[bankhook.AnyEvent]`; needs `bankhook[fastapi]`.

    router = APIRouter(route_class=EventRoute)

    @router.post("/webhook")
    async def receive(event: Received[bankhook.AnyEvent]) -> None: ...

`EventRoute` hands the body to `bankhook.parse` as it came: no amount loses a digit, `event.raw` is what was sent, findings
have line and column, and JSON is read once. Other routes work too, at the price that
`bankhook.integrations.pydantic` names for dicts:
FastAPI then reads the body with json.loads, and what is no JSON is answered in its words instead of in findings.

A payload that is refused is answered with 422 and the findings: `type` is the rule, `loc` the place, `msg` the sentence, `ctx`
the parts of the finding, `input` the kind that was found. No value of the payload is in it. What a sender should be answered
is not shown (spec 6): this is FastAPI's way. A consumer that must not lose a payload stores it first and answers itself: `await
request.body()` gives the bytes in dependencies, handlers and exception handlers; a handler of `RequestValidationError` finds
them as `error.body`, too, and then decides on the status.

An event that a handler returns is written by pydantic, with amounts as floats: 19.90 as 19.9.
`Response(event.to_json(), media_type="application/json")` is exact.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Annotated, Any, TypeAlias, TypeVar

from fastapi import Body, Request, Response
from fastapi.routing import APIRoute

from bankhook.integrations.pydantic import Judged

__all__ = ["EventRoute", "Received", "StrictlyReceived"]

T = TypeVar("T")

Received: TypeAlias = Annotated[T, Judged(), Body()]
"""The body of a request, read and judged by the library; to a type checker it is the class itself."""

StrictlyReceived: TypeAlias = Annotated[T, Judged(strict=True), Body()]
"""The same, and a payload that breaks a rule which the specification states is refused."""


class EventRoute(APIRoute):
    """A route that gives the body to the library as bytes, where an event is all that the body holds; others stay as they are."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's own handler, with a request that does not read the JSON of an event."""
        handle = super().get_route_handler()
        if not self._takes_event():
            return handle

        async def handle_event(request: Request) -> Response:
            return await handle(_EventRequest(request))

        return handle_event

    def _takes_event(self) -> bool:
        body = self.body_field
        return body is not None and any(isinstance(mark, Judged) for mark in body.field_info.metadata)


class _EventRequest(Request):
    """The first call of `json()`, by FastAPI, gets the bytes; a handler that calls it again gets the JSON.

    The request that FastAPI made reads and keeps the bytes, because exception handlers get that one, and a body can be read
    from the server only once.
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
