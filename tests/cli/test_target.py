# SPDX-License-Identifier: MIT
"""Where may be sent to: this machine, whatever a name resolves to, unless another one is allowed."""

from __future__ import annotations

import socket
from typing import Any

import click
import pytest

from bankhook.cli.target import target_of


def resolve_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        family = {True: socket.AF_INET6, False: socket.AF_INET}
        return [(family[":" in one], socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_a_loopback_address_is_taken(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    resolve_to(monkeypatch, address)
    target = target_of("http://anything.example:8080/a?b=c#d", is_remote_allowed=False)
    host = f"[{address}]" if ":" in address else address
    assert target.url == f"http://{host}:8080/a?b=c"
    assert (target.host, target.server_name) == ("anything.example:8080", "anything.example")


@pytest.mark.parametrize(
    "addresses",
    [
        ["192.0.2.7"],
        ["127.0.0.1", "192.0.2.7"],
        ["::1", "2001:db8::7"],
        ["0.0.0.0"],
        ["::"],
        ["10.0.0.1"],
        ["fe80::1%eth0"],
    ],
)
def test_a_name_with_any_other_address_is_refused(monkeypatch: pytest.MonkeyPatch, addresses: list[str]) -> None:
    resolve_to(monkeypatch, *addresses)
    with pytest.raises(click.BadParameter, match="--allow-remote"):
        target_of("https://localhost/", is_remote_allowed=False)


def test_another_machine_can_be_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, "192.0.2.7")
    assert target_of("https://host.example/x", is_remote_allowed=True).url == "https://192.0.2.7/x"


@pytest.mark.parametrize("form", ["http://2130706433/", "http://0x7f.1/", "http://[::1]:80/", "http://127.1/"])
def test_a_spelling_of_an_address_is_judged_by_what_it_resolves_to(form: str) -> None:
    try:
        target = target_of(form, is_remote_allowed=False)
    except click.BadParameter as error:
        assert "resolved" in str(error)
    else:
        assert target.url in ("http://127.0.0.1/", "http://[::1]:80/")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8080",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "http://",
        "http:///path",
        "http://127.0.0.1:port/",
        "http://127.0.0.1:99999/",
        "http://[::1/",
        "http://127.0.0.1/a b",
        "http://127.0.0.1/\r\nx: y",
        "http://user:s3cret@127.0.0.1/",
    ],
)
def test_another_text_than_a_url_to_send_to_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(click.BadParameter) as caught:
        target_of(url, is_remote_allowed=True)
    assert "s3cret" not in caught.value.message
    assert "path" not in caught.value.message


def test_of_two_addresses_the_one_that_listens_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        resolve_to(monkeypatch, "127.8.9.10", "127.0.0.1")
        assert target_of(f"http://localhost:{port}/", is_remote_allowed=False).url == f"http://127.0.0.1:{port}/"
