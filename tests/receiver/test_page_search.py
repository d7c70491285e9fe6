# SPDX-License-Identifier: MIT
"""The list of the page: what one search field finds, where the list goes on, and what it reports where it is empty."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, InboxError
from bankhook.receiver import Receiver, anyone
from bankhook.receiver._page import search
from bankhook.receiver._page.routes import routes
from inbox.postgresql import PostgreSQL
from receiver.asked import CREATED, asking, page, running
from receiver.memory import MemoryInbox

HOSTILE = "<script>alert(1)</script>\"'>\u202e\x00{{7*7}}\ud83d"
SANDBOX = bankhook.Sandbox(seed=2, members=2)
FIRST, SECOND = (SANDBOX.send_initial_transaction(SANDBOX.member(number)) for number in (0, 1))
CONNECTED = SANDBOX.create_connection(SANDBOX.member(0))


async def numbers(client: httpx.AsyncClient, path: str = "/", **query: str | int) -> list[int]:
    """The numbers of the rows."""
    text = (await client.get(path, params=query or None)).text
    return [int(number) for number in re.findall(r'<td><a href="/delivery/(\d+)', text)]


def links(text: str, of: str = "Parts of the list") -> dict[str, str]:
    """The links of a part of the page by what they say."""
    inner = re.findall(rf'<nav class="pages" aria-label="{of}">(.*?)</nav>', text, re.DOTALL)
    return {name: unescape(href) for href, name in re.findall(r'href="([^"]*)">([^<]*)</a>', inner[0])} if inner else {}


def test_one_field_finds_deliveries_by_each_of_their_ids(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path, FIRST.raw, SECOND.raw, CONNECTED.raw, b"{") as client:
            found = {
                FIRST.customer.id: [3, 1],
                f"  {FIRST.customer.id} ": [3, 1],
                SECOND.initial_transaction.id: [2],
                CONNECTED.connection.id: [3],
                "bank_connections_update_v2": [3],
                "payload_is_json_object": [4],
                "2": [2],
                "": [4, 3, 2, 1],
                "0": [],
                "9" * 18: [],
                "9" * 5000: [],
                "nobody": [],
                HOSTILE.encode("utf-8", "replace").decode(): [],
            }
            for text, expected in found.items():
                assert await numbers(client, q=text) == expected, text
            assert await numbers(client, q=FIRST.customer.id, state="quarantined") == []
            assert await numbers(client, state="quarantined") == [4]
            assert await numbers(client, at="no number", after="-1") == [4, 3, 2, 1]
            assert await numbers(client, q=FIRST.customer.id, at=2) == [1]

    look()


def test_a_transaction_with_the_id_of_another_members_is_found_with_it_and_with_that_number(tmp_path: Path) -> None:
    same = SECOND.replace(initial_transaction=SECOND.initial_transaction.replace(id="2")).to_json()

    @running
    async def look() -> None:
        async with page(tmp_path, same, FIRST.raw, same) as client:
            assert await numbers(client, q="2") == [3, 2, 1]

    look()


def test_an_external_id_leads_to_its_member_or_to_each_that_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    external = FIRST.customer.external_id
    other = SECOND.replace(customer=SECOND.customer.replace(external_id=external)).to_json()

    @running
    async def look() -> None:
        async with page(tmp_path, FIRST.raw, SECOND.raw, CONNECTED.raw, b"{") as client:
            answer = await client.get("/", params={"q": external, "values": "1"})
            assert (answer.status_code, answer.headers["location"]) == (303, "/member/3?values=1")
            elsewhere = await client.get("/", params={"q": external}, headers={"sec-fetch-site": "cross-site"})
            assert elsewhere.status_code == 200  # what other pages lead to reads no payloads
            monkeypatch.setattr(search, "SCANNED", 1)
            text = (await client.get("/", params={"q": external})).text
            assert "Of the newest 1, none has it as the external id" in text
            (in_all,) = re.findall('href="([^"]*)">Look for the external id in all 4<', text)
            assert (await client.get(unescape(in_all))).headers["location"] == "/member/3"
            assert "None has it as the external id" in (await client.get("/?q=nobody&all=1")).text
            await client.post("/webhook", content=other)
            text = (await client.get(unescape(in_all))).text
            assert "2 members have this external id" in text
            assert await numbers(client, unescape(in_all)) == [5, 3]

    look()


def test_many_deliveries_are_shown_in_parts_that_leave_none_out_in_either_direction(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path, *[CREATED] * 250, b"{") as client:
            for query in ("", f"?q={bankhook.parse(CREATED).to_wire()['customer']['id']}", "?state=pending"):
                seen, path, newest = list[int](), f"/{query}", ""
                while path:
                    text = (await client.get(path)).text
                    seen += await numbers(client, path)
                    newest, path = path, links(text).get("Older", "")
                assert seen == list(range(250 if query else 251, 0, -1))
                backwards, path = list[int](), links((await client.get(f"/{query}")).text)["Oldest"]
                assert await numbers(client, path) == list(range(100, 0, -1))
                while path:
                    found = await numbers(client, path)
                    backwards = [one for one in found if one not in backwards] + backwards
                    path = links((await client.get(path)).text).get("Newer", "")
                assert backwards == seen
                assert links((await client.get(newest)).text).keys() == {"Newest", "Newer"}
            assert "Numbers 251 to 152 of 251 deliveries" in (await client.get("/")).text
            assert "Numbers 151 to 52 of 251 deliveries" in (await client.get("/?at=151")).text
            assert "1 found" in (await client.get("/?q=251")).text
            assert (await numbers(client, at=0), await numbers(client, after=10**17)) == ([], list(range(251, 151, -1)))

    look()


def test_a_delivery_leads_to_the_next_ones_of_the_list_that_it_was_in(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path, b"{", CREATED, b"[", CREATED) as client:
            text = (await client.get("/?state=quarantined")).text
            assert '<a href="/delivery/3?state=quarantined">' in text
            within = links((await client.get("/delivery/3?state=quarantined&values=1")).text, "Other deliveries")
            assert within == {
                "Quarantined": "/?state=quarantined&values=1",
                "Older: 1": "/delivery/1?state=quarantined&values=1",
            }
            every = links((await client.get("/delivery/3")).text, "Other deliveries")
            assert every == {"All": "/", "Newer: 4": "/delivery/4", "Older: 2": "/delivery/2"}

    look()


def test_what_finds_nothing_is_repeated_and_leads_back(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path, CREATED) as client:
            said = {
                "/?q=nobody": "No delivery has nobody as its number",
                "/?q=nobody&state=parked": "No delivery that is parked has nobody as its number",
                "/?state=foo": "There is no state foo.",
                "/?state=parked": "No delivery is parked.",
                "/?at=0": "No delivery has number 0 or a lower one.",
                "/?at=0&q=nobody": "No delivery with nobody has number 0",
            }
            for path, sentence in said.items():
                text = (await client.get(path)).text
                assert sentence in re.sub(r"\s+", " ", re.sub("<[^>]*>", "", text)), path
                assert 'href="/">All deliveries</a>' in text, path
            for number in ("5", "0", "-1", "x", "9" * 18, "9" * 30, "9" * 6000):
                for kind in ("delivery", "member"):
                    answer = await client.get(f"/{kind}/{number}")
                    assert (answer.status_code, "<h1>No such delivery</h1>" in answer.text) == (404, True), number

    look()


def test_every_page_has_a_title_a_heading_and_columns_with_names(tmp_path: Path) -> None:
    titles = {
        "/": "Deliveries",
        "/?q=nobody": "Search",
        "/attention": "Needs a person",
        "/delivery/1": "Delivery 1",
        "/member/1": "Member of delivery 1",
        "/delivery/9": "No such delivery",
        "/dismiss?rule=payload_is_json_object": "Dismiss 1?",
    }

    @running
    async def look() -> None:
        async with page(tmp_path, CREATED, b"{") as client:
            for path, title in titles.items():
                text = (await client.get(path)).text
                assert f"<title>{title} - bankhook</title>" in text, path
                assert (text.count("<h1>"), "<th>" in text, '<nav aria-label="Pages">' in text) == (1, False, True), path

    look()


def test_an_empty_inbox_says_where_it_takes_deliveries_and_a_line_delivers_some(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        inbox = bankhook.inbox.open(tmp_path / "inbox.db")
        beside = routes(inbox, path="/bank/webhook", signed=" --sign header:X-Secret --secret-file FILE")
        async with asking(Receiver(inbox, verify=anyone)._serve_beside(beside)) as client:
            client.base_url = httpx.URL("http://127.0.0.1:8000")
            text = (await client.get("/")).text
            first, second = (unescape(one) for one in re.findall("<code>(.*?)</code>", text))
            assert first == "http://127.0.0.1:8000/bank/webhook"
            line = f"bankhook send {first} -n 20 --faults 0.1 --sign header:X-Secret --secret-file FILE"
            assert shlex.split(second) == line.split()

    look()


def test_the_worker_that_the_page_shows_handles_what_is_pending(tmp_path: Path) -> None:
    hint = "because nothing has handled any yet"

    @running
    async def look() -> None:
        inbox = bankhook.inbox.open(tmp_path / "inbox.db")
        receiver = Receiver(inbox, verify=anyone)._serve_beside(routes(inbox, url=str(tmp_path / "inbox.db")))
        async with asking(receiver) as client:
            client.base_url = httpx.URL("http://127.0.0.1:8000")
            assert hint not in (await client.get("/")).text
            await client.post("/webhook", content=CREATED)
            while hint not in (text := (await client.get("/")).text):  # counts are shared for a moment
                pass
            (worker,) = re.findall("<pre><code>(.*?)</code></pre>", text, re.DOTALL)
            with subprocess.Popen(
                [sys.executable, "-u", "-c", unescape(worker)], stdout=subprocess.PIPE, text=True
            ) as process:
                try:
                    assert process.stdout is not None
                    assert process.stdout.readline() == "InitialTransactionUpdate\n"
                    await receiver.idle()
                finally:
                    process.kill()
        async with page(tmp_path) as client:
            assert hint not in (await client.get("/")).text

    look()


@pytest.mark.slow
def test_hostile_texts_and_numbers_are_answered_in_postgresql_too() -> None:
    own = {"origin": "http://127.0.0.1:8000"}
    odd = FIRST.replace(customer=FIRST.customer.replace(id="m\x00<b>", external_id="\x00'; --")).to_json()

    @running
    async def look() -> None:
        inbox = bankhook.inbox.open(server.url())
        async with asking(Receiver(inbox, verify=anyone)._serve_beside(routes(inbox))) as client:
            client.base_url = httpx.URL("http://127.0.0.1:8000")
            for body in (odd, b"{"):
                await client.post("/webhook", content=body)
            for text, expected in {
                "m\x00<b>": [1],
                "\x00": [],
                HOSTILE[:-1]: [],
                "a" * 60_000: [],
                "9" * 18: [],
                "2": [2],
            }.items():
                assert await numbers(client, q=text) == expected, text
            assert (await client.get("/", params={"q": "\x00'; --"})).headers["location"] == "/member/1"
            for number in ("9" * 18, "0"):
                assert (await client.get("/", params={"at": number, "after": number})).status_code == 200
                assert (await client.post("/dismiss", data={"number": number}, headers=own)).status_code == 303
            for rule in ("\x00", "no such rule"):
                answer = await client.post("/dismiss", data={"rule": rule, "before": "9" * 18}, headers=own)
                assert answer.headers["location"] == "/attention?done=dismiss&count=0"
            assert await numbers(client, state="quarantined") == [2]

    with PostgreSQL() as server:
        look()


class Away(MemoryInbox):
    """An inbox whose store does not answer."""

    async def counts(self) -> dict[DeliveryState, int]:
        raise InboxError("cannot read the inbox: the server <closed> the connection")

    async def find(self, *_: object, **__: object) -> AsyncIterator[Any]:
        raise InboxError("cannot read the inbox: the server <closed> the connection")
        yield


@running
async def test_a_page_says_that_its_inbox_is_away() -> None:
    inbox = Away()
    async with asking(Receiver(inbox, verify=anyone)._serve_beside(routes(inbox))) as client:
        client.base_url = httpx.URL("http://127.0.0.1:8000")
        for path in ("/", "/?q=x", "/attention", "/delivery/1", "/member/1", "/dismiss?rule=payload_is_json_object"):
            answer = await client.get(path)
            assert (answer.status_code, "the server &lt;closed&gt; the connection." in answer.text) == (503, True), path
        assert (await client.get("/static/page.css")).status_code == 200
