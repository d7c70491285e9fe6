# SPDX-License-Identifier: MIT
"""The service's operations: each changes the simulated state, and returns the event that the service would send."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import TypeAlias, TypeVar, TypeVarTuple

from bankhook._core import (
    BankConnectionsUpdateV2,
    ConnectedCustomer,
    Connection,
    Customer,
    InitialTransaction,
    InitialTransactionUpdate,
    _Sandbox,
)
from bankhook._records.errors import check_type
from bankhook._sandbox._arguments import connection_id, member_id, transaction_id
from bankhook._sandbox._truth import Truth

Arguments = TypeVarTuple("Arguments")
Event = TypeVar("Event", BankConnectionsUpdateV2, InitialTransactionUpdate)

Member: TypeAlias = str | Customer | ConnectedCustomer | BankConnectionsUpdateV2 | InitialTransactionUpdate
Transaction: TypeAlias = str | InitialTransaction | InitialTransactionUpdate


class Operations:
    """What a consumer, a member or the service can do. The example of `Sandbox` calls each of them."""

    __slots__ = ("_core", "_truth")

    _core: _Sandbox
    _truth: Truth

    def create_connection(self, member: Member) -> BankConnectionsUpdateV2:
        """Create a bank connection of a member, often without accounts (spec 6.2).

        Parameters
        ----------
        member : str, Customer, ConnectedCustomer or AnyEvent
            The member, an event about it, or its id.

        Returns
        -------
        BankConnectionsUpdateV2
            What the service sends.

        Raises
        ------
        SandboxError
            If there is no such member.
        """
        return self._operate(_Sandbox.create_connection, member_id(member))

    def create_accounts(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Create bank accounts for a connection (spec 6.2).

        Parameters
        ----------
        connection : str, Connection or BankConnectionsUpdateV2
            The connection, an event about it, or its id.

        Returns
        -------
        BankConnectionsUpdateV2
            What the service sends.

        Raises
        ------
        SandboxError
            If the connection is unknown, deleted or full.
        """
        return self._operate(_Sandbox.create_accounts, connection_id(connection))

    def update_accounts(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Update an account of a connection (spec 6.2).

        Parameters
        ----------
        connection : str, Connection or BankConnectionsUpdateV2
            The connection, an event about it, or its id.

        Returns
        -------
        BankConnectionsUpdateV2
            What the service sends.

        Raises
        ------
        SandboxError
            If the connection is unknown, deleted or without accounts.
        """
        return self._operate(_Sandbox.update_accounts, connection_id(connection))

    def desynchronise(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Desynchronise a connection (spec 6.2).

        Parameters
        ----------
        connection : str, Connection or BankConnectionsUpdateV2
            The connection, an event about it, or its id.

        Returns
        -------
        BankConnectionsUpdateV2
            What the service sends.

        Raises
        ------
        SandboxError
            If the connection is unknown or cannot be desynchronised now.
        """
        return self._operate(_Sandbox.desynchronise, connection_id(connection))

    def resynchronise(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Resynchronise a connection (spec 6.2).

        Parameters
        ----------
        connection : str, Connection or BankConnectionsUpdateV2
            The connection, an event about it, or its id.

        Returns
        -------
        BankConnectionsUpdateV2
            What the service sends.

        Raises
        ------
        SandboxError
            If the connection is unknown or cannot be resynchronised now.
        """
        return self._operate(_Sandbox.resynchronise, connection_id(connection))

    def delete_connection(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Delete a connection (spec 6.2).

        Parameters
        ----------
        connection : str, Connection or BankConnectionsUpdateV2
            The connection, an event about it, or its id.

        Returns
        -------
        BankConnectionsUpdateV2
            What the service sends.

        Raises
        ------
        SandboxError
            If the connection is unknown or already deleted.
        """
        return self._operate(_Sandbox.delete_connection, connection_id(connection))

    def disable(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Disable a connection (spec 6.2).

        Parameters
        ----------
        connection : str, Connection or BankConnectionsUpdateV2
            The connection, an event about it, or its id.

        Returns
        -------
        BankConnectionsUpdateV2
            What the service sends.

        Raises
        ------
        SandboxError
            If the connection is unknown or cannot be disabled now.
        """
        return self._operate(_Sandbox.disable, connection_id(connection))

    def enable(self, connection: str | Connection | BankConnectionsUpdateV2) -> BankConnectionsUpdateV2:
        """Enable a disabled connection again, if the choice `disabled_connection_returns` allows it.

        Parameters
        ----------
        connection : str, Connection or BankConnectionsUpdateV2
            The connection, an event about it, or its id.

        Returns
        -------
        BankConnectionsUpdateV2
            What the service sends.

        Raises
        ------
        SandboxError
            If the connection is unknown, deleted or not disabled, or if the choice allows none to come back.

        Examples
        --------
        >>> sandbox = Sandbox(seed=1, disabled_connection_returns="sometimes")
        >>> disabled = sandbox.disable(sandbox.create_connection(sandbox.member(0)))
        >>> sandbox.enable(disabled).event_type.value
        'update'
        """
        return self._operate(_Sandbox.enable, connection_id(connection))

    def send_initial_transaction(
        self,
        member: Member,
        *,
        amount: Decimal | int | None = None,
        transaction_date: datetime.date | None = None,
        store_external_id: str | None = None,
        place_id: str | None = None,
        store_name: str | None = None,
    ) -> InitialTransactionUpdate:
        """Submit an initial transaction for the first time (spec 3.1); without a purchase, one is made up.

        Parameters
        ----------
        member : str, Customer, ConnectedCustomer or AnyEvent
            The member, an event about it, or its id.
        amount, transaction_date, store_external_id, place_id, store_name : optional
            The purchase. It needs an amount, a date and a store: `store_external_id`, or `place_id` and `store_name`.

        Returns
        -------
        InitialTransactionUpdate
            What the service sends.

        Raises
        ------
        TypeError
            If only a part of a purchase is given.
        SandboxError
            If there is no such member, or not exactly one store.
        """
        store = (store_external_id, place_id, store_name)
        if all(part is None for part in (amount, transaction_date, *store)):
            return self._operate(_Sandbox.send_made_up, member_id(member))
        if amount is None or transaction_date is None:
            raise TypeError("send_initial_transaction() needs amount and transaction_date for a purchase")
        return self._operate(_Sandbox.send, member_id(member), amount, *store, transaction_date)

    def validate(self, transaction: Transaction, *, matched: bool = True) -> InitialTransactionUpdate:
        """Validate an initial transaction whose store is properly set up (spec 3.1).

        Parameters
        ----------
        transaction : str, InitialTransaction or InitialTransactionUpdate
            The transaction, an event about it, or its id.
        matched : bool
            Whether the service finds the matching transaction; only then `transaction_id` is set.

        Returns
        -------
        InitialTransactionUpdate
            What the service sends.

        Raises
        ------
        SandboxError
            If the transaction is unknown, or no longer `created`.
        """
        return self._operate(_Sandbox.validate, transaction_id(transaction), matched)

    def reject(self, transaction: Transaction, reason: str) -> InitialTransactionUpdate:
        """Reject an initial transaction whose store the service cannot set up (spec 3.1).

        Parameters
        ----------
        transaction : str, InitialTransaction or InitialTransactionUpdate
            The transaction, an event about it, or its id.
        reason : str
            One of `RejectionReason`.

        Returns
        -------
        InitialTransactionUpdate
            What the service sends.

        Raises
        ------
        SandboxError
            If the transaction is unknown, or no longer `created`.
        """
        check_type("reason", reason, str, "RejectionReason or str")
        return self._operate(_Sandbox.reject, transaction_id(transaction), str(reason))

    def _operate(self, operation: Callable[[_Sandbox, *Arguments], Event], *arguments: *Arguments) -> Event:
        """Carry out an operation, and note it for the truth; one that is refused changes nothing."""
        event = operation(self._core, *arguments)
        self._truth.note(self._core.event_count(), operation, arguments)
        return event
