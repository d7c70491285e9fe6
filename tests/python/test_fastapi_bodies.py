# SPDX-License-Identifier: MIT
"""The raw body under `EventRoute`: in dependencies, handlers and exception handlers, by a real server, too."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Generator, Iterator

import httpx
import pytest
import uvicorn
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError

import bankhook
from bankhook.integrations.fastapi import EventRoute, Received, StrictlyReceived
from python.parsed import payload

ACCEPTED = payload("transaction_created")
REJECTED = ACCEPTED.replace(b'"amount":19.90', b'"amount":"19.90"')
CONTRADICTS = ACCEPTED.replace(b'"status":"created"', b'"status":"validated"')

Log = list[tuple[str, bytes]]
Post = Callable[[str, bytes], int]


def application(log: Log) -> FastAPI:
    """A consumer that notes the body wherever it may ask for it."""
    router = APIRouter(route_class=EventRoute)

    async def store_first(request: Request) -> None:
        log.append(("dependency", await request.body()))

    async def read_stream(request: Request) -> None:
        log.append(("stream", b"".join([chunk async for chunk in request.stream()])))

    @router.post("/any", dependencies=[Depends(store_first)])
    async def receive(event: Received[bankhook.AnyEvent], request: Request) -> None:
        assert event.raw == await request.body()
        log.append(("handler", await request.body()))

    @router.post("/strict", dependencies=[Depends(read_stream)])
    async def receive_strictly(event: StrictlyReceived[bankhook.AnyEvent], request: Request) -> None:
        log.append(("handler", await request.body()))

    @router.post("/failing")
    async def fail(event: Received[bankhook.AnyEvent]) -> None:
        raise HTTPException(503)

    app = FastAPI()
    app.include_router(router)

    @app.exception_handler(RequestValidationError)
    async def reject(request: Request, error: RequestValidationError) -> Response:
        log.extend((("exception handler", await request.body()), ("error", error.body)))
        return Response(status_code=204)  # stored, and not to be sent again

    @app.exception_handler(HTTPException)
    async def excuse(request: Request, error: HTTPException) -> Response:
        log.append(("exception handler", await request.body()))
        return Response(status_code=error.status_code)

    return app


class Server(uvicorn.Server):
    """A server that says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listens.set()


@contextlib.contextmanager
def served(app: FastAPI) -> Generator[str]:
    """The address of a real server, on a port of its own choice."""
    server = Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert server.listens.wait(30)
        host, port = server.servers[0].sockets[0].getsockname()[:2]
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        thread.join(30)
    assert not thread.is_alive()


@pytest.fixture
def log() -> Log:
    """What the consumer noted, in order."""
    return []


def post_within(app: FastAPI, path: str, body: bytes) -> int:
    """The status that the application answers to a body, without a socket."""

    async def answer() -> int:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://consumer") as client:
            return (await asyncio.wait_for(client.post(path, content=body), 240)).status_code

    return asyncio.run(answer())


@pytest.fixture(params=["application", "server"])
def post(request: pytest.FixtureRequest, log: Log) -> Iterator[Post]:
    """Sends a body and gives the status; a request that hangs is an error."""
    app = application(log)
    if request.param == "application":
        yield lambda path, body: post_within(app, path, body)
        return
    with served(app) as address, httpx.Client(base_url=address, timeout=240) as client:
        yield lambda path, body: client.post(path, content=body).status_code


def test_a_dependency_and_a_handler_get_the_body(post: Post, log: Log) -> None:
    assert post("/any", ACCEPTED) == 200
    assert log == [("dependency", ACCEPTED), ("handler", ACCEPTED)]


@pytest.mark.parametrize("body", [REJECTED, b"{", b"\xff"])
def test_the_handler_of_a_rejection_gets_the_body(post: Post, log: Log, body: bytes) -> None:
    assert post("/any", body) == 204
    assert log == [("dependency", body), ("exception handler", body), ("error", body)]


def test_the_same_holds_for_strict_routes_and_for_streams(post: Post, log: Log) -> None:
    assert post("/strict", ACCEPTED) == 200
    assert post("/strict", CONTRADICTS) == 204
    assert log == [
        *(("stream", ACCEPTED), ("handler", ACCEPTED)),
        *(("stream", CONTRADICTS), ("exception handler", CONTRADICTS), ("error", CONTRADICTS)),
    ]


def test_an_error_of_the_handler_itself_finds_the_body_too(post: Post, log: Log) -> None:
    assert post("/failing", ACCEPTED) == 503
    assert log == [("exception handler", ACCEPTED)]


def test_an_empty_body_is_rejected_as_any_other(post: Post, log: Log) -> None:
    assert post("/any", b"") == 204
    assert [(source, body) for source, body in log if source != "error"] == [
        ("dependency", b""),
        ("exception handler", b""),
    ]
