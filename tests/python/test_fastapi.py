# SPDX-License-Identifier: MIT
"""bankhook.integrations.fastapi with FastAPI itself and real requests: bodies, rejections and the OpenAPI document."""

from __future__ import annotations

import asyncio
import json
from typing import Any, get_args

import httpx
import jsonschema
import pytest
from fastapi import APIRouter, Body, FastAPI, Request, Response
from fastapi.routing import APIRoute

import bankhook
from bankhook.integrations.fastapi import EventRoute, Received, StrictlyReceived
from python.parsed import DATA, NAMES_IN_EVENTS, payload, rows

got: list[Any] = []


def application(route_class: type[APIRoute]) -> FastAPI:
    """A consumer with handlers of each kind."""
    router = APIRouter(route_class=route_class)

    @router.post("/any")
    def receive_any(event: Received[bankhook.AnyEvent]) -> None:
        got.append(event)

    @router.post("/transactions")
    async def receive_transactions(event: Received[bankhook.InitialTransactionUpdate], request: Request) -> None:
        got.extend((event, await request.json()))

    @router.post("/strict")
    def receive_strictly(event: StrictlyReceived[bankhook.AnyEvent]) -> None:
        got.append(event)

    @router.post("/wrapped")
    def receive_wrapped(event: Received[bankhook.AnyEvent], attempt: int = Body()) -> None:
        got.extend((event, attempt))

    @router.post("/numbers")
    def add_numbers(numbers: list[int]) -> int:
        return sum(numbers)

    @router.post("/back")
    def send_back(event: Received[bankhook.AnyEvent]) -> Received[bankhook.AnyEvent]:
        return event

    @router.post("/exactly_back")
    def send_exactly_back(event: Received[bankhook.AnyEvent]) -> Response:
        return Response(event.to_json(), media_type="application/json")

    app = FastAPI()
    app.include_router(router)
    return app


class Client:
    """Real requests to a consumer, without a socket."""

    def __init__(self, route_class: type[APIRoute]) -> None:
        self._transport = httpx.ASGITransport(application(route_class))

    def post(self, path: str, body: bytes, content_type: str | None = "application/json") -> httpx.Response:
        """The answer to a delivery."""

        async def answer() -> httpx.Response:
            async with httpx.AsyncClient(transport=self._transport, base_url="http://consumer") as client:
                headers = {"content-type": content_type} if content_type else {}
                return await client.post(path, content=body, headers=headers)

        return asyncio.run(answer())


@pytest.fixture
def client() -> Client:
    """A client of the consumer with `EventRoute`."""
    got.clear()
    return Client(EventRoute)


@pytest.fixture
def plain_client() -> Client:
    """A client of the consumer with FastAPI's own route."""
    got.clear()
    return Client(APIRoute)


@pytest.mark.parametrize("row", rows("valid"), ids=lambda row: row["file"])
def test_a_handler_gets_the_event_as_it_was_sent(client: Client, row: dict[str, str]) -> None:
    text = (DATA / "valid" / row["file"]).read_bytes()
    assert client.post("/any", text).status_code == 200
    (event,) = got
    assert event == bankhook.parse(text)
    assert event.raw == text


@pytest.mark.parametrize("row", rows("invalid"), ids=lambda row: row["file"])
def test_a_rejected_payload_is_answered_with_its_findings(client: Client, row: dict[str, str]) -> None:
    text = (DATA / "invalid" / row["file"]).read_bytes()
    answer = client.post("/any", text)
    assert answer.status_code == 422
    assert got == []
    if not text:  # FastAPI itself rejects a missing body
        return
    findings = bankhook.diagnose(text)
    said = answer.json()["detail"]
    assert [error["type"] for error in said] == [finding.rule for finding in findings]
    assert [error["msg"] for error in said] == [finding.message for finding in findings]
    assert [error["ctx"]["line"] for error in said] == [finding.line for finding in findings]
    assert all(error["loc"][0] == "body" for error in said)


def test_an_answer_says_rule_place_and_sentence(client: Client) -> None:
    text = payload("transaction_created").replace(b'"amount":19.90', b'"amount":"19.90"')
    (error,) = client.post("/any", text).json()["detail"]
    assert error == {
        "type": "fields_have_their_type",
        "loc": ["body", "initialTransaction", "amount"],
        "msg": "expected number, found string",
        "input": "string",
        "ctx": {
            "evidence": "stated",
            "section": "2.4",
            "severity": "error",
            "path": "$.initialTransaction.amount",
            "offset": text.index(b'"19.90"'),
            "line": 1,
            "column": text.index(b'"19.90"') + 1,
            "expected": "number",
            "found": "string",
        },
    }


@pytest.mark.parametrize("content_type", ["application/json", "application/vnd.x+json", "text/plain", None])
def test_the_content_type_does_not_matter(client: Client, content_type: str | None) -> None:
    """Spec 6: the content type of deliveries is not shown."""
    assert client.post("/any", payload("transaction_created"), content_type).status_code == 200
    assert got == [bankhook.parse(payload("transaction_created"))]


def test_a_handler_of_one_event_rejects_the_other(client: Client) -> None:
    assert client.post("/transactions", payload("transaction_created")).status_code == 200
    (error,) = client.post("/transactions", payload("connection_created")).json()["detail"]
    assert error["loc"] == ["body", "event"]


def test_a_handler_may_still_read_the_json_itself(client: Client) -> None:
    client.post("/transactions", payload("transaction_created"))
    assert got[1] == json.loads(payload("transaction_created"))


def test_a_strict_handler_keeps_the_stated_rules(client: Client) -> None:
    text = payload("transaction_created").replace(b'"status":"created"', b'"status":"validated"')
    assert client.post("/any", text).status_code == 200
    assert "status_equals_event_type" in [error["type"] for error in client.post("/strict", text).json()["detail"]]


def test_other_bodies_are_left_to_fastapi(client: Client) -> None:
    assert client.post("/numbers", b"[1,2]").json() == 3
    wrapped = b'{"attempt":3,"event":' + payload("transaction_created") + b"}"
    assert client.post("/wrapped", wrapped).status_code == 200
    assert got == [bankhook.parse(payload("transaction_created")), 3]


def test_an_event_that_is_returned_is_written(client: Client) -> None:
    text = payload("transaction_created").strip()
    assert client.post("/back", text).json() == json.loads(text)
    assert client.post("/exactly_back", text).content == text


def test_fastapi_s_own_route_works_too_and_loses_a_zero(plain_client: Client) -> None:
    assert plain_client.post("/any", payload("transaction_created")).status_code == 200
    (event,) = got
    assert event == bankhook.parse(payload("transaction_created"))
    assert str(event.initial_transaction.amount) == "19.9"
    broken = payload("transaction_created").replace(b'"created"', b"7", 1)
    (error,) = plain_client.post("/any", broken).json()["detail"]
    assert (error["loc"], error["msg"]) == (["body", "eventType"], "expected string, found number")
    assert "offset" not in error["ctx"]


@pytest.mark.parametrize("text", [b"", b'{"event":', b"\xff", b"[]", b"null"])
def test_no_body_makes_a_server_error(client: Client, plain_client: Client, text: bytes) -> None:
    for path in ("/any", "/transactions", "/strict", "/wrapped"):
        assert client.post(path, text).status_code in (400, 422)
        assert plain_client.post(path, text).status_code in (400, 422)


def test_the_document_has_the_library_schemas_and_the_samples_match_them() -> None:
    document = application(EventRoute).openapi()
    schemas = document["components"]["schemas"]
    # Older versions of FastAPI split what is received and what is sent.
    names = {name.partition("-")[0] for name in schemas if "ValidationError" not in name and "Body" not in name}
    assert names == NAMES_IN_EVENTS
    body = document["paths"]["/any"]["post"]["requestBody"]
    assert body["required"] is True
    schema = body["content"]["application/json"]["schema"]
    events = {cls.__name__ for cls in get_args(bankhook.AnyEvent)}
    assert {part["$ref"].rpartition("/")[2].partition("-")[0] for part in schema["anyOf"]} == events
    validator = jsonschema.Draft202012Validator({**document, **schema})
    for name in ("transaction_created", "connection_updated_with_accounts", "unknown_event"):
        validator.validate(json.loads(payload(name)))
    assert not validator.is_valid({"event": "initial_transaction_update"})


def test_the_document_says_what_a_handler_of_one_event_takes_and_how_it_rejects() -> None:
    operation = application(EventRoute).openapi()["paths"]["/transactions"]["post"]
    (media,) = operation["requestBody"]["content"].values()
    assert media["schema"]["$ref"] == "#/components/schemas/InitialTransactionUpdate"
    assert "422" in operation["responses"]
