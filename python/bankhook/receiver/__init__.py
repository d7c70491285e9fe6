# SPDX-License-Identifier: MIT
"""Receiving over HTTP: deliveries are durable before they are acknowledged; needs `bankhook[receiver]`."""

from __future__ import annotations

from bankhook.receiver._application import Receiver
from bankhook.receiver._authentication import Verify, anyone, shared_secret, standard_webhooks
from bankhook.receiver._notebook import Running, running
from bankhook.receiver._server import http_protocol

__all__ = ["Receiver", "Running", "Verify", "anyone", "http_protocol", "running", "shared_secret", "standard_webhooks"]

for _public in (Receiver, Running, anyone, http_protocol, running, shared_secret, standard_webhooks):
    _public.__module__ = __name__

__dir__ = __all__.copy
