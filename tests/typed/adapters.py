# SPDX-License-Identifier: MIT
"""What type checkers say of the adapters; never run."""

from __future__ import annotations

from typing import assert_type

import cattrs as cattrs_itself
import fastapi as fastapi_itself
import pydantic as pydantic_itself
from hypothesis.strategies import SearchStrategy

from bankhook import AnyEvent, BankConnectionsUpdateV2, Connection, Evidence, InitialTransactionUpdate
from bankhook.integrations import cattrs, fastapi, pydantic
from bankhook.testing import strategies

app = fastapi_itself.FastAPI()
app.router.route_class = fastapi.EventRoute


class Envelope(pydantic_itself.BaseModel):
    """A model with members that the library reads."""

    connection: pydantic.Payload[Connection]
    event: pydantic.StrictPayload[AnyEvent]


@app.post("/events")
def receive(event: fastapi.Received[AnyEvent]) -> str:
    assert_type(event, AnyEvent)
    return event.event


@app.post("/purchases")
def receive_strictly(event: fastapi.StrictlyReceived[InitialTransactionUpdate]) -> str:
    assert_type(event, InitialTransactionUpdate)
    return event.initial_transaction.id


def models(envelope: Envelope) -> None:
    assert_type(envelope.connection, Connection)
    assert_type(envelope.event, AnyEvent)


def converters() -> None:
    assert_type(cattrs.configure(cattrs_itself.Converter()), cattrs_itself.Converter)


def drawing() -> None:
    assert_type(strategies.payloads(keep_rules=Evidence.STATED), SearchStrategy[bytes])
    assert_type(strategies.events(), SearchStrategy[BankConnectionsUpdateV2 | InitialTransactionUpdate])
    assert_type(strategies.bank_connections_updates(event_type="create"), SearchStrategy[BankConnectionsUpdateV2])
    assert_type(strategies.initial_transaction_updates(), SearchStrategy[InitialTransactionUpdate])
