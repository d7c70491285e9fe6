# SPDX-License-Identifier: MIT
"""Packed bodies: unpacked within bounds, or refused before they are acknowledged."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Mapping
from typing import Any

from bankhook.receiver import Receiver, anyone
from receiver.asked import CREATED, answer, asking, running
from receiver.memory import MemoryInbox


def raw_deflate(body: bytes) -> bytes:
    stream = zlib.compressobj(wbits=-15)
    return stream.compress(body) + stream.flush()


ZIPPED = gzip.compress(CREATED)
PACKED = [
    ("gzip", ZIPPED),
    ("GZip", ZIPPED),
    ("x-gzip", ZIPPED),
    ("deflate", zlib.compress(CREATED)),
    ("deflate", raw_deflate(CREATED)),
    ("deflate, gzip", gzip.compress(zlib.compress(CREATED))),
    ("gzip,\tdeflate ,identity,", raw_deflate(ZIPPED)),
    ("gzip", gzip.compress(CREATED[:50]) + gzip.compress(b"") + gzip.compress(CREATED[50:])),
    ("gzip", b"".join(gzip.compress(CREATED[one : one + 1]) for one in range(len(CREATED)))),
    ("", CREATED),
    (" ", CREATED),
    ("identity", CREATED),
    ("Identity, identity", CREATED),
]
BROKEN = [
    ("gzip", ZIPPED[:-1], 400),
    ("gzip", ZIPPED[:20], 400),
    ("gzip", ZIPPED + b"garbage", 400),
    ("gzip", ZIPPED + ZIPPED[:-9], 400),
    ("gzip", ZIPPED[:-8] + bytes(8), 400),
    ("gzip", CREATED, 400),
    ("gzip", b"", 400),
    ("gzip", gzip.compress(b"") * 50_000, 400),
    ("deflate", zlib.compress(CREATED)[:-1], 400),
    ("deflate", zlib.compress(CREATED) + b"x", 400),
    ("deflate", raw_deflate(CREATED) + b"\0", 400),
    ("deflate", CREATED, 400),
    ("deflate", b"x", 400),
    ("gzip, gzip", ZIPPED, 400),
    ("gzip", gzip.compress(bytes((1 << 20) + 1)), 413),
    ("gzip", gzip.compress(bytes(200 << 20)), 413),
    ("gzip, gzip", gzip.compress(gzip.compress(bytes(900 << 20), 1), 1)[: 1 << 20], 413),
    ("deflate", raw_deflate(bytes(200 << 20)), 413),
    ("br", b"x", 415),
    ("gzip, zstd", ZIPPED, 415),
    ("compress", ZIPPED, 415),
    ("gzip gzip", ZIPPED, 415),
    (",".join(["gzip"] * 50), ZIPPED, 415),
]


@running
async def test_a_packed_body_is_verified_as_received_and_stored_unpacked() -> None:
    inbox, seen = MemoryInbox(), list[bytes]()

    def verify(headers: Mapping[str, str], body: bytes) -> bool:
        seen.append(body)
        return True

    async with asking(Receiver(inbox, verify=verify, unpack=True)) as client:
        for coding, body in PACKED:
            answered = await client.post("/webhook", content=body, headers={"content-encoding": coding})
            assert (answered.status_code, seen[-1], inbox.stored[-1].body) == (204, body, CREATED), coding
        full = gzip.compress(bytes(1 << 20))
        assert (await client.post("/webhook", content=full, headers={"content-encoding": "gzip"})).status_code == 204
        fields = [("content-encoding", "deflate"), ("content-encoding", "gzip")]
        twice = gzip.compress(raw_deflate(CREATED))
        assert (await client.post("/webhook", content=twice, headers=fields)).status_code == 204
    assert [one.body for one in inbox.stored[-2:]] == [bytes(1 << 20), CREATED]


@running
async def test_what_cannot_be_unpacked_is_refused_and_takes_no_memory() -> None:
    inbox = MemoryInbox()
    receiver = Receiver(inbox, verify=anyone, unpack=True, max_total=1 << 21)
    async with asking(receiver) as client:
        for coding, body, status in BROKEN:
            answered = await client.post("/webhook", content=body, headers={"content-encoding": coding})
            assert answered.status_code == status, (coding, body[:20])
            assert answered.headers.get("accept-encoding") == ("gzip, deflate" if status == 415 else None)
        assert (inbox.stored, receiver._bodies._total) == ([], 0)


@running
async def test_unpacked_bodies_count_for_the_memory_of_all_until_they_are_stored() -> None:
    inbox = MemoryInbox()
    receiver = Receiver(inbox, verify=anyone, unpack=True, max_total=250_000, max_body=100_000)
    packed: dict[str, Any] = {"content": gzip.compress(bytes(100_000)), "headers": {"content-encoding": "gzip"}}
    async with asking(receiver) as client:
        inbox.gate.clear()
        requests = [asyncio.create_task(client.post("/webhook", **packed)) for _ in range(5)]
        await asyncio.wait(requests, return_when=asyncio.FIRST_COMPLETED)
        inbox.gate.set()
        assert sorted([(await one).status_code for one in requests]) == [204, 204, 503, 503, 503]
        assert receiver._bodies._total == 0
        assert (await client.post("/webhook", **packed)).status_code == 204


@running
async def test_a_packed_body_is_refused_before_it_is_read_unless_it_is_unpacked() -> None:
    inbox = MemoryInbox()
    receiver = Receiver(inbox, verify=anyone)

    async def never() -> Any:
        raise AssertionError("the body is read")

    async def send(message: Any) -> None:
        sent.append(message)

    async with receiver.lifespan():
        for coding in (b"gzip", b"GZIP", b"br", b"identity, deflate"):
            sent: list[Any] = []
            scope = {"type": "http", "method": "POST", "path": "/webhook", "headers": [(b"content-encoding", coding)]}
            await receiver(scope, never, send)
            assert sent[0]["status"] == 415
            assert (b"accept-encoding", b"identity") in sent[0]["headers"]
        for coding in (b"", b"identity", b"Identity ,"):
            assert (await answer(receiver, headers=[(b"content-encoding", coding)]))[0] == 204
    assert len(inbox.stored) == 3
