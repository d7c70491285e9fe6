# SPDX-License-Identifier: MIT
"""A receiver that appends to a topic of Kafka: a delivery is acknowledged once the brokers have it.

A message is the body, verbatim; its key is the member, so that one partition has all of a member's in the order of receipt; its
timestamp is the time of receipt; its headers are those of the delivery, and `delivery-id`: equal ids are the same delivery.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

from confluent_kafka import KafkaError, KafkaException, Message, Producer, TopicCollection
from confluent_kafka.admin import AdminClient, ConfigResource, ResourceType

from bankhook.inbox import Delivery, InboxError, TooLarge
from bankhook.receiver import Receiver, standard_webhooks

ROOM = 128 << 10  # beside a body: a head of a request has at most 64 KiB
SECONDS = 10  # for an append


class Topic:
    """Appends deliveries to a topic, and refuses one that could lose them: a `DeliveryStore`."""

    def __init__(self, servers: str, name: str, *, max_body: int, id_header: str = "webhook-id") -> None:
        """Take the topic, the largest body, and the header with which a sender names a delivery."""
        self._name, self._id_header, self._limit = name, id_header, max_body + ROOM
        self._client: dict[str, Any] = {"bootstrap.servers": servers, "log_level": 0, "reconnect.backoff.max.ms": 1000}
        self._producer_settings = self._client | {
            "acks": "all",
            "enable.idempotence": True,
            "message.max.bytes": self._limit,
            "message.timeout.ms": SECONDS * 1000,
            "partitioner": "murmur2_random",  # that of Kafka's own clients
        }
        self._producer: Producer | None = None
        self._admin: AdminClient

    async def __aenter__(self) -> Self:
        self._admin = AdminClient(self._client)
        await self.check()
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._producer = None  # an append has waited for all that it sent

    async def append(self, deliveries: Sequence[Delivery], /) -> Sequence[int]:
        """Return when the brokers have all of them. If it raises, some may be in the topic nevertheless."""
        return await asyncio.to_thread(self._append, deliveries)

    async def check(self) -> None:
        """Raise InboxError if the topic cannot be written, or could lose what is written."""
        try:
            why = await asyncio.to_thread(self._problem)
        except KafkaException as error:
            why = f"the brokers do not answer: {error.args[0].name()}"
        if why is not None:
            raise InboxError(f"topic {self._name}: {why}")

    def _append(self, deliveries: Sequence[Delivery]) -> list[int]:
        numbers, failures = dict[int, int](), set[str]()

        def keep(place: int, error: KafkaError | None, message: Message) -> None:
            numbers[place] = (message.partition() or 0) << 48 | (message.offset() or 0)
            failures.update(() if error is None else [error.name()])

        producer = self._producer = self._producer or Producer(self._producer_settings)
        try:
            for place, one in enumerate(deliveries):
                producer.produce(
                    self._name,
                    one.body,
                    None if one.member is None else one.member.encode(),
                    headers=[("delivery-id", self._id_of(one)), *((name, text.encode()) for name, text in one.headers)],
                    timestamp=int(one.received.timestamp() * 1000),
                    on_delivery=partial(keep, place),
                )
            if producer.flush(SECONDS):
                failures.add("_TIMED_OUT")
        except KafkaException as error:
            failures.add(error.args[0].name())
        if failures:
            producer.purge()  # nothing of it may be sent later
            self._producer = None
            kind = TooLarge if "MSG_SIZE_TOO_LARGE" in failures else InboxError
            raise kind(f"topic {self._name}: the brokers did not take it: {', '.join(failures)}")
        return [numbers[place] for place in range(len(deliveries))]

    def _id_of(self, one: Delivery) -> bytes:
        """The sender's id, or one that is the same however often this receipt is appended."""
        given = dict(one.headers).get(self._id_header)
        return given.encode() if given else hashlib.sha256(f"{one.received}".encode() + one.body).hexdigest().encode()

    def _problem(self) -> str | None:
        """Why the topic must not be used."""
        described = self._admin.describe_topics(TopicCollection([self._name]), request_timeout=5)
        partitions = described[self._name].result().partitions
        topic = self._settings(ConfigResource(ResourceType.TOPIC, self._name))
        least = int(topic["min.insync.replicas"])
        if any(one.leader is None or len(one.isr) < least for one in partitions):
            return "too few brokers have it"
        is_copied = min(least, *(len(one.replicas) for one in partitions)) > 1
        if not (is_copied and topic["unclean.leader.election.enable"] == "false") and topic["flush.messages"] != "1":
            return "it could lose deliveries: use replicas and min.insync.replicas=2, or flush.messages=1"
        if "compact" in topic["cleanup.policy"]:
            return "it keeps only the last delivery of each member: use cleanup.policy=delete"
        if int(topic["max.message.bytes"]) < self._limit:
            return f"it takes too small messages for max_body: use max.message.bytes={self._limit}"
        broker = self._settings(ConfigResource(ResourceType.BROKER, str(partitions[0].leader.id)))
        why = "if it is deleted, it comes back with other settings: use auto.create.topics.enable=false"
        return why if broker["auto.create.topics.enable"] == "true" else None

    def _settings(self, of: ConfigResource) -> dict[str, str]:
        found = self._admin.describe_configs([of], request_timeout=5)[of].result()
        return {name: entry.value for name, entry in found.items()}


MAX_BODY = 1 << 20
app = Receiver(
    Topic(os.environ["KAFKA"], os.environ.get("TOPIC", "deliveries"), max_body=MAX_BODY),
    verify=standard_webhooks(Path(os.environ["BANKHOOK_VERIFY"]).read_text().split()),  # one secret a line
    max_body=MAX_BODY,
    headers=("content-type", "user-agent", "webhook-id"),
)
