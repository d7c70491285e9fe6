# SPDX-License-Identifier: MIT
"""A ParseError says what was expected, what was found and where, and never a value of the payload."""

from __future__ import annotations

import copy
import pickle

import pytest

import bankhook
from bankhook import BankhookError, ParseError, Sandbox, Tracker
from bankhook.sandbox import SandboxError
from bankhook.types import Finding, MergeError, SnapshotError
from python.parsed import DATA, listed_findings, message_of, payload, rows


def error_of(text: bytes | str) -> ParseError:
    """The error that parse raises for `text`."""
    with pytest.raises(ParseError) as caught:
        bankhook.parse(text)
    return caught.value


FORMATTED = payload("formatted")


def formatted_error() -> ParseError:
    """A number where the formatted sample holds null for connection.errorCode."""
    at = FORMATTED.rindex(b'"errorCode"')
    return error_of(FORMATTED[:at] + FORMATTED[at:].replace(b"null", b"4711", 1))


def test_a_parse_error_is_a_value_error() -> None:
    assert issubclass(ParseError, ValueError)


def test_the_message_has_path_expectation_finding_and_place() -> None:
    at = FORMATTED.rindex(b'"errorCode"')
    offset = FORMATTED.index(b"null", at)
    line = FORMATTED.count(b"\n", 0, offset) + 1
    column = offset - FORMATTED.rindex(b"\n", 0, offset)
    error = formatted_error()
    assert str(error) == f"$.connection.errorCode: expected string or null, found number (line {line}, column {column})"
    assert (error.path, error.offset, error.line, error.column) == ("$.connection.errorCode", offset, line, column)


def test_the_finding_holds_the_parts_of_the_message() -> None:
    error = formatted_error()
    (finding,) = error.findings
    assert type(finding) is Finding
    assert finding.path == error.path
    assert finding.offset == error.offset
    assert (finding.line, finding.column) == (error.line, error.column)
    assert finding.message == "expected string or null, found number"


def test_a_column_counts_characters_and_an_offset_bytes() -> None:
    error = error_of('{"é🛒":x}')
    assert (error.offset, error.column) == (len('{"é🛒":'.encode()), len('{"é🛒":') + 1)


def test_an_element_is_named_by_its_index() -> None:
    text = payload("connection_updated_with_accounts")
    at = text.rindex(b'"accountHash":null')
    error = error_of(text[:at] + b'"accountHash":1' + text[at + len(b'"accountHash":null') :])
    assert error.path == "$.connection.accounts[1].accountHash"


def test_a_missing_field_is_named() -> None:
    error = error_of(b'{"event":"initial_transaction_update","eventType":"created"}')
    assert str(error).startswith("$.customer: expected object, found nothing")
    assert [finding.path for finding in error.findings] == ["$.customer", "$.initialTransaction"]


def test_an_error_has_all_findings_and_the_place_of_the_first_one_that_is_rejected() -> None:
    text = payload("unlisted_members").replace(b"19.90", b"null").replace(b"2026-05-03", b"2026-02-30")
    error = error_of(text)
    assert error.path == "$.initialTransaction.amount"
    assert error.finding in error.findings
    assert error.findings[0].rule == "fields_are_listed"
    assert error.findings == bankhook.diagnose(text)
    assert str(error).endswith(f"; findings in all: {len(error.findings)}")


def test_an_empty_payload_has_a_place() -> None:
    error = error_of(b"")
    assert (error.path, error.offset, error.line, error.column) == ("$", 0, 1, 1)


def test_no_message_holds_a_value_of_the_payload() -> None:
    for secret in (b'"s3cr3t-value"', b"314159265"):
        for name in ("connection_updated_with_accounts", "transaction_created"):
            text = payload(name)
            for before in (b'"member-0001"', b"null", b"19.90", b'"2026-01-15"', b'"created"', b":1,"):
                changed = text.replace(before, b":" + secret + b"," if before == b":1," else secret)
                try:
                    bankhook.parse(changed)
                except ParseError as error:
                    assert secret.strip(b'"').decode() not in str(error) + repr(error)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_an_error_survives_a_pickle(protocol: int) -> None:
    error = formatted_error()
    back = pickle.loads(pickle.dumps(error, protocol))
    assert type(back) is ParseError
    assert str(back) == str(error)
    assert back.findings == error.findings
    assert back.args == error.args


def test_an_error_can_be_copied() -> None:
    error = formatted_error()
    assert copy.copy(error).findings == error.findings
    assert str(copy.deepcopy(error)) == str(error)


@pytest.mark.parametrize("row", rows("invalid"), ids=lambda row: row["file"])
def test_an_error_has_the_words_of_the_list_by_which_c_plus_plus_is_checked_too(row: dict[str, str]) -> None:
    text = (DATA / "invalid" / row["file"]).read_bytes()
    error = error_of(text)
    first = next(one for one in listed_findings()[f"invalid/{row['file']}"] if one["severity"] == "error")
    words = f"{first['path']}: {message_of(first)}"
    assert str(error).split("; findings in all:")[0] == f"{words} (line {first['line']}, column {first['column']})"
    head = f"{words}\n  rule: {first['rule']} ({first['evidence']}, section {first['section']})\n"
    assert bankhook.explain(error.finding, text, width=200).startswith(head)


def test_an_error_without_findings_has_no_place() -> None:
    for error in (ParseError(), ParseError("said by someone else")):
        assert (error.path, error.offset, error.line, error.column) == ("$", None, None, None)
        assert error.findings == ()
        assert not hasattr(error, "finding")


def test_an_error_of_a_mapping_has_no_place() -> None:
    with pytest.raises(ParseError) as caught:
        bankhook.Account.from_wire({"id": "a", "accountHash": 5})
    error = caught.value
    assert (error.path, error.offset, error.line, error.column) == ("$.accountHash", None, None, None)
    assert "line" not in str(error)


@pytest.mark.parametrize("row", rows("invalid"), ids=lambda row: row["file"])
def test_an_error_holds_no_payload(row: dict[str, str]) -> None:
    """An error may be logged or kept: it has the place and nothing of the text around it."""
    error = error_of((DATA / "invalid" / row["file"]).read_bytes())
    assert all(isinstance(part, str | Finding) for part in error.args)
    assert len(str(error)) - len(error.path) < 200


def test_one_clause_catches_what_the_library_raises_about_its_input() -> None:
    assert not issubclass(BankhookError, ValueError)
    assert BankhookError.__module__ == "bankhook"
    with pytest.raises(BankhookError) as parsed:
        bankhook.parse(b"[]")
    with pytest.raises(BankhookError) as restored:
        Tracker.restore(b"no snapshot")
    one = Tracker()
    one.apply(Sandbox(1, members=1).send_initial_transaction(Sandbox(1, members=1).members[0]))
    with pytest.raises(BankhookError) as merged:
        one.merge(one)
    with pytest.raises(BankhookError) as rejected:
        Sandbox().validate("nothing", matched=True)
    raised = [type(caught.value) for caught in (parsed, restored, merged, rejected)]
    assert raised == [ParseError, SnapshotError, MergeError, SandboxError]
    assert all(issubclass(one, ValueError) for one in raised)
