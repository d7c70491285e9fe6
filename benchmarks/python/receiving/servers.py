# SPDX-License-Identifier: MIT
"""The servers that are compared: `python -m receiving.servers KIND FOLDER` serves on a free port of loopback and prints it."""

from __future__ import annotations

import contextlib
import runpy
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import sqlalchemy
import uvicorn
from fastapi import FastAPI
from sqlalchemy import Column, Integer, LargeBinary, MetaData, Table, event
from starlette.types import ASGIApp, Receive, Scope, Send

import bankhook
import bankhook.inbox
from bankhook.inbox import Delivery
from bankhook.receiver import Receiver, anyone
from bankhook.receiver._server import Server, bind
from models import pydantic_union
from receiving.by_hand import ByHand

__all__ = ["KINDS"]


class _Forgets:
    """A store that stores nothing."""

    def __init__(self) -> None:
        self._count = 0

    async def __aenter__(self) -> _Forgets:
        return self

    async def __aexit__(self, *exception: object) -> None:
        return None

    async def append(self, deliveries: Sequence[Delivery], /) -> Sequence[int]:
        self._count += len(deliveries)
        return range(self._count - len(deliveries), self._count)

    async def check(self) -> None:
        return None


def _bare(folder: Path) -> ASGIApp:
    """Nothing but uvicorn, which answers."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        await receive()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    return answer


def _by_hand(folder: Path) -> ASGIApp:
    return ByHand(folder / "by_hand.db").app


def _plain(folder: Path) -> ASGIApp:
    """What one writes at first: FastAPI, pydantic, SQLAlchemy, a commit for a request, as durable as the inbox."""
    engine = sqlalchemy.create_engine(f"sqlite:///{folder / 'plain.db'}")
    table = Table("deliveries", MetaData(), Column("number", Integer, primary_key=True), Column("body", LargeBinary))

    def durable(connection: object, record: object) -> None:
        cursor = connection.cursor()  # type: ignore[attr-defined]  # a connection of sqlite3
        for setting in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=60000"):
            cursor.execute(f"PRAGMA {setting}")

    event.listen(engine, "connect", durable)
    table.metadata.create_all(engine)
    app = FastAPI()

    @app.post("/webhook", status_code=204)
    def receive(update: pydantic_union) -> None:  # pyright: ignore[reportInvalidTypeForm]  # made at run time
        with engine.begin() as connection:
            connection.execute(table.insert().values(body=update.model_dump_json().encode()))

    return app


def _stores(folder: Path) -> ASGIApp:
    return Receiver(bankhook.inbox.open(folder / "inbox.db"), verify=anyone)


def _handles(folder: Path) -> ASGIApp:
    """The same, and a handler that writes a row for each purchase that became validated."""
    handlers = bankhook.Handlers()
    database = folder / "inbox.db"
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("create table credits (purchase text, amount text)")

    @handlers.on_validated(name="credit")
    def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
        purchase = event.initial_transaction
        row = {"purchase": purchase.id, "amount": str(purchase.amount)}
        context.begin().execute(sqlalchemy.text("insert into credits values (:purchase, :amount)"), row)

    return Receiver(bankhook.inbox.open(database), verify=anyone, handlers=handlers)


def _forgets(folder: Path) -> ASGIApp:
    return Receiver(_Forgets(), verify=anyone)


def _appends(folder: Path) -> ASGIApp:
    example = Path(__file__).parents[3] / "examples" / "kafka" / "receiver.py"
    return Receiver(runpy.run_path(str(example))["app"]._inbox, verify=anyone)


OURS: dict[str, Callable[[Path], ASGIApp]] = {
    "receiver": _stores,
    "handling": _handles,
    "without storing": _forgets,
    "kafka": _appends,
}
KINDS = {"bare uvicorn": _bare, "by hand": _by_hand, "plain": _plain, **OURS}


def main(kind: str, folder: str) -> None:
    """Serve until SIGTERM."""
    with bind("127.0.0.1", 0) as listener:
        app = KINDS[kind](Path(folder))

        def started() -> None:
            print(listener.getsockname()[1], flush=True)

        if kind in OURS:
            Server(app, listener, on_started=started).run()
            return
        server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False))
        started()
        server.run([listener])


if __name__ == "__main__":
    main(*sys.argv[1:])
