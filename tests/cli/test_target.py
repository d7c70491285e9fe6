# SPDX-License-Identifier: MIT
"""Where may be sent to: this machine, whatever a resolver answers, unless another one is allowed."""

from __future__ import annotations

import click
import pytest

from bankhook.cli.target import checked_url


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.1", "[::1]", "[::ffff:127.0.0.1]"])
def test_a_loopback_address_is_taken(host: str) -> None:
    url = f"https://{host}:8080/a?b=c"
    assert checked_url(url, is_remote_allowed=False) == url


@pytest.mark.parametrize(
    "host",
    [
        "192.0.2.7",
        "0.0.0.0",
        "[::]",
        "10.0.0.1",
        "[fe80::1%eth0]",
        "localhost.example",
        "example.localhost",
        "2130706433",
        "0x7f.1",
        "127.1",
    ],
)
def test_every_other_host_has_to_be_allowed(host: str) -> None:
    with pytest.raises(click.BadParameter, match="--allow-remote"):
        checked_url(f"http://{host}/", is_remote_allowed=False)
    assert checked_url(f"http://{host}/", is_remote_allowed=True)


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
        checked_url(url, is_remote_allowed=True)
    assert "s3cret" not in caught.value.message
    assert "path" not in caught.value.message
