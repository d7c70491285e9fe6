# SPDX-License-Identifier: MIT
"""A process that receives and handles: `python -m receiver.chained INBOX PORT`. What it credits is in the inbox's database."""

from __future__ import annotations

import sys

import bankhook
import bankhook.inbox
from bankhook.receiver import Receiver, anyone
from bankhook.receiver._server import Server, bind
from inbox.history import Ledger


def main(inbox: str, port: int) -> None:
    """Serve until the process is killed."""
    handlers = bankhook.Handlers()

    @handlers.on_validated(name="credit")
    def credit(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
        Ledger.credit(context)

    Ledger(inbox)
    Server(Receiver(bankhook.inbox.open(inbox), verify=anyone, handlers=handlers), bind("127.0.0.1", port)).run()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
