# SPDX-License-Identifier: MIT
"""A process that receives what is signed with one of two secrets: `python -m receiver.signed INBOX PORT`."""

from __future__ import annotations

import sys

import bankhook.inbox
from bankhook.receiver import Receiver, hmac_signature
from bankhook.receiver._server import Server, bind

__all__ = ["NEW", "OLD", "SIGN"]

NEW, OLD = "the new secret", "the old secret"
SIGN = "hmac:X-Signature,prefix=v1=,timestamp=X-Timestamp,message={timestamp}.{body}"


def main(inbox: str, port: int) -> None:
    """Serve until the process is killed."""
    verify = hmac_signature(
        header="X-Signature",
        secret=[NEW, OLD],
        prefix="v1=",
        timestamp_header="X-Timestamp",
        message="{timestamp}.{body}",
    )
    receiver = Receiver(bankhook.inbox.open(inbox), verify=verify, unpack=True, trusted_proxies=["127.0.0.1"])
    Server(receiver, bind("127.0.0.1", port), trusted_proxies=["127.0.0.1"]).run()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
