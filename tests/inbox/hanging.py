# SPDX-License-Identifier: MIT
"""A receiver in a process whose sync handler never ends: `python -m inbox.hanging URL`."""

from __future__ import annotations

import sys
import threading

import bankhook
import bankhook.inbox
from bankhook.receiver import Receiver, _runner, anyone
from bankhook.receiver._server import Server, bind


def main(url: str) -> None:
    """Say when the handler was called, and wait for ever."""
    _runner.STOP_SECONDS = _runner.CANCEL_SECONDS = 0.01
    handlers = bankhook.Handlers()

    @handlers.fallback
    def hang(event: bankhook.AnyEvent) -> None:
        print("called", flush=True)
        threading.Event().wait()

    with bind("127.0.0.1", 0) as listener:
        Server(Receiver(bankhook.inbox.open(url), verify=anyone, handlers=handlers), listener).run()


if __name__ == "__main__":
    main(sys.argv[1])
