# SPDX-License-Identifier: MIT
"""Figures to watch: what is stored by event and state, the same from every process, whatever was removed meanwhile."""

from __future__ import annotations

import asyncio
import datetime
from collections import Counter

import bankhook
from bankhook.inbox import Inbox, examine
from inbox.history import filled, found, payloads

BODIES = [*payloads(40), b'{"event":"new"}', b'{"event":"new\\u0000"}', b"{", b'{"event":"initial_transaction_update"}']
NAMES = {None: "unreadable", "new": "unknown", "new\0": "unknown"}


async def figures(inbox: Inbox) -> dict[tuple[str, str], tuple[int, int]]:
    """The figures that are not 0."""
    stored, _ = await inbox._figures()  # type: ignore[attr-defined]
    return {place: both for place, both in stored.items() if both != (0, 0)}


async def expected(inbox: Inbox) -> dict[tuple[str, str], tuple[int, int]]:
    """The same, from all deliveries."""
    count, attempts = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for one in await found(inbox):
        place = NAMES.get(one.event, one.event or ""), one.state.value
        count[place] += 1
        attempts[place] += one.attempts if one.state != "handled" else 0
    return {place: (count[place], attempts[place]) for place in count}


def test_whoever_has_counted_before_or_not_sees_the_same(url: str) -> None:
    async def run() -> None:
        handlers, broken = bankhook.Handlers(), set[int]()

        @handlers.fallback
        def fail(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            if context.delivery.number in broken:
                raise LookupError

        async with filled(url, BODIES, attempts=2) as inbox, filled(url, []) as other:
            member = (await found(inbox))[0].member
            assert member is not None
            long_ago = datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)
            broken.update((3, 41))
            changes = (
                lambda: inbox.drain(handlers),
                lambda: inbox.append([examine(body) for body in BODIES]),
                lambda: inbox.retry([41, 43]),
                lambda: inbox.dismiss([43]),
                lambda: inbox.drain(handlers),
                lambda: inbox.forget(member),
                lambda: inbox.append([examine(body) for body in BODIES[:30]]),
                lambda: inbox.purge(before=long_ago),
            )
            seen = [await figures(inbox)]
            for change in changes:
                await change()
                seen.append(await figures(inbox))
                assert seen[-1] == await expected(inbox) == await figures(other)
            async with filled(url, []) as new:
                assert await figures(new) == seen[-1]
        assert len({str(sorted(one.items())) for one in seen}) > 5

    asyncio.run(run())
