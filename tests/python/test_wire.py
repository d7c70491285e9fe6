# SPDX-License-Identifier: MIT
"""What the adapters share: places as steps, exact numbers."""

from __future__ import annotations

import mmap
import tempfile
from decimal import Decimal

import pytest

import bankhook
from bankhook.integrations import _wire
from python.parsed import DATA, path_of, payload, rows


@pytest.mark.parametrize("row", rows("invalid"), ids=lambda row: row["file"])
def test_the_path_of_a_finding_is_that_of_its_steps(row: dict[str, str]) -> None:
    for finding in bankhook.diagnose((DATA / "invalid" / row["file"]).read_bytes()):
        assert path_of(finding.steps) == finding.path.removesuffix("…")


def test_the_place_of_a_message_is_escaped_as_in_a_path() -> None:
    (finding,) = bankhook.diagnose(payload("transaction_created").replace(b'"event"', b'"a\\u001b":[1],"event"', 1))
    assert finding.steps == ("a\x1b",)
    assert _wire.loc(finding) == (r"a\u001b",)


@pytest.mark.parametrize("digits", ["19.90", "1e2", "0.1", "-0.0", "123456789012345.0", "0.30000000000000004"])
def test_a_float_with_the_value_of_the_digits_is_taken(digits: str) -> None:
    assert Decimal(repr(_wire.exact_float(digits))) == Decimal(digits)


@pytest.mark.parametrize("digits", ["0.1234567890123456789", "9007199254740993.0", "1e400", "1e-400"])
def test_a_float_of_another_value_is_rejected(digits: str) -> None:
    with pytest.raises(ValueError, match="found more digits"):
        _wire.exact_float(digits)


def test_every_buffer_is_read_as_json() -> None:
    text = payload("transaction_created")
    with tempfile.TemporaryFile() as file:
        file.write(text)
        file.flush()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            assert _wire.read(mapped, _wire.EVENTS) == bankhook.parse(text)


def test_a_decimal_that_is_no_number_is_rejected_at_its_place() -> None:
    with pytest.raises(bankhook.ParseError) as caught:
        _wire.read({"event": "x", "amount": Decimal("NaN")}, _wire.EVENTS)
    assert caught.value.finding.offset is None
    assert caught.value.path == "$.amount"
