# SPDX-License-Identifier: MIT
"""E-mail once, by any number of mailers: they send the rows that a handler writes in the transaction of its delivery.

`alembic upgrade head` makes the table, in the database of the inbox. Then `python mailer.py`, beside what handles deliveries.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import os
import signal
import smtplib
from email.message import EmailMessage
from urllib.parse import quote

from handlers import INBOX, outbox
from sqlalchemy import Engine, Row, create_engine, func, make_url, select, update
from sqlalchemy.exc import DBAPIError

ATTEMPTS = 10  # for a mail that is refused: the last one after two days; a row that was refused so often is for a person
PAUSE = datetime.timedelta(minutes=5)  # after the first one; it doubles
# What is about one mail. Everything else is about the server: then all of them wait.
REFUSED = (smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError, smtplib.SMTPNotSupportedError, ValueError)
# No other mailer gets a row that this one has locked, and none waits for it.
NEXT = (
    select(outbox)
    .where(outbox.c.sent.is_(None), outbox.c.due <= func.now(), outbox.c.refused < ATTEMPTS)
    .order_by(outbox.c.due)
    .limit(1)
    .with_for_update(skip_locked=True)
)


def send(row: Row[tuple[object, ...]], server: smtplib.SMTP) -> None:
    """Send the mail of a row."""
    mail = EmailMessage()
    mail["From"], mail["To"] = os.environ["MAIL_FROM"], f"{row.member}@{os.environ['MAIL_DOMAIN']}"
    mail["Subject"] = "Your purchase is validated"
    mail["Message-ID"] = f"<{quote(row.key, safe='')}@{os.environ['MAIL_DOMAIN']}>"
    server.send_message(mail)


def send_next(database: Engine, server: smtplib.SMTP) -> bool:
    """Send a mail that no other mailer is sending, or set it aside if it is refused; return whether there was one.

    A mailer that is killed before the commit lets go of the row, and another one sends it again, with the same Message-ID.
    """
    with database.begin() as connection:
        if (row := connection.execute(NEXT).first()) is None:
            return False
        change = update(outbox).where(outbox.c.key == row.key)
        try:
            send(row, server)
        except REFUSED as error:
            print(f"a mail is refused: {type(error).__name__}, its key is {row.key}", flush=True)
            later = {"refused": row.refused + 1, "due": func.now() + PAUSE * 2**row.refused}
            connection.execute(change.values(later))
        else:
            connection.execute(change.values(sent=func.now()))
    return True


def send_all(database: Engine, stop: asyncio.Event) -> None:
    """Send what is due."""
    with smtplib.SMTP(os.environ["MAIL_SERVER"], int(os.environ["MAIL_PORT"]), timeout=30) as server:
        while not stop.is_set() and send_next(database, server):
            pass


async def main() -> None:
    """Send mails until SIGTERM."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    database = create_engine(make_url(INBOX).set(drivername="postgresql+psycopg"), pool_pre_ping=True)
    problem = None
    while not stop.is_set():
        before, problem = problem, None
        try:
            await asyncio.to_thread(send_all, database, stop)
        except (OSError, DBAPIError) as error:  # the mail server or the database is away: the rows wait
            problem = type(error).__name__
        if problem != before:
            print(f"mails wait: {problem}" if problem else "mails are sent again", flush=True)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), 1)


if __name__ == "__main__":
    asyncio.run(main())
