# SPDX-License-Identifier: MIT
"""Finds members by the id that they have in other systems, which only the bodies of deliveries have."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Collection

from bankhook._core import BankConnectionsUpdateV2, InitialTransactionUpdate, parse
from bankhook._records.errors import ParseError
from bankhook._records.stored import Delivery
from bankhook._records.words import counted
from bankhook.inbox._protocol import Inbox, InboxError
from bankhook.inbox._retries import log


async def naming(external_id: str, found: AsyncIterator[Delivery]) -> AsyncGenerator[tuple[Delivery, str | None]]:
    """The deliveries that name it, each with its member, and those that cannot be read, without one."""
    async for one in found:
        try:
            event = parse(one.body)
        except ParseError:
            yield one, None
            continue
        if not isinstance(event, BankConnectionsUpdateV2 | InitialTransactionUpdate):
            yield one, None  # nobody knows where it has a member
        elif event.customer.external_id == external_id:
            yield one, event.customer.id


async def members_of(inbox: Inbox, external_id: str, *, several: bool) -> Collection[str]:
    """The members that have it. InboxError if there are several, unless that is meant."""
    found = [member async for _, member in naming(external_id, inbox.find())]
    if unread := found.count(None):
        log.warning("%s cannot be read, also not whose they are: they stay", counted(unread, "delivery", "deliveries"))
    members = dict.fromkeys(member for member in found if member is not None)
    if len(members) > 1 and not several:
        found_many = f"{len(members)} members have this external id"
        raise InboxError(f"{found_many}: name one by its own id, or mean all (several, --several)")
    return members
