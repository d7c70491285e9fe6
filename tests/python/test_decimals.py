# SPDX-License-Identifier: MIT
"""Amounts are the decimals that Python makes of their digits."""

from __future__ import annotations

import pickle
from decimal import Decimal, localcontext

import pytest

from python.parsed import transaction_with

TEXTS = [
    *("0", "0.0", "0.00", "-5.10", "19.90", "19.9", "125", "1e2", "1990e-2", "0e5", "1e37", "1e-38", "0.000000001"),
    *("9223372036854775807", "-9223372036854775808", "0.9223372036854775807"),
    *(f"{10**digits - 1}.{10 ** (18 - digits) - 1}" for digits in range(1, 18)),
]


@pytest.mark.parametrize("text", TEXTS)
def test_decimals_are_what_python_makes_of_the_text(text: str) -> None:
    expected = Decimal(text)
    with localcontext(prec=2):  # whatever the context of the caller
        amount = transaction_with(b"19.90", text.encode()).amount
    assert type(amount) is Decimal and amount == expected and hash(amount) == hash(expected)
    assert repr(amount) == repr(expected) and amount.as_tuple() == expected.as_tuple()
    assert amount + 1 == expected + 1 and pickle.loads(pickle.dumps(amount)) == expected
