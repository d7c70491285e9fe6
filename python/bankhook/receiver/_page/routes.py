# SPDX-License-Identifier: MIT
"""The addresses of the page: what each shows, and those that change something."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from bankhook._render.style import STYLE
from bankhook.inbox import Delivery, DeliveryState, Inbox, OutOfOrder, Query
from bankhook.receiver._counts import Counts
from bankhook.receiver._page import views
from bankhook.receiver._page.guards import guarded

ROWS_LIMIT = 100
FORM_LIMIT = 4096  # bytes
NUMBER_DIGITS = 18  # what every store can take
OVERDUE = datetime.timedelta(days=3)
PARKED = Query(states=(DeliveryState.PARKED,))

_environment = Environment(loader=PackageLoader("bankhook.receiver", "_page/templates"), autoescape=True)
_environment.undefined = StrictUndefined
_EVERYWHERE = {"views": views, "states": tuple(DeliveryState)}


def routes(inbox: Inbox) -> list[Route]:
    """Return the routes of the page of an inbox that is connected."""
    page = _Page(inbox)
    return [
        Route("/", guarded(page.deliveries)),
        Route("/delivery/{number}", guarded(page.delivery)),
        Route("/member/{number}", guarded(page.member)),
        Route("/attention", guarded(page.attention)),
        *(Route(f"/{name}", guarded(partial(page.act, name), changes=True), methods=["POST"]) for name in page.actions),
        Route("/static/page.css", guarded(partial(_static, "page.css", "text/css", STYLE))),
        Route("/static/page.js", guarded(partial(_static, "page.js", "text/javascript", ""))),
    ]


class _Page:
    """The endpoints, which share the inbox."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox, self._counts = inbox, Counts(inbox)
        self.actions: dict[str, Callable[[Any], Awaitable[object]]] = {
            "retry": inbox.retry,
            "dismiss": inbox.dismiss,
            "settle": inbox.settle,
        }

    async def deliveries(self, request: Request) -> Response:
        query = _query(request)
        rows = await self._rows(query)
        is_full = len(rows) == ROWS_LIMIT
        older = f"/?{request.url.include_query_params(before=rows[-1].number).query}" if is_full else None
        asked = {name: request.query_params.get(name, "") for name in ("event", "member", "state")}
        return await self._shown(request, "deliveries.html", rows=rows, older=older, asked=asked)

    async def delivery(self, request: Request) -> Response:
        found = await self._find(_number(request.path_params["number"]))
        if found is None:
            return _nothing()
        parts = await run_in_threadpool(views.details, found, _values(request))
        return await self._shown(request, "delivery.html", one=found, **parts)

    async def member(self, request: Request) -> Response:
        """Show the member of a delivery, by its number: an id may be any text, of any length."""
        found = await self._find(_number(request.path_params["number"]))
        if found is None or found.member is None:
            return _nothing()
        snapshot = await self._inbox.state_of(found.member)
        parts = {} if snapshot is None else await run_in_threadpool(views.tracked, snapshot, _values(request))
        rows = await self._rows(Query(member=found.member))
        return await self._shown(request, "member.html", one=found, is_tracked=snapshot is not None, rows=rows, **parts)

    async def attention(self, request: Request) -> Response:
        parked = await self._rows(PARKED)
        counts = await self._counts.now()
        return await self._shown(
            request,
            "attention.html",
            letters=await self._inbox.dead_letters(),
            parked=parked,
            # The counts may be older than the rows.
            parked_count=max(len(parked), counts[DeliveryState.PARKED]) if len(parked) == ROWS_LIMIT else len(parked),
            cases=await self._inbox.cases(limit=ROWS_LIMIT),
            overdue=await self._inbox.open_since(OVERDUE, limit=ROWS_LIMIT),
            days=OVERDUE.days,
            # Only handling finds cases and open transactions: without it, an empty list is no all-clear.
            unhandled=0 if counts[DeliveryState.HANDLED] else counts[DeliveryState.PENDING],
        )

    async def act(self, name: str, request: Request) -> Response:
        """Do something to the deliveries, or to the case, that a form names."""
        form, is_of_one = await _form(request), name == "settle"
        which: Sequence[int] | Query
        if (number := _number(form.get("number"))) is not None:
            which = [number]
        elif form.get("rule") and not is_of_one:
            which = Query(rule=form["rule"], states=(DeliveryState.QUARANTINED,))
        elif form.get("state") == DeliveryState.PARKED and not is_of_one:
            which = PARKED
        else:
            return PlainTextResponse("Expected a number, a rule, or parked for the state.\n", 400)
        try:
            await self.actions[name](which)
        except OutOfOrder as error:
            decide = "Dismiss them, or run `bankhook inbox retry --out-of-order URL NUMBER`."
            return PlainTextResponse(f"{error}. {decide}\n", 409)
        return RedirectResponse("/attention" + ("?values=1" if form.get("values") == "1" else ""), 303)

    async def _rows(self, query: Query) -> list[Delivery]:
        """Return the newest deliveries, without bodies that are too large to show: all of them are in memory."""
        found = self._inbox.find(query, newest_first=True, limit=ROWS_LIMIT)
        return [one if len(one.body) <= views.BODY_LIMIT else one.replace(body=b"") async for one in found]

    async def _find(self, number: int | None) -> Delivery | None:
        if number is None:
            return None
        async for found in self._inbox.find(Query(after=number - 1), limit=1):
            return found if found.number == number else None
        return None

    async def _shown(self, request: Request, template: str, **context: object) -> Response:
        """Return a template, or only its changing part; 304 if the browser has just that. Payloads are read in a thread."""
        values = _values(request)
        toggle = request.url.remove_query_params("values") if values else request.url.include_query_params(values=1)
        is_part = "x-part" in request.headers
        counts = await self._counts.now()
        waiting = counts[DeliveryState.QUARANTINED] + counts[DeliveryState.PARKED]
        attention = f"{waiting:,}" if waiting else ""
        text = await run_in_threadpool(
            _environment.get_template(template).render,
            context | _EVERYWHERE,
            counts=counts,
            values=values,
            toggle=f"{toggle.path}?{toggle.query}",
            is_part=is_part,
            attention=attention,
            path=request.url.path,
            kept="?values=1" if values else "",
        )
        etag = f'"{hashlib.sha256(text.encode()).hexdigest()}"'
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers={"etag": etag, "x-attention": attention})
        return HTMLResponse(text, headers={"etag": etag, "x-attention": attention})


def _values(request: Request) -> bool:
    return request.query_params.get("values") == "1"


def _query(request: Request) -> Query:
    """Return what was asked for; what cannot be read counts as not given."""
    asked = {name: value for name, value in request.query_params.items() if value}
    states = tuple(one for one in DeliveryState if one == asked.get("state"))
    return Query(event=asked.get("event"), member=asked.get("member"), states=states, before=_number(asked.get("before")))


def _number(text: str | None) -> int | None:
    """Return the number of a delivery or case; None if it is not one that a store could have given."""
    if text is None or not text.isdecimal() or len(text) > NUMBER_DIGITS:
        return None
    return int(text)


async def _form(request: Request) -> dict[str, str]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > FORM_LIMIT:
            return {}
    return dict(parse_qsl(body.decode("ascii", "replace")))


def _nothing() -> Response:
    return PlainTextResponse("There is no such delivery.\n", 404)


async def _static(name: str, kind: str, more: str, request: Request) -> Response:
    text = files("bankhook.receiver").joinpath("_page", "static", name).read_text("utf-8")
    return Response(text + more, media_type=kind)
