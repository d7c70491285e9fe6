# SPDX-License-Identifier: MIT
"""What parse makes of a payload: what is an error, what is kept, what is skipped."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import bankhook
import bankhook.inbox
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


BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize("form", ["bytes", "bytearray", "memoryview", "str"])
def test_a_byte_order_mark_before_a_payload_is_read_over_and_is_no_part_of_it(form: str) -> None:
    """RFC 8259, 8.1. It is never written."""
    for name in ("connection_created", "transaction_created", "formatted", "reordered", "unknown_event"):
        plain = payload(name)
        forms: dict[str, Any] = {"bytes": bytes, "bytearray": bytearray, "memoryview": memoryview, "str": bytes.decode}
        given = forms[form](BOM + plain)
        event, marked = bankhook.parse(plain), bankhook.parse(given)
        assert (marked, marked.raw, marked.to_json()) == (event, plain, event.to_json())
        assert pickle.loads(pickle.dumps(marked)).raw == pickle.loads(pickle.dumps(event)).raw
        assert bankhook.select("event")(given) == (event.event,)
        assert [one.path for one in bankhook.diagnose(given)] == [one.path for one in bankhook.diagnose(plain)]
        assert bankhook.is_clean(given) is bankhook.is_clean(plain)
        assert bankhook.inbox.salvage(given) == bankhook.inbox.salvage(plain)
        assert bankhook.check(marked) == bankhook.check(event)
        assert type(event).from_json(given) == event
    raw = bankhook.UnknownEvent(raw=BOM + payload("unknown_event")).raw
    assert raw == payload("unknown_event")
    account = bankhook.Account(id="a", account_hash=None)
    assert bankhook.Account.from_json(BOM + account.to_json()) == account


def test_offsets_count_the_byte_order_mark_and_columns_do_not() -> None:
    plain = b'{"event":7}'
    (finding,), (marked,) = bankhook.diagnose(plain), bankhook.diagnose(BOM + plain)
    assert (BOM + plain)[marked.offset or 0 :] == plain[finding.offset or 0 :] == b"7}"
    assert (marked.line, marked.column) == (finding.line, finding.column) == (1, 10)
    assert bankhook.explain(marked, BOM + plain) == bankhook.explain(finding, plain)
    with pytest.raises(ParseError) as caught:
        bankhook.parse(BOM + plain)
    assert caught.value.finding == marked


@pytest.mark.parametrize(
    "before",
    [BOM * 2, b" " + BOM, b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0"],
    ids=["two", "blank", "UTF-16", "UTF-16 BE", "UTF-32"],
)
def test_any_other_byte_order_mark_is_refused_by_name(before: bytes) -> None:
    for text in (before + payload("transaction_created"), before):
        with pytest.raises(ParseError, match="found a byte order mark") as caught:
            bankhook.parse(text)
        assert caught.value.finding.rule == "payload_is_json_object"
    with pytest.raises(ParseError, match="ends inside"):
        bankhook.parse(BOM)
    with pytest.raises(ParseError, match="found a byte order mark"):
        bankhook.parse(payload("transaction_created").replace(b"19.90", BOM + b"19.90"))


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
