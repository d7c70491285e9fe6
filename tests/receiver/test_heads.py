# SPDX-License-Identifier: MIT
"""What the head of a request says: paths, blanks, headers that are sent twice, codings; one answer each under every server."""

from __future__ import annotations

import os
from collections.abc import Mapping

import httpx
import pytest
from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.routing import Mount

from bankhook.receiver import Receiver, _peers, anyone, shared_secret, standard_webhooks
from receiver.asked import CREATED, answer, asking, running
from receiver.memory import MemoryInbox

SECRET = shared_secret(header="x-secret", secret="agreed")


@pytest.mark.parametrize(
    ("path", "root", "status"),
    [
        ("/webhook", "", 204),
        ("/webhook", "/", 204),
        ("/webhook", "/web", 204),
        ("/webhook", "/webhook", 204),
        ("/webhook", "/webhook/", 204),
        ("/webhook/webhook", "/webhook", 204),
        ("/bank/webhook", "/bank", 204),
        ("/bank/webhook", "/bank/", 204),
        ("/bank//webhook", "/bank/", 204),
        ("/webhook", "/bank", 204),
        ("/b\u00e4nk/webhook", "/b%C3%A4nk", 204),
        ("/b\u00e4nk/webhook", "/b\u00e4nk", 204),
        ("/b%C3%A4nk/webhook", "/b%C3%A4nk", 204),
        ("/banking/webhook", "/bank", 404),
        ("/bank/webhooks", "/bank", 404),
        ("/bank", "/bank", 404),
        ("/BANK/webhook", "/bank", 404),
        ("", "/bank", 404),
        ("", "", 404),
    ],
)
def test_a_root_path_is_a_prefix_only_before_a_slash(path: str, root: str, status: int) -> None:
    @running
    async def ask() -> None:
        receiver = Receiver(MemoryInbox(), verify=anyone)
        async with receiver.lifespan():
            assert (await answer(receiver, path=path, root_path=root))[0] == status
            health = path.replace("/webhook", "/healthz", 1) if root != "/webhook" else "/webhook/healthz"
            if status == 204 and root not in ("/webhook", "/webhook/"):
                assert (await answer(receiver, path=health, root_path=root, method="GET"))[0] == 200

    ask()


@running
async def test_a_mounted_receiver_is_found_whether_a_proxy_strips_or_not() -> None:
    for root, *prefixes in (("", ""), ("/api", "", "/api"), ("/api/", ""), ("/ba", "", "/ba")):
        receiver = Receiver(MemoryInbox(), verify=anyone)
        inner = Starlette(routes=[Mount("/deep", receiver)])
        app = FastAPI()
        app.mount("/bank", receiver)
        app.mount("/over", inner)
        async with receiver.lifespan():
            transport = httpx.ASGITransport(app, root_path=root)
            async with httpx.AsyncClient(transport=transport, base_url="http://app") as client:
                for before in prefixes:
                    # Starlette itself does not find what is mounted in what is mounted if a proxy has stripped its prefix.
                    for path in ("/bank/", "/over/deep/") if before == root else ("/bank/",):
                        assert (await client.post(f"{before}{path}webhook", content=CREATED)).status_code == 204
                        assert (await client.get(f"{before}{path}healthz")).status_code == 200
                        assert (await client.post(f"{before}{path}webhooks", content=CREATED)).status_code == 404


@running
async def test_blanks_around_a_value_are_not_part_of_it() -> None:
    inbox = MemoryInbox()
    receiver = Receiver(inbox, verify=SECRET, headers=("x-kept",), max_body=100_000)
    async with receiver.lifespan():
        for secret in (b"agreed ", b" agreed", b"\tagreed\t ", b"agreed \t"):
            fields = [(b"x-secret", secret), (b"x-kept", b"\t a  b "), (b"content-length", b" %d\t" % len(CREATED))]
            assert (await answer(receiver, headers=fields))[0] == 204
            assert inbox.stored[-1].headers == (("x-kept", "a  b"),)
        for wrong in (b"agr eed", b"agreed\xa0", b"agreed\x0b", b""):
            assert (await answer(receiver, headers=[(b"x-secret", wrong)]))[0] == 401
        large = [(b"x-secret", b"agreed"), (b"content-length", b"100001 ")]
        assert (await answer(receiver, headers=large))[0] == 413
        chunked = [(b"x-secret", b"agreed"), (b"transfer-encoding", b" Chunked ")]
        assert (await answer(receiver, headers=chunked))[0] == 204


@running
async def test_a_header_that_is_sent_twice_is_neither_of_the_two() -> None:
    signing = standard_webhooks("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    signed = [(b"webhook-id", b"1"), (b"webhook-timestamp", b"1"), (b"webhook-signature", b"v1,x")]
    for verify, right in ((SECRET, [(b"x-secret", b"agreed")]), (signing, signed)):
        inbox = MemoryInbox()
        receiver = Receiver(inbox, verify=verify)
        async with receiver.lifespan():
            for again in (b"agreed", b"guessed", b""):
                for headers in ([*right, (right[-1][0], again)], [(right[-1][0], again), *right]):
                    assert (await answer(receiver, headers=headers))[0] == 401
        assert inbox.stored == []
    seen: list[str] = []

    def verify_all(headers: Mapping[str, str], body: bytes) -> bool:
        seen.append(headers["X-Forwarded-For"])
        return True

    receiver = Receiver(MemoryInbox(), verify=verify_all)
    async with receiver.lifespan():
        await answer(receiver, headers=[(b"x-forwarded-for", b"a "), (b"x", b"y"), (b"x-forwarded-for", b"b")])
    assert seen == ["a, b"]


@pytest.mark.parametrize(
    ("headers", "version", "status"),
    [
        ([(b"content-length", b"5"), (b"content-length", b"6")], "1.1", 400),
        ([(b"content-length", b"5, 5")], "1.1", 400),
        ([(b"content-length", b"-1")], "1.1", 400),
        ([(b"content-length", b"+5")], "1.1", 400),
        ([(b"content-length", b"")], "1.1", 400),
        ([(b"content-length", b"9" * 5000)], "1.1", 413),
        ([(b"content-length", b"9" * 19)], "1.1", 413),
        ([(b"content-length", b"5"), (b"transfer-encoding", b"chunked")], "1.1", 400),
        ([(b"transfer-encoding", b"chunked")], "1.0", 400),
        ([(b"transfer-encoding", b"gzip, chunked")], "1.1", 501),
        ([(b"transfer-encoding", b"chunked"), (b"transfer-encoding", b"chunked")], "1.1", 501),
        ([(b"transfer-encoding", b"CHUNKED")], "1.1", 204),
    ],
)
def test_a_body_that_readers_could_see_differently_is_refused(
    headers: list[tuple[bytes, bytes]], version: str, status: int
) -> None:
    @running
    async def ask() -> None:
        inbox = MemoryInbox()
        receiver = Receiver(inbox, verify=anyone)
        async with receiver.lifespan():
            assert (await answer(receiver, headers=headers, http_version=version))[0] == status
        assert len(inbox.stored) == (status == 204)

    ask()


@running
async def test_what_is_sent_elsewhere_is_logged_and_counted_without_labels_of_the_sender() -> None:
    receiver = Receiver(MemoryInbox(), verify=anyone)
    async with asking(receiver) as client:
        for number in range(20):
            assert (await client.post(f"/webhooks/{number}", content=CREATED)).status_code == 404
        assert (await client.post("/healthz", content=CREATED)).status_code == 405
        for method in ("PUT", "GET", "BREW"):
            assert (await client.request(method, "/webhook")).status_code == 405
        lines = (await client.get("/metrics")).text.splitlines()
    counted = sorted(one for one in lines if one.startswith("bankhook_answers_total") and not one.endswith(" 0.0"))
    pid = os.getpid()
    assert counted == [
        f'bankhook_answers_total{{pid="{pid}",status="{status}"}} {count}.0' for status, count in ((404, 20), (405, 4))
    ]


def test_what_is_sent_elsewhere_is_logged_once_while_it_repeats(caplog: pytest.LogCaptureFixture) -> None:
    @running
    async def ask() -> None:
        async with asking(Receiver(MemoryInbox(), verify=anyone)) as client:
            for number in range(20):
                assert (await client.post(f"/secret-{number}", content=CREATED)).status_code == 404

    ask()
    logged = [one.getMessage() for one in caplog.records if one.name == "bankhook.receiver"]
    assert logged == [(said := "turned away with 404: nothing is here for that path and method"), f"{said} (repeated: 19)"]


@pytest.mark.parametrize(
    ("proxy", "peers"),
    [
        (
            "10.0.0.5",
            ["10.0.0.5", "::ffff:10.0.0.5", "::ffff:a00:5", "10.0.0.5:443", "[::ffff:10.0.0.5]:443", "::FFFF:10.0.0.5"],
        ),
        ("::ffff:10.0.0.5", ["10.0.0.5", "::ffff:10.0.0.5"]),
        ("::ffff:a00:5", ["10.0.0.5", "::ffff:10.0.0.5"]),
        ("10.0.0.0/24", ["10.0.0.7", "::ffff:10.0.0.7"]),
        ("::ffff:10.0.0.0/120", ["10.0.0.7", "::ffff:10.0.0.7"]),
        ("0.0.0.0/0", ["10.0.0.7", "::ffff:10.0.0.7"]),
        ("::/0", ["10.0.0.7", "::ffff:10.0.0.7", "2001:db8::1"]),
        ("fe80::1%eth0", ["fe80::1%eth0", "fe80::1"]),
        ("fe80::/64", ["fe80::1%eth0", "fe80::2"]),
        ("2001:DB8::0:1", ["2001:db8::1", "[2001:db8::1]:443", "[2001:db8::1]"]),
        ("*", ["10.0.0.7", "2001:db8::1"]),
    ],
)
def test_a_proxy_is_trusted_in_every_form_of_its_address(proxy: str, peers: list[str]) -> None:
    trusted = _peers.Trusted([proxy])
    assert [trusted.peer_of(peer) for peer in peers] == [""] * len(peers)
    if proxy not in ("0.0.0.0/0", "::/0", "*"):
        assert trusted.peer_of("10.0.1.5") == trusted.peer_of("::ffff:10.0.1.5") == "10.0.1.5"


@pytest.mark.parametrize(
    "wrong",
    ["", " ", "nginx", "localhost", "10.0.0.5:80", "[::1]", "[::1]:80", "10.0.0", "10.0.0.5/33", "10.0.0.5/8", "010.0.0.5",
     "0.0.0.0", "::", "::ffff:0.0.0.0", "224.0.0.1", "ff02::1", "10.0.0.*", "10.0.0.1-9", "10.0.0.5, 10.0.0.6", "http://10.0.0.5"],
)  # fmt: skip
def test_a_proxy_that_no_peer_can_match_is_an_error(wrong: str) -> None:
    with pytest.raises(ValueError, match="trusted_proxies: "):
        Receiver(MemoryInbox(), verify=anyone, trusted_proxies=[wrong])
