# SPDX-License-Identifier: MIT
"""What parse makes of a payload: what is an error, what is kept, what is skipped."""

from __future__ import annotations

import pytest

import bankhook
from bankhook import BankConnectionsUpdateV2, InitialTransactionUpdate, ParseError, UnknownEvent
from python.parsed import DATA, archive, payload, rows, transaction_update

CLASS_OF = {
    "bank_connections_update_v2": BankConnectionsUpdateV2,
    "initial_transaction_update": InitialTransactionUpdate,
}


@pytest.mark.parametrize("row", rows("valid"), ids=lambda row: row["file"])
def test_a_payload_of_the_specification_is_an_event(row: dict[str, str]) -> None:
    event = bankhook.parse((DATA / "valid" / row["file"]).read_bytes())
    assert type(event) is CLASS_OF.get(row["event"], UnknownEvent)
    assert event.event == row["event"]
    assert getattr(event, "event_type", "") == row["event_type"]


@pytest.mark.parametrize("row", rows("invalid"), ids=lambda row: row["file"])
def test_any_other_payload_is_an_error_at_its_place(row: dict[str, str]) -> None:
    with pytest.raises(ParseError) as caught:
        bankhook.parse((DATA / "invalid" / row["file"]).read_bytes())
    assert caught.value.offset == int(row["offset"])
    if row["error"] != "missing_field":
        assert (" or null" in str(caught.value)) == (row["or_null"] == "yes")
    assert str(caught.value).count(row["field"]) >= 1


def test_an_unknown_event_is_kept_unchanged() -> None:
    event = bankhook.parse(payload("unknown_event"))
    assert isinstance(event, UnknownEvent)
    assert event.event == "loyalty_points_update"
    assert event.raw == payload("unknown_event")


def test_a_version_is_part_of_the_name() -> None:
    assert isinstance(bankhook.parse(payload("unknown_event_version")), UnknownEvent)


def test_a_field_that_is_not_listed_is_skipped() -> None:
    assert bankhook.parse(payload("unlisted_members")).event == "initial_transaction_update"


def test_a_field_that_is_not_listed_must_still_be_json() -> None:
    with pytest.raises(ParseError):
        bankhook.parse(payload("transaction_created").replace(b"{", b'{"x":[1,],', 1))


def test_a_broken_rule_between_fields_is_no_error() -> None:
    """Spec 6.3 says that status equals eventType; other functions check that."""
    update = transaction_update("broken_rules")
    assert update.event_type != update.initial_transaction.status


def test_fields_may_come_in_any_order() -> None:
    assert bankhook.parse(payload("reordered")).to_json() != payload("reordered")


def test_a_sample_cut_at_any_byte_is_an_error_at_a_place_inside_it() -> None:
    for name in ("connection_updated_with_accounts", "transaction_created", "unknown_event"):
        text = payload(name).strip()
        for size in range(len(text)):
            with pytest.raises(ParseError) as caught:
                bankhook.parse(text[:size])
            assert caught.value.offset is not None
            assert 0 <= caught.value.offset <= size


def test_a_sample_with_any_byte_changed_gives_an_event_or_an_error() -> None:
    for name in ("connection_updated_with_accounts", "transaction_created", "unknown_event"):
        text = bytearray(payload(name))
        for at, before in enumerate(text):
            for mask in (0x01, 0x20, 0x80, 0xFF):
                text[at] = before ^ mask
                check_consistency(bytes(text))
            text[at] = before


def check_consistency(text: bytes) -> None:
    """Whatever parse takes can be read, shown and written; whatever it rejects has a place and a message."""
    try:
        event = bankhook.parse(text)
    except ParseError as error:
        assert error.offset is not None
        assert 0 <= error.offset <= len(text)
        assert str(error).startswith(error.path)
    else:
        assert bankhook.parse(event.to_json()) == event
        event.to_dict()


def test_the_sample_archive_holds_good_and_bad_lines() -> None:
    good = bad = 0
    for line in filter(None, archive()):
        try:
            bankhook.parse(line)
            good += 1
        except ParseError:
            bad += 1
    assert good > 10
    assert bad > 0
