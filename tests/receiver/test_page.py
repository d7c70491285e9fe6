# SPDX-License-Identifier: MIT
"""The page for people: what it shows of deliveries, hostile ones too, and what its buttons do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import urlencode

import bankhook
import bankhook.inbox
from bankhook.inbox import DeliveryState, Query
from bankhook.receiver._page import views
from receiver.asked import CREATED, page, running

HOSTILE = "<script>alert(1)</script>\"'>\u202e\x00{{7*7}}"
PAGES = ("/", "/attention", "/delivery/1", "/member/1")


def hostile() -> bytes:
    """An event whose texts are markup, with another line of findings."""
    wire = json.loads(CREATED)
    wire["customer"]["id"] = wire["customer"]["externalId"] = wire["initialTransaction"]["id"] = HOSTILE
    wire["initialTransaction"]["storeName"] = wire["eventType"] = HOSTILE
    wire[HOSTILE] = HOSTILE
    return json.dumps(wire).encode()


def test_hostile_payloads_are_escaped_whether_values_are_shown_or_not(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        broken = b'{"event":"' + HOSTILE.encode()[:30] + b'"} <script>alert(2)</script>'
        unknown = json.dumps({"event": HOSTILE}).encode()
        async with page(tmp_path, hostile(), broken, unknown, b"\xff<script>") as client:
            paths = [*PAGES, *(f"/delivery/{number}" for number in (2, 3, 4))]
            for path in (
                *paths,
                *(f"{path}?values=1" for path in paths),
                f"/?{urlencode({'member': HOSTILE, 'event': HOSTILE})}&values=1",
            ):
                answer = await client.get(path)
                assert answer.status_code == 200, path
                assert re.findall(r"<script[^>]*>", answer.text) == ['<script src="/static/page.js" defer>'], path
                inputs = re.sub(r"<input[^>]*>", "", answer.text)  # the browser shows there what its user wrote
                assert "\u202e" not in inputs
                assert "\x00" not in inputs
                assert not re.search(r"\son\w+=", re.sub(r"<bdi>.*?</bdi>", "", inputs))

    look()


def test_findings_are_shown_in_place(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path, CREATED.replace(b'"status":"created"', b'"status":5')) as client:
            text = (await client.get("/delivery/1")).text
            assert "expected string, found number" in text
            assert re.search(r"<pre>.*<mark><bdi>5</bdi></mark>|<pre>.*<mark>", text)
            assert "quarantined" in text

    look()


def test_only_the_changing_part_is_sent_and_only_if_it_changed(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path, CREATED) as client:
            part = await client.get("/", headers={"x-part": "1"})
            assert "<html" not in part.text
            assert "initial_transaction_update" in part.text
            again = {"x-part": "1", "if-none-match": part.headers["etag"]}
            assert (await client.get("/", headers=again)).status_code == 304
            await client.post("/webhook", content=CREATED)
            assert (await client.get("/", headers=again)).status_code == 200

    look()


def test_the_button_examines_the_payloads_that_broke_a_rule_again(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        mended = bankhook.inbox.examine(b"{").replace(body=CREATED)  # as if an older version had rejected an event
        async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
            await inbox.append([mended, bankhook.inbox.examine(b"{")])
        async with page(tmp_path) as client:
            assert "payload_is_json_object" in (await client.get("/attention")).text
            own = {"origin": "http://127.0.0.1:8000"}
            answer = await client.post("/retry", data={"rule": "payload_is_json_object"}, headers=own)
            assert (answer.status_code, answer.headers["location"]) == (303, "/attention?done=retry&count=1")
            assert "1 is pending again." in (await client.get(answer.headers["location"])).text
        async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
            assert [one.number async for one in inbox.find(Query(states=(DeliveryState.PENDING,)))] == [1]

    look()


def test_the_button_makes_a_parked_delivery_pending_again(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        handlers = bankhook.Handlers()

        @handlers.fallback
        def fails(event: bankhook.AnyEvent) -> None:
            raise RuntimeError(f"private {HOSTILE}")

        async with bankhook.inbox.open(tmp_path / "inbox.db", attempts=1) as inbox:
            await inbox.append([bankhook.inbox.examine(CREATED), bankhook.inbox.examine(b"{")])
            await inbox.drain(handlers)
        async with page(tmp_path) as client:
            text = (await client.get("/attention")).text
            assert "payload_is_json_object" in text
            (row,) = re.findall(r"<tr data-row>\s*<td><a href=\"/delivery/1\?.*?</tr>", text, re.DOTALL)
            assert 'name="number" value="1"' in row
            assert '<span class="problem">RuntimeError, attempts: 1</span>' in row
            assert "private" not in text
            hidden = (await client.get("/delivery/1")).text
            assert "Choose “Show values” to see the traceback of the last failure." in hidden
            assert "private" not in hidden
            shown = (await client.get("/delivery/1?values=1")).text
            assert "private &lt;script&gt;" in shown
            assert "\u202e" not in shown
            own = {"origin": "http://127.0.0.1:8000"}
            assert (await client.post("/retry", data={"number": "1"}, headers=own)).status_code == 303
            assert 'name="number" value="1"' not in (await client.get("/attention")).text
        async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
            pending = [one.number async for one in inbox.find(Query(states=(DeliveryState.PENDING,)))]
            assert pending == [1]

    look()


def test_one_button_makes_all_parked_deliveries_pending_again(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        handlers = bankhook.Handlers()

        @handlers.fallback
        def fails(event: bankhook.AnyEvent) -> None:
            raise RuntimeError

        async with bankhook.inbox.open(tmp_path / "inbox.db", attempts=1) as inbox:
            await inbox.append([bankhook.inbox.examine(body) for body in [CREATED] * 101 + [b"{", b"{"]])
            await inbox.drain(handlers)
        async with page(tmp_path) as client:
            text = (await client.get("/attention")).text
            assert re.findall("<button>(Retry all [^<]*)", text) == ["Retry all 2", "Retry all 101"]
            assert '<a href="/?state=parked">All 101</a>' in text
            own = {"origin": "http://127.0.0.1:8000"}
            assert (await client.post("/retry", data={"state": "parked"}, headers=own)).status_code == 303
            assert (await client.post("/retry", data={"state": "handled"}, headers=own)).status_code == 400
        async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
            counts = await inbox.counts()
            assert (counts[DeliveryState.PENDING], counts[DeliveryState.QUARANTINED]) == (101, 2)

    look()


def test_a_button_does_not_apply_older_news_after_newer(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        handlers, failures = bankhook.Handlers(), [RuntimeError()]

        @handlers.fallback
        def fails_once(event: bankhook.AnyEvent) -> None:
            if failures:
                raise failures.pop()

        async with bankhook.inbox.open(tmp_path / "inbox.db", attempts=1) as inbox:
            await inbox.append([bankhook.inbox.examine(CREATED)] * 2)
            await inbox.drain(handlers)
        async with page(tmp_path) as client:
            answer = await client.post("/retry", data={"number": "1"}, headers={"origin": "http://127.0.0.1:8000"})
        assert (answer.status_code, "handled: 1 (later: 2). Dismiss them" in answer.text) == (409, True)

    look()


def test_a_button_dismisses_what_can_never_be_read_once_a_person_has_said_so(tmp_path: Path) -> None:
    own, rule = {"origin": "http://127.0.0.1:8000"}, {"rule": "payload_is_json_object"}

    def buttons(text: str) -> list[str]:
        return re.findall(">(Dismiss[^<]*)</(?:a|button)>", text)

    @running
    async def look() -> None:
        async with page(tmp_path, b"{", b"[", b"{}") as client:
            text = (await client.get("/attention")).text
            assert buttons(text) == ["Dismiss all 2…", "Dismiss"]
            assert (await client.post("/dismiss", data=rule, headers=own)).status_code == 400  # nobody was asked
            question = (await client.get("/dismiss", params=rule)).text
            assert "<h1>Dismiss 2 deliveries?</h1>" in question
            assert "each payload is one JSON object" in question
            asked = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', question))
            assert asked == rule | {"before": "3"}
            await client.post("/webhook", content=b"]")  # it came after the question, which was not about it
            for count, said in ((2, "2 are dismissed."), (0, "Nothing is dismissed by this")):  # in another tab, too
                answer = await client.post("/dismiss", data=asked, headers=own)
                assert (answer.status_code, answer.headers["location"]) == (303, f"/attention?done=dismiss&count={count}")
                text = (await client.get(answer.headers["location"])).text
                assert (said in text, buttons(text)) == (True, ["Dismiss", "Dismiss"])
            states = [
                re.findall('bh-pill bh-[a-z]+">([a-z]+)<', (await client.get(f"/delivery/{n}")).text)[0] for n in (1, 3, 4)
            ]
            assert states == ["dismissed", "quarantined", "quarantined"]
            assert "Retry" in (await client.get("/delivery/1")).text
            await client.post("/dismiss", data={"number": "4"}, headers=own)
            again = await client.get("/dismiss", params=rule)  # none is left to ask about
            assert (again.status_code, again.headers["location"]) == (303, "/attention?done=dismiss&count=0")

    look()


def test_cases_and_overdue_transactions_are_not_known_before_anything_was_handled(tmp_path: Path) -> None:
    def found(text: str) -> dict[str, str]:
        """Return the line that each of the lists has in place of rows."""
        return dict(re.findall(r"<h2>(\w+):[^<]*</h2>\s*<p>([^<]*)</p>", text))

    @running
    async def look() -> None:
        unknown = "Not known: nothing has been handled yet (2 pending)."
        async with page(tmp_path, CREATED, CREATED, b"{") as client:
            before = (await client.get("/attention")).text
            assert found(before) == {"Parked": "None.", "Cases": unknown, "Overdue": unknown}
        async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
            await inbox.drain(bankhook.Handlers())
        async with page(tmp_path, CREATED) as client:
            after = (await client.get("/attention")).text
            assert found(after) == {"Parked": "None.", "Cases": "None.", "Overdue": "None."}

    look()


def test_without_a_script_no_page_says_that_the_server_has_gone(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path, CREATED) as client:
            for path in PAGES:
                assert '<p class="lost" role="alert" hidden>' in (await client.get(path)).text, path

    look()


def test_a_case_of_a_broken_rule_names_it_as_a_rule(tmp_path: Path) -> None:
    sandbox = bankhook.Sandbox(seed=1, members=1)
    created = sandbox.send_initial_transaction(sandbox.member(0)).raw
    broken = created.replace(b'"status":"created"', b'"status":"validated"')

    @running
    async def look() -> None:
        async with page(tmp_path, broken) as client:
            async with bankhook.inbox.open(tmp_path / "inbox.db") as inbox:
                await inbox.drain(bankhook.Handlers())
            text = (await client.get("/attention")).text
            assert "status_equals_event_type</b>" in text
            assert views.SENTENCES["status_equals_event_type"] in text

    look()


def test_an_empty_inbox_needs_nobody(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path) as client:
            text = (await client.get("/attention")).text
            assert text.count("<p>None.</p>") == 4
            assert "Not known" not in text

    look()
