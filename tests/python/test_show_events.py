# SPDX-License-Identifier: MIT
"""Events and resources in a notebook: fields in order, different values look different, and nothing is harmful."""

from __future__ import annotations

import datetime
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import bankhook
from bankhook import Account, Tracker, diagnose
from bankhook._render.wrapping import wrapped
from bankhook.testing import strategies
from python.parsed import connections_update, one_of_each, payload, transaction_update, unknown_event
from python.shown import Shown, printed

HOSTILE = (
    "</script><script>alert(1)</script>",
    "</style></details></div><img src=x onerror=alert(1)>",
    '"\' onmouseover=\'alert(1)" x="',
    "&lt;b&gt; &amp; <!-- ]]> -->",
    "{{constructor}} ${7*7} $$x$$",
)


@pytest.mark.parametrize("value", one_of_each(), ids=lambda value: type(value).__name__)
def test_every_class_shows_its_fields_in_the_order_of_the_specification(value: Any) -> None:
    shown = Shown(value)
    names = iter(shown.of("name"))
    assert all(field.name in names for field in bankhook.fields(type(value)))
    assert type(value).__name__ in shown.text


def test_null_absent_empty_and_listed_values_look_different() -> None:
    """Spec 2.4: null and absent are two things."""
    update = transaction_update()
    shown = Shown(update.initial_transaction.replace(store_external_id="", rejection_reason="purchaseNotFound"))
    rows = dict(zip(shown.of("name"), shown.of("value"), strict=True))
    assert (rows["transaction_id"], rows["place_id"], rows["store_external_id"]) == ("null", "absent", '""')
    assert shown.of("absent") == ["absent", "absent"]
    assert "purchaseNotFound" in shown.of("plain")


def test_a_value_that_is_not_listed_says_so() -> None:
    shown = Shown(transaction_update().replace(event_type="postponed"))
    assert shown.of("unlisted") == ["postponed"] * 2  # in the title, too
    assert "not listed" in shown.text
    assert "postponed" not in shown.of("plain")


def test_numbers_and_dates_are_shown_as_they_are_written() -> None:
    """Spec 2.2 and 2.4: 19.90 keeps its zero, and a fraction its four digits."""
    text = payload("transaction_created")
    written = text.split(b'"amount":', 1)[1].split(b",")[0].strip()
    event = bankhook.parse(text.replace(written, b"19.90", 1))
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    rows = dict(zip((shown := Shown(event.initial_transaction)).of("name"), shown.of("value"), strict=True))
    assert rows["amount"] == "19.90"
    assert rows["date"].encode() in text
    connection = connections_update().connection
    consent = dict(zip((shown := Shown(connection)).of("name"), shown.of("value"), strict=False))["consent_expires_at"]
    assert f'"{consent}"'.encode() in connections_update().raw


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_a_payload_is_text_and_nothing_else(text: str) -> None:
    update = connections_update()
    account = Account(id=text, account_hash=text)
    connection = update.connection.replace(id=text, bank=text, error_code=text, error_message=text, accounts=[account])
    shown = Shown(update.replace(event_type=text, connection=connection, shopping_hub_id=text))
    assert shown.text.count(text) >= 6


@pytest.mark.parametrize("name", ["\u202e", "\u2066", "\u200b", "\x00", "\x1b", "\u2028", "\ufeff", "\U000e0041"])
def test_what_cannot_be_seen_is_made_visible(name: str) -> None:
    shown = Shown(Account(id=f"a{name}b", account_hash=None))
    assert name not in shown.html
    assert name.encode("unicode_escape").decode() in shown.of("unseen")


def test_text_of_other_directions_does_not_turn_what_stands_beside_it() -> None:
    assert Shown(Account(id="שלום", account_hash=None)).of("bdi").count("שלום") == 2


@pytest.mark.slow
@settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(strategies.events(keep_rules=False))
def test_whatever_an_event_holds_it_is_shown_and_does_no_harm(event: bankhook.AnyEvent) -> None:
    tracker = Tracker()
    for value in (event, tracker.apply(event), tracker, diagnose(event.raw), *tracker.members(), *tracker.connections()):
        assert Shown(value).text


def test_a_long_text_is_shortened_with_a_word_of_how_much() -> None:
    shown = Shown(Account(id="x" * 1_000_000, account_hash=None))
    assert "… 999,840 more characters" in shown.text
    assert len(shown.html) < 10_000


def test_a_list_of_thousands_is_folded_and_bounded() -> None:
    update = connections_update()
    accounts = [Account(id=f"acc-{number}", account_hash=None) for number in range(10_000)]
    connection = update.connection.replace(accounts=accounts)
    customer = update.customer.replace(connections=[connection] * 60)
    shown = Shown(update.replace(connection=connection, customer=customer))
    assert "9,950 more elements" in shown.text
    assert "10 more elements" in shown.text
    assert shown.text.count("acc-9") < 200
    assert len(shown.html) < 250_000
    assert printed(connection).endswith(f"… {len(repr(connection)) - 4_000:,} more characters")


@pytest.mark.parametrize("text", ["a", "a', (b,", 'a", [b', "a)\n\t]}", "\\", "'\"'\"(,", "é\u202e, x=("])
def test_a_terminal_prints_the_repr_with_one_field_a_line_where_it_is_long(text: str) -> None:
    update = connections_update()
    named = update.replace(connection=update.connection.replace(id=text, bank=text * 20))
    lines = printed(named).splitlines()
    assert eval("\n".join(lines), {**vars(bankhook), "datetime": datetime}) == named
    assert f"        id={text!r}," in lines
    assert max(len(line) for line in lines if "bank=" not in line) <= 88
    assert printed([named]).count("\n") == len(lines) - 1


def test_a_repr_with_a_thousand_brackets_is_broken_in_the_outer_ones_only() -> None:
    lines = wrapped(f"a({'[' * 1000}{'1, ' * 40}{']' * 1000})").splitlines()
    assert lines[:3] == ["a(", "    [", "        ["]
    assert max(len(line) - len(line.lstrip()) for line in lines) < 88
    assert "".join(lines).count("[") == "".join(lines).count("]") == 1000


def test_a_terminal_prints_a_short_repr_in_one_line() -> None:
    account = connections_update().connection.accounts[0]
    assert printed(account) == repr(account)
    assert printed([account]) == f"[{account!r}]"


def test_a_small_list_is_open_and_a_long_one_is_folded() -> None:
    connection = connections_update().connection
    few, many = (connection.replace(accounts=[Account(id="a", account_hash=None)] * count) for count in (3, 4))
    assert Shown(few).html.count("<details open>") == 2
    assert Shown(many).html.count("<details open>") == 1


def test_an_unknown_event_shows_its_bytes() -> None:
    event = unknown_event()
    assert event.raw.decode().strip() in Shown(event).of("inner")[-1]
    odd = bankhook.UnknownEvent(raw=b'{"event":"' + b"x" * 100_000 + b'"}')
    assert len(Shown(odd).html) < 20_000


def test_showing_is_loaded_only_where_something_is_shown() -> None:
    code = "import sys, bankhook; print(*(name for name in sys.modules if name.startswith('bankhook._render')))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == ""


def test_only_objects_of_the_class_are_shown() -> None:
    with pytest.raises(TypeError):
        Account._repr_html_(object())  # type: ignore[arg-type]
