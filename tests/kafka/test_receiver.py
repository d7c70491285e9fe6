# SPDX-License-Identifier: MIT
"""The receiver of `examples/kafka`: what it acknowledged is in the topic, whatever becomes of it, the broker, disk and topic."""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from confluent_kafka.admin import AlterConfigOpType, ConfigEntry, ConfigResource, NewPartitions, ResourceType

import bankhook
from bankhook.inbox import InboxError, examine
from inbox.history import ROUNDS
from kafka.broker import Broker
from kafka.receiving import EXAMPLE, Load, by_member, name_of, once, read, receiving, topic_of

pytestmark = [pytest.mark.kafka, pytest.mark.slow]
KILLS = max(2, ROUNDS)
BODY = bankhook.Sandbox(seed=1, members=1)
CREATED = BODY.send_initial_transaction(BODY.member(0)).raw


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Generator[Broker]:
    with Broker(tmp_path_factory.mktemp("broker")).running() as running:
        yield running


def check(load: Load, broker: Broker, topic: str) -> int:
    """Check that each that was acknowledged is there, those of a member in their order; return how many repeats there are."""
    messages = read(broker, topic)
    found = by_member(messages)
    for member, sent in load.acknowledged.items():
        assert found[member][: len(sent)] == sent
        assert len(found[member]) <= len(sent) + 1  # the last one may have had no answer
    return len(messages) - len(once(messages))


def set_topic(broker: Broker, topic: str, **settings: str) -> None:
    entries = [
        ConfigEntry(name.replace("_", "."), value, incremental_operation=AlterConfigOpType.SET)
        for name, value in settings.items()
    ]
    resource, admin = ConfigResource(ResourceType.TOPIC, topic, incremental_configs=entries), broker.admin()
    admin.incremental_alter_configs([resource])[resource].result(10)


def test_a_message_is_the_body_with_what_is_known_beside_it(broker: Broker, tmp_path: Path) -> None:
    topic = broker.create("verbatim")
    large = b'{"event":"' + b"x" * ((1 << 20) - 13) + b'"}'
    assert len(large) == (1 << 20) - 1
    bodies = [CREATED, b" " + CREATED, b"\xff\0 no event", large, b""]
    with receiving(broker, topic, tmp_path) as receiver:
        foreign = {"content-type": "text/caf\xe9", "delivery-id": "99", "x-other": "1", "user-agent": ""}
        begun = time.time()
        assert [receiver.post(body, f"id {place}", **foreign) for place, body in enumerate(bodies)] == [204] * 5
        assert receiver.post(large + b"12", "id 5") == 413
        set_topic(broker, topic, max_message_bytes="100000")
        assert receiver.post(large, "id 6") == 413
        assert receiver.post(CREATED, "id 7") == 204
    messages = {name_of(one): one for one in read(broker, topic)}
    assert {name: one.value() or b"" for name, one in messages.items()} == {
        f"id {place}": body for place, body in [*enumerate(bodies), (7, CREATED)]
    }
    (member,) = {one.key() for one in messages.values()} - {None}
    assert (member or b"").decode() == examine(CREATED).member
    assert [place for place in range(5) if messages[f"id {place}"].key() is None] == [2, 3, 4]
    headers = messages["id 0"].headers()
    assert headers is not None
    assert dict(headers) == {
        "delivery-id": b"id 0",
        "webhook-id": b"id 0",
        "content-type": "text/caf\xe9".encode(),
        "user-agent": b"",
    }
    assert begun - 1 < messages["id 0"].timestamp()[1] / 1000 < time.time()


@pytest.mark.parametrize(
    ("topic", "settings", "reason"),
    [
        (
            "unflushed",
            {"flush_messages": "2"},
            "could lose deliveries: use replicas and min.insync.replicas=2, or flush.messages=1",
        ),
        (
            "compacted",
            {"cleanup_policy": "compact"},
            "keeps only the last delivery of each member: use cleanup.policy=delete",
        ),
        ("both", {"cleanup_policy": "delete,compact"}, "keeps only the last delivery of each member"),
        (
            "narrow",
            {"max_message_bytes": "1048588"},
            "takes too small messages for max_body: use max.message.bytes=1179648",
        ),
        ("alone", {"min_insync_replicas": "2"}, "too few brokers have it"),
        ("missing", None, "the brokers do not answer: UNKNOWN_TOPIC_OR_PART"),
    ],
)
def test_a_topic_that_could_lose_deliveries_is_refused(
    broker: Broker, tmp_path: Path, topic: str, settings: dict[str, str] | None, reason: str
) -> None:
    if settings is not None:
        broker.create(topic, 4, **settings)

    async def start() -> None:
        async with topic_of(broker, topic, tmp_path):
            pass

    with pytest.raises(InboxError, match=f"topic {topic}: .*{reason}"):
        asyncio.run(start())


def test_a_receiver_says_at_its_start_why_a_topic_is_refused(broker: Broker, tmp_path: Path) -> None:
    topic = broker.create("lossy", flush_messages="9223372036854775807")
    reason = "InboxError: topic lossy: it could lose deliveries"
    with pytest.raises(AssertionError, match=reason), receiving(broker, topic, tmp_path):
        pass


def test_what_was_acknowledged_is_there_though_broker_and_receiver_are_killed_under_load(
    broker: Broker, tmp_path: Path
) -> None:
    topic = broker.create("killed")
    with receiving(broker, topic, tmp_path) as receiver:
        load = Load(receiver)
        with load.running():
            for round_ in range(KILLS):
                load.wait(40 + 37 * round_ % 101)
                broker.kill()
                if round_ == 0:
                    receiver.wait(ready=False)
                broker.start()
            load.wait(40)
            receiver.wait(ready=True)
            receiver.kill()
            receiver.start()
            load.wait(40)
        assert receiver.ready()
    repeats = check(load, broker, topic)
    print(
        f"\n{KILLS} kills: {load.count} acknowledged, 0 lost, {load.refused} without a 204, {repeats} repeats in the topic"
    )


def test_partitions_that_are_added_take_members_along(broker: Broker, tmp_path: Path) -> None:
    topic = broker.create("grown", partitions=1)
    with receiving(broker, topic, tmp_path) as receiver:
        load = Load(receiver)
        with load.running():
            load.wait(100)
            admin = broker.admin()
            admin.create_partitions([NewPartitions(topic, 4)])[topic].result(10)
            receiver.kill()
            receiver.start()
            load.wait(100)
    messages = read(broker, topic)
    places = {name_of(one): (one.partition() or 0, one.offset() or 0) for one in reversed(messages)}
    moved = 0
    for sent in load.acknowledged.values():
        found = [places[name] for name, _ in sent]
        assert found == sorted(found)  # whoever reads partition 0 first has the order of each member
        moved += found[0][0] != found[-1][0]
    assert moved > 0


def test_a_topic_that_is_deleted_takes_nothing_until_it_is_back(broker: Broker, tmp_path: Path) -> None:
    topic = broker.create("deleted")
    with receiving(broker, topic, tmp_path) as receiver:
        assert receiver.post(CREATED, "before") == 204
        admin = broker.admin()
        admin.delete_topics([topic])[topic].result(10)
        with ThreadPoolExecutor() as senders:
            answer = senders.submit(receiver.post, CREATED, "meanwhile")
            receiver.wait(ready=False)
            assert not answer.done() or answer.result() == 503
            broker.create(topic)
            taken = ["meanwhile"] if answer.result() == 204 else []
        receiver.wait(ready=True)
        assert receiver.post(CREATED, "after") == 204
    found = [name_of(one) for one in once(read(broker, topic))]
    assert [one for one in found if one in [*taken, "after"]] == [*taken, "after"]
    assert "before" not in found


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("nothing may be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_broker_whose_disk_is_full_loses_nothing(small_disk: Path, tmp_path: Path) -> None:
    broker = Broker(small_disk / "broker")
    large, names = b"1" * ((1 << 20) - 1), list[str]()
    with broker.running(auto_create_topics_enable="true"):
        topic = broker.create("filled", partitions=1)
        with (
            pytest.raises(AssertionError, match="if it is deleted, it comes back with other settings"),
            receiving(broker, topic, tmp_path),
        ):
            pass
    with broker.running():
        with receiving(broker, topic, tmp_path) as receiver:
            with ThreadPoolExecutor() as senders:
                answer = senders.submit(receiver.post, large, "0")
                while broker.is_running:
                    if answer.done():
                        assert answer.result() == 204
                        names.append(f"{len(names)}")
                        answer = senders.submit(receiver.post, large, f"{len(names)}")
                    time.sleep(0.01)
                subprocess.run(["mount", "-o", "remount,size=256m", str(small_disk)], check=True)
                broker.start()
                last = [f"{len(names)}"] if answer.result() == 204 else []
            receiver.wait(ready=True)
            assert receiver.post(CREATED, "more") == 204
        found = [name_of(one) for one in once(read(broker, topic))]
        assert len(names) > 10
        assert found in ([*names, *last, "more"], [*names, f"{len(names)}", "more"])


def test_the_example_is_as_short_as_it_says() -> None:
    """Lines of the receiver; of the consumer those that are neither blank nor a comment."""
    assert len((EXAMPLE / "receiver.py").read_text().splitlines()) <= 130
    lines = map(str.strip, (EXAMPLE / "consumer.py").read_text().splitlines())
    assert sum(bool(line) and not line.startswith(("#", '"""')) for line in lines) <= 40
