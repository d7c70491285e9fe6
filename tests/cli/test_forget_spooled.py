# SPDX-License-Identifier: MIT
"""A member is forgotten by the command with what a spool has of them, or not at all."""

from __future__ import annotations

import asyncio
from pathlib import Path

import bankhook
import bankhook.inbox
from bankhook.inbox import examine
from cli.command import run as run_command
from inbox.postgresql import PostgreSQL

SANDBOX = bankhook.Sandbox(seed=4, members=1)
PURCHASE = SANDBOX.send_initial_transaction(SANDBOX.member(0))
MEMBER = PURCHASE.customer.id


def test_the_command_forgets_what_is_in_the_spool_too_or_refuses(tmp_path: Path) -> None:
    with PostgreSQL() as server:
        url, spool = server.url(), tmp_path / "spool.db"
        command = "inbox", "forget", "--spool", str(spool), url, MEMBER

        async def spooled_bodies() -> None:
            async with bankhook.inbox.open(url, spool=spool) as inbox:
                await inbox.append([examine(PURCHASE.raw)])

        assert "does not exist" in run_command(*command).err  # and it is not made
        assert not spool.exists()
        asyncio.run(spooled_bodies())
        server.kill()
        asyncio.run(spooled_bodies())
        refused = run_command(*command)
        assert (refused.status, "deliveries are in the spool" in refused.err) == (2, True)
        server.start()
        done = run_command(*command)
        while "deliveries are in the spool" in done.err:
            done = run_command(*command)
        assert (done.status, done.out) == (0, "forgotten=2\n")
