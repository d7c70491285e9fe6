# SPDX-License-Identifier: MIT
# Signatures and docstrings of functions are written here; classes of fields, enumerations and constants by `python -m stub`.
import datetime
import enum
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, ClassVar, Literal, Self, TypeAlias, TypedDict, TypeVar, final

from typing_extensions import Buffer

from bankhook._records import (
    Absent,
    AppliedLines,
    Change,
    Choice,
    Delivery,
    Encoding,
    Field,
    Finding,
    Findings,
    Format,
    Lifecycle,
    Outcome,
    ParseError,
    Printer,
    Rule,
    Salvaged,
    Source,
    Timeline,
)

_T = TypeVar("_T")

__version__: str
transaction_lifecycle: Lifecycle[TransactionStatus, TransactionTrigger]
connection_lifecycle: Lifecycle[ConnectionState, ConnectionTrigger]
_classes: tuple[type, ...]
_choices: tuple[Choice, ...]
rules: tuple[Rule, ...]
_hidden_characters: str
_event_names: tuple[str, ...]
_table_names: tuple[str, ...]

@final
class ConnectionEventType(enum.StrEnum):
    """Spec 6.2: what happened to a bank connection."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"

@final
class TransactionStatus(enum.StrEnum):
    """Spec 2.4 and 3.1: the states of an initial transaction."""

    CREATED = "created"
    VALIDATED = "validated"
    REJECTED = "rejected"

@final
class RejectionReason(enum.StrEnum):
    """Spec 2.4: why an initial transaction was rejected."""

    PURCHASE_NOT_FOUND = "purchaseNotFound"
    """The transaction could not be found in the service."""
    BANK_CONSENT_EXPIRED = "bankConsentExpired"
    """The bank consent has expired."""

@final
class Evidence(enum.StrEnum):
    """What a rule, a transition or an answer of the library rests on."""

    STATED = "stated"
    EXAMPLE = "example"
    ASSUMED = "assumed"

@final
class Severity(enum.StrEnum):
    """What breaking a rule means for a payload: `parse` rejects it for an error."""

    WARNING = "warning"
    ERROR = "error"

@final
class Verdict(enum.StrEnum):
    """What the specification says about something that was observed."""

    SPECIFIED = "specified"
    ASSUMED = "assumed"
    UNSPECIFIED = "unspecified"
    CONTRADICTS = "contradicts"

@final
class TransactionTrigger(enum.StrEnum):
    """Spec 3.1: what leads to a status; the names are ours."""

    SUBMITTED = "submitted"
    STORE_SET_UP = "store_set_up"
    STORE_NOT_SET_UP = "store_not_set_up"

@final
class ConnectionState(enum.StrEnum):
    """What has been reported of a connection; spec 3.2 shows no states."""

    LISTED = "listed"
    CREATED = "created"
    UPDATED = "updated"
    DELETED = "deleted"
    UNLISTED = "unlisted"

@final
class ConnectionTrigger(enum.StrEnum):
    """What an event says of a connection: the eventTypes of its own (6.2), and whether it lists it (2.1)."""

    CREATE = "create"
    UPDATE = "update"
    DELETE = "delete"
    LISTED = "listed"
    NOT_LISTED = "not_listed"

@final
class StateBefore(enum.StrEnum):
    """What it rests on that a row of a lifecycle leaves just this state."""

    STATED = "stated"
    ASSUMED = "assumed"
    UNKNOWN = "unknown"

@final
class FaultKind(enum.StrEnum):
    """What a sandbox does to deliveries on demand."""

    DUPLICATE = "duplicate"
    REORDER = "reorder"
    DROP = "drop"
    TRUNCATE = "truncate"
    MUTATE = "mutate"
    FUTURE = "future"

@final
class DetectedBy(enum.StrEnum):
    """How a consumer can detect a fault."""

    NOTHING = "nothing"
    RULE = "rule"
    REPEAT = "repeat"
    LIFECYCLE = "lifecycle"

@final
class ChangeKind(enum.StrEnum):
    """How something changes when a tracker takes an event."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    UNLISTED = "unlisted"
    LISTED_AGAIN = "listed_again"
    REORDERED = "reordered"
    MISSING = "missing"

@final
class ChangeSubject(enum.StrEnum):
    """What it is that changes when a tracker takes an event."""

    MEMBER = "member"
    CONNECTION = "connection"
    ACCOUNT = "account"
    TRANSACTION = "transaction"

class _Value:
    """What all classes of fields can do."""

    def to_json(self, *, over: bool = False) -> bytes:
        """Return the object as minified JSON, fields in the specification's order.

        Parameters
        ----------
        over : bool
            Write an event over the payload that it, or the event whose `replace` made it, was read from: what did not
            change, and what is not listed, stays as it stands. Elements of arrays are matched by their ids.

        Returns
        -------
        bytes
            UTF-8; absent fields are left out, amounts keep their digits. Of a parsed event the payload itself, where that
            has the bytes that would be written.

        Raises
        ------
        ValueError
            If `over` is true and there is no payload: for a resource, or an event made in Python.

        Examples
        --------
        >>> bankhook.Account(id="acc-1", account_hash=None).to_json()
        b'{"id":"acc-1","accountHash":null}'
        """
    @classmethod
    def from_json(cls, payload: Buffer | str, /) -> Self:
        """Return an object of this class from its JSON.

        Parameters
        ----------
        payload : bytes, bytearray, memoryview, mmap or str
            The JSON of one object of this class.

        Returns
        -------
        Self
            The object.

        Raises
        ------
        ParseError
            With all findings, if the payload is not the JSON of this class.

        Examples
        --------
        >>> bankhook.Account.from_json('{"id":"acc-1","accountHash":null}').id
        'acc-1'
        """
    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, resources as dicts, tuples as lists.

        Returns
        -------
        dict[str, Any]
            Values of Python, such as Decimal and date; absent fields are left out.

        Examples
        --------
        >>> bankhook.Account(id="acc-1", account_hash=None).to_dict()
        {'id': 'acc-1', 'account_hash': None}
        """
    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any], /) -> Self:
        """Return an object from the result of `to_dict`.

        Parameters
        ----------
        mapping : Mapping[str, Any]
            Names and values as the constructor takes them; nested resources may be objects or mappings.

        Returns
        -------
        Self
            The object.

        Raises
        ------
        TypeError
            If a name is unknown or missing, or a value has another type; the message names the field by its path.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> bankhook.Account.from_dict({"id": "acc-1", "account_hash": None})
        Account(id='acc-1', account_hash=None)
        """
    def to_wire(self, *, number: Callable[[str], object] | None = None) -> dict[str, Any]:
        """Return what `json.loads(..., parse_float=Decimal)` returns for the JSON of the object, amounts as one type.

        Parameters
        ----------
        number : Callable[[str], object], optional
            Called with the digits of each amount, and of any other number with a fraction; by default `Decimal`, which keeps
            19.90 as written. `float` gives what `json.dumps` takes.

        Returns
        -------
        dict[str, Any]
            Names on the wire, dates as text, amounts as `Decimal`, whatever their digits.

        Examples
        --------
        >>> bankhook.Account(id="acc-1", account_hash=None).to_wire()
        {'id': 'acc-1', 'accountHash': None}
        """
    @classmethod
    def from_wire(cls, mapping: Mapping[str, Any], /) -> Self:
        """Return an object from the result of `to_wire` or `json.loads`.

        Parameters
        ----------
        mapping : Mapping[str, Any]
            It is parsed like the JSON that it represents: unlisted fields are skipped. Nested resources may be objects or
            mappings.

        Returns
        -------
        Self
            The object.

        Raises
        ------
        ParseError
            If it is not valid; its findings have no offset, line and column.

        Examples
        --------
        >>> bankhook.Account.from_wire({"id": "acc-1", "accountHash": None, "new": 1})
        Account(id='acc-1', account_hash=None)
        """
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def _repr_html_(self) -> str: ...
    def _repr_pretty_(self, printer: Printer, cycle: bool, /) -> None: ...
    def __rich_repr__(self) -> Iterator[tuple[str, Any]]: ...

@final
class Account(_Value):
    """A bank account linked to a connection (spec 2.3)."""

    __match_args__ = ("id", "account_hash")
    def __init__(self, *, id: str, account_hash: str | None) -> None: ...
    @property
    def id(self) -> str:
        """Bank account id assigned by the service (spec 2.3).

        str
        """
    @property
    def account_hash(self) -> str | None:
        """Opaque hash of the account IBAN; accounts that share it are the same real bank account (spec 2.3).

        str | None: None is null.
        """
    def replace(self, *, id: str = ..., account_hash: str | None = ...) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(self, *, id: str = ..., account_hash: str | None = ...) -> Self: ...

@final
class Connection(_Value):
    """A bank connection of a member and the bank accounts linked to it (spec 2.2)."""

    __match_args__ = (
        "id",
        "error_code",
        "error_message",
        "bank",
        "transactions_eligible_from_date",
        "consent_expires_at",
        "accounts",
    )
    def __init__(
        self,
        *,
        id: str,
        error_code: str | None,
        error_message: str | None,
        bank: str,
        transactions_eligible_from_date: datetime.date,
        consent_expires_at: datetime.datetime | Absent = ...,
        accounts: tuple[Account, ...] | list[Account],
    ) -> None: ...
    @property
    def id(self) -> str:
        """Bank connection id (spec 2.2).

        str
        """
    @property
    def error_code(self) -> str | None:
        """Error code from the data provider; null when there is no error (spec 2.2).

        str | None: None is null.
        """
    @property
    def error_message(self) -> str | None:
        """Error message from the data provider; null when there is no error (spec 2.2).

        str | None: None is null.
        """
    @property
    def bank(self) -> str:
        """Name of the bank of this connection (spec 2.2).

        str
        """
    @property
    def transactions_eligible_from_date(self) -> datetime.date:
        """Start date of eligibility of transactions on this connection; date form `YYYY-MM-DD` (spec 2.2).

        datetime.date
        """
    @property
    def consent_expires_at(self) -> datetime.datetime | Absent:
        """End of consent for this connection; date and time with fractional seconds, in the form `YYYY-MM-DD HH:MM:SS.ffff`; no zone is given and none is added (spec 2.2).

        datetime.datetime | Absent: naive; ABSENT where the payload has no such field.
        """
    @property
    def accounts(self) -> tuple[Account, ...]:
        """Bank accounts linked to the connection; may be empty (spec 2.2).

        tuple[Account, ...]: in the order of the payload.
        """
    def replace(
        self,
        *,
        id: str = ...,
        error_code: str | None = ...,
        error_message: str | None = ...,
        bank: str = ...,
        transactions_eligible_from_date: datetime.date = ...,
        consent_expires_at: datetime.datetime | Absent = ...,
        accounts: tuple[Account, ...] | list[Account] = ...,
    ) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(
        self,
        *,
        id: str = ...,
        error_code: str | None = ...,
        error_message: str | None = ...,
        bank: str = ...,
        transactions_eligible_from_date: datetime.date = ...,
        consent_expires_at: datetime.datetime | Absent = ...,
        accounts: tuple[Account, ...] | list[Account] = ...,
    ) -> Self: ...

@final
class Customer(_Value):
    """The member concerned, where only its ids are present (spec 2.1)."""

    __match_args__ = ("id", "external_id")
    def __init__(self, *, id: str, external_id: str) -> None: ...
    @property
    def id(self) -> str:
        """Member id assigned by the service (spec 2.1).

        str
        """
    @property
    def external_id(self) -> str:
        """Member id in the consumer's system (spec 2.1).

        str
        """
    def replace(self, *, id: str = ..., external_id: str = ...) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(self, *, id: str = ..., external_id: str = ...) -> Self: ...

@final
class ConnectedCustomer(_Value):
    """The member concerned, with its counts and all its bank connections (spec 2.1)."""

    __match_args__ = ("id", "external_id", "connections_on", "connections_off", "connections")
    def __init__(
        self,
        *,
        id: str,
        external_id: str,
        connections_on: int,
        connections_off: int,
        connections: tuple[Connection, ...] | list[Connection],
    ) -> None: ...
    @property
    def id(self) -> str:
        """Member id assigned by the service (spec 2.1).

        str
        """
    @property
    def external_id(self) -> str:
        """Member id in the consumer's system (spec 2.1).

        str
        """
    @property
    def connections_on(self) -> int:
        """Count of the member's active bank connections (spec 2.1).

        int: 0 or more.
        """
    @property
    def connections_off(self) -> int:
        """Count of the member's bank connections in error (spec 2.1).

        int: 0 or more.
        """
    @property
    def connections(self) -> tuple[Connection, ...]:
        """All connections of the member, each shaped like Connection (spec 2.1).

        tuple[Connection, ...]: in the order of the payload.
        """
    def replace(
        self,
        *,
        id: str = ...,
        external_id: str = ...,
        connections_on: int = ...,
        connections_off: int = ...,
        connections: tuple[Connection, ...] | list[Connection] = ...,
    ) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(
        self,
        *,
        id: str = ...,
        external_id: str = ...,
        connections_on: int = ...,
        connections_off: int = ...,
        connections: tuple[Connection, ...] | list[Connection] = ...,
    ) -> Self: ...

@final
class InitialTransaction(_Value):
    """A purchase that the consumer submitted, and what became of it (spec 2.4)."""

    __match_args__ = (
        "id",
        "amount",
        "store_external_id",
        "place_id",
        "store_name",
        "status",
        "rejection_reason",
        "transaction_date",
        "transaction_id",
        "date",
    )
    def __init__(
        self,
        *,
        id: str,
        amount: Decimal | int,
        store_external_id: str | None,
        place_id: str | Absent = ...,
        store_name: str | Absent = ...,
        status: str,
        rejection_reason: str | None,
        transaction_date: datetime.date,
        transaction_id: str | None,
        date: datetime.datetime,
    ) -> None: ...
    @property
    def id(self) -> str:
        """Initial transaction identifier (spec 2.4).

        str
        """
    @property
    def amount(self) -> Decimal:
        """Amount of the initial transaction; exact, and no currency is shown (spec 2.4).

        Decimal: with the digits that were written.
        """
    @property
    def store_external_id(self) -> str | None:
        """Store id in the consumer's repository; null when the store was created in the field and no client identifier exists yet (spec 2.4).

        str | None: None is null.
        """
    @property
    def place_id(self) -> str | Absent:
        """Map-provider place id of the store; present only when storeExternalId is null (spec 2.4).

        str | Absent: ABSENT where the payload has no such field.
        """
    @property
    def store_name(self) -> str | Absent:
        """Store name; present only when storeExternalId is null (spec 2.4).

        str | Absent: ABSENT where the payload has no such field.
        """
    @property
    def status(self) -> TransactionStatus | str:
        """One of `created`, `validated`, `rejected` (spec 2.4).

        TransactionStatus | str: a text that is not listed yet stays a str.
        """
    @property
    def rejection_reason(self) -> RejectionReason | str | None:
        """Reason when rejected; null in the examples for non-rejected states; allowed values: `purchaseNotFound`, `bankConsentExpired`; `purchaseNotFound`: The transaction could not be found in the service; `bankConsentExpired`: The bank consent has expired (spec 2.4).

        RejectionReason | str | None: a text that is not listed yet stays a str; None is null.
        """
    @property
    def transaction_date(self) -> datetime.date:
        """Date of the transaction as declared by the consumer, `YYYY-MM-DD` (spec 2.4).

        datetime.date
        """
    @property
    def transaction_id(self) -> str | None:
        """Id of the matching transaction in the service; set only if matched automatically, otherwise null (spec 2.4).

        str | None: None is null.
        """
    @property
    def date(self) -> datetime.datetime:
        """Creation time of the initial transaction, ISO 8601 date-time (spec 2.4).

        datetime.datetime: aware if an offset is written, else naive.
        """
    def replace(
        self,
        *,
        id: str = ...,
        amount: Decimal | int = ...,
        store_external_id: str | None = ...,
        place_id: str | Absent = ...,
        store_name: str | Absent = ...,
        status: str = ...,
        rejection_reason: str | None = ...,
        transaction_date: datetime.date = ...,
        transaction_id: str | None = ...,
        date: datetime.datetime = ...,
    ) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(
        self,
        *,
        id: str = ...,
        amount: Decimal | int = ...,
        store_external_id: str | None = ...,
        place_id: str | Absent = ...,
        store_name: str | Absent = ...,
        status: str = ...,
        rejection_reason: str | None = ...,
        transaction_date: datetime.date = ...,
        transaction_id: str | None = ...,
        date: datetime.datetime = ...,
    ) -> Self: ...

@final
class Membership(_Value):
    """What only bank-connection events say of a member: its counts and its programme (spec 6.2)."""

    __match_args__ = ("connections_on", "connections_off", "shopping_hub_id", "shopping_hub_external_id")
    def __init__(
        self,
        *,
        connections_on: int,
        connections_off: int,
        shopping_hub_id: str,
        shopping_hub_external_id: str,
    ) -> None: ...
    @property
    def connections_on(self) -> int:
        """Count of the member's active bank connections, as last reported (spec 6.2).

        int: 0 or more.
        """
    @property
    def connections_off(self) -> int:
        """Count of the member's bank connections in error, as last reported (spec 6.2).

        int: 0 or more.
        """
    @property
    def shopping_hub_id(self) -> str:
        """Programme id in the service (spec 6.2).

        str
        """
    @property
    def shopping_hub_external_id(self) -> str:
        """Programme id in the consumer's system (spec 6.2).

        str
        """
    def replace(
        self,
        *,
        connections_on: int = ...,
        connections_off: int = ...,
        shopping_hub_id: str = ...,
        shopping_hub_external_id: str = ...,
    ) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(
        self,
        *,
        connections_on: int = ...,
        connections_off: int = ...,
        shopping_hub_id: str = ...,
        shopping_hub_external_id: str = ...,
    ) -> Self: ...

@final
class TrackedMember(_Value):
    """A member as a tracker stores it (spec 2.1)."""

    __match_args__ = ("customer", "membership")
    def __init__(self, *, customer: Customer, membership: Membership | None) -> None: ...
    @property
    def customer(self) -> Customer:
        """The ids of the member (spec 2.1).

        Customer
        """
    @property
    def membership(self) -> Membership | None:
        """Its counts and its programme; null until a bank-connection event of the member was accepted (spec 2.1).

        Membership | None: None is null.
        """
    def replace(self, *, customer: Customer = ..., membership: Membership | None = ...) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(self, *, customer: Customer = ..., membership: Membership | None = ...) -> Self: ...

@final
class TrackedConnection(_Value):
    """A bank connection as a tracker stores it (spec 2.2)."""

    __match_args__ = ("connection", "event_type", "state", "member_id")
    def __init__(
        self,
        *,
        connection: Connection,
        event_type: str | None,
        state: str | None,
        member_id: str,
    ) -> None: ...
    @property
    def connection(self) -> Connection:
        """The connection as it was last reported (spec 2.2).

        Connection
        """
    @property
    def event_type(self) -> ConnectionEventType | str | None:
        """Type of its last accepted event; null while it is only listed among those of its member (spec 2.2).

        ConnectionEventType | str | None: a text that is not listed yet stays a str; None is null.
        """
    @property
    def state(self) -> ConnectionState | str | None:
        """Its state: listed, created, updated, deleted or unlisted; null only where a table of your own leaves it before the first one (spec 2.2).

        ConnectionState | str | None: a text that is not listed yet stays a str; None is null.
        """
    @property
    def member_id(self) -> str:
        """Id of the member whose connection it is (spec 2.2).

        str
        """
    @property
    def is_in_error(self) -> bool:
        """Whether the service cannot read from it (spec 2.2).

        bool: it has an error code or a message.
        """
    def replace(
        self,
        *,
        connection: Connection = ...,
        event_type: str | None = ...,
        state: str | None = ...,
        member_id: str = ...,
    ) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(
        self,
        *,
        connection: Connection = ...,
        event_type: str | None = ...,
        state: str | None = ...,
        member_id: str = ...,
    ) -> Self: ...

@final
class TrackedTransaction(_Value):
    """An initial transaction as a tracker stores it (spec 2.4)."""

    __match_args__ = ("initial_transaction", "state", "customer")
    def __init__(self, *, initial_transaction: InitialTransaction, state: str | None, customer: Customer) -> None: ...
    @property
    def initial_transaction(self) -> InitialTransaction:
        """The initial transaction as its last accepted event had it (spec 2.4).

        InitialTransaction
        """
    @property
    def state(self) -> TransactionStatus | str | None:
        """Its state by the lifecycle: created, validated or rejected; null if only statuses that are not listed have come (spec 2.4).

        TransactionStatus | str | None: a text that is not listed yet stays a str; None is null.
        """
    @property
    def customer(self) -> Customer:
        """The member, with its current ids (spec 2.4).

        Customer
        """
    def replace(
        self,
        *,
        initial_transaction: InitialTransaction = ...,
        state: str | None = ...,
        customer: Customer = ...,
    ) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(
        self,
        *,
        initial_transaction: InitialTransaction = ...,
        state: str | None = ...,
        customer: Customer = ...,
    ) -> Self: ...

@final
class BankConnectionsUpdateV2(_Value):
    """A bank connection was created, desynchronised, resynchronised, deleted or disabled, or its accounts changed; priority label: must have (spec 6.2)."""

    __match_args__ = ("event_type", "customer", "connection", "shopping_hub_id", "shopping_hub_external_id")
    def __init__(
        self,
        *,
        event: Literal["bank_connections_update_v2"] = ...,
        event_type: str,
        customer: ConnectedCustomer,
        connection: Connection,
        shopping_hub_id: str,
        shopping_hub_external_id: str,
    ) -> None: ...
    @property
    def event(self) -> Literal["bank_connections_update_v2"]:
        """Name of the webhook event (spec 6.2).

        Literal["bank_connections_update_v2"]: always the same.
        """
    @property
    def event_type(self) -> ConnectionEventType | str:
        """Type of the event; which trigger yields which value is shown only in part (spec 6.2).

        ConnectionEventType | str: a text that is not listed yet stays a str.
        """
    @property
    def customer(self) -> ConnectedCustomer:
        """The member concerned; its counts and all its connections are present (spec 6.2).

        ConnectedCustomer
        """
    @property
    def connection(self) -> Connection:
        """The connection that triggered the event (spec 6.2).

        Connection
        """
    @property
    def shopping_hub_id(self) -> str:
        """Programme id in the service (spec 6.2).

        str
        """
    @property
    def shopping_hub_external_id(self) -> str:
        """Programme id in the consumer's system (spec 6.2).

        str
        """
    @property
    def raw(self) -> bytes:
        """The payload as it was received (spec 6).

        bytes: of an event made in Python, what `to_json` gives.
        """
    def replace(
        self,
        *,
        event: Literal["bank_connections_update_v2"] = ...,
        event_type: str = ...,
        customer: ConnectedCustomer = ...,
        connection: Connection = ...,
        shopping_hub_id: str = ...,
        shopping_hub_external_id: str = ...,
    ) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(
        self,
        *,
        event: Literal["bank_connections_update_v2"] = ...,
        event_type: str = ...,
        customer: ConnectedCustomer = ...,
        connection: Connection = ...,
        shopping_hub_id: str = ...,
        shopping_hub_external_id: str = ...,
    ) -> Self: ...

@final
class InitialTransactionUpdate(_Value):
    """The status of an initial transaction changed; priority label: nice to have (spec 6.3)."""

    __match_args__ = ("event_type", "customer", "initial_transaction")
    def __init__(
        self,
        *,
        event: Literal["initial_transaction_update"] = ...,
        event_type: str,
        customer: Customer,
        initial_transaction: InitialTransaction,
    ) -> None: ...
    @property
    def event(self) -> Literal["initial_transaction_update"]:
        """Name of the webhook event (spec 6.3).

        Literal["initial_transaction_update"]: always the same.
        """
    @property
    def event_type(self) -> TransactionStatus | str:
        """Type of the event; the status that the initial transaction has now (spec 6.3).

        TransactionStatus | str: a text that is not listed yet stays a str.
        """
    @property
    def customer(self) -> Customer:
        """The member concerned; only id and externalId are present (spec 6.3).

        Customer
        """
    @property
    def initial_transaction(self) -> InitialTransaction:
        """The initial transaction that changed (spec 6.3).

        InitialTransaction
        """
    @property
    def raw(self) -> bytes:
        """The payload as it was received (spec 6).

        bytes: of an event made in Python, what `to_json` gives.
        """
    def replace(
        self,
        *,
        event: Literal["initial_transaction_update"] = ...,
        event_type: str = ...,
        customer: Customer = ...,
        initial_transaction: InitialTransaction = ...,
    ) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(
        self,
        *,
        event: Literal["initial_transaction_update"] = ...,
        event_type: str = ...,
        customer: Customer = ...,
        initial_transaction: InitialTransaction = ...,
    ) -> Self: ...

@final
class UnknownEvent(_Value):
    """An event whose name the specification does not list, kept verbatim (spec 6)."""

    __match_args__ = ("event", "raw")
    def __init__(self, *, event: str = ..., raw: bytes) -> None: ...
    @property
    def event(self) -> str:
        """Name of the event (spec 6).

        str
        """
    @property
    def raw(self) -> bytes:
        """The payload from brace to brace, as it was received (spec 6).

        bytes
        """
    def replace(self, *, event: str = ..., raw: bytes = ...) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too.

        Parameters
        ----------
        **changes
            Values of fields, by their names in Python; checked as by the constructor. A value of an enumeration that is not
            listed is taken, since a payload may have it, and `check` finds it; an amount of -0 becomes 0.

        Returns
        -------
        Self
            The new object; this one never changes.

        Raises
        ------
        TypeError
            If there is no field of this name, or if a value has another type; the message names the field.
        ValueError
            If a value has the right type and the wrong form.

        Examples
        --------
        >>> account = bankhook.Account(id="acc-1", account_hash=None)
        >>> account.replace(id="acc-2")
        Account(id='acc-2', account_hash=None)
        """
    def __replace__(self, *, event: str = ..., raw: bytes = ...) -> Self: ...

@final
class _Sandbox:
    """The sandbox inside of bankhook.Sandbox."""

    def create_connection(self, id: str, /) -> BankConnectionsUpdateV2: ...
    def create_accounts(self, id: str, /) -> BankConnectionsUpdateV2: ...
    def update_accounts(self, id: str, /) -> BankConnectionsUpdateV2: ...
    def desynchronise(self, id: str, /) -> BankConnectionsUpdateV2: ...
    def resynchronise(self, id: str, /) -> BankConnectionsUpdateV2: ...
    def delete_connection(self, id: str, /) -> BankConnectionsUpdateV2: ...
    def disable(self, id: str, /) -> BankConnectionsUpdateV2: ...
    def enable(self, id: str, /) -> BankConnectionsUpdateV2: ...
    def send_made_up(self, member: str, /) -> InitialTransactionUpdate: ...
    def send(
        self,
        member: str,
        amount: Decimal | int,
        store_external_id: str | None,
        place_id: str | None,
        store_name: str | None,
        transaction_date: datetime.date,
        /,
    ) -> InitialTransactionUpdate: ...
    def validate(self, transaction: str, matched: bool, /) -> InitialTransactionUpdate: ...
    def reject(self, transaction: str, reason: str, /) -> InitialTransactionUpdate: ...
    def next(self) -> Delivery: ...
    def event_count(self) -> int: ...
    def copy(self) -> _Sandbox: ...
    def member(self, index: int, /) -> Customer: ...

@final
class Selector:
    """What `select` gives: called with a payload, a tuple of the values at its paths."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths, as they were given.

        tuple[str, ...]
        """
    def __call__(self, payload: Buffer | str, /) -> tuple[Any, ...]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class _ArchiveReader:
    """The events of an archive, in its order."""

    def close(self) -> None:
        """Close the source."""
    def column(self) -> int:
        """Characters before the last event or rejected line, on its line."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> Any: ...

@final
class Tracker:
    """Tracks every member, bank connection and initial transaction through their events.

Parameters
----------
connection_lifecycle : Lifecycle, optional
    What moves its connections: `bankhook.connection_lifecycle`, or that with other rows (`Lifecycle.with_row`).
transaction_lifecycle : Lifecycle, optional
    The same for its transactions.
status_from : str
    What holds if a status differs from its event's eventType: `status`, `eventType`, or `neither`: then nothing of the
    event is applied.
take_create : bool
    Take what a create says where a list showed the connection otherwise before; else what was listed stays.
order : str
    What is known of the order of deliveries: `unknown`, or `trusted` if none comes late. Then what an event says counts, and
    one that was seen before and changes something is news.

Raises
------
TypeError
    If a lifecycle is not one of these states.
ValueError
    For another text.

Examples
--------
>>> sandbox, tracker = bankhook.Sandbox(seed=1), bankhook.Tracker()
>>> created = sandbox.send_initial_transaction(sandbox.member(0))
>>> tracker.apply(created).verdict.value, len(tracker.transactions(created.customer.id))
('specified', 1)"""

    def __init__(
        self,
        *,
        connection_lifecycle: Lifecycle[ConnectionState, ConnectionTrigger] | None = None,
        transaction_lifecycle: Lifecycle[TransactionStatus, TransactionTrigger] | None = None,
        status_from: str = 'neither',
        take_create: bool = False,
        order: str = 'unknown',
    ) -> None: ...
    @property
    def connection_lifecycle(self) -> Lifecycle[ConnectionState, ConnectionTrigger]:
        """What moves its connections.

        Lifecycle[ConnectionState, ConnectionTrigger]
        """
    @property
    def transaction_lifecycle(self) -> Lifecycle[TransactionStatus, TransactionTrigger]:
        """What moves its transactions.

        Lifecycle[TransactionStatus, TransactionTrigger]
        """
    @property
    def status_from(self) -> str:
        """What holds if a status differs from its event's eventType: `neither`, `status` or `eventType`.

        str
        """
    @property
    def take_create(self) -> bool:
        """Whether a create holds where a list showed the connection otherwise before.

        bool
        """
    @property
    def order(self) -> str:
        """What is known of the order of deliveries: `unknown` or `trusted`.

        str
        """
    @property
    def memory(self) -> int:
        """Bytes of memory that the tracker has allocated; looks at everything that is tracked.

        int
        """
    def peek(self, event: AnyEvent, /) -> Outcome:
        """Return what `apply` would return, and change nothing.

        Parameters
        ----------
        event : AnyEvent
            The event to look at.

        Returns
        -------
        Outcome
            What the event would mean.

        Raises
        ------
        TypeError
            For any other object.

        Examples
        --------
        >>> sandbox, tracker = bankhook.Sandbox(seed=1), bankhook.Tracker()
        >>> created = sandbox.send_initial_transaction(sandbox.member(0))
        >>> tracker.peek(created).accepted, len(tracker)
        (True, 0)
        """
    def apply(self, event: AnyEvent, /) -> Outcome:
        """Apply the event and return what it meant.

        Parameters
        ----------
        event : AnyEvent
            The event; one of an unknown name changes nothing.

        Returns
        -------
        Outcome
            What changed, the verdict and its reason.

        Raises
        ------
        TypeError
            For any other object.

        Examples
        --------
        >>> sandbox, tracker = bankhook.Sandbox(seed=1), bankhook.Tracker()
        >>> created = sandbox.send_initial_transaction(sandbox.member(0))
        >>> tracker.apply(created).verdict.value, tracker.apply(created).repeat
        ('specified', True)
        """
    def member(self, id: str, /) -> TrackedMember | None:
        """Return the member with this id, or None.

        Parameters
        ----------
        id : str
            The id that the service assigned.

        Returns
        -------
        TrackedMember or None
            The member as last reported.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> sandbox.truth().member(created.customer.id).customer == sandbox.member(0)
        True
        """
    def connection(self, member_id: str, id: str, /) -> TrackedConnection | None:
        """Return the bank connection of a member with this id, even if it is deleted or unlisted; None if it is unknown.

        Parameters
        ----------
        member_id, id : str
            The ids that the service assigned.

        Returns
        -------
        TrackedConnection or None
            The connection as last reported.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> sandbox.truth().connection(created.customer.id, created.connection.id).state.value
        'created'
        """
    def transaction(self, member_id: str, id: str, /) -> TrackedTransaction | None:
        """Return the initial transaction of a member with this id, or None.

        Parameters
        ----------
        member_id, id : str
            The ids that the service assigned.

        Returns
        -------
        TrackedTransaction or None
            The transaction as last reported.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.send_initial_transaction(sandbox.member(0))
        >>> sandbox.truth().transaction(created.customer.id, created.initial_transaction.id).state.value
        'created'
        """
    def members(self) -> tuple[TrackedMember, ...]:
        """Return all members.

        Returns
        -------
        tuple[TrackedMember, ...]
            In the order of their ids.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> len(sandbox.truth().members())
        1
        """
    def connections(self, member_id: str | None = None) -> tuple[TrackedConnection, ...]:
        """Return bank connections, including deleted and unlisted ones.

        Parameters
        ----------
        member_id : str, optional
            The member whose connections to return; else those of all.

        Returns
        -------
        tuple[TrackedConnection, ...]
            Member by member, in the order of their ids.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> deleted = sandbox.delete_connection(created.connection)
        >>> [held.state.value for held in sandbox.truth().connections(created.customer.id)]
        ['deleted']
        """
    def transactions(
        self,
        member_id: str | None = None,
        *,
        status: str | None = None,
    ) -> tuple[TrackedTransaction, ...]:
        """Return initial transactions.

        Parameters
        ----------
        member_id : str, optional
            The member whose transactions to return; else those of all.
        status : str, optional
            The status that they have; else of every status.

        Returns
        -------
        tuple[TrackedTransaction, ...]
            Those of one member by creation time, all member by member in the order of their ids.

        Raises
        ------
        ValueError
            If the status is not listed, and no transaction has it.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.send_initial_transaction(sandbox.member(0))
        >>> len(sandbox.truth().transactions(status="created"))
        1
        """
    def accounts(self, member_id: str) -> tuple[Account, ...]:
        """Return the accounts of a member's connections that are neither deleted nor unlisted.

        Parameters
        ----------
        member_id : str
            The id that the service assigned.

        Returns
        -------
        tuple[Account, ...]
            Empty for an unknown member.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> update = sandbox.create_accounts(created.connection)
        >>> sandbox.truth().accounts(created.customer.id) == update.connection.accounts
        True
        """
    def diff(self, other: Tracker, /) -> tuple[Change, ...]:
        """Return what is different in another tracker.

        Something that only the other tracker has counts as added, something that only this one has as missing. Options, and what
        a tracker remembers of earlier events, are not compared.

        Parameters
        ----------
        other : Tracker
            The tracker to compare with.

        Returns
        -------
        tuple[Change, ...]
            `before` is the value here, `after` the one there. Member by member in the order of their ids: the member, its
            connections, its transactions. Empty exactly if `members`, `connections` and `transactions` of both are equal.

        Raises
        ------
        TypeError
            For any other object.

        Examples
        --------
        >>> sandbox, tracker = bankhook.Sandbox(seed=1, members=1), bankhook.Tracker()
        >>> created = sandbox.send_initial_transaction(sandbox.member(0))
        >>> [change.label for change in tracker.diff(sandbox.truth())]
        ['member_added', 'transaction_added']
        """
    def timeline(self, member_id: str, /) -> Timeline:
        """Return a member's connections and transactions over time; a notebook draws it.

        Parameters
        ----------
        member_id : str
            The id that the service assigned.

        Returns
        -------
        Timeline
            Empty for an unknown member.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> len(sandbox.truth().timeline(created.customer.id).connections)
        1
        """
    def in_error(self) -> tuple[TrackedConnection, ...]:
        """Return the connections with an error code or message, neither deleted nor unlisted (spec 7).

        Returns
        -------
        tuple[TrackedConnection, ...]
            In the order of their ids.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> failed = sandbox.desynchronise(created.connection)
        >>> len(sandbox.truth().in_error())
        1
        """
    def awaiting_accounts(self) -> tuple[TrackedConnection, ...]:
        """Return the connections, neither deleted nor unlisted, that still have no accounts (spec 6.2).

        Returns
        -------
        tuple[TrackedConnection, ...]
            In the order of their ids.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> {held.id for held in sandbox.truth().awaiting_accounts()} <= {created.connection.id}
        True
        """
    def consents_ending_before(self, when: datetime.datetime, /) -> tuple[TrackedConnection, ...]:
        """Return the connections, neither deleted nor unlisted, whose consent ends before a moment.

        Parameters
        ----------
        when : datetime.datetime
            A naive moment, as the payloads have it.

        Returns
        -------
        tuple[TrackedConnection, ...]
            The earliest end first.

        Raises
        ------
        TypeError
            For any other object.
        ValueError
            For a datetime with a zone: the payloads name none.

        Examples
        --------
        >>> import datetime
        >>> sandbox = bankhook.Sandbox(seed=1, members=1)
        >>> created = sandbox.create_connection(sandbox.member(0))
        >>> len(sandbox.truth().consents_ending_before(datetime.datetime(2100, 1, 1)))
        1
        """
    def apply_lines(
        self,
        source: Source,
        /,
        *,
        report: str = "contradicts",
        member: str | None = None,
        limit: int | None = None,
        at: str | None = None,
        encoding: Encoding | None = None,
        format: Format | None = None,
    ) -> AppliedLines:
        """Apply every event of an archive and return what it meant.

        Lines that are not events are counted and left out.

        Parameters
        ----------
        source : Source
            One of those that `parse_lines` takes.
        report : str
            The outcomes to return: those whose verdict is this one or worse. All are applied and counted.
        member : str, optional
            Return all outcomes that concern this member instead.
        limit : int, optional
            The number of outcomes to return at most.
        at, encoding, format : str, optional
            What contains the events, as in `parse_lines`.

        Returns
        -------
        AppliedLines
            The counts, and the outcomes asked for.

        Raises
        ------
        OSError
            If the source cannot be read to its end. The tracker has the events before that.

        Examples
        --------
        >>> from bankhook.testing import samples
        >>> bankhook.Tracker().apply_lines(samples.archive()).lines == bankhook.diagnose_lines(samples.archive()).lines
        True
        """
    def snapshot(self) -> bytes:
        """Return the state and the options but for the lifecycles as bytes; equal trackers give equal bytes.

        Returns
        -------
        bytes
            Lines of JSON, for `restore` of this and other versions; they contain personal data, as payloads do.

        Examples
        --------
        >>> bankhook.Tracker().snapshot().splitlines()[0]
        b'{"trackerSnapshot":3,"statusFrom":"neither","takeCreate":false}'
        """
    @staticmethod
    def restore(
        snapshot: Buffer,
        /,
        *,
        connection_lifecycle: Lifecycle[ConnectionState, ConnectionTrigger] | None = None,
        transaction_lifecycle: Lifecycle[TransactionStatus, TransactionTrigger] | None = None,
    ) -> Tracker:
        """Return a tracker with the state and the options of a snapshot.

        Parameters
        ----------
        snapshot : bytes, bytearray, memoryview or mmap
            What `snapshot` returned.
        connection_lifecycle, transaction_lifecycle : Lifecycle, optional
            What moves its states: a snapshot has no tables.

        Returns
        -------
        Tracker
            A new tracker.

        Raises
        ------
        SnapshotError
            If the bytes are damaged, cut, or of another version; nothing is half restored.
        TypeError
            For another object than bytes.

        Examples
        --------
        >>> tracker = bankhook.Sandbox(seed=1, members=1).truth()
        >>> bankhook.Tracker.restore(tracker.snapshot()) == tracker
        True
        """
    def merge(self, other: Tracker, /) -> None:
        """Add everything from a tracker of other members.

        Parameters
        ----------
        other : Tracker
            It stays unchanged.

        Raises
        ------
        MergeError
            If both have a member of the same id; nothing is changed then.
        TypeError
            For any other object.

        Examples
        --------
        >>> sandbox = bankhook.Sandbox(seed=1, members=2)
        >>> one, other = bankhook.Tracker(), bankhook.Tracker()
        >>> outcome = one.apply(sandbox.create_connection(sandbox.member(0)))
        >>> outcome = other.apply(sandbox.create_connection(sandbox.member(1)))
        >>> one.merge(other)
        >>> len(one)
        2
        """
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __eq__(self, other: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    def _repr_html_(self) -> str: ...
    def _counts(self) -> tuple[dict[str | None, int], dict[str, int]]: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: dict[int, Any], /) -> Self: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class _MemberState:
    """Everything that is tracked of one member, by the options of a tracker."""

    def __init__(self, options: Tracker, /) -> None: ...
    def peek(self, event: AnyEvent, /) -> Outcome: ...
    def apply(self, event: AnyEvent, /) -> Outcome: ...
    def transaction(self, id: str, /) -> TrackedTransaction | None: ...
    def take_options(self, options: Tracker, /) -> bool:
        """Whether any of them was another one."""
    def snapshot(self) -> bytes: ...
    @staticmethod
    def restore(snapshot: Buffer, /) -> _MemberState: ...

@final
class JointAccountIds:
    """Which account ids are one real account (spec 2.3)."""

    def __init__(self) -> None: ...
    def add(self, item: Account | Connection | ConnectedCustomer | TrackedConnection | AnyEvent, /) -> None:
        """The accounts of an account, connection, customer or event."""
    def canonical(self, account_id: str, /) -> str:
        """The id that stands for the real account."""
    def key(self, account_id: str, /) -> str:
        """A text that stands for the real account."""
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """The ids of each real account that has more than one."""
    def accounts(self) -> tuple[Account, ...]:
        """All accounts as they are known."""
    def __len__(self) -> int: ...

AnyEvent: TypeAlias = BankConnectionsUpdateV2 | InitialTransactionUpdate | UnknownEvent

def _remade(
    name: str, changes: tuple[tuple[str | None, str | None, str | None, bool, str, str | None], ...], /
) -> Lifecycle[Any, Any]: ...

def fields(cls: type, /) -> tuple[Field, ...]:
    """Return the fields of a class of events, resources or tracked state, as the specification lists them.

    Parameters
    ----------
    cls : type
        The class, not an object of it.

    Returns
    -------
    tuple[Field, ...]
        In the order of the specification's table.

    Raises
    ------
    TypeError
        For any other object.

    Examples
    --------
    >>> [field.wire_name for field in bankhook.fields(bankhook.Account) if field.nullable]
    ['accountHash']
    """

def parse(payload: Buffer | str, /, *, strict: bool = False) -> AnyEvent:
    """Return the event that a payload holds (spec 6).

    Parameters
    ----------
    payload : bytes, bytearray, memoryview, mmap or str
        The JSON of one event. Exact bytes are kept alive instead of copied, by the event and by each part of it. A byte
        order mark before it is read over: it is not part of `raw`.
    strict : bool
        Whether to reject a payload that breaks a rule that the specification states, too.

    Returns
    -------
    AnyEvent
        The event; an UnknownEvent if the specification does not list its name.

    Raises
    ------
    ParseError
        With all findings, if the payload is not an event.

    Examples
    --------
    >>> bankhook.parse('{"event":"loyalty_points_update"}').event
    'loyalty_points_update'
    >>> bankhook.parse("{")
    Traceback (most recent call last):
        ...
    bankhook.ParseError: $: the payload ends inside this value (is it cut off?) (line 1, column 2)
    """

def _restore(cls: type[_T], json: bytes, name: str = "placeId", /) -> _T:
    """What pickles call: an object of this class from its JSON.

    `name` is the place field's name there. Raises ValueError if the JSON has that field and it has another name here.
    """

def _make_sandbox(
    seed: int,
    sizes: tuple[int, ...],
    times: tuple[int, int],
    lifecycles: tuple[object, object],
    shares: tuple[float, ...],
    choices: list[tuple[str, str]],
    /,
) -> _Sandbox: ...

def select(*paths: _Path) -> Selector:
    """Return a function from a payload to a tuple of the values at these paths.

    Parameters
    ----------
    paths : str
        Checkers know those of all elements and of the first one. The payload's own: `initialTransaction.amount`, `customer.connections[].id` (a tuple),
        `connection.accounts[0].id`.

    Returns
    -------
    Selector
        It takes what `parse` takes, makes no objects but the values, and raises ParseError as `parse` does. ABSENT stands
        for a value that the event does not have.

    Raises
    ------
    ValueError
        If no event has such a path.

    Examples
    --------
    >>> sandbox = bankhook.Sandbox(seed=1)
    >>> created = sandbox.send_initial_transaction(sandbox.member(0))
    >>> bankhook.select("initialTransaction.status", "connection.id")(created.raw)
    (<TransactionStatus.CREATED: 'created'>, ABSENT)
    """

def _read_archive(
    source: object,
    refuse: Callable[[int, bytes], object] | None,
    of: type | None,
    numbered: bool,
    /,
) -> _ArchiveReader: ...

def json_schema(cls: type, /) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an event or resource class.

    Unlisted fields are allowed (9: how payloads may grow is not shown), listed values are the only ones, and the rules
    of 6.3 that a schema can express are in it. Where the specification leaves more open, the schema is as narrow as
    `parse`: dates and times have the forms that are read (by patterns, so even if formats are not checked), counts are
    whole numbers from 0, amounts have at most 38 digits before the point, and the fields that section 6 lists are
    required. `diagnose` reports what a schema cannot express.

    Parameters
    ----------
    cls : type
        A class of a resource or of a listed event.

    Returns
    -------
    dict[str, Any]
        A new schema, which may be changed.

    Raises
    ------
    TypeError
        For any other object.

    Examples
    --------
    >>> bankhook.json_schema(bankhook.Account)["properties"]["accountHash"]["type"]
    ['string', 'null']
    """

def asyncapi() -> dict[str, Any]:
    """Return the events as an AsyncAPI 3.0 document: what the service sends and a consumer receives (6).

    Address, security and content type of the deliveries are not shown (4 to 6), so none is stated.

    Returns
    -------
    dict[str, Any]
        A new document, which may be changed.

    Examples
    --------
    >>> bankhook.asyncapi()["asyncapi"]
    '3.0.0'
    """

def check(event: AnyEvent, /) -> Findings:
    """Return the rules between its fields that an event breaks (spec 6.2, 6.3, 3.1, 2.4, 7).

    Parameters
    ----------
    event : AnyEvent
        An event, parsed or made in Python.

    Returns
    -------
    Findings
        With places in `event.raw` if the event was parsed, and without places if it was made in Python.

    Raises
    ------
    TypeError
        For any other object.

    Examples
    --------
    >>> sandbox = bankhook.Sandbox(seed=1)
    >>> created = sandbox.send_initial_transaction(sandbox.member(0))
    >>> [finding.rule for finding in bankhook.check(created.replace(event_type="validated"))]
    ['status_equals_event_type']
    """

def diagnose(payload: Buffer | str, /) -> Findings:
    """Return everything that is wrong with a payload, in its order.

    Parameters
    ----------
    payload : bytes, bytearray, memoryview, mmap or str
        What `parse` takes.

    Returns
    -------
    Findings
        At most 100, and one that says so; empty if nothing is wrong. What is in the payload raises nothing.

    Raises
    ------
    TypeError
        For any other object.

    Examples
    --------
    >>> [finding.path for finding in bankhook.diagnose('{"event":17}')]
    ['$.event']
    """

def salvage(payload: Buffer | str, /) -> Salvaged:
    """Return the ids that can be read in a payload, even if `parse` rejects it.

    Nothing is invented: an id counts if it is a whole JSON string in its listed field, and if that field does not have
    two. An id whose letters were changed on the way cannot be detected.

    Parameters
    ----------
    payload : bytes, bytearray, memoryview, mmap or str
        What `parse` takes; what is in it raises nothing.

    Returns
    -------
    Salvaged
        The ids; None for each that cannot be read.

    Raises
    ------
    TypeError
        For any other object.

    Examples
    --------
    >>> from bankhook.inbox import salvage
    >>> salvage(b'{"event":"initial_transaction_update","customer":{"id":"mem-1","ext').member
    'mem-1'
    """

def explain(
    what: ParseError | Finding | Iterable[Finding],
    payload: Buffer | str,
    /,
    *,
    show_values: bool = False,
    width: int = 80,
) -> str:
    """Return the findings with the lines of the payload, and a caret under each place.

    Parameters
    ----------
    what : ParseError, Finding or Iterable[Finding]
        What is wrong.
    payload : bytes, bytearray, memoryview, mmap or str
        The payload that it was found in.
    show_values : bool
        Whether to show texts and numbers of the payload, which may be personal; else they are redacted.
    width : int
        No line takes more cells of a terminal, of which East Asian characters take two: words are wrapped, and the payload's
        line is cut around the place.

    Returns
    -------
    str
        Several lines for each finding.

    Raises
    ------
    ValueError
        For a width below 1.

    Examples
    --------
    >>> print(bankhook.explain(bankhook.diagnose('{"event":17}'), '{"event":17}'))
    $.event: expected string, found number
      rule: fields_have_their_type (stated, section 6.1)
     --> line 1, column 10
      1 | {"event":··}
        |          ^
    <BLANKLINE>
    """

def _excerpts(
    findings: Iterable[Finding],
    payload: Buffer | str,
    show_values: bool,
    width: int = 102,
    /,
) -> tuple[tuple[int, str, int, int] | None, ...]: ...

def _cells(text: str, /) -> int: ...

def _escaped(text: str, /) -> str: ...

def _read(source: object, classes: tuple[type, ...], strict: bool, /) -> Any: ...

def is_clean(payload: Buffer | str, /) -> bool:
    """Return whether `diagnose` finds nothing in the payload, at the speed of `parse`.

    Parameters
    ----------
    payload : bytes, bytearray, memoryview, mmap or str
        What `parse` takes.

    Returns
    -------
    bool
        True if nothing is wrong with it.

    Raises
    ------
    TypeError
        For any other object.

    Examples
    --------
    >>> bankhook.is_clean("{}")
    False
    """

def _diagnose_part(
    reader: _ArchiveReader,
    /,
) -> tuple[int, tuple[int, ...], int, tuple[tuple[int, bytes, int, int, int | None], ...]] | None: ...

def _apply_part(
    tracker: Tracker,
    reader: _ArchiveReader,
    report: str,
    member: str | None,
    /,
) -> tuple[Any, ...] | None: ...

_Table: TypeAlias = tuple[str, tuple[str, ...], int, bool, tuple[tuple[str, bool], ...]]

def _table_columns(table: _Table, /) -> list[tuple[str, str, bool, str]]: ...

def _table_schema(table: _Table, /) -> object: ...

def _table_stream(
    table: _Table,
    given: Iterable[object] | Tracker,
    rows: int,
    threads: int,
    requested: object | None,
    /,
) -> object: ...

_Path: TypeAlias = Literal[
    "event",
    "eventType",
    "customer.id",
    "customer.externalId",
    "customer.connectionsOn",
    "customer.connectionsOff",
    "customer.connections[].id",
    "customer.connections[].errorCode",
    "customer.connections[].errorMessage",
    "customer.connections[].bank",
    "customer.connections[].transactionsEligibleFromDate",
    "customer.connections[].consentExpiresAt",
    "customer.connections[].accounts[].id",
    "customer.connections[].accounts[].accountHash",
    "customer.connections[].accounts[0].id",
    "customer.connections[].accounts[0].accountHash",
    "customer.connections[0].id",
    "customer.connections[0].errorCode",
    "customer.connections[0].errorMessage",
    "customer.connections[0].bank",
    "customer.connections[0].transactionsEligibleFromDate",
    "customer.connections[0].consentExpiresAt",
    "customer.connections[0].accounts[].id",
    "customer.connections[0].accounts[].accountHash",
    "customer.connections[0].accounts[0].id",
    "customer.connections[0].accounts[0].accountHash",
    "connection.id",
    "connection.errorCode",
    "connection.errorMessage",
    "connection.bank",
    "connection.transactionsEligibleFromDate",
    "connection.consentExpiresAt",
    "connection.accounts[].id",
    "connection.accounts[].accountHash",
    "connection.accounts[0].id",
    "connection.accounts[0].accountHash",
    "shoppingHubId",
    "shoppingHubExternalId",
    "initialTransaction.id",
    "initialTransaction.amount",
    "initialTransaction.storeExternalId",
    "initialTransaction.placeId",
    "initialTransaction.storeName",
    "initialTransaction.status",
    "initialTransaction.rejectionReason",
    "initialTransaction.transactionDate",
    "initialTransaction.transactionId",
    "initialTransaction.date",
]

class _Choices(TypedDict, total=False):
    desynchronise_event_type: Literal["create", "update", "delete"] | ConnectionEventType
    resynchronise_event_type: Literal["create", "update", "delete"] | ConnectionEventType
    delete_event_type: Literal["create", "update", "delete"] | ConnectionEventType
    disable_event_type: Literal["create", "update", "delete"] | ConnectionEventType
    enable_event_type: Literal["create", "update", "delete"] | ConnectionEventType
    accounts_at_creation: Literal["often_none", "none", "some"]
    accounts_of_desynchronised: Literal["kept", "none"]
    accounts_of_deleted: Literal["kept", "none"]
    deleted_connection: Literal["left_out", "in_its_event"]
    disabled_connection: Literal["left_out", "in_its_event", "stays"]
    disabled_connection_returns: Literal["never", "sometimes"]
    error_of_desynchronised: Literal["set", "null"]
    counted_off: Literal["with_error", "desynchronised"]
    count_without_accounts: Literal["on", "off", "neither"]
    count_of_disabled: Literal["on", "off", "neither"]
    error_codes: Literal["named", "numeric"]
    consent_presence: Literal["often", "always", "never"]
    consent_of_resynchronised: Literal["renewed", "kept"]
    preceding_state: Literal["created", "any"]
    status_in_event: Literal["equals_event_type", "sometimes_differs"]
    store_of_validated: Literal["kept", "identified"]
    amount_form: Literal["up_to_two_places", "two_places"]
    date_form: Literal["utc_milliseconds", "utc_seconds", "offset_milliseconds"]

class _OfBankConnectionsUpdateV2(TypedDict, total=False):
    event_type: Literal["create", "delete", "update"] | ConnectionEventType | Collection[Literal["create", "delete", "update"] | ConnectionEventType]

class _OfInitialTransactionUpdate(TypedDict, total=False):
    status: Literal["created", "rejected", "validated"] | TransactionStatus | Collection[Literal["created", "rejected", "validated"] | TransactionStatus]
    rejection_reason: Literal["bankConsentExpired", "purchaseNotFound"] | RejectionReason | Collection[Literal["bankConsentExpired", "purchaseNotFound"] | RejectionReason]
    event_type: Literal["created", "rejected", "validated"] | TransactionStatus | Collection[Literal["created", "rejected", "validated"] | TransactionStatus]

class _OfUnknownEvent(TypedDict, total=False):
    event: str | Collection[str]
