# SPDX-License-Identifier: MIT
"""The inbox that several machines share: NATS JetStream; needs `bankhook[nats]`."""

from __future__ import annotations

from bankhook.inbox._nats.store import NatsInbox

__all__ = ["NatsInbox"]
