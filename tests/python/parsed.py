# SPDX-License-Identifier: MIT
"""Sample payloads by name, and what they are parsed to."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import bankhook
from bankhook import _core
from bankhook.testing import samples

__all__ = [
    "CLASSES",
    "DATA",
    "NAMES_IN_EVENTS",
    "archive",
    "connections_update",
    "listed_findings",
    "message_of",
    "one_of_each",
    "own_tables",
    "path_of",
    "payload",
    "purchase",
    "rows",
    "transaction_update",
    "transaction_with",
    "unknown_event",
]

DATA = Path(__file__).resolve().parents[1] / "data"


def payload(name: str) -> bytes:
    """The payload `tests/data/valid/<name>.json` as it stands in its file."""
    return (DATA / "valid" / f"{name}.json").read_bytes()


def rows(folder: str) -> list[dict[str, str]]:
    """What is expected of each payload in `tests/data/<folder>`."""
    with (DATA / folder / "expected.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def own_tables() -> list[dict[str, str]]:
    """For each entry of the open questions that offers a table of one's own: rows, events and answers."""
    with (DATA / "own_tables.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def message_of(row: dict[str, str]) -> str:
    """The sentence of a row of the list of findings."""
    special = {
        "another field": "unknown field",
        "the end of the text": "the payload ends inside this value (is it cut off?)",
    }
    if row["found"] == "another field" or row["expected"] == "the rest of the value":
        return special[row["found"]]
    return f"expected {row['expected']}, found {row['found']}"


def listed_findings() -> dict[str, list[dict[str, str]]]:
    """The rows of the list of findings by payload, `invalid/empty.json`; a payload without findings has an empty list."""
    found: dict[str, list[dict[str, str]]] = {
        f"{folder}/{path.name}": []
        for folder in ("invalid", "valid", "broken_rules")
        for path in sorted((DATA / folder).glob("*.json"))
    }
    with (DATA / "findings.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            found[row.pop("file")].append(row)
    return found


def archive() -> list[bytes]:
    """The lines of the sample archive, good and bad."""
    return (DATA / "archive.ndjson").read_bytes().splitlines()


def connections_update(name: str = "connection_updated_with_accounts") -> bankhook.BankConnectionsUpdateV2:
    """A sample of spec 6.2."""
    event = bankhook.parse(payload(name))
    assert isinstance(event, bankhook.BankConnectionsUpdateV2)
    return event


def transaction_update(name: str = "transaction_created") -> bankhook.InitialTransactionUpdate:
    """A sample of spec 6.3."""
    event = bankhook.parse(payload(name))
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    return event


def transaction_with(old: bytes, new: bytes) -> bankhook.InitialTransaction:
    """The transaction of the sample of spec 6.3 in which one text was exchanged."""
    text = payload("transaction_created")
    assert text.count(old) == 1
    event = bankhook.parse(text.replace(old, new))
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    return event.initial_transaction


def unknown_event() -> bankhook.UnknownEvent:
    """A sample of an event that the specification does not list."""
    event = bankhook.parse(payload("unknown_event"))
    assert isinstance(event, bankhook.UnknownEvent)
    return event


def one_of_each() -> list[object]:
    """An object of every class, all parsed, or tracked by a tracker that applied what was parsed; in the library's order."""
    update, transaction = connections_update(), transaction_update()
    tracker = bankhook.Tracker()
    tracker.apply(update)
    tracker.apply(transaction)
    member = tracker.members()[0]
    found = [
        update.connection.accounts[0],
        update.connection,
        transaction.customer,
        update.customer,
        transaction.initial_transaction,
        member.membership,
        member,
        tracker.connections()[0],
        tracker.transactions()[0],
        update,
        transaction,
        unknown_event(),
        *(bankhook.parse(sample.payload) for sample in samples.valid()),
    ]
    return [next(item for item in found if type(item) is cls) for cls in _core._classes]


CLASSES = [type(item) for item in one_of_each()]

# The classes of the events and of what lies in them.
NAMES_IN_EVENTS = {*bankhook.asyncapi()["components"]["schemas"], "UnknownEvent"}


def purchase(outcome: str = "validated") -> tuple[bankhook.InitialTransactionUpdate, bankhook.InitialTransactionUpdate]:
    """A transaction's created event and the one that ends it."""
    sandbox = bankhook.Sandbox(3, members=1)
    created = sandbox.send_initial_transaction(sandbox.member(0))
    id = created.initial_transaction.id
    return created, sandbox.validate(id) if outcome == "validated" else sandbox.reject(id, "purchaseNotFound")


def path_of(steps: tuple[str | int, ...]) -> str:
    """The path that these steps make, unless it is cut."""

    def shown(step: str | int) -> str:
        if isinstance(step, int):
            return f"[{step}]"
        return f".{step}" if re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", step) else f"['{_core._escaped(step)}']"

    return "$" + "".join(map(shown, steps))
