# SPDX-License-Identifier: MIT
"""`bankhook listen`: receive deliveries over HTTP, store each before it is acknowledged, and show them."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import errno
import logging
import os
import shlex
import socket
import sys
from typing import TYPE_CHECKING

import click

import bankhook
from bankhook.cli import options, senders
from bankhook.cli.files import FileFault
from bankhook.cli.lines import LinePrinter
from bankhook.cli.options import Chosen, option
from bankhook.cli.terminal import Part, say

if TYPE_CHECKING:
    from bankhook.inbox import Delivery, Inbox
    from bankhook.receiver import Verify


@options.command()
@option(
    "--inbox inbox_url",
    "Where deliveries are stored: a file for SQLite, or a URL such as postgresql://…",
    default="inbox.db",
    metavar="URL",
)
@option("--spool", "Beside PostgreSQL: where deliveries are stored while it does not answer.", metavar="FILE")
@option("--host", "The address to listen at.", default="127.0.0.1", metavar="HOST")
@option("--port", "The port to listen on; 0 takes a free one.", options.Whole(0, 65535), 8000)
@option("--path", "Where deliveries are posted.", default="/webhook", metavar="PATH")
@senders.verify
@senders.secret_files("verify")
@option(
    "--trusted-proxy trusted_proxies",
    "A proxy before it, or a network of them, which may have more connections than others; may be repeated.",
    multiple=True,
    metavar="ADDRESS",
)
@option(
    "--answer-invalid", "The answer to a payload that is not an event; it is stored in any case.", ("204", "422"), "204"
)
@option("--max-body", "The largest body that is accepted, in bytes.", options.Whole(min=1), 1 << 20)
@option("--no-page", "Do not serve the page for people.", bool)
@option("--quiet", "Do not print a line for each delivery.", bool)
@options.show_values
def command(chosen: Chosen) -> int:
    """Receive deliveries over HTTP. A delivery is stored before it is acknowledged with 204; what is not an event is
    stored, too. On loopback, a page at the root shows deliveries as they come. /readyz says whether deliveries can be stored
    now, /healthz whether a restart would help; /metrics is for monitoring.

    `listen` runs no handlers: deliveries stay pending until a process with handlers handles them. Members' timelines,
    cases and overdue transactions come from that handling. "Handle deliveries reliably" in the documentation shows such a
    process.

    The specification does not show how the service authenticates. Without --verify, `listen` listens on loopback only, so
    that only programs on this machine can deliver. `--verify anyone` lets in anyone who reaches it, but no web page.

    \b
    Examples:
      bankhook listen
      bankhook listen --host 0.0.0.0 --verify header:X-Secret --secret-file FILE
      bankhook listen --verify hmac:X-Signature,prefix=sha256= --secret-file FILE

    Exit status: 0 stopped by SIGINT or SIGTERM, 2 wrong usage, or an address or inbox that cannot be opened.
    """
    from bankhook.receiver._server import bind, is_loopback

    try:
        is_local = is_loopback(chosen.host)
    except OSError:
        raise click.UsageError("--host: there is no address for this name") from None
    check = senders.verifier(chosen)
    if chosen.verify is None and not is_local:
        choose = "choose --verify (or --verify anyone), or loopback"
        raise click.UsageError(f"--host {chosen.host}: anyone who reaches it could deliver; {choose}")
    try:
        listener = bind(chosen.host, chosen.port)
    except OSError as error:
        hint = "; choose another --port" if error.errno == errno.EADDRINUSE else ""
        reason = f"{os.strerror(error.errno or 0)}{hint}"
        raise click.ClickException(f"cannot listen at {chosen.host}, port {chosen.port}: {reason}") from None
    chosen.no_page |= not is_local
    with listener, LinePrinter() as printer:
        return _serve(chosen, check, listener, printer)


def _serve(chosen: Chosen, check: Verify, listener: socket.socket, printer: LinePrinter) -> int:
    import bankhook.inbox
    from bankhook.inbox._sql.urls import shown
    from bankhook.receiver import Receiver
    from bankhook.receiver._page.routes import routes
    from bankhook.receiver._server import Server, url_of

    def on_stored(number: int, delivery: Delivery) -> None:
        if not chosen.quiet:
            printer.say(number, *_line(delivery, chosen.show_values))

    signed = "" if chosen.verify in (None, "anyone") else f" --sign {shlex.quote(chosen.verify)} --secret-file FILE"
    try:
        stored_in = shown(chosen.inbox_url)
        inbox = bankhook.inbox.open(chosen.inbox_url, spool=chosen.spool)
        receiver = Receiver(
            inbox,
            path=chosen.path,
            verify=check,
            max_body=chosen.max_body,
            max_total=max(64 << 20, chosen.max_body),
            trusted_proxies=chosen.trusted_proxies,
            answer_invalid=422 if chosen.answer_invalid == "422" else 204,
            on_stored=on_stored,
        )._serve_beside(() if chosen.no_page else routes(inbox, url=stored_in, path=chosen.path, signed=signed))
    except ValueError as error:
        raise click.UsageError(str(error).replace("url:", "--inbox:", 1)) from None
    try:
        asyncio.run(_try(bankhook.inbox.open(chosen.inbox_url, spool=chosen.spool)))
    except bankhook.BankhookError as error:
        raise FileFault(stored_in, error) from None

    def started() -> None:
        say("POST", (f"{url_of(listener)}{chosen.path}", "bold"), f"→ {stored_in}")
        if not chosen.no_page:
            say("page", (url_of(listener) + "/", "bold"))
        if chosen.verify is None:
            say("Without --verify only this machine can deliver. Ctrl-C stops.")
        sys.stdout.flush()

    _prepare_process(printer)
    try:
        Server(receiver, listener, on_started=started, trusted_proxies=chosen.trusted_proxies).run()
    except SystemExit:  # uvicorn's way to say that the lifespan failed
        raise click.ClickException(f"cannot open the inbox {stored_in}") from None
    return 0


async def _try(inbox: Inbox) -> None:
    """Open an inbox and close it again."""
    async with inbox:
        pass


def _line(delivery: Delivery, show_values: bool) -> list[Part]:
    """Return what arrived, as styled texts, with its ids; of other texts, without values, only those that are listed."""
    key = f" of {delivery.key:.80}" if delivery.key is not None else ""
    about = key + (f", member {delivery.member:.80}" if delivery.member is not None else "")
    if delivery.findings:
        return [("quarantined", "red"), f"{delivery.findings[0].rule}, {len(delivery.body):,} bytes{about}"]
    event = bankhook.parse(delivery.body)
    if isinstance(event, bankhook.UnknownEvent):
        return [f"pending     {event.event[:80] if show_values else 'an unknown event'}"]
    kind = str(event.event_type) if show_values or isinstance(event.event_type, enum.Enum) else "(unknown type)"
    return [f"pending     {event.event} {kind:.80}{about}"]


def _prepare_process(printer: LinePrinter) -> None:
    """Print problems, but not what uvicorn logs about each bad request; allow as many connections as the system does."""
    import resource

    logging.getLogger("bankhook").addHandler(printer)
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65_536) if most > 0 else 65_536, most))
