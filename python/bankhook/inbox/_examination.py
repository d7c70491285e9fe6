# SPDX-License-Identifier: MIT
"""What can be read of a payload when it arrives: whether it is an event, and whom it is about."""

from __future__ import annotations

import datetime

from bankhook._core import AnyEvent, BankConnectionsUpdateV2, InitialTransactionUpdate, parse, salvage
from bankhook._records.errors import ParseError, check_time, suggest_keywords
from bankhook._records.findings import Finding
from bankhook._records.lines import Buffer
from bankhook._records.stored import Delivery, DeliveryState
from bankhook.inbox._arguments import Headers, bytes_of, pairs_of


@suggest_keywords
def examine(body: Buffer, /, *, received: datetime.datetime | None = None, headers: Headers = ()) -> Delivery:
    """Return what an inbox stores for a payload.

    No payload makes it raise.

    Parameters
    ----------
    body : bytes, bytearray, memoryview, mmap or another buffer
        The body of the request, verbatim: its bytes are copied.
    received : datetime.datetime, optional
        When it was received, aware; now by default.
    headers : iterable of pairs, or a mapping, optional
        The headers to store with it: pairs of str or bytes, as ASGI has them, or a mapping such as the headers of a request.
        Names are stored in lower case; all of the same name are kept that the mapping has.

    Returns
    -------
    Delivery
        What `Inbox.append` takes.

    Raises
    ------
    TypeError
        If the body is a str or something else that is not bytes, or the headers are something else than pairs of texts.
    ValueError
        If `received` has no zone.

    Examples
    --------
    >>> from bankhook.inbox import examine
    >>> delivery = examine(b'{"event":')
    >>> delivery.state, delivery.findings[0].rule
    (<DeliveryState.QUARANTINED: 'quarantined'>, 'payload_is_json_object')
    """
    if received is not None:
        check_time("received", received)
    when = datetime.datetime.now(datetime.UTC) if received is None else received.astimezone(datetime.UTC)
    body, kept = bytes_of(body), pairs_of(headers)
    try:
        event = parse(body)
    except ParseError as error:
        read = salvage(body)
        key = read.transaction if read.connection is None else read.connection
        return Delivery(body, when, kept, read.event, read.member, key, why_rejected(error), DeliveryState.QUARANTINED)
    return Delivery(body, when, kept, event.event, *about(event), ())


def why_rejected(error: ParseError, /) -> tuple[Finding, ...]:
    """Return the findings of a payload, that for which it is rejected first: deliveries are grouped by its rule."""
    return error.finding, *(one for one in error.findings if one != error.finding)


def about(event: AnyEvent, /) -> tuple[str | None, str | None]:
    """Return the ids of the member, and of the connection or transaction, that an event is about; None if it is unknown."""
    match event:
        case BankConnectionsUpdateV2():
            return event.customer.id, event.connection.id
        case InitialTransactionUpdate():
            return event.customer.id, event.initial_transaction.id
        case _:
            return None, None
