# SPDX-License-Identifier: MIT
"""Call handlers for the deliveries of a topic, those of a member in order: `python consumer.py SERVERS TOPIC DATABASE`."""

import sqlite3
import sys

from confluent_kafka import Consumer, Message

import bankhook
from bankhook.inbox import examine

servers, topic, database = *sys.argv[1:3], sqlite3.connect(sys.argv[3])
database.execute("create table if not exists handled (delivery text primary key)")
database.execute("create table if not exists members (member text primary key, snapshot blob)")
database.execute("create table if not exists points (purchase text, amount text)")
handlers = bankhook.Handlers()


@handlers.on_validated
def give_points(event: bankhook.InitialTransactionUpdate) -> None:
    """Write an effect of your own, in the same transaction as all else."""
    purchase = event.initial_transaction
    database.execute("insert into points values (?, ?)", (purchase.id, str(purchase.amount)))


def handle(message: Message) -> None:
    """Handle a delivery, unless it was handled before: offsets are committed after the effects, and senders repeat themselves."""
    name = dict(message.headers() or ()).get("delivery-id", f"{message.partition()}/{message.offset()}")
    one = examine(message.value() or b"")
    if one.findings or not database.execute("insert or ignore into handled values (?)", (name,)).rowcount:
        return
    row = database.execute("select snapshot from members where member = ?", (one.member,)).fetchone()
    event, tracker = bankhook.parse(one.body), bankhook.Tracker.restore(row[0]) if row else bankhook.Tracker()
    for call in handlers.calls(event, tracker.peek(event)):
        call.run()
    tracker.apply(event)
    database.execute("insert or replace into members values (?, ?)", (one.member, tracker.snapshot()))


settings = {"bootstrap.servers": servers, "group.id": "points", "auto.offset.reset": "earliest"}
consumer = Consumer(settings | {"enable.auto.commit": False, "session.timeout.ms": 6000})
consumer.subscribe([topic])
while True:
    messages = [one for one in consumer.consume(100, timeout=1) if one.error() is None]
    with database:  # all of it, or nothing if a handler raises, and then the next start handles it again
        for message in messages:
            handle(message)
    if messages:
        consumer.commit(asynchronous=False)
