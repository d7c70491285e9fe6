# SPDX-License-Identifier: MIT
"""What every process of the inbox includes: its handlers, one of which writes a mail in the transaction of its delivery.

A delivery is handled by one process, which calls its own handlers only. So give the same ones to all of them:
`Receiver(handlers=handlers)`, or `python handlers.py`, as often as you need workers.
"""

from __future__ import annotations

import asyncio
import os
import signal

from sqlalchemy import Column, DateTime, Integer, MetaData, Table, Text, func

import bankhook
import bankhook.inbox

INBOX = os.environ["INBOX"]  # postgresql://USER@HOST/NAME
metadata = MetaData()
outbox = Table(
    "outbox",
    metadata,
    Column("key", Text, primary_key=True),
    Column("member", Text, nullable=False),
    Column("due", DateTime(timezone=True), nullable=False, server_default=func.now(), index=True),
    Column("refused", Integer, nullable=False, server_default="0"),
    Column("sent", DateTime(timezone=True)),
)
handlers = bankhook.Handlers()


@handlers.on_validated(name="mail")
async def write_mail(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
    """Write a mail: its key is the same whenever the handler is called for that purchase."""
    connection = await context.begin()
    await connection.execute(outbox.insert(), {"key": context.key, "member": event.customer.external_id})


async def main() -> None:
    """Handle deliveries until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with bankhook.inbox.open(INBOX) as inbox:
        await inbox.run(handlers, stop=stop)


if __name__ == "__main__":
    asyncio.run(main())
