# SPDX-License-Identifier: MIT
"""Receiving over HTTP: deliveries are durable before they are acknowledged; needs `bankhook[receiver]`."""

from __future__ import annotations

from bankhook.receiver._application import Receiver
from bankhook.receiver._authentication import Verify, all_of, any_of, anyone
from bankhook.receiver._notebook import Running, running
from bankhook.receiver._secrets import shared_secret
from bankhook.receiver._server import http_protocol
from bankhook.receiver._signatures import hmac_signature
from bankhook.receiver._standard_webhooks import standard_webhooks

__all__ = [
    "Receiver",
    "Running",
    "Verify",
    "all_of",
    "any_of",
    "anyone",
    "hmac_signature",
    "http_protocol",
    "running",
    "shared_secret",
    "standard_webhooks",
]

for _name in set(__all__) - {"Verify", "anyone"}:
    globals()[_name].__module__ = __name__

__dir__ = __all__.copy
