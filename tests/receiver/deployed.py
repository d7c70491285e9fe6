# SPDX-License-Identifier: MIT
"""An application as the guide has it, `uvicorn receiver.deployed:app`; it opens its inbox again to look into it."""

from __future__ import annotations

import os

from fastapi import FastAPI

import bankhook
import bankhook.inbox
from bankhook.receiver import Receiver, anyone
from inbox.history import Ledger

INBOX = os.environ["INBOX"]
ledger, handlers = Ledger(INBOX), bankhook.Handlers()


@handlers.on_validated(name="credit")
def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
    """Credit what is validated, once in the life of the inbox."""
    ledger.credit(context)


async def note(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
    """Note each delivery."""
    await ledger.credit_async(context.replace(key="noted"))


handlers.on(bankhook.BankConnectionsUpdateV2)(name="note a connection")(note)
handlers.on(bankhook.InitialTransactionUpdate)(name="note a transaction")(note)
handlers.fallback(name="note another event")(note)
receiver = Receiver(
    bankhook.inbox.open(INBOX), verify=anyone, handlers=handlers, concurrency=4, trusted_proxies=["127.0.0.1"]
)
app = FastAPI(lifespan=receiver.lifespan)


@app.get("/cases")
async def cases() -> int:
    """Return how many cases there are."""
    async with bankhook.inbox.open(INBOX) as inbox:
        return len(await inbox.cases())


app.mount("/bank", receiver)
