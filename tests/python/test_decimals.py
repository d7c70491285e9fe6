# SPDX-License-Identifier: MIT
"""Decimals are the same whether they are written directly or made by their constructor; the environment decides."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

TEXTS = [
    *("0", "0.0", "0.00", "-5.10", "19.90", "19.9", "125", "1e2", "1990e-2", "0e5", "1e37", "1e-38", "0.000000001"),
    *("9223372036854775807", "-9223372036854775808", "0.9223372036854775807"),
    *(f"{10**digits - 1}.{10 ** (18 - digits) - 1}" for digits in range(1, 18)),
]

PROGRAM = f"""
import gc, pickle, sys
from decimal import Decimal
from bankhook import _core
from python.parsed import transaction_with

amounts = [(text, transaction_with(b"19.90", text.encode()).amount) for text in {TEXTS!r} for _ in range(2)]
for text, amount in amounts:
    expected = Decimal(text)
    assert type(amount) is Decimal and amount == expected and hash(amount) == hash(expected), text
    assert repr(amount) == repr(expected) and amount.as_tuple() == expected.as_tuple(), text
    assert amount + 1 == expected + 1 and pickle.loads(pickle.dumps(amount)) == expected, text
    assert sys.getsizeof(amount) == sys.getsizeof(expected), text
del amounts, amount
gc.collect()
print(_core._decimals_are_laid_out)
"""


@pytest.mark.parametrize("wanted", ["", "constructed", "anything else"])
def test_decimals_are_what_python_makes_of_the_text(wanted: str) -> None:
    environment = {**os.environ, "BANKHOOK_DECIMALS": wanted, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment)
    is_tested = sys.implementation.name == "cpython" and sys.version_info[:2] == (3, 11)
    assert (done.stdout, done.stderr) == (f"{is_tested and wanted != 'constructed'}\n", "")
