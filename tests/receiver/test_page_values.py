# SPDX-License-Identifier: MIT
"""What the page shows without being asked: ids, as the command does, but no text, name, number or hash of a payload."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

import bankhook
import bankhook.inbox
from receiver.asked import CREATED, page, running

EVENT = bankhook.InitialTransactionUpdate.from_json(CREATED)
SANDBOX = bankhook.Sandbox(seed=1, members=1)
CONNECTED = SANDBOX.create_connection(SANDBOX.member(0))
PAGES = ("/", "/attention", "/delivery/1", "/member/1")


def test_no_value_is_shown_unless_it_is_asked_for(tmp_path: Path) -> None:
    bought = EVENT.initial_transaction
    values = [EVENT.customer.external_id, str(bought.store_name), str(bought.amount)]
    values += [CONNECTED.connection.bank, CONNECTED.connection.accounts[0].account_hash or ""]
    broken = CREATED.replace(b'"status":', b'"status":5,"x":')

    @running
    async def look() -> None:
        async with page(tmp_path, CREATED, broken, CONNECTED.raw) as client:
            async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
                await inbox.drain(bankhook.Handlers())
            for path in (*PAGES, "/delivery/2", "/delivery/3"):
                text = (await client.get(path)).text
                assert [value for value in values if value in text] == [], path
            paths = [f"/delivery/{number}?values=1" for number in (1, 3)]
            shown = "".join([(await client.get(path)).text for path in paths])
            assert [value for value in values if value not in shown] == []
            assert str(bought.amount) in (await client.get("/member/1?values=1")).text

    look()


def test_an_event_is_shown_as_a_tree_without_its_values(tmp_path: Path) -> None:
    """Its ids and listed values are there, and what is null or absent; not the id or the hash of an account."""
    account = CONNECTED.connection.accounts[0]

    @running
    async def look() -> None:
        async with page(tmp_path, CREATED, CONNECTED.raw, b'{"event":"Jean Dupont"}') as client:
            first, second, unknown = [(await client.get(f"/delivery/{number}")).text for number in (1, 2, 3)]
            assert ("rejection_reason" in first, ">null<" in first, "store_name" in first) == (True, True, True)
            assert (">update<" in second or ">create<" in second, CONNECTED.connection.id in second) == (True, True)
            assert [one for one in (account.id, account.account_hash or "-") if one in second] == []
            assert ("UnknownEvent" in unknown, "Jean" in unknown) == (False, False)

    look()


def test_ids_are_shown_and_that_of_a_member_leads_to_its_page(tmp_path: Path) -> None:
    member, bought, connection = EVENT.customer.id, EVENT.initial_transaction.id, CONNECTED.connection.id
    link = f'<a href="/member/1"><span class="bh-code"><bdi>{member}</bdi></span></a>'

    @running
    async def look() -> None:
        old = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=5)
        async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
            await inbox.append([bankhook.inbox.examine(body, received=old) for body in (CREATED, CONNECTED.raw)])
            await inbox.drain(bankhook.Handlers())
        async with page(tmp_path, CREATED.replace(b'"status":', b'"status":5,"x":')) as client:
            for path in ("/", "/delivery/1", "/attention"):
                text = (await client.get(path)).text
                assert (link in text, bought in text) == (True, True), path
            text = (await client.get("/member/1")).text
            assert [one for one in (member, bought, connection) if one not in text] == []

    look()


def test_a_name_that_the_sender_chose_is_shown_only_if_it_is_asked_for(tmp_path: Path) -> None:
    private = b'"Jean Dupont":{"Marie":1},"status":5,"'
    bodies = [CREATED.replace(b'"status":"created","', private), b'{Jean: "Dupont"}', b'{"Jean Dupont', b'{"event":"Jean"}']

    @running
    async def look() -> None:
        async with page(tmp_path, *bodies) as client:
            for path in ("/", "/attention", *(f"/delivery/{number}" for number in range(1, 5))):
                text = (await client.get(path)).text
                assert [name for name in ("Jean", "Dupont", "Marie") if name in text] == [], path
            text = (await client.get("/delivery/1")).text
            assert "$.initialTransaction[…]" in text
            assert "$.initialTransaction.status" in text
            assert "rejectionReason" in text
            assert "Jean Dupont" in (await client.get("/delivery/1?values=1")).text

    look()


def test_the_page_of_a_member_shows_when_consent_ends_and_the_bank_if_it_is_asked_for(tmp_path: Path) -> None:
    sandbox = bankhook.Sandbox(seed=1, members=1)
    connected = sandbox.create_connection(sandbox.member(0))

    @running
    async def look() -> None:
        async with page(tmp_path, connected.to_json()) as client:
            async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
                await inbox.drain(bankhook.Handlers())
            text, values = [(await client.get(f"/member/1{asked}")).text for asked in ("", "?values=1")]
            consent = str(connected.to_wire()["connection"]["consentExpiresAt"])
            assert (consent in text, connected.connection.bank in text) == (True, False)
            assert consent in values and connected.connection.bank in values

    look()


@pytest.mark.parametrize("id", ["m", "m" * 300])
def test_the_page_of_a_member_shows_what_is_tracked_whatever_the_length_of_its_id(tmp_path: Path, id: str) -> None:
    event = EVENT.replace(customer=EVENT.customer.replace(id=id))

    @running
    async def look() -> None:
        async with page(tmp_path, event.to_json()) as client:
            async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
                await inbox.drain(bankhook.Handlers())
            _, tracked = (await client.get("/member/1")).text.split("state of the transaction")
            assert EVENT.initial_transaction.id in tracked.partition("</table>")[0]
            assert str(EVENT.initial_transaction.amount) in (await client.get("/member/1?values=1")).text

    look()
