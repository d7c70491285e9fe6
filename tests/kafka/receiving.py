# SPDX-License-Identifier: MIT
"""The receiver of `examples/kafka` in a process of its own, those who send to it, and what its topic has."""

from __future__ import annotations

import http.client
import json
import os
import runpy
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import OFFSET_BEGINNING, Consumer, Message, TopicPartition

import bankhook
from bankhook.inbox import DeliveryStore
from bankhook.receiver import standard_webhooks
from kafka.broker import Broker
from receiver.listening import free_port

__all__ = ["EXAMPLE", "Load", "Receiving", "by_member", "name_of", "once", "read", "receiving", "topic_of"]

EXAMPLE = Path(__file__).parents[2] / "examples" / "kafka"
SECRET = "whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo="
SECONDS = 120.0
VERIFY: Any = standard_webhooks(SECRET)


class Receiving:
    """The receiver's process; one that is killed can be started again."""

    def __init__(self, broker: Broker, topic: str, folder: Path) -> None:
        (folder / "secret").write_text(SECRET)
        self.port, self._log = free_port(), folder / "receiver.log"
        self.environment = os.environ | {
            "KAFKA": broker.servers,
            "TOPIC": topic,
            "BANKHOOK_VERIFY": str(folder / "secret"),
        }
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        """All that it has logged."""
        return self._log.read_text()

    def start(self) -> None:
        """Start it, and return when it is ready."""
        command = [sys.executable, "-m", "uvicorn", "receiver:app", "--app-dir", str(EXAMPLE), "--port", str(self.port)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*command, "--http", "bankhook.receiver:http_protocol", "--no-access-log"],
                env=self.environment,
                stdout=log,
                stderr=log,
            )
        self.wait(ready=True)

    def ready(self) -> bool | None:
        """What `/readyz` answers; None if nothing does."""
        try:
            return self._ask("GET", "/readyz")[0] == 200
        except OSError:
            return None

    def wait(self, *, ready: bool) -> None:
        """Wait until it says so."""
        deadline = time.monotonic() + SECONDS
        while self.ready() is not ready:
            assert self._process is not None and self._process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.02)

    def post(self, body: bytes, name: str = "1", **headers: str) -> int:
        """Post a delivery with this id, and return the status; 0 if there is no answer."""
        signed = {"webhook-id": name} | VERIFY._signed(body, id=name.encode())
        with suppress(OSError, http.client.HTTPException):
            return self._ask("POST", "/webhook", body, signed | headers)[0]
        return 0

    def kill(self) -> None:
        """End it as `kill -9` does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _ask(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


def topic_of(broker: Broker, topic: str, folder: Path) -> DeliveryStore:
    """The store of the example, without its application."""
    with pytest.MonkeyPatch.context() as patched:
        for name, value in Receiving(broker, topic, folder).environment.items():
            patched.setenv(name, value)
        found: DeliveryStore = runpy.run_path(str(EXAMPLE / "receiver.py"))["app"]._inbox
    return found


@contextmanager
def receiving(broker: Broker, topic: str, folder: Path) -> Generator[Receiving]:
    """Run the receiver, and kill it at the end."""
    receiver = Receiving(broker, topic, folder)
    try:
        receiver.start()
        yield receiver
    finally:
        receiver.kill()


class Load:
    """Senders, one for each member: the next delivery follows when the last one was acknowledged, and has an id that stays."""

    def __init__(self, receiver: Receiving, *, members: int = 8, seed: int = 1) -> None:
        self._receiver, self._stop = receiver, threading.Event()
        self._came = threading.Condition()
        self.acknowledged: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
        self.refused = 0
        """How often a delivery was sent again."""
        self._bodies = defaultdict[str, list[bytes]](list)
        for one in bankhook.Sandbox(seed=seed, members=members).deliveries(members * 2500):
            self._bodies[json.loads(one.payload)["customer"]["id"]].append(one.payload)
        self._seed = seed

    @contextmanager
    def running(self) -> Generator[Load]:
        """Send until the end, when each of them has its last answer."""
        self._stop.clear()
        with ThreadPoolExecutor(len(self._bodies)) as clients:
            done = [clients.submit(self._send, member) for member in self._bodies]
            try:
                yield self
            finally:
                self._stop.set()
            for one in done:
                one.result()

    def wait(self, more: int) -> None:
        """Wait until this many more were acknowledged."""
        with self._came:
            wanted = self.count + more
            assert self._came.wait_for(lambda: self.count >= wanted, SECONDS), (self.count, wanted, self._receiver.log)

    @property
    def count(self) -> int:
        """How many were acknowledged."""
        return sum(map(len, self.acknowledged.values()))

    def _send(self, member: str) -> None:
        bodies = self._bodies[member]
        while not self._stop.is_set():
            number = len(self.acknowledged[member])
            body, name = bodies[number % len(bodies)], f"{self._seed}-{member}-{number}"
            while (status := self._receiver.post(body, name)) != 204:
                assert status in (0, 503), status
                with self._came:
                    self.refused += 1
                time.sleep(0.05)
            with self._came:
                self.acknowledged[member].append((name, body))
                self._came.notify_all()


def read(broker: Broker, topic: str) -> list[Message]:
    """All messages of a topic, by partition and offset."""
    consumer = Consumer({"bootstrap.servers": broker.servers, "group.id": "reads", "enable.auto.commit": False})
    partitions = consumer.list_topics(topic, timeout=10).topics[topic].partitions
    ends = {one: consumer.get_watermark_offsets(TopicPartition(topic, one), timeout=10)[1] for one in partitions}
    consumer.assign([TopicPartition(topic, one, OFFSET_BEGINNING) for one in partitions])
    found: list[Message] = []
    while missing := sum(ends.values()) - len(found):
        messages = consumer.consume(missing, timeout=10)
        assert messages, (len(found), ends)
        assert all(one.error() is None for one in messages)
        found += messages
    consumer.close()
    return sorted(found, key=lambda one: (one.partition() or 0, one.offset() or 0))


def name_of(message: Message) -> str | None:
    """The id of the delivery; None if something else has written it."""
    found = dict(message.headers() or ()).get("delivery-id")
    return found.decode() if isinstance(found, bytes) else found


def once(messages: Sequence[Message]) -> list[Message]:
    """Messages without those that are the same delivery as one before them."""
    first = dict[str | int, Message]()
    for place, one in enumerate(messages):
        first.setdefault(name_of(one) or place, one)
    return list(first.values())


def by_member(messages: Sequence[Message]) -> dict[str, list[tuple[str | None, bytes | None]]]:
    """Ids and bodies of each member, in the order of the topic, once."""
    found: dict[str, list[tuple[str | None, bytes | None]]] = defaultdict(list)
    for one in once(messages):
        found[(one.key() or b"").decode()].append((name_of(one), one.value()))
    return found
