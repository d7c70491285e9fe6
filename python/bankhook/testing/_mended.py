# SPDX-License-Identifier: MIT
"""Changes to drawn events so that they keep the required rules; events that keep them already are not changed.

A rule that drawn events rarely break needs no line here: the few that break it are drawn again.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from bankhook import _core
from bankhook._core import (
    BankConnectionsUpdateV2,
    Connection,
    ConnectionEventType,
    Evidence,
    InitialTransactionUpdate,
    RejectionReason,
    TransactionStatus,
)
from bankhook._records.absent import ABSENT, Absent
from bankhook._records.errors import wrong_type

Kept: TypeAlias = frozenset[str]
"""The ids of the rules to keep; if there are any, the meanings in the tables of the specification are kept, too."""


def kept_rules(keep_rules: bool | Evidence) -> Kept:
    """Return all rules, those with at least the given evidence, or none."""
    if isinstance(keep_rules, Evidence):
        strength = list(Evidence)  # the strongest first
        return frozenset(rule.id for rule in _core.rules if strength.index(rule.evidence) <= strength.index(keep_rules))
    if isinstance(keep_rules, bool):
        return frozenset(rule.id for rule in _core.rules if keep_rules)
    raise wrong_type("keep_rules", "bool or Evidence", keep_rules)


def keeps(event: BankConnectionsUpdateV2 | InitialTransactionUpdate, kept: Kept) -> bool:
    """Return whether the event breaks none of these rules."""
    return not any(finding.rule in kept for finding in _core.check(event))


def mended_connection(connection: Connection, kept: Kept) -> Connection:
    """Spec 2.2 and 7: an error has a code and a message, a consent four fraction digits, and an account is linked once."""
    message = connection.error_message
    if "error_code_and_message_agree" in kept and (message is None) != (connection.error_code is None):
        message = "message-0" if message is None else None
    accounts = list({account.id: account for account in connection.accounts}.values()) if kept else connection.accounts
    consent = connection.consent_expires_at
    if "consent_has_four_fraction_digits" in kept and not isinstance(consent, Absent):
        consent = consent.replace(microsecond=consent.microsecond // 100 * 100)
    return connection.replace(error_message=message, accounts=accounts, consent_expires_at=consent)


def mended_connections_update(event: BankConnectionsUpdateV2, kept: Kept) -> BankConnectionsUpdateV2:
    """Spec 6.2 and 2.1: all connections of the member, each once, that of the event among them; counts of them."""
    if not kept:
        return event
    customer, own = event.customer, event.connection
    once = dict[str, Connection]()  # for the id of the event's own connection, that one
    for one in customer.connections:
        once.setdefault(one.id, own if one.id == own.id else one)
    connections = list(once.values())
    may_be_missing = event.event_type == ConnectionEventType.DELETE  # 6.2 does not say whether a deleted one is listed
    if "connection_is_among_those_of_the_customer" in kept and own not in connections and not may_be_missing:
        connections.append(own)
    on = min(customer.connections_on, len(connections))
    off = min(customer.connections_off, len(connections) - on)
    return event.replace(customer=customer.replace(connections_on=on, connections_off=off, connections=connections))


def mended_transaction_update(event: InitialTransactionUpdate, kept: Kept) -> InitialTransactionUpdate:
    """Spec 6.3, 2.4 and 3.1: status, reason, transaction id and store agree with each other and with the event's type."""
    purchase = event.initial_transaction
    rejected = event.event_type == TransactionStatus.REJECTED
    status = event.event_type if "status_equals_event_type" in kept else purchase.status
    has_store, reason = purchase.store_external_id is not None, purchase.rejection_reason
    place, name = (ABSENT, ABSENT) if has_store else ("place-0", "shop-0")
    fields: tuple[tuple[str, bool, str, Any], ...] = (
        ("rejected_update_has_reason", rejected, "rejection_reason", reason or RejectionReason.PURCHASE_NOT_FOUND),
        ("reason_only_when_rejected", not rejected, "rejection_reason", None),
        ("rejected_update_has_no_transaction_id", rejected, "transaction_id", None),
        ("transaction_id_only_when_matched", status == TransactionStatus.CREATED, "transaction_id", None),
        ("place_id_exactly_without_store_external_id", (purchase.place_id is ABSENT) != has_store, "place_id", place),
        ("store_name_exactly_without_store_external_id", (purchase.store_name is ABSENT) != has_store, "store_name", name),
    )
    changes: dict[str, Any] = {field: value for rule, applies, field, value in fields if rule in kept and applies}
    return event.replace(initial_transaction=purchase.replace(status=status, **changes))
