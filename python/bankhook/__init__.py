# SPDX-License-Identifier: MIT
"""Typed, checked values for the two webhook events of a bank-connection and purchase-tracking service."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

try:
    from bankhook._core import __version__  # not `from bankhook import _core`: without it, that blames a circular import
except ImportError as error:
    # What a signal raised while the extension was made: Ctrl-C, or a handler's SystemExit.
    if error.__cause__ is not None and not isinstance(error.__cause__, Exception):
        raise error.__cause__ from None
    # The command begins with this import, too: its users get a sentence, and the exit status of wrong usage.
    is_command = sys.argv[0].endswith("/bankhook") or ("-m", "bankhook") in zip(
        sys.orig_argv, sys.orig_argv[1:], strict=False
    )
    if not is_command or not str(error).startswith("BANKHOOK_PLACE_ID"):
        raise
    sys.stderr.write(f"bankhook: {error}\n")
    sys.exit(2)

from bankhook._core import (
    Account,
    AnyEvent,
    BankConnectionsUpdateV2,
    ConnectedCustomer,
    Connection,
    ConnectionEventType,
    Customer,
    Evidence,
    InitialTransaction,
    InitialTransactionUpdate,
    RejectionReason,
    Tracker,
    TransactionStatus,
    UnknownEvent,
    Verdict,
    asyncapi,
    check,
    connection_lifecycle,
    diagnose,
    explain,
    fields,
    is_clean,
    json_schema,
    parse,
    rules,
    select,
    transaction_lifecycle,
)
from bankhook._paths import get_cmake_dir, get_include
from bankhook._records.absent import ABSENT
from bankhook._records.errors import BankhookError, ParseError

vars(sys.modules["bankhook._records.transitions"])["Evidence"] = Evidence  # `_core` is made of that module

if TYPE_CHECKING:
    from bankhook import _core as _core, sandbox as sandbox, types as types
    from bankhook._archive import diagnose_lines, parse_lines
    from bankhook._handlers import HandlerContext, Handlers, Park, Retry
    from bankhook._sandbox import Sandbox
    from bankhook._tables import tables
    from bankhook._tracking import JointAccounts

__all__ = [
    "ABSENT",
    "Account",
    "AnyEvent",
    "BankConnectionsUpdateV2",
    "BankhookError",
    "ConnectedCustomer",
    "Connection",
    "ConnectionEventType",
    "Customer",
    "Evidence",
    "HandlerContext",
    "Handlers",
    "InitialTransaction",
    "InitialTransactionUpdate",
    "JointAccounts",
    "Park",
    "ParseError",
    "RejectionReason",
    "Retry",
    "Sandbox",
    "Tracker",
    "TransactionStatus",
    "UnknownEvent",
    "Verdict",
    "__version__",
    "asyncapi",
    "check",
    "connection_lifecycle",
    "diagnose",
    "diagnose_lines",
    "explain",
    "fields",
    "get_cmake_dir",
    "get_include",
    "is_clean",
    "json_schema",
    "parse",
    "parse_lines",
    "rules",
    "select",
    "tables",
    "transaction_lifecycle",
]

# Checkers know the names from above: with this function they would take any other, too.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load what is not needed by everybody, when it is asked for."""
        from importlib import import_module

        if name in _LATER:
            return getattr(import_module(_LATER[name]), name)
        if name in ("sandbox", "types"):
            return import_module(f"bankhook.{name}")
        raise AttributeError(f"module 'bankhook' has no attribute {name!r}", name=name, obj=sys.modules[__name__])

    _LATER = {
        "HandlerContext": "bankhook._handlers",
        "Handlers": "bankhook._handlers",
        "JointAccounts": "bankhook._tracking",
        "Park": "bankhook._handlers",
        "Retry": "bankhook._handlers",
        "Sandbox": "bankhook._sandbox",
        "diagnose_lines": "bankhook._archive",
        "parse_lines": "bankhook._archive",
        "tables": "bankhook._tables",
    }

__dir__ = __all__.copy
