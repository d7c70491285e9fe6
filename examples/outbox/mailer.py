# SPDX-License-Identifier: MIT
"""E-mail once, by any number of workers: a handler writes a row in the transaction of its delivery, and a task sends it.

`alembic upgrade head` makes the table, in the database of the inbox. Then `python mailer.py`, as often as you need workers.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import smtplib
from email.message import EmailMessage
from urllib.parse import quote

from sqlalchemy import Column, DateTime, Engine, MetaData, Table, Text, create_engine, func, make_url, select, update

import bankhook
import bankhook.inbox

INBOX = os.environ["INBOX"]  # postgresql://USER@HOST/NAME
metadata = MetaData()
outbox = Table(
    "outbox",
    metadata,
    Column("key", Text, primary_key=True),
    Column("member", Text, nullable=False),
    Column("written", DateTime(timezone=True), nullable=False, server_default=func.now(), index=True),
    Column("sent", DateTime(timezone=True)),
)
# No other worker gets a row that this one has locked, and none waits for it.
NEXT = select(outbox).where(outbox.c.sent.is_(None)).order_by(outbox.c.written).limit(1).with_for_update(skip_locked=True)
handlers = bankhook.Handlers()


@handlers.on_validated(name="mail")
async def write_mail(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
    """Write a mail: its key is the same whenever the handler is called for that purchase."""
    connection = await context.begin()
    await connection.execute(outbox.insert(), {"key": context.key, "member": event.customer.external_id})


def send_next(database: Engine, server: smtplib.SMTP) -> bool:
    """Send a mail that no other worker is sending; return whether there was one.

    A worker that is killed before the commit lets go of the row, and another one sends it again, with the same Message-ID.
    """
    with database.begin() as connection:
        if (row := connection.execute(NEXT).first()) is None:
            return False
        mail = EmailMessage()
        mail["From"], mail["To"] = os.environ["MAIL_FROM"], f"{row.member}@{os.environ['MAIL_DOMAIN']}"
        mail["Subject"] = "Your purchase is validated"
        mail["Message-ID"] = f"<{quote(row.key, safe='')}@{os.environ['MAIL_DOMAIN']}>"
        server.send_message(mail)
        connection.execute(update(outbox).where(outbox.c.key == row.key).values(sent=func.now()))
    return True


def send_all(database: Engine) -> None:
    """Send what waits."""
    with smtplib.SMTP(os.environ["MAIL_SERVER"], int(os.environ["MAIL_PORT"]), timeout=30) as server:
        while send_next(database, server):
            pass


async def main() -> None:
    """Handle deliveries and send mails until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    database = create_engine(make_url(INBOX).set(drivername="postgresql+psycopg"))
    async with bankhook.inbox.open(INBOX) as inbox, asyncio.TaskGroup() as tasks:
        tasks.create_task(inbox.run(handlers, stop=stop))
        while not stop.is_set():
            try:
                await asyncio.to_thread(send_all, database)
            except OSError as error:  # the mail server is away: the rows wait
                print(f"mails wait: {type(error).__name__}")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), 1)


if __name__ == "__main__":
    asyncio.run(main())
