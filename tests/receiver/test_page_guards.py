# SPDX-License-Identifier: MIT
"""Who may read the page and change something: a browser on this machine, for the page itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from receiver.asked import CREATED, page, running

PAGES = ("/", "/attention", "/delivery/1", "/member/1")


@pytest.mark.parametrize(
    "host", ["evil.example:8000", "127.0.0.1:81", "", "localhost.evil.example:8000", "10.0.0.1:8000", "[x"]
)
def test_a_name_that_was_pointed_to_this_machine_gets_nothing(tmp_path: Path, host: str) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path, CREATED) as client:
            server = {"host": host}
            for path in (*PAGES, "/static/page.js"):
                answer = await client.get(path, headers=server)
                if host != "127.0.0.1:81":  # the transport gives no port of the server
                    assert (answer.status_code, "bank" in answer.text) == (403, False), path

    look()


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "x-forwarded-host", "Forwarded", "Via", "CF-Connecting-IP", "x-real-ip"]
)
def test_a_tunnel_that_rewrites_the_host_gets_nothing(tmp_path: Path, header: str) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path, CREATED) as client:
            for path in (*PAGES, "/static/page.js"):
                answer = await client.get(path, headers={header: "203.0.113.7"})
                assert (answer.status_code, "bank" in answer.text) == (403, False), path
            assert (await client.post("/webhook", content=CREATED, headers={header: "203.0.113.7"})).status_code == 204

    look()


def test_every_answer_has_a_policy_without_inline_scripts_and_outside_requests(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        async with page(tmp_path, CREATED) as client:
            for path in (*PAGES, "/static/page.css", "/static/page.js", "/delivery/9"):
                answer = await client.get(path)
                policy = answer.headers["content-security-policy"]
                assert "default-src 'none'" in policy
                assert "unsafe" not in policy
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert not re.search(r"https?://(?!127\.0\.0\.1)", answer.text.replace("http://www.w3.org", ""))
                assert "style=" not in answer.text

    look()


def test_only_the_page_itself_may_change_something(tmp_path: Path) -> None:
    @running
    async def look() -> None:
        own, form = {"origin": "http://127.0.0.1:8000"}, {"number": "1"}
        refused: list[dict[str, str]] = [
            {},
            {"origin": "http://evil.example"},
            {"origin": "null"},
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site", **own},
            {"sec-fetch-site": "none"},
            {**own, "host": "evil.example:8000"},
        ]
        async with page(tmp_path, b"{") as client:
            for path in ("/retry", "/dismiss", "/settle"):
                for headers in refused:
                    answer = await client.post(path, data=form, headers=headers)
                    names_command = f"use `bankhook inbox {path[1:]}`" in answer.text
                    assert (answer.status_code, names_command) == (403, "host" not in headers), headers
                for headers in (own, {"sec-fetch-site": "same-origin"}, {**own, "sec-fetch-site": "same-origin"}):
                    assert (await client.post(path, data=form, headers=headers)).status_code == 303
                assert (await client.get(path, headers=own)).status_code == (303 if path == "/dismiss" else 405)
                assert (await client.post(path, content=b"number=" + b"1" * 9999, headers=own)).status_code == 400

    look()
