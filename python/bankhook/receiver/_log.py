# SPDX-License-Identifier: MIT
"""The log of a receiver: what repeats is counted, so that a flood of requests is not a flood of lines."""

from __future__ import annotations

import asyncio
import logging

from bankhook.inbox import Delivery, _problems
from bankhook.inbox._problems import Problem
from bankhook.inbox._retries import listed_event

_log = logging.getLogger("bankhook.receiver")


class Log:
    """Logs a problem at once, and when it is over how often it was repeated.

    Messages are sentences of the receiver, without values of a request, so there are few different ones.
    """

    def __init__(self, *, has_inbox: bool = True) -> None:
        self._hint = "; `bankhook inbox dead-letters URL` lists all of them" if has_inbox else ""
        self._problems: dict[tuple[int, str], Problem] = {}

    def problem(self, level: int, message: str, first: str | None = None, /, **details: object) -> None:
        """Log a message with its details, in a running event loop; the first of many may say more."""
        key = level, message
        if key not in self._problems:
            self._problems[key] = Problem(_log, level)
            self._watch(key)
        self._problems[key].note(message, first, **details)

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
        for problem in self._problems.values():
            problem.end(at_once=True)
        self._problems.clear()

    def _watch(self, key: tuple[int, str]) -> None:
        asyncio.get_running_loop().call_later(_problems.QUIET_SECONDS, self._look, key)

    def _look(self, key: tuple[int, str]) -> None:
        """Forget a problem once it is over."""
        if (problem := self._problems.get(key)) is not None:
            if problem.end():
                del self._problems[key]
            else:
                self._watch(key)
