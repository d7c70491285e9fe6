# SPDX-License-Identifier: MIT
"""What is special about an inbox on NATS: sizes, outages, and a server whose streams are made on first use."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from nats.js.api import PubAck
from nats.js.errors import NoStreamResponseError

import bankhook
import bankhook.inbox
from bankhook.inbox import Inbox, InboxError, Query, examine
from bankhook.inbox._nats.connection import Connection, Message
from bankhook.receiver._log import Log
from bankhook.receiver._metrics import Metrics
from bankhook.receiver._requests import TurnedAway
from bankhook.receiver._writer import Writer
from inbox.nats_server import NatsServer

pytestmark = pytest.mark.nats

PAYLOADS = [delivery.payload for delivery in bankhook.Sandbox(seed=5, members=4).deliveries(60)]


async def numbers(inbox: Inbox, query: Query | None = None) -> list[int]:
    return [delivery.number async for delivery in inbox.find(query)]


def test_a_delivery_that_the_server_does_not_take_is_an_error_that_says_why(nats: NatsServer) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(nats.url()) as inbox:
            large = examine(b"[" + b" " * 1_048_576)
            with pytest.raises(InboxError, match="the server takes 1048576: raise its max_payload"):
                await inbox.append([examine(PAYLOADS[0]), large])
            with pytest.raises(InboxError, match="headers of a delivery take"):
                await inbox.append([examine(b"{}", headers=[("x", "y" * 70_000)])])
            assert await numbers(inbox) == []
            assert await inbox.append([examine(PAYLOADS[0])]) == [1]

    asyncio.run(run())


def test_what_is_too_large_for_the_server_does_not_fail_what_a_receiver_stores_with_it(nats: NatsServer) -> None:
    async def run() -> None:
        async with bankhook.inbox.open(nats.url()) as inbox:
            writer = Writer(inbox, Metrics(), Log(), max_waiting=10)
            writer.start()
            bodies = [PAYLOADS[0], b"[" + b" " * 1_048_576, PAYLOADS[1]]
            answers = await asyncio.gather(
                *(writer.append(examine(body), seconds=60) for body in bodies), return_exceptions=True
            )
            assert isinstance(answers[1], TurnedAway) and answers[1].status == 413
            assert [answers[0], answers[2]] == await numbers(inbox) == [1, 2]
            assert writer.can_write
            await writer.close()

    asyncio.run(run())


def test_more_findings_than_a_header_can_hold_are_read_from_the_body_again(nats: NatsServer) -> None:
    async def run() -> None:
        flood = examine(b"{}").replace(findings=examine(b"{}").findings * 1000)
        async with bankhook.inbox.open(nats.url()) as inbox:
            await inbox.append([flood, examine(PAYLOADS[0])])
            (first,) = [one async for one in inbox.find(Query(rule=flood.findings[0].rule))]
            assert first.findings == examine(b"{}").findings

    asyncio.run(run())


def test_while_the_server_is_away_appending_fails_in_time_and_works_again_afterwards() -> None:
    async def run(server: NatsServer) -> None:
        async with bankhook.inbox.open(server.url(timeout=1)) as inbox:
            await inbox.append([examine(PAYLOADS[0])])
            server.kill()
            arrival = examine(PAYLOADS[1])
            for _ in range(2):
                async with asyncio.timeout(60):
                    with pytest.raises(InboxError, match=r"no answer from 127\.0\.0\.1:\d+ within 1 s"):
                        await inbox.append([arrival])
                    with pytest.raises(InboxError):
                        await inbox.counts()
            server.start()
            await until_stored(inbox, [arrival, examine(PAYLOADS[2])])
            bodies = [one.body async for one in inbox.find()]
            assert bodies == PAYLOADS[:3]

    with NatsServer() as server:
        asyncio.run(run(server))


def test_an_answer_that_comes_too_late_does_not_lead_to_a_second_copy() -> None:
    async def run(server: NatsServer) -> None:
        async with bankhook.inbox.open(server.url(timeout=1)) as inbox:
            batch = [examine(body) for body in PAYLOADS[:5]]
            server.pause()
            with pytest.raises(InboxError, match="no answer"):
                await inbox.append(batch)
            server.resume()
            await until_stored(inbox, batch)
            assert [one.body async for one in inbox.find()] == PAYLOADS[:5]
            await inbox.append(batch)  # once it was stored, the same is another delivery
            assert len(await numbers(inbox)) == 10

    with NatsServer() as server:
        asyncio.run(run(server))


def test_what_the_server_refused_at_first_comes_before_what_follows_of_its_member(
    nats: NatsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        publish, refused = Connection.publish, list[Message]()

        async def refusing(connection: Connection, messages: Sequence[Message]) -> list[PubAck | BaseException]:
            if len(refused) % 2 == 0:  # one now and then, as while the stream is not loaded yet
                refused.append(messages[0])
                return [NoStreamResponseError(), *await publish(connection, messages[1:])]
            refused.append(messages[0])
            return await publish(connection, messages)

        monkeypatch.setattr(Connection, "publish", refusing)
        async with bankhook.inbox.open(nats.url()) as inbox:
            stored = await inbox.append([examine(body) for body in PAYLOADS])
            found = [(one.number, one.member, one.body) async for one in inbox.find()]
        assert len(refused) > 10
        assert {number: body for number, _, body in found} == dict(zip(stored, PAYLOADS, strict=True))
        for member in {member for _, member, _ in found}:
            of_member = [body for _, one, body in found if one == member]
            assert of_member == [body for body in PAYLOADS if examine(body).member == member]

    asyncio.run(run())


async def until_stored(inbox: Inbox, arrivals: list[bankhook.inbox.Arrival]) -> None:
    """Append, as a client does that tries again; only the time limit of the tests ends it."""
    while True:
        try:
            await inbox.append(arrivals)
            return
        except InboxError:
            await asyncio.sleep(0.01)


def test_a_server_that_cannot_be_reached_is_an_error_without_its_password() -> None:
    async def run() -> None:
        async with bankhook.inbox.open("nats://user:secret@127.0.0.1:1/x?timeout=0.3"):
            pass

    with pytest.raises(InboxError, match=r"NATS: connect: .*127\.0\.0\.1:1") as caught:
        asyncio.run(run())
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nats://", "expected a host"),
        ("nats://localhost/a.b", "expected 1 to 64 of"),
        ("nats://localhost/x?partition=3", "found 'partition'"),
        ("nats://localhost/x?partitions=1.5", "partitions: expected a whole number, at least 1"),
        ("nats://localhost/x?timeout=soon", r"timeout: expected a number of seconds, at least 0\.1"),
    ],
)
def test_a_url_that_names_no_inbox_is_refused(url: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bankhook.inbox.open(url)


def test_partitions_and_patience_are_those_of_the_first_start(nats: NatsServer) -> None:
    async def run() -> None:
        url = nats.url(partitions=3, ack_wait=2)
        async with bankhook.inbox.open(url) as inbox:
            await inbox.append([examine(body) for body in PAYLOADS])
        async with bankhook.inbox.open(
            url.replace("partitions=3", "partitions=32").replace("ack_wait=2", "ack_wait=9")
        ) as inbox:
            layout = inbox._layout  # type: ignore[attr-defined]
            assert (layout.partitions, layout.ack_wait) == (3, 2)
            member = examine(PAYLOADS[0]).member
            expected = [n for n, body in enumerate(PAYLOADS, 1) if examine(body).member == member]
            assert await numbers(inbox, Query(member=member)) == expected

    asyncio.run(run())


def test_another_stream_of_the_same_name_is_left_alone(nats: NatsServer) -> None:
    async def run() -> None:
        import nats as client

        url = nats.url()
        name = url.partition("?")[0].rpartition("/")[2]
        connection = await client.connect(f"nats://127.0.0.1:{nats.port}")
        await connection.jetstream().add_stream(name=f"{name}_deliveries", subjects=["something.else"])
        await connection.close()
        with pytest.raises(InboxError, match="is not one of an inbox"):
            async with bankhook.inbox.open(url):
                pass

    asyncio.run(run())
