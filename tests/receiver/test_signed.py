# SPDX-License-Identifier: MIT
"""Signed deliveries through a real proxy, while one secret replaces another: what was acknowledged is stored."""

from __future__ import annotations

import contextlib
import gzip
import hmac
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import httpx
import pytest

import bankhook
from cli.command import COMMAND
from inbox.test_files import TESTS
from receiver.listening import free_port, stored
from receiver.proxied import nginx, until
from receiver.signed import NEW, OLD, SIGN

COUNT, PACKED, SENDERS = 20_000, 2_000, 4


@contextlib.contextmanager
def through_nginx(folder: Path) -> Generator[str]:
    """Run a receiver after nginx, and give the URL of the latter."""
    port, outside = free_port(), free_port()
    command = [sys.executable, "-m", "receiver.signed", str(folder / "inbox.db"), str(port)]
    with subprocess.Popen(command, cwd=TESTS) as process:
        try:
            until(port, "/healthz", process)
            with nginx(folder / "nginx", port=outside, application=port, listener=port, health="/healthz"):
                yield f"http://127.0.0.1:{outside}/webhook"
        finally:
            process.kill()


def _signed(secret: str, sent: bytes) -> dict[str, str]:
    """What a sender that does not have this library sends."""
    now = str(int(time.time()))
    return {
        "X-Timestamp": now,
        "X-Signature": "v1=" + hmac.digest(secret.encode(), f"{now}.".encode() + sent, "sha256").hex(),
    }


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.timeout(900)
def test_what_is_signed_with_either_secret_and_acknowledged_is_stored(tmp_path: Path) -> None:
    count = (COUNT - PACKED) // SENDERS
    with through_nginx(tmp_path) as url:
        senders = []
        for seed in range(SENDERS):
            (file := tmp_path / f"secret{seed}").write_text(f"{(NEW, OLD)[seed % 2]}\n")
            options = ["-n", str(count), "--seed", str(seed), "--timeout", "300", "--sign", SIGN, "--secret-file"]
            senders.append(subprocess.Popen([COMMAND, "send", url, *options, file], stdout=subprocess.DEVNULL))
        packed = [one.payload for one in bankhook.Sandbox(seed=SENDERS).deliveries(PACKED)]
        with httpx.Client(timeout=120) as client:
            for number, payload in enumerate(packed):
                sent = gzip.compress(payload, 1)
                headers = {"Content-Encoding": "gzip", **_signed((NEW, OLD)[number % 2], sent)}
                assert client.post(url, content=sent, headers=headers).status_code == 204
                if number % 100 == 0:  # of another secret, and over what was packed
                    assert client.post(url, content=payload, headers=_signed("another secret", payload)).status_code == 401
                    headers |= _signed(NEW, payload)
                    assert client.post(url, content=sent, headers=headers).status_code == 401
        assert [process.wait(600) for process in senders] == [0] * SENDERS
    deliveries = [one.payload for seed in range(SENDERS) for one in bankhook.Sandbox(seed).deliveries(count)] + packed
    assert len(deliveries) == COUNT
    assert Counter(one.body for one in stored(tmp_path / "inbox.db")) == Counter(deliveries)
