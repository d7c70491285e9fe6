# SPDX-License-Identifier: MIT
"""A broker of Kafka on this machine, of one node, which tests start, kill and start again; its jars come by Maven."""

from __future__ import annotations

import fcntl
import socket
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic

from installed import need_programs

__all__ = ["SAFE", "Broker", "jars"]

SAFE = {"flush.messages": "1", "max.message.bytes": str(2 << 20)}
"""Settings of a topic that loses nothing on one broker, and takes bodies of 1 MiB."""
SECONDS = 60.0
_BUILT = Path(__file__).parents[2] / "build" / "kafka"
_MAVEN = ("mvn", "-B", "-q", "-f", str(Path(__file__).with_name("pom.xml")))
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
_JAVA = ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
_SETTINGS = """
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}
controller.listener.names=CONTROLLER
log.dirs={folder}/data
log.cleaner.dedupe.buffer.size=10485760
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
broker.session.timeout.ms=1000
broker.heartbeat.interval.ms=200
"""


def jars(profile: str) -> list[Path]:
    """Return what Maven has for a profile of `pom.xml`; it is asked once, though tests run beside each other."""
    need_programs("java", "mvn")
    folder = _BUILT / profile
    _BUILT.mkdir(parents=True, exist_ok=True)
    pom = Path(__file__).with_name("pom.xml").read_text()
    with open(_BUILT / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "pom.xml"
        if not done.exists() or done.read_text() != pom:
            command = [*_MAVEN, "-P", profile, _COPY, "-DincludeScope=runtime", f"-DoutputDirectory={folder}"]
            found = subprocess.run(command, capture_output=True, text=True, check=False)
            assert found.returncode == 0, found.stdout[-3000:] + found.stderr[-3000:]
            done.write_text(pom)
    return sorted(folder.glob("*.jar"))


class Broker:
    """A broker whose data lie in a folder; `with broker.running()` starts and ends it."""

    def __init__(self, folder: Path, memory: str = "160m") -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        with _free() as one, _free() as other:
            self.port, controller = one.getsockname()[1], other.getsockname()[1]
        self.servers = f"127.0.0.1:{self.port}"
        self._settings, self._log = folder / "server.properties", folder / "log"
        self._settings.write_text(_SETTINGS.format(port=self.port, controller=controller, folder=folder))
        self._java = [*_JAVA, f"-Xmx{memory}", "-cp", ":".join(map(str, jars("broker")))]
        self._process: subprocess.Popen[bytes] | None = None
        identity = ["-t", "MkU3OEVBNTcwNTJENDM2Qg", "-c", str(self._settings)]
        subprocess.run([*self._java, "kafka.tools.StorageTool", "format", *identity], check=True, capture_output=True)

    @property
    def is_running(self) -> bool:
        """Whether the process runs; one whose disk is full ends."""
        return self._process is not None and self._process.poll() is None

    def start(self, **settings: str) -> None:
        """Start it with these settings beside its own, and return when it answers."""
        others = [word for name, value in settings.items() for word in ("--override", f"{name.replace('_', '.')}={value}")]
        command = [*self._java, "kafka.Kafka", str(self._settings), *others]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            assert self.is_running, self._log.read_text()[-3000:]
            try:
                AdminClient({"bootstrap.servers": self.servers, "log_level": 0}).list_topics(timeout=1)
                return
            except KafkaException:
                time.sleep(0.05)
        raise TimeoutError(self._log.read_text()[-3000:])

    def kill(self) -> None:
        """End it as `kill -9` does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    @contextmanager
    def running(self, **settings: str) -> Generator[Broker]:
        """Start it, and kill it at the end."""
        self.start(**settings)
        try:
            yield self
        finally:
            self.kill()

    def admin(self) -> AdminClient:
        """Return a client that changes topics."""
        return AdminClient({"bootstrap.servers": self.servers, "log_level": 0})

    def create(self, topic: str, /, partitions: int = 4, **settings: str) -> str:
        """Create a topic with these settings beside those that are safe, and return its name."""
        config = SAFE | {name.replace("_", "."): value for name, value in settings.items()}
        admin = self.admin()
        (created,) = admin.create_topics([NewTopic(topic, partitions, 1, config=config)]).values()
        created.result(SECONDS)
        while topic not in admin.list_topics(timeout=10).topics:
            time.sleep(0.01)
        return topic


def _free() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))
