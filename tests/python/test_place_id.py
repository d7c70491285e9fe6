# SPDX-License-Identifier: MIT
"""2.4, Note: `placeId` stands for a name that is in the environment of a process. Each test has a process of its own."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from textwrap import dedent

import pytest

import bankhook
from bankhook import Evidence
from bankhook.testing import samples
from installed import need_packages

pytestmark = pytest.mark.slow

# A store that was created in the field, and what each test begins with.
PAYLOAD = (
    '{"event":"initial_transaction_update","eventType":"created","customer":{"id":"m-1","externalId":"c-1"},'
    '"initialTransaction":{"id":"t-1","amount":19.90,"storeExternalId":null,"mapPlaceId":"p-1","storeName":"Shop",'
    '"status":"created","rejectionReason":null,"transactionDate":"2026-05-03","transactionId":null,'
    '"date":"2026-05-03T10:15:30Z"}}'
)
RULE = "place_id_exactly_without_store_external_id"
HEAD = f"""
import json, pickle
from decimal import Decimal
import pytest
import bankhook
from bankhook import ABSENT, InitialTransaction, InitialTransactionUpdate, ParseError
PAYLOAD = {PAYLOAD!r}
RULE = {RULE!r}
def place(text): return bankhook.parse(text).initial_transaction.place_id
def found(text): return [(one.rule, one.path) for one in bankhook.diagnose(text)]
"""


def process(code: str, name: str) -> subprocess.CompletedProcess[str]:
    """Run `code` where the field has this name."""
    command = [sys.executable, "-c", HEAD + dedent(code)]
    return subprocess.run(
        command, env={**os.environ, "BANKHOOK_PLACE_ID": name}, capture_output=True, text=True, check=False
    )


def run(code: str, *, name: str = "mapPlaceId") -> None:
    """The same, and nothing of it fails."""
    done = process(code, name)
    assert done.returncode == 0, done.stderr


def test_unless_a_name_is_given_it_is_the_stand_in_and_what_rests_on_it_is_assumed() -> None:
    assert "placeId" in {field.wire_name for field in bankhook.fields(bankhook.InitialTransaction)}
    assert {one.evidence for one in bankhook.rules if one.id == RULE} == {Evidence.ASSUMED}
    real = bankhook.diagnose(PAYLOAD)
    assert {(one.rule, one.evidence) for one in real} == {("fields_are_listed", "assumed"), (RULE, "assumed")}
    assert bankhook.parse(PAYLOAD, strict=True).raw == PAYLOAD.encode()


def test_the_given_name_is_read_in_order_in_another_order_indented_and_with_escapes() -> None:
    run("""
    key = '"mapPlaceId":"p-1",'
    assert place(PAYLOAD) == "p-1"
    without = PAYLOAD.replace(key, "")
    assert place(without) is ABSENT
    assert place(without.replace('"id":"t-1",', key + '"id":"t-1",')) == "p-1"
    assert place(without.replace('}}', ',' + key[:-1] + '}}')) == "p-1"
    assert place(json.dumps(json.loads(PAYLOAD), indent=2)) == "p-1"
    assert place(json.dumps(json.loads(PAYLOAD))) == "p-1"
    assert place(PAYLOAD.replace('"mapPlaceId":"p-1"', '"mapPlaceId" : "p-1"')) == "p-1"
    assert place(PAYLOAD.replace("mapPlaceId", r"map\\u0050laceId")) == "p-1"
    assert place(PAYLOAD.replace('"p-1"', '"p-\\u00e9\\\\n"')) == "p-\\u00e9\\n"
    assert not bankhook.diagnose(PAYLOAD) and bankhook.is_clean(PAYLOAD)
    """)


def test_a_payload_that_ends_within_the_name_or_its_value_is_an_error() -> None:
    run("""
    for end in range(PAYLOAD.index('"mapPlaceId"'), PAYLOAD.index('"storeName"')):
        for indented in (PAYLOAD, json.dumps(json.loads(PAYLOAD))):
            with pytest.raises(ParseError):
                bankhook.parse(indented[:end])
    """)


def test_the_stand_in_is_then_a_field_that_is_not_listed() -> None:
    run("""
    stand_in = PAYLOAD.replace("mapPlaceId", "placeId")
    assert place(stand_in) is ABSENT
    assert found(stand_in) == [
        ("fields_are_listed", "$.initialTransaction.placeId"), (RULE, "$.initialTransaction.mapPlaceId")]
    both = PAYLOAD.replace('"mapPlaceId"', '"placeId":"other","mapPlaceId"')
    assert place(both) == "p-1"
    assert found(both) == [("fields_are_listed", "$.initialTransaction.placeId")]
    """)


def test_findings_and_errors_have_the_given_name_and_the_rule_is_stated() -> None:
    run("""
    path = "$.initialTransaction.mapPlaceId"
    twice = PAYLOAD.replace('"storeName"', '"mapPlaceId":"p-2","storeName"')
    for wrong in (twice, PAYLOAD.replace('"p-1"', "5")):
        with pytest.raises(ParseError) as caught:
            bankhook.parse(wrong)
        assert caught.value.path == path
        assert '"mapPlaceId"' in bankhook.explain(caught.value, wrong)
    missing = PAYLOAD.replace('"mapPlaceId":"p-1",', "")
    [finding] = bankhook.diagnose(missing)
    assert (finding.rule, finding.path, finding.evidence) == (RULE, path, "stated")
    [rule] = [one for one in bankhook.rules if one.id == RULE]
    assert rule.evidence == "stated"
    with pytest.raises(ParseError):
        bankhook.parse(missing, strict=True)
    event = bankhook.parse(PAYLOAD)
    event = event.replace(initial_transaction=event.initial_transaction.replace(place_id=ABSENT))
    [checked] = bankhook.check(event)
    assert (checked.path, checked.evidence) == (path, "stated")
    """)


def test_the_given_name_is_written() -> None:
    run("""
    event = bankhook.parse(PAYLOAD)
    assert event.to_json() == PAYLOAD.encode()
    wire = event.initial_transaction.to_wire()
    assert wire == json.loads(PAYLOAD, parse_float=Decimal)["initialTransaction"]
    assert InitialTransaction.from_wire(wire) == event.initial_transaction
    assert event.initial_transaction.to_dict()["place_id"] == "p-1"
    long = event.initial_transaction.replace(place_id="p" * 5000, store_name="s\\n" * 5000)
    assert json.loads(long.to_json())["mapPlaceId"] == "p" * 5000
    """)


def test_schema_and_asyncapi_document_have_the_given_name() -> None:
    run("""
    schema = bankhook.json_schema(InitialTransaction)
    assert "mapPlaceId" in schema["properties"] and "placeId" not in json.dumps(schema)
    assert schema["allOf"][0]["then"]["required"] == ["mapPlaceId", "storeName"]
    assert '"mapPlaceId"' in json.dumps(bankhook.asyncapi())
    """)


def test_paths_archives_trackers_and_sandboxes_have_the_given_name() -> None:
    run("""
    assert bankhook.select("initialTransaction.mapPlaceId")(PAYLOAD) == ("p-1",)
    with pytest.raises(ValueError):
        bankhook.select("initialTransaction.placeId")
    assert [one.initial_transaction.place_id for one in bankhook.parse_lines(PAYLOAD.encode())] == ["p-1"]
    tracker = bankhook.Tracker()
    tracker.apply(bankhook.parse(PAYLOAD))
    moved = PAYLOAD.replace('"created"', '"validated"').replace("p-1", "p-2")
    outcome = tracker.apply(bankhook.parse(moved))
    assert [one for one in outcome.changes if one.field == "mapPlaceId"]
    payloads = [one.payload for one in bankhook.Sandbox(seed=3).deliveries(300)]
    assert all(bankhook.is_clean(one) for one in payloads)
    assert not any(b'"placeId"' in one for one in payloads) and any(b'"mapPlaceId"' in one for one in payloads)
    """)


def test_a_name_that_shares_its_beginning_with_another_one_and_a_long_one_are_read() -> None:
    for name in ("transactionIx", "x", "größe", "p" * 56):
        run(
            f"""
            text = PAYLOAD.replace("mapPlaceId", {name!r})
            assert place(text) == "p-1" and bankhook.is_clean(text) and bankhook.parse(text).to_json() == text.encode()
            shuffled = text.replace('"id":"t-1",', "").replace("}}}}", ',"id":"t-1"}}}}')
            assert bankhook.parse(shuffled).initial_transaction == bankhook.parse(text).initial_transaction
            assert place(json.dumps(json.loads(text), ensure_ascii=False)) == "p-1"
            """,
            name=name,
        )


@pytest.mark.parametrize("name", ["", "p" * 57, 'a"b', "a\\b", "a\nb", "\udcff", "storeName", "id"])
def test_with_a_name_that_does_not_fit_the_import_says_why(name: str) -> None:
    done = process("", name)
    assert done.returncode == 1
    assert "ImportError: BANKHOOK_PLACE_ID: expected " in done.stderr


def test_the_stand_in_itself_may_be_the_name_and_then_the_rule_is_stated() -> None:
    run('assert [one.evidence for one in bankhook.rules if one.id == RULE] == ["stated"]', name="placeId")


def test_a_pickle_says_the_same_under_another_name_or_is_rejected() -> None:
    event = bankhook.parse(samples.get("transaction_of_a_store_without_client_id").payload)
    other = bankhook.parse(samples.get("transaction_created").payload)
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    tracker = bankhook.Tracker()
    tracker.apply(event)
    pickles = [pickle.dumps(one) for one in (event, event.initial_transaction, *tracker.transactions(), other)]
    run(f"""
    *pickles, other = {pickles!r}
    assert pickle.loads(other) is not None
    for one in pickles:
        with pytest.raises(ValueError, match="place field"):
            pickle.loads(one)
    mine = bankhook.parse(PAYLOAD)
    assert pickle.loads(pickle.dumps(mine)) == mine
    assert pickle.loads(pickle.dumps(mine)).raw == mine.raw
    assert pickle.loads(pickle.dumps(mine.initial_transaction)) == mine.initial_transaction
    """)


def test_a_tracker_stored_under_one_name_is_restored_under_another() -> None:
    tracker = bankhook.Tracker()
    event = bankhook.parse(samples.get("transaction_of_a_store_without_client_id").payload)
    assert isinstance(event, bankhook.InitialTransactionUpdate)
    tracker.apply(event)
    run(f"""
    tracker = bankhook.Tracker.restore({tracker.snapshot()!r})
    held = tracker.transaction({event.customer.id!r}, {event.initial_transaction.id!r})
    assert held.initial_transaction.place_id == {event.initial_transaction.place_id!r}
    assert b'"mapPlaceId"' in held.initial_transaction.to_json()
    """)


@pytest.mark.parametrize(("name", "status"), [("mapPlaceId", 0), ("placeId", 1), ("", 2)])
def test_a_command_takes_the_name_from_its_environment(name: str, status: int) -> None:
    need_packages("click")
    command = [sys.executable, "-m", "bankhook", "check", "-"]
    environment = {**os.environ, "BANKHOOK_PLACE_ID": name}
    done = subprocess.run(command, input=PAYLOAD, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["", "amount", 'a"b', "x" * 60])
@pytest.mark.parametrize(
    "program", [["-m", "bankhook"], ["-c", "import sys; sys.argv[0] = '/usr/bin/bankhook'; import bankhook"]]
)
def test_a_wrong_name_is_a_sentence_and_wrong_usage_from_the_command(name: str, program: list[str]) -> None:
    environment = {**os.environ, "BANKHOOK_PLACE_ID": name}
    command = [sys.executable, *program, "rule"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bankhook: BANKHOOK_PLACE_ID: expected ") and done.stderr.count("\n") == 1
    imported = subprocess.run(
        [sys.executable, "-c", "import bankhook"], env=environment, capture_output=True, text=True, check=False
    )
    assert imported.returncode == 1
    assert imported.stderr.splitlines()[-1].startswith("ImportError: BANKHOOK_PLACE_ID: expected ")
