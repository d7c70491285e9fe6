# SPDX-License-Identifier: MIT
"""A receiver for as long as a `with` block lasts, in a thread: for notebooks and tests."""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections import deque
from collections.abc import Generator
from pathlib import Path
from typing import Literal

import bankhook.inbox
from bankhook._records.errors import check_whole
from bankhook._records.words import counted
from bankhook._render import findings, markup
from bankhook.inbox import Delivery, DeliveryState, DeliveryStore
from bankhook.receiver._application import Receiver
from bankhook.receiver._authentication import anyone
from bankhook.receiver._server import Server, bind, url_of

KEPT_LIMIT = 10_000
ROWS_LIMIT = 50


class Running:
    """A receiver that runs on loopback; `running` makes it."""

    def __init__(self, url: str) -> None:
        self.url = url
        """Where to post deliveries."""
        self._arrived: deque[tuple[int, Delivery]] = deque(maxlen=KEPT_LIMIT)
        self._count = 0
        self._changed = threading.Condition()

    @property
    def deliveries(self) -> tuple[Delivery, ...]:
        """What was stored so far, in the order of storing; the last 10,000."""
        with self._changed:
            return tuple(delivery for _, delivery in self._arrived)

    def wait(self, count: int = 1, *, timeout: float = 10.0) -> tuple[Delivery, ...]:
        """Wait until this many deliveries have been stored since the start, and return `deliveries`.

        Parameters
        ----------
        count : int
            How many deliveries.
        timeout : float
            Seconds to wait for them.

        Returns
        -------
        tuple[Delivery, ...]
            What was stored so far.

        Raises
        ------
        TimeoutError
            If they do not arrive in time.

        Examples
        --------
        >>> import httpx
        >>> from bankhook.receiver import running
        >>> with running() as r:
        ...     answer = httpx.post(r.url, content=b"{")
        ...     [delivery.state.value for delivery in r.wait()]
        ['quarantined']
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._count >= count, timeout):
                raise TimeoutError(f"expected {count} deliveries, found {self._count}")
        return self.deliveries

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"<bankhook.receiver.Running at {self.url}: {self._count:,} deliveries>"

    def _repr_html_(self) -> str:
        with self._changed:
            shown, count = list(self._arrived)[-ROWS_LIMIT:], self._count
        title = markup.head("Running", markup.code(self.url) + markup.word(counted(count, "delivery", "deliveries")))
        rest = count - len(shown)
        more = markup.note(f"… {rest:,} before these") if rest else ""
        return markup.page(title + more + "".join(_row(*one) for one in shown))

    def _add(self, number: int, delivery: Delivery) -> None:
        with self._changed:
            self._arrived.append((number, delivery))
            self._count += 1
            self._changed.notify_all()


@contextlib.contextmanager
def running(
    inbox: DeliveryStore | None = None, *, port: int = 0, answer_invalid: Literal[204, 422] = 204
) -> Generator[Running, None, None]:
    """Run a receiver on loopback, in a thread, until the `with` block ends; any program on this machine may deliver.

    Parameters
    ----------
    inbox : DeliveryStore, optional
        Where deliveries are stored; a temporary one by default.
    port : int
        The port; 0, the default, takes a free one.
    answer_invalid : 204 or 422
        The answer to a payload that is not an event.

    Returns
    -------
    context manager of Running
        It has the URL, and collects what is stored.

    Raises
    ------
    OSError
        If the port is taken.
    InboxError
        If the inbox cannot be opened.

    Examples
    --------
    >>> import bankhook, httpx
    >>> from bankhook.receiver import running
    >>> sandbox = bankhook.Sandbox(seed=1)
    >>> event = sandbox.create_connection(sandbox.member(0))
    >>> with running() as r:
    ...     httpx.post(r.url, content=event.raw).status_code
    ...     r.wait()[0].event
    204
    'bank_connections_update_v2'
    """
    check_whole("port", port, 0, 65535)
    with contextlib.ExitStack() as stack:
        if inbox is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bankhook-"))
            inbox = bankhook.inbox.open(Path(folder) / "inbox.db")
        listener = stack.enter_context(bind("127.0.0.1", port))
        run = Running(f"{url_of(listener)}/webhook")
        receiver = Receiver(inbox, verify=anyone, answer_invalid=answer_invalid, on_stored=run._add)
        ready = threading.Event()
        server = Server(receiver, listener, on_started=ready.set)

        def serve() -> None:
            try:
                with contextlib.suppress(SystemExit):  # of uvicorn, if the lifespan fails
                    server.run()
            finally:
                ready.set()

        thread = threading.Thread(target=serve, name="bankhook: receiver", daemon=True)
        thread.start()
        ready.wait()
        if not server.started:
            raise bankhook.inbox.InboxError("the receiver did not start: its inbox cannot be opened")
        try:
            yield run
        finally:
            server.stop()
            thread.join()


def _row(number: int, delivery: Delivery) -> str:
    state = markup.pill(delivery.state.value, "bad" if delivery.state is DeliveryState.QUARANTINED else "plain")
    event = markup.code(delivery.event) if delivery.event is not None else markup.word("not an event")
    title = markup.word(f"{number} ") + event + state + markup.code(delivery.key or "")
    return markup.fold(title, findings.findings(bankhook.diagnose(delivery.body)))
