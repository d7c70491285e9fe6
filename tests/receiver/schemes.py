# SPDX-License-Identifier: MIT
"""Checks of senders as they are known from elsewhere, by name."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import partial
from typing import Any

from bankhook.receiver import hmac_signature, shared_secret, standard_webhooks

__all__ = ["KEY", "OTHER_KEY", "SCHEMES", "github", "of_stripe", "shopify", "slack"]

KEY = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER_KEY = "whsec_" + base64.b64encode(bytes(range(24))).decode()
github = partial(hmac_signature, header="X-Hub-Signature-256", prefix="sha256=")
slack = partial(
    hmac_signature,
    header="X-Slack-Signature",
    prefix="v0=",
    timestamp_header="X-Slack-Request-Timestamp",
    message="v0:{timestamp}:{body}",
)
of_stripe = partial(hmac_signature, header="Stripe-Signature", message="{timestamp}.{body}", fields=("t", "v1"))
shopify = partial(hmac_signature, header="X-Shopify-Hmac-SHA256", encoding="base64")
SCHEMES: dict[str, Callable[..., Any]] = {
    "github": github,
    "slack": slack,
    "stripe": of_stripe,
    "shopify": shopify,
    "header": partial(shared_secret, header="X-Secret"),
    "standard-webhooks": lambda secret, **more: standard_webhooks(secret, **more),
}
