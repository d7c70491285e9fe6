# SPDX-License-Identifier: MIT
"""The addresses of the page: what each shows, and those that change something."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl, urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from bankhook._render.style import STYLE
from bankhook.inbox import Delivery, DeliveryState, Inbox, InboxError, OutOfOrder, Query
from bankhook.receiver._counts import Counts
from bankhook.receiver._page import search, views
from bankhook.receiver._page.guards import Endpoint, guarded, is_from_elsewhere
from bankhook.receiver._page.search import ROWS_LIMIT, Asked, number_of

FORM_LIMIT = 4096  # bytes
OVERDUE = datetime.timedelta(days=3)
PARKED = Query(states=(DeliveryState.PARKED,))
STATIC = {"page.css": "text/css", "page.js": "text/javascript", "mark.svg": "image/svg+xml"}

_environment = Environment(loader=PackageLoader("bankhook.receiver", "_page/templates"), autoescape=True)
_environment.undefined = StrictUndefined
_EVERYWHERE = {"views": views, "states": tuple(DeliveryState)}


def routes(inbox: Inbox, *, url: str = "inbox.db", path: str = "/webhook", signed: str = "") -> list[Route]:
    """Return the routes of the page of an inbox that is connected.

    It says where the inbox is, where it takes deliveries, and with which options `bankhook send` signs them.
    """
    page = _Page(inbox, {"url": url, "path": path, "signed": signed})
    shown = {"/": page.deliveries, "/attention": page.attention, "/dismiss": page.ask}
    shown |= {"/delivery/{number}": page.delivery, "/member/{number}": page.member}
    return [
        *(
            Route(f"/{name}", guarded(page.of(partial(page.act, name)), changes=True), methods=["POST"])
            for name in page.actions
        ),
        *(Route(path, guarded(page.of(endpoint))) for path, endpoint in shown.items()),
        *(Route(f"/static/{name}", guarded(partial(_static, name, kind))) for name, kind in STATIC.items()),
    ]


class _Page:
    """The endpoints, which share the inbox."""

    def __init__(self, inbox: Inbox, receiver: Mapping[str, str]) -> None:
        self._inbox, self._counts, self._receiver = inbox, Counts(inbox), receiver
        self.actions: dict[str, Callable[[Any], Awaitable[int]]] = {
            "retry": inbox.retry,
            "dismiss": inbox.dismiss,
            "settle": inbox.settle,
        }

    def of(self, endpoint: Endpoint) -> Endpoint:
        """Return an endpoint that says so while the inbox is away."""

        async def run(request: Request) -> Response:
            try:
                return await endpoint(request)
            except InboxError as error:
                return _message(request, 503, "The inbox cannot be used now", f"{error}.")

        return run

    async def deliveries(self, request: Request) -> Response:
        asked = _asked(request)
        part, members = await search.part(self._inbox, asked), list[Delivery]()
        in_all = request.query_params.get("all") == "1"
        is_new = asked.text and not part.rows and asked.at is None and not is_from_elsewhere(request)
        if is_new and (members := await search.with_external_id(self._inbox, asked.text, in_all=in_all)):
            if len(members) == 1:
                return RedirectResponse(f"/member/{members[0].number}{_query(request)}", 303)
            part = part._replace(rows=members)
        return await self._shown(
            request,
            "deliveries.html",
            asked=asked,
            part=part,
            rows=part.rows,
            members=len(members),
            scanned=None if in_all else search.SCANNED,
            is_live=not asked.text,  # a search costs more than the list
            post_to=f"http://{request.headers['host']}{self._receiver['path']}",
            receiver=self._receiver,
        )

    async def delivery(self, request: Request) -> Response:
        if (found := await self._find(request)) is None:
            return _nothing(request)
        asked, details = _asked(request), partial(views.details, found, _values(request))
        newer, older = await search.beside(self._inbox, asked.queries, found.number)
        return await self._shown(request, "delivery.html", details, one=found, asked=asked, newer=newer, older=older)

    async def member(self, request: Request) -> Response:
        """Show the member of a delivery, by its number: an id may be any text, of any length."""
        found = await self._find(request)
        if found is None or found.member is None:
            return _nothing(request)
        snapshot = await self._inbox.state_of(found.member)
        tracked = dict if snapshot is None else partial(views.tracked, snapshot, _values(request))
        rows = await search.rows(self._inbox, [Query(member=found.member)])
        has_more = len(rows) == ROWS_LIMIT
        context: dict[str, object] = {"one": found, "is_tracked": snapshot is not None, "rows": rows, "has_more": has_more}
        return await self._shown(request, "member.html", tracked, **context)

    async def attention(self, request: Request) -> Response:
        parked = await search.rows(self._inbox, [PARKED])
        counts = await self._counts.now()
        done = views.DONE.get(request.query_params.get("done", ""))
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
            done=done,
            done_count=number_of(request.query_params.get("count")) or 0,
            is_live=True,
        )

    async def ask(self, request: Request) -> Response:
        """Ask whether so many deliveries are meant; the answer is about those that there are now."""
        which = _which(request.query_params)
        newest = await search.rows(self._inbox, [which], limit=1) if isinstance(which, Query) else []
        if not isinstance(which, Query) or not newest:
            return _to_attention(request.query_params, "dismiss", 0)
        letters = await self._inbox.dead_letters() if which.rule else ()
        counts = [one.count for one in letters if one.rule == which.rule] or [
            (await self._inbox.counts())[DeliveryState.PARKED]
        ]
        return await self._shown(request, "question.html", which=which, count=counts[0], before=newest[0].number + 1)

    async def act(self, name: str, request: Request) -> Response:
        """Do something to the deliveries, or to the case, that a form names; dismiss many only after the question."""
        form = await _form(request)
        which = _which(form)
        if which is None or (
            isinstance(which, Query) and (name == "settle" or (name == "dismiss" and which.before is None))
        ):
            expected = (
                "Expected a number; or a rule, or parked for the state, and to dismiss those the number before which."
            )
            return _message(request, 400, "Nothing was done", expected)
        try:
            count = await self.actions[name](which)
        except OutOfOrder as error:
            decide = "Dismiss them, or run `bankhook inbox retry --out-of-order URL NUMBER`."
            return _message(request, 409, "Not all were retried", f"{error}. {decide}")
        return _to_attention(form, name, count)

    async def _find(self, request: Request) -> Delivery | None:
        """Return the delivery whose number is in the address."""
        if number := number_of(request.path_params["number"]):
            async for found in self._inbox.find(Query(after=number - 1), limit=1):
                return found if found.number == number else None
        return None

    async def _shown(
        self, request: Request, template: str, more: Callable[[], Mapping[str, Any]] = dict, /, **context: object
    ) -> Response:
        """Return a template, or only its changing part; 304 if the browser has just that. Payloads are read in a thread."""
        counts = await self._counts.now()
        waiting = counts[DeliveryState.QUARANTINED] + counts[DeliveryState.PARKED]
        attention = f"{waiting:,}" if waiting else ""
        about: dict[str, object] = {"counts": counts, "attention": attention, "is_live": False}
        text = await run_in_threadpool(_rendered, request, template, about | context, more)
        etag = f'"{hashlib.sha256(text.encode()).hexdigest()}"'
        if request.headers.get("if-none-match") == etag:
            return Response(status_code=304, headers={"etag": etag, "x-attention": attention})
        return HTMLResponse(text, headers={"etag": etag, "x-attention": attention})


def _rendered(
    request: Request, template: str, context: dict[str, object], more: Callable[[], Mapping[str, Any]] = dict
) -> str:
    values, asked = _values(request), _asked(request)
    toggle = request.url.remove_query_params("values") if values else request.url.include_query_params(values=1)
    everywhere = {
        "values": values,
        "toggle": f"{toggle.path}?{toggle.query}",
        "is_part": "x-part" in request.headers,
        "path": request.url.path,
        "kept": _query(request),
        "within": _query(request, q=asked.text, state=asked.state),
        "to": partial(_query, request),
    }
    return _environment.get_template(template).render(context | _EVERYWHERE | everywhere, **more())


def _query(request: Request, **asked: str | int | None) -> str:
    """Return the end of an address that asks for this, and for values if they are shown."""
    given = {name: value for name, value in asked.items() if value not in ("", None)}
    return f"?{urlencode(given | {'values': 1} if _values(request) else given)}" if given or _values(request) else ""


def _message(request: Request, status: int, title: str, sentence: str) -> Response:
    """Return a page with a sentence; it asks the inbox for nothing."""
    context: dict[str, object] = {"title": title, "sentence": sentence, "attention": "", "is_live": False}
    return HTMLResponse(_rendered(request, "message.html", context), status)


def _nothing(request: Request) -> Response:
    return _message(request, 404, "No such delivery", "It was purged, or its member was forgotten, or there was none.")


def _values(request: Request) -> bool:
    return request.query_params.get("values") == "1"


def _asked(request: Request) -> Asked:
    """Return what was asked for; a number that cannot be read counts as not given."""
    given = request.query_params
    numbers = [number_of(given.get(name)) for name in ("at", "after")]
    return Asked(given.get("q", "").strip(), given.get("state", ""), *numbers)


def _which(form: Mapping[str, str]) -> list[int] | Query | None:
    """Return the deliveries, or the case, that a form or an address names."""
    if (number := number_of(form.get("number"))) is not None:
        return [number]
    before = number_of(form.get("before"))
    if form.get("rule"):
        return Query(rule=form["rule"], states=(DeliveryState.QUARANTINED,), before=before)
    return PARKED.replace(before=before) if form.get("state") == DeliveryState.PARKED else None


def _to_attention(form: Mapping[str, str], done: str, count: int) -> Response:
    values = {"values": 1} if form.get("values") == "1" else {}
    return RedirectResponse(f"/attention?{urlencode({'done': done, 'count': count} | values)}", 303)


async def _form(request: Request) -> dict[str, str]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > FORM_LIMIT:
            return {}
    return dict(parse_qsl(body.decode("ascii", "replace")))


async def _static(name: str, kind: str, request: Request) -> Response:
    text = files("bankhook.receiver").joinpath("_page", "static", name).read_text("utf-8")
    return PlainTextResponse(text + STYLE if name == "page.css" else text, media_type=kind)
