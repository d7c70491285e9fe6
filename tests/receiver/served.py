# SPDX-License-Identifier: MIT
"""An application that any ASGI server serves: `uvicorn receiver.served:app`."""

from __future__ import annotations

import os
from typing import Literal, cast

import bankhook.inbox
from bankhook.receiver import Receiver, shared_secret

app = Receiver(
    bankhook.inbox.open(os.environ["INBOX"]),
    verify=shared_secret(header="x-secret", secret="agreed"),
    max_body=10_000,
    timeout=float(os.environ.get("TIMEOUT", "30")),
    limits=cast(Literal["elsewhere"] | None, os.environ.get("LIMITS")),
)
