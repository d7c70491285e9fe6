# SPDX-License-Identifier: MIT
"""The connections of a server, of which idle ones give way to new ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Protocol

from bankhook.receiver._peers import Trusted


class Connection(Protocol):
    """What has a place."""

    def timeout_keep_alive_handler(self) -> None:
        """Close it now."""


class Places:
    """The connections of one server: if there are too many, one that does not wait for an answer, or read it, gives way."""

    def __init__(self, trusted: str | list[str], peer_limit: int) -> None:
        """Take uvicorn's setting of proxies, and how many connections another peer may have."""
        self._peer_limit = peer_limit
        self.trusted = Trusted.of_setting(trusted)
        self.idle: dict[Connection, None] = {}
        """Those that give way; the one that has been such a one for longest is the first."""
        self._peers: dict[Connection, str] = {}
        self._counts: Counter[str] = Counter()

    def take(self, connection: Connection, peer: str, limit: int) -> None:
        """Count a connection, and end one that is idle if there are more than the limit, or too many of its peer."""
        self.idle[connection] = None
        self._peers[connection] = peer
        self._counts[peer] += 1
        if peer and self._counts[peer] > self._peer_limit:
            self._close(one for one in self.idle if self._peers[one] == peer)
        elif len(self._peers) > limit:
            self._close(iter(self.idle))

    def are_taken(self, limit: int) -> bool:
        """Whether there are more connections than that, although those that are idle give way."""
        return len(self._peers) > limit

    def leave(self, connection: Connection) -> None:
        """Count a connection no more."""
        self.idle.pop(connection, None)
        if (peer := self._peers.pop(connection, None)) is not None:
            self._counts[peer] -= 1
            if not self._counts[peer]:
                del self._counts[peer]

    def _close(self, candidates: Iterator[Connection]) -> None:
        if (oldest := next(candidates, None)) is not None:
            self.leave(oldest)
            oldest.timeout_keep_alive_handler()
