# SPDX-License-Identifier: MIT
"""The receiver: an ASGI application that answers a delivery once it is durable."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import time
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from functools import partial
from typing import Any, Literal

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Message, Receive, Scope, Send

from bankhook._handlers import Handlers
from bankhook._records.errors import check_whole
from bankhook.inbox import Delivery, DeliveryState, DeliveryStore, Inbox, InboxError, examine
from bankhook.receiver._arguments import BESIDE, check_types, check_values
from bankhook.receiver._authentication import Verify, authenticate, check_verify
from bankhook.receiver._counts import Counts, Health
from bankhook.receiver._head import check_framing, has_limits, headers_of, path_of
from bankhook.receiver._log import Log
from bankhook.receiver._metrics import Metrics
from bankhook.receiver._peers import Trusted
from bankhook.receiver._requests import Bodies, TurnedAway, explained
from bankhook.receiver._runner import Runner
from bankhook.receiver._secrets import check_token
from bankhook.receiver._shared import Shared, Turns
from bankhook.receiver._trailers import drop_trailers
from bankhook.receiver._unpacking import codings_of, unpacked
from bankhook.receiver._writer import Writer

TICK_SECONDS = 0.5  # between looks for bodies and deliveries that take too long
IDLE_SECONDS = 0.02  # between looks whether all is handled


class Receiver:
    """An ASGI application that stores what is posted to it, and answers once it is durable.

    Everything is stored, and answered with 204, except for: another path (404) or method (405), a body that is too large
    (413), too slow (408) or cut, packed and not unpacked (415) or not as it says (400), a request that servers read
    differently (400, 501), a sender (401) or a repeat (409) that `verify` rejects, and a store that cannot write, too many
    requests at once, or an end of the process (503). A 2xx is never sent for what is not durable. After a 503 a delivery may
    be stored nevertheless, if the store had begun with it and did not answer in time; until then its body counts for
    `max_total`.

    `lifespan` must run: uvicorn does that if the receiver is the application; if it is mounted, pass it on:
    `FastAPI(lifespan=receiver.lifespan)`.

    Parameters
    ----------
    inbox : DeliveryStore
        Where deliveries are stored: `bankhook.inbox.open(url)`. The receiver connects and closes it. A store that is no `Inbox`
        has no handlers, no `idle` and no figures of what is handled: the log says so at the start.
    verify : function
        Whether the sender is who it should be, by headers and body; sync or async. What is not True, or raises, is answered with
        401, and not stored. `shared_secret`, `standard_webhooks` and `hmac_signature` return such functions, `all_of` and
        `any_of` one of several; `anyone` lets in all but web pages.
    path : str
        Where deliveries are posted, below the path at which it is mounted; compared in constant time, so it may end with a
        secret. `/readyz`, `/healthz` and `/metrics` are beside it. The first two answer 200, or 503 if `store` or `handlers` is
        false; there is no `handlers` without them. `/readyz` is about whether deliveries can be stored and handled now,
        `/healthz` about what only a new process can mend.
    handlers : Handlers, optional
        What is called for the deliveries of the inbox, in this process.
    concurrency : int
        For how many deliveries handlers are called at a time: those of a member one after another, members beside each other.
    max_body : int
        Bytes of a body; a larger one is answered with 413.
    max_total : int
        Bytes of all bodies that are not stored yet; more are answered with 503.
    max_waiting : int
        How many deliveries may wait for the store; more are answered with 503.
    headers : collection of str
        Names of the headers to store with a delivery.
    answer_invalid : 204 or 422
        The answer to a payload that is not an event. It is stored in any case, as quarantined.
    timeout : float
        Seconds for a body to come, and for the store to answer; after 5 seconds a body comes at 4 KiB a second at least.
    trusted_proxies : collection of str
        Addresses or networks of proxies before it: one of them may have more than 64 bodies incomplete at a time.
    unpack : bool
        Whether bodies in gzip or deflate are unpacked, within `max_body`, or answered with 415. `verify` gets them as received.
    limits : None or "elsewhere"
        Whether a proxy limits heads, connections and requests, as `http_protocol` does. If neither does, the log has an error.
    on_stored : function, optional
        Called in the event loop with the number and the delivery once it is durable. It must not block.

    Raises
    ------
    TypeError
        If `verify` is None or a text, as when a setting is missing, or another argument has the wrong type.
    ValueError
        If the path, the answer, the limits, an address or a number is not one of these.

    Examples
    --------
    >>> import bankhook.inbox
    >>> from bankhook.receiver import Receiver, shared_secret
    >>> from fastapi import FastAPI
    >>> verify = shared_secret(header="X-Secret", secret="agreed")
    >>> receiver = Receiver(bankhook.inbox.open(tmp_path / "inbox.db"), verify=verify)
    >>> app = FastAPI(lifespan=receiver.lifespan)
    >>> app.mount("/bank", receiver)  # POST /bank/webhook, GET /bank/readyz, GET /bank/healthz, GET /bank/metrics
    """

    def __init__(
        self,
        inbox: DeliveryStore,
        *,
        verify: Verify,
        path: str = "/webhook",
        handlers: Handlers | None = None,
        concurrency: int = 1,
        max_body: int = 1 << 20,
        max_total: int = 64 << 20,
        max_waiting: int = 4096,
        headers: Collection[str] = ("content-type", "user-agent"),
        answer_invalid: Literal[204, 422] = 204,
        timeout: float = 30.0,
        trusted_proxies: Collection[str] = (),
        unpack: bool = False,
        limits: Literal["elsewhere"] | None = None,
        on_stored: Callable[[int, Delivery], None] | None = None,
    ) -> None:
        check_verify(verify)
        check_types(inbox=inbox, path=path, handlers=handlers, headers=headers, unpack=unpack)
        check_types(trusted_proxies=trusted_proxies, on_stored=on_stored)
        check_whole("concurrency", concurrency, 1)
        check_values(
            path, answer_invalid, limits, max_body=max_body, max_total=max_total, max_waiting=max_waiting, timeout=timeout
        )
        self._inbox, self._path, self._verify, self._unpack = inbox, path.encode(), verify, unpack
        self._headers = frozenset(check_token("headers", name).lower().encode() for name in headers)
        self._answer_invalid, self._timeout, self._on_stored = answer_invalid, timeout, on_stored
        self._metrics, self._log = Metrics(), Log(has_inbox=isinstance(inbox, Inbox))
        self._trusted = Trusted(trusted_proxies)
        self._bodies = Bodies(max_body=max_body, max_total=max_total, seconds=timeout, trusted=self._trusted)
        self._writer = Writer(inbox, self._metrics, self._log, max_waiting=max_waiting)
        self._runner = Runner(inbox, handlers, concurrency)
        self._counts = Counts(inbox) if isinstance(inbox, Inbox) else None
        self._health = Health(inbox, self._writer, self._runner)
        routes = [Route(*one) for one in zip(BESIDE, (self._healthz, self._readyz, self._text_of_metrics), strict=True)]
        not_here = dict.fromkeys((404, 405), self._turn_away)
        self._app = Starlette(routes=routes, lifespan=self.lifespan, exception_handlers=not_here)
        self._app.router.redirect_slashes = False  # it does not know below which path it is
        self._timer: asyncio.TimerHandle
        self._has_limits = None if limits is None else True  # known from the first request on
        self._text, self._turns = Shared(self._watch), Turns()

    def __repr__(self) -> str:
        return f"<bankhook.receiver.Receiver: {'storing' if self._writer.can_write else 'not storing'}>"

    def _serve_beside(self, routes: Sequence[BaseRoute]) -> Receiver:
        """Serve these routes, too, as `bankhook listen` does; return the receiver."""
        self._app.router.routes.extend(routes)
        return self

    @property
    def registry(self) -> CollectorRegistry:
        """The registry of its Prometheus metrics."""
        return self._metrics.registry

    @contextlib.asynccontextmanager
    async def lifespan(self, app: object = None) -> AsyncGenerator[None, None]:
        """Connect the inbox, and store deliveries and call handlers until the end.

        Parameters
        ----------
        app : object
            The application, which frameworks pass; it is ignored.

        Returns
        -------
        asynchronous context manager
            Deliveries are stored until it is left.

        Raises
        ------
        InboxError
            If the inbox cannot be opened.
        """
        drop_trailers()
        async with self._inbox:
            if self._counts is None:
                self._log.only_appends()
            self._writer.start()
            self._runner.start()
            self._tick()
            try:
                yield
            finally:
                await self._writer.close()
                await self._runner.close()
                self._timer.cancel()
                self._log.close()

    async def idle(self) -> None:
        """Wait until no delivery is pending: each is handled, quarantined, parked or dismissed; as tests do, with a timeout.

        What waits for a retry is pending, too. Handlers may be called by another process.

        Raises
        ------
        InboxError
            If the lifespan does not run, the store only appends, the counts cannot be read, or handlers are not called any more.

        Examples
        --------
        >>> import asyncio, bankhook.inbox
        >>> from bankhook.receiver import Receiver, anyone
        >>> async def wait(receiver):
        ...     async with receiver.lifespan(), asyncio.timeout(30):
        ...         await receiver.idle()
        >>> asyncio.run(wait(Receiver(bankhook.inbox.open(tmp_path / "inbox.db"), verify=anyone)))
        """
        if not isinstance(self._inbox, Inbox):
            raise InboxError("the store only appends: what reads it knows what is handled")
        while (await self._inbox.counts())[DeliveryState.PENDING]:
            if self._runner.has_died:
                raise InboxError("handlers are not called any more, so deliveries stay pending")
            await asyncio.sleep(IDLE_SECONDS)

    def _tick(self) -> None:
        """End what takes too long, now and then; one timer for all that waits."""
        loop = asyncio.get_running_loop()
        self._bodies.end_late(loop.time())
        self._writer.end_late(loop.time())
        self._health.tick()
        self._timer = loop.call_later(min(TICK_SECONDS, self._timeout / 4), self._tick)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, as ASGI asks for."""
        if scope["type"] == "http":
            if self._has_limits is None:
                self._has_limits = has_limits(scope, self._trusted)
            await self._turns.wait()
            path = path_of(scope)
            if hmac.compare_digest(path.encode("utf-8", "surrogatepass"), self._path):
                await self._receive(scope, receive, send)
                return
            scope = {**scope, "path": path, "root_path": "", "headers": headers_of(scope).raw}
        await self._app(scope, receive, _with_reason(send) if scope["type"] == "lifespan" else send)

    async def _receive(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = time.perf_counter()
        try:
            delivery = await self._store(scope, receive)
            response = Response(status_code=204)
            if delivery.findings and self._answer_invalid == 422:
                response = Response(explained(delivery), 422, media_type="application/json")
        except TurnedAway as refusal:
            response = PlainTextResponse(f"{refusal.detail}\n", refusal.status_code, refusal.headers)
            self._log.turned_away(refusal.status_code, refusal.detail)
        except ClientDisconnect:
            self._metrics.cut.inc()
            self._log.cut()
            return
        await response(scope, receive, send)
        self._metrics.answered(response.status_code, time.perf_counter() - started)

    async def _store(self, scope: Scope, receive: Receive) -> Delivery:
        """Store the delivery and return it; raises TurnedAway or ClientDisconnect if it is not stored."""
        if scope["method"] != "POST":
            raise TurnedAway(405, "deliveries are posted", {"allow": "POST"})
        self._writer.check()
        headers = headers_of(scope)
        check_framing(scope, headers)
        self._bodies.check_size(headers)
        if before_body := getattr(self._verify, "before_body", None):
            await authenticate(before_body, self._log, headers)
        codings = codings_of(headers.get("content-encoding", ""), is_unpacked=self._unpack)
        body = await self._bodies.read(scope, receive)
        try:
            await authenticate(self._verify, self._log, headers, body)
        except BaseException:
            self._bodies.release(len(body))
            raise
        try:
            if codings:
                body = self._bodies.replace(body, partial(unpacked, codings))
            delivery = examine(body, headers=[(name, value) for name, value in headers.raw if name in self._headers])
            number = await self._writer.append(
                delivery, seconds=self._timeout, on_end=partial(self._bodies.release, len(body))
            )
        except BaseException:
            if not_stored := getattr(self._verify, "not_stored", None):
                not_stored(headers)
            raise
        self._log.stored(number, delivery, is_watched=self._on_stored is not None)
        if self._on_stored is not None:
            try:
                self._on_stored(number, delivery)
            except Exception as error:  # it is stored all the same
                name = type(error).__name__
                self._log.problem(logging.ERROR, f"on_stored failed: {name}", error=name)
        return delivery

    async def _turn_away(self, request: Request, error: Any) -> Response:
        """Answer, log and count what is sent elsewhere, which may be deliveries to a wrong address."""
        self._log.turned_away(error.status_code, "nothing is here for that path and method")
        self._metrics.turned_away(error.status_code)
        return PlainTextResponse(error.detail, error.status_code, error.headers)

    async def _healthz(self, request: Request) -> Response:
        return _answer(self._health.alive())

    async def _readyz(self, request: Request) -> Response:
        return _answer(await self._health.ready() | ({} if self._has_limits else {"limits": False}))

    async def _text_of_metrics(self, request: Request) -> Response:
        return Response(await self._text.get(), media_type=CONTENT_TYPE_LATEST)

    async def _watch(self) -> bytes:
        if self._counts is not None:
            self._metrics.watched(*await self._counts.watched())
        return self._metrics.text()


def _answer(health: dict[str, bool]) -> Response:
    return JSONResponse(health, 200 if all(health.values()) else 503)


def _with_reason(send: Send) -> Send:
    """Let the server say in a line why the inbox cannot be opened; Starlette gives it a traceback."""

    async def sent(message: Message) -> None:
        reason = str(message.get("message", "")).rstrip().rpartition("\n")[2]
        await send({**message, "message": reason} if reason.startswith(f"{InboxError.__module__}.") else message)

    return sent
