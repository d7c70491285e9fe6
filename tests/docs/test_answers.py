# SPDX-License-Identifier: MIT
"""The three answers to each question of `answer_questions.md` are what plain Python finds in the JSON of the same archive."""

from __future__ import annotations

import datetime
import json
import os
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from docs.snippets import ROOT, Snippet, snippets

PAGE = ROOT / "docs" / "how-to" / "answer_questions.md"
ANSWERS = ("weeks", "days", "ending", "stores", "frame", "kinds")
BANK, PURCHASE = "bank_connections_update_v2", "initial_transaction_update"
ACCOUNT = {"id", "accountHash"}
CONNECTION = {"id", "errorCode", "errorMessage", "bank", "transactionsEligibleFromDate", "consentExpiresAt", "accounts"}
STORE = {"storeExternalId", "placeId", "storeName"}
TRANSACTION = {"id", "amount", "status", "rejectionReason", "transactionDate", "transactionId", "date", *STORE}
EVENT = {"event", "eventType", "customer"}
LISTED = {
    BANK: {*EVENT, "connection", "shoppingHubId", "shoppingHubExternalId"},
    PURCHASE: {*EVENT, "initialTransaction"},
}
TYPES = {BANK: {"create", "update", "delete"}, PURCHASE: {"created", "validated", "rejected"}}
Row = tuple[Any, ...]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, Any], dict[str, list[list[Row]]]]]:
    """What the page's names are at its end, and each answer, three times."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("answers"))
    names: dict[str, Any] = {"__name__": "__main__"}
    answers: dict[str, list[list[Row]]] = defaultdict(list)
    try:
        for snippet in snippets(PAGE, "python"):
            exec(compile("\n" * (snippet.line - 1) + snippet.text, str(PAGE), "exec"), names)
            for name in ANSWERS:
                if gives(snippet, name):
                    answers[name].append(rows_of(names[name]))
        yield names, answers
    finally:
        os.chdir(before)


def gives(snippet: Snippet, name: str) -> bool:
    return any(line.startswith(f"{name} =") for line in snippet.text.splitlines())


def rows_of(answer: Any) -> list[Row]:
    """The rows of a data frame, a series, a table of Arrow or a relation, with plain values."""
    if hasattr(answer, "fetchall"):
        rows = answer.fetchall()
    elif hasattr(answer, "to_pylist"):
        rows = [tuple(row.values()) for row in answer.to_pylist()]
    elif hasattr(answer, "reset_index"):
        named = [name for name in answer.index.names if name]
        rows = list((answer.reset_index() if named else answer).itertuples(index=False, name=None))
    else:
        rows = answer.rows()
    return sorted(tuple(map(plain, row)) for row in rows)


def plain(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        value = value.replace(tzinfo=None)
        return value if value.time() != datetime.time() else value.date()
    if isinstance(value, float):
        return round(value, 6)
    return str(value) if isinstance(value, str | Decimal) else value


@pytest.fixture(scope="module")
def deliveries(session: Any) -> list[tuple[datetime.datetime, Any]]:
    """The time of receipt and the JSON of each; None if it is not JSON."""
    lines = [json.loads(line) for line in (Path.cwd() / "received.ndjson").read_text(encoding="utf-8").splitlines()]
    return [(datetime.datetime.fromisoformat(line["received_at"]), loaded(line["body"])) for line in lines]


def loaded(text: str) -> Any:
    try:
        return json.loads(text, parse_float=Decimal, parse_int=Decimal)
    except ValueError:
        return None


class Consumer:
    """What happens to events, as the specification says it in words, without any of the library."""

    def __init__(self, deliveries: list[tuple[datetime.datetime, Any]]) -> None:
        self.seen: set[str] = set()
        self.customers: dict[str, Any] = {}
        self.connections: dict[Row, Any] = {}
        self.own: dict[Row, str] = {}
        self.transactions: dict[Row, Any] = {}
        self.waited: list[tuple[datetime.datetime, float]] = []
        self.kinds: dict[Row, list[int]] = defaultdict(lambda: [0, 0, 0])
        for received, event in deliveries:
            if event is not None and event["event"] in LISTED:
                again, late = self.take(received, event)
                for place, counts in enumerate((again, late, True)):
                    self.kinds[event["event"], event["eventType"]][place] += counts

    def take(self, received: datetime.datetime, event: Any) -> tuple[bool, bool]:
        """Whether it was repeated, and whether it was late."""
        text = json.dumps(event, sort_keys=True, default=str)
        if text in self.seen:
            return True, False
        of = self.bank(event) if event["event"] == BANK else self.purchase(received, event)
        if of == "taken":
            self.seen.add(text)
        return of == "again", of == "late"

    def bank(self, event: Any) -> str:
        customer, connection = event["customer"], event["connection"]
        key = (customer["id"], connection["id"])
        if event["eventType"] == "create" and key in self.own:
            return "late"
        if self.own.get(key) == event["eventType"] and self.connections[key] == connection:
            return "again"
        self.customers[customer["id"]] = customer
        self.connections |= {(customer["id"], one["id"]): one for one in [*customer["connections"], connection]}
        self.own[key] = event["eventType"]
        return "taken"

    def purchase(self, received: datetime.datetime, event: Any) -> str:
        transaction = event["initialTransaction"]
        key = (event["customer"]["id"], transaction["id"])
        if transaction["status"] != event["eventType"]:
            return "contradicts"
        if event["eventType"] == "created" and key in self.transactions:
            return "late"
        if event["eventType"] == "validated":
            waited = received - datetime.datetime.fromisoformat(transaction["date"])
            self.waited.append((received, waited.total_seconds() / 3600))
        self.transactions[key] = transaction
        return "taken"

    def open_connections(self) -> Iterator[tuple[Row, Any]]:
        """Those that are listed still, and were not deleted."""
        for (member, id_), connection in self.connections.items():
            listed = {one["id"] for one in self.customers[member]["connections"]}
            if id_ in listed and self.own.get((member, id_)) != "delete":
                yield (member, id_), connection


@pytest.fixture(scope="module")
def consumer(deliveries: list[tuple[datetime.datetime, Any]]) -> Consumer:
    return Consumer(deliveries)


def agree(answers: list[list[Row]], expected: list[Row]) -> None:
    assert len(answers) == 3
    for answer in answers:
        assert answer == sorted(tuple(map(plain, row)) for row in expected) != []


def percentile(values: list[float], share: Fraction) -> float:
    """Between its neighbours, in proportion."""
    ordered, place = sorted(values), share * (len(values) - 1)
    low = int(place)
    return ordered[low] + float(place - low) * (ordered[min(low + 1, len(values) - 1)] - ordered[low])


def test_how_long_it_takes_by_week(session: Any, consumer: Consumer) -> None:
    weeks: dict[datetime.date, list[float]] = defaultdict(list)
    for received, hours in consumer.waited:
        weeks[received.date() - datetime.timedelta(days=received.weekday())].append(hours)
    shares = (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100))
    agree(session[1]["weeks"], [(week, *(round(percentile(of, one), 1) for one in shares)) for week, of in weeks.items()])


def rules_broken(event: Any) -> set[str]:
    """Of the rules that this archive breaks."""
    if event is None:
        return {"payload_is_json_object"}
    if event["event"] not in LISTED:
        return {"event_is_listed"}
    rules, listed, values = set[str](), [(event, LISTED[event["event"]])], [event["eventType"]]
    customer = event["customer"]
    if event["event"] == BANK:
        counts = {"connectionsOn", "connectionsOff", "connections"}
        connections = [event["connection"], *customer["connections"]]
        accounts = [account for one in connections for account in one["accounts"]]
        listed += [(customer, {"id", "externalId", *counts})]
        listed += [(one, CONNECTION) for one in connections] + [(one, ACCOUNT) for one in accounts]
    else:
        transaction = event["initialTransaction"]
        listed += [(transaction, TRANSACTION)]
        if set(customer) - {"id", "externalId"}:
            rules.add("customer_has_only_ids")
        if transaction["status"] != event["eventType"]:
            rules.add("status_equals_event_type")
        values += [transaction["status"]]
        if transaction["rejectionReason"] not in {None, "purchaseNotFound", "bankConsentExpired"}:
            rules.add("values_are_listed")
    if any(set(one) - fields for one, fields in listed):
        rules.add("fields_are_listed")
    if set(values) - TYPES[event["event"]]:
        rules.add("values_are_listed")
    return rules


def test_what_share_broke_which_rule_by_day(session: Any, deliveries: list[tuple[datetime.datetime, Any]]) -> None:
    every, broken = defaultdict[str, int](int), defaultdict[Row, int](int)
    for received, event in deliveries:
        every[str(received.date())] += 1
        for rule in rules_broken(event):
            broken[str(received.date()), rule] += 1
    agree(session[1]["days"], [(day, rule, 100 * count / every[day]) for (day, rule), count in broken.items()])


def test_which_consents_end_soon(session: Any, consumer: Consumer) -> None:
    today = session[0]["now"].replace(tzinfo=None)
    expected: list[Row] = []
    for (member, id_), connection in consumer.open_connections():
        if text := connection.get("consentExpiresAt"):
            ends = datetime.datetime.strptime(text, "%Y-%m-%d %H:%M:%S.%f")
            if today <= ends <= today + datetime.timedelta(days=30):
                expected.append((ends, member, id_))
    agree(session[1]["ending"], expected)


def test_which_stores_have_no_id(session: Any, consumer: Consumer) -> None:
    stores: dict[str, list[Decimal]] = defaultdict(list)
    for transaction in consumer.transactions.values():
        if transaction["storeExternalId"] is None and transaction["status"] == "validated":
            stores[transaction["storeName"]].append(transaction["amount"])
    agree(session[1]["stores"], [(name, len(of), f"{sum(of):.2f}") for name, of in stores.items()])


def test_purchases_of_joint_accounts_count_once(session: Any, consumer: Consumer) -> None:
    real = dict[str, Any]()
    for _, connection in consumer.open_connections():
        real |= {account["id"]: account["accountHash"] or account["id"] for account in connection["accounts"]}
    first = dict[Any, str]()
    rows: list[Row] = [tuple(row.values()) for row in session[0]["data"]]
    for account, *_ in rows:
        first.setdefault(real.get(account, account), account)
    expected = [row for row in rows if first[real.get(row[0], row[0])] == row[0]]
    assert len(first) < len({account for account, *_ in rows}) == len(rows) / 3
    agree(session[1]["frame"], expected)


def test_what_was_repeated_and_what_was_late(session: Any, consumer: Consumer) -> None:
    agree(session[1]["kinds"], [(*kind, *counts) for kind, counts in consumer.kinds.items()])
