# SPDX-License-Identifier: MIT
"""The log of a receiver: what repeats is counted, so that a flood of requests is not a flood of lines."""

from __future__ import annotations

import asyncio
import logging

from bankhook.inbox import Delivery
from bankhook.inbox._retries import listed_event

WINDOW_SECONDS = 10.0

_log = logging.getLogger("bankhook.receiver")


class Log:
    """Logs a problem at once, and while it repeats one line with its count every some seconds.

    Messages are sentences of the receiver, without values of a request, so there are few different ones.
    """

    def __init__(self, *, has_inbox: bool = True) -> None:
        self._hint = "; `bankhook inbox dead-letters URL` lists all of them" if has_inbox else ""
        self._counts: dict[tuple[int, str], int] = {}

    def problem(self, level: int, message: str, first: str | None = None, /, **details: object) -> None:
        """Log a message with its details, in a running event loop; the first of many may say more."""
        key = level, message
        if key in self._counts:
            self._counts[key] += 1
        else:
            _log.log(level, first or message, extra=details)
            self._watch(key)

    def only_appends(self) -> None:
        """Log what the receiver does not have if its store is no inbox."""
        _log.warning(
            "the store only appends: no page, no handlers, no idle(), and no figures of what is handled in /metrics"
        )

    def turned_away(self, status: int, reason: str) -> None:
        """Log the answer to a request that was not stored, in a running event loop."""
        self.problem(logging.WARNING, f"turned away with {status}: {reason}", status=status, reason=reason)

    def cut(self) -> None:
        """Log a request that ended before its body."""
        _log.info("cut before the body was complete")

    def stored(self, number: int, delivery: Delivery, *, is_watched: bool) -> None:
        """Log a delivery that was stored; a quarantined one is a problem unless something else watches them."""
        event, state = listed_event(delivery.event), delivery.state.value
        if _log.isEnabledFor(logging.INFO):
            about = {"delivery": number, "event": event, "state": state, "bytes": len(delivery.body)}
            _log.info(f"delivery {number} is stored: {event}, {state}, {len(delivery.body):,} bytes", extra=about)
        if delivery.findings and not is_watched:
            rule = delivery.findings[0].rule
            why = f"is quarantined: {rule}{self._hint}"
            first = f"delivery {number} ({event}) {why}"
            about = {"delivery": number, "event": event, "state": state, "rule": rule}
            self.problem(logging.WARNING, f"a delivery {why}", first, **about)

    def close(self) -> None:
        """Log what was counted."""
        for key in list(self._counts):
            self._report(key, is_last=True)

    def _watch(self, key: tuple[int, str]) -> None:
        self._counts[key] = 0
        asyncio.get_running_loop().call_later(WINDOW_SECONDS, self._report, key)

    def _report(self, key: tuple[int, str], *, is_last: bool = False) -> None:
        """Log how often a message was repeated, if it was; then watch it on."""
        level, message = key
        if count := self._counts.pop(key, 0):
            _log.log(level, f"{message} (repeated: {count:,})", extra={"count": count})
            if not is_last:
                self._watch(key)
