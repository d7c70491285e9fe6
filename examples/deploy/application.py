# SPDX-License-Identifier: MIT
"""A receiver in a FastAPI application, for a server: settings come from the environment, secrets from files."""

from __future__ import annotations

import os
from pathlib import Path

from fastapi import FastAPI
from sqlalchemy import text

import bankhook
import bankhook.inbox
from bankhook.receiver import Receiver, hmac_signature

ADD = text("INSERT INTO points (transaction_id, amount) VALUES (:id, :amount) ON CONFLICT DO NOTHING")
handlers = bankhook.Handlers()


@handlers.on_validated
def give_points(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
    """Give points once for a purchase: the row is committed together with the state of the delivery."""
    purchase = event.initial_transaction
    context.begin().execute(ADD, {"id": purchase.id, "amount": str(purchase.amount)})


# One secret a line: while a secret is replaced, the new one and the old one.
secrets = Path(os.environ["BANKHOOK_VERIFY"]).read_text().split()
receiver = Receiver(
    bankhook.inbox.open(os.environ["BANKHOOK_INBOX"]),  # a path, or postgresql://USER@HOST/NAME
    # Which header your sender signs with, and how, is in your contract: the document does not say.
    verify=hmac_signature(header=os.environ["BANKHOOK_SIGNATURE_HEADER"], secret=secrets),
    handlers=handlers,
    concurrency=4,
    trusted_proxies=os.environ.get("BANKHOOK_PROXIES", "127.0.0.1").split(","),
)
app = FastAPI(lifespan=receiver.lifespan)
app.mount("/bank", receiver)
