# SPDX-License-Identifier: MIT
"""What a type checker sees: package and tests are clean, wrong uses are found, a match over an event is exhaustive."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

USES = """\
from typing import assert_never
from bankhook import (
    ABSENT, Account, AnyEvent, BankConnectionsUpdateV2, InitialTransactionUpdate, UnknownEvent, parse
)

def name_of(event: AnyEvent) -> str:
    match event:
        case BankConnectionsUpdateV2(event_type, customer):
            return customer.connections[0].accounts[0].id + event_type
        case InitialTransactionUpdate(initial_transaction=transaction):
            return transaction.place_id or transaction.store_external_id or transaction.status
        case UnknownEvent(name, raw):
            return name + raw.decode()
        case _:
            assert_never(event)

account = Account(id="acc-1", account_hash=None).replace(account_hash="hash")
"""

# Each is wrong where it stands, and the checker says so with this code.
MISUSES = {
    "Account(id=5, account_hash=None)": "arg-type",
    "Account(id='acc-1')": "call-arg",
    "Account('acc-1', None)": "call-arg",
    "account.replace(iban='x')": "call-arg",
    "account.id = 'acc-2'": "misc",
    "parse(5)": "arg-type",
    "parse(b'').initial_transaction": "union-attr",
    "name: str = account.account_hash": "assignment",
    "class Other(Account): pass": "misc",
}


def mypy(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_package_and_tests_are_clean() -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    said = mypy("python", "tests/python", "tests/architecture", "tests/consumer", "tests/docs")
    assert said.returncode == 0, said.stdout + said.stderr


def test_right_uses_pass_and_wrong_ones_are_found(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    program = tmp_path / "uses.py"
    program.write_text(USES + "\n".join(MISUSES) + "\n")
    said = mypy("--no-pretty", "--hide-error-context", str(program)).stdout
    first = USES.count("\n") + 1
    for line, (misuse, code) in enumerate(MISUSES.items(), first):
        assert any(f":{line}: error" in text and f"[{code}]" in text for text in said.splitlines()), misuse + "\n" + said
    wrong = {int(text.split(":")[1]) for text in said.splitlines() if ": error" in text}
    assert min(wrong) >= first, said
