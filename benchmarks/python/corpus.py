# SPDX-License-Identifier: MIT
"""What is measured: seeded events of a sandbox, and events whose texts vary; too many for a branch predictor to learn."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import bankhook

__all__ = ["Corpus", "corpora"]


class Corpus(NamedTuple):
    """Events of one kind, one after the other."""

    kind: str
    payloads: list[bytes]
    is_varying: bool = False

    @property
    def name(self) -> str:
        """The kind, and whether the texts vary."""
        return f"{self.kind}, varying" if self.is_varying else self.kind

    @property
    def archive(self) -> bytes:
        """The events one a line."""
        return b"".join(payload + b"\n" for payload in self.payloads)

    @property
    def size(self) -> int:
        """In bytes, without line ends."""
        return sum(map(len, self.payloads))


def corpora(size: int, varying: Path) -> list[Corpus]:
    """Transactions, everyday and heavy bank events; at least `size` bytes of each. `varying` prints those that vary."""
    return [
        Corpus("transaction", _up_to(size, _transactions())),
        Corpus("bank everyday", _up_to(size, _bank_events(connections=3, accounts=4))),
        Corpus("bank heavy", _up_to(size, _heavy_events())),
        *(
            Corpus(kind, _printed(varying, word, size), is_varying=True)
            for kind, word in (("transaction", "transaction"), ("bank everyday", "everyday"), ("bank heavy", "heavy"))
        ),
    ]


def _printed(varying: Path, kind: str, size: int) -> list[bytes]:
    return subprocess.run([varying, kind, str(size)], capture_output=True, check=True).stdout.splitlines()


def _up_to(size: int, payloads: Iterator[bytes]) -> list[bytes]:
    taken: list[bytes] = []
    while size > 0:
        taken.append(next(payloads))
        size -= len(taken[-1])
    return taken


def _events(sandbox: bankhook.Sandbox, kind: type) -> Iterator[bytes]:
    while True:
        for delivery in sandbox.deliveries(1000):
            if isinstance(bankhook.parse(delivery.payload), kind):
                yield delivery.payload


def _transactions() -> Iterator[bytes]:
    return _events(bankhook.Sandbox(seed=1, members=2000), bankhook.InitialTransactionUpdate)


def _bank_events(connections: int, accounts: int) -> Iterator[bytes]:
    sandbox = bankhook.Sandbox(seed=2, members=2000, connections=connections, accounts=accounts)
    return _events(sandbox, bankhook.BankConnectionsUpdateV2)


def _heavy_events() -> Iterator[bytes]:
    """Members with some twenty connections of up to ten accounts."""
    sandbox = bankhook.Sandbox(seed=3, members=50, connections=20, accounts=10)
    members = [sandbox.member(number) for number in range(50)]
    connections = []
    for member in members:
        for _ in range(20):
            created = sandbox.create_connection(member)
            with suppress(bankhook.sandbox.SandboxError):  # it may have all of them from the beginning
                sandbox.create_accounts(created.connection)
            connections.append(created.connection)
    for connection in cycle(connections):
        for operation in (sandbox.desynchronise, sandbox.resynchronise):
            yield operation(connection).to_json()
