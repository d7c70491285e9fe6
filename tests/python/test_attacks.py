# SPDX-License-Identifier: MIT
"""No Python code brings the interpreter down: each attempt runs in a process of its own and ends in an exception."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from python import forked

pytestmark = pytest.mark.slow

PREPARED = """
import copyreg, datetime, decimal, gc, pickle, sys
import bankhook
from bankhook import *
from bankhook import _core
from python.parsed import connections_update, one_of_each, payload, transaction_update, unknown_event
update, event = connections_update(), unknown_event()
account, customer = update.connection.accounts[0], update.customer
transaction = transaction_update().initial_transaction
utc = datetime.timezone.utc
class Amount(decimal.Decimal):
    __str__ = __repr__ = lambda self: "\\ud800"
class Kind:
    @property
    def __class__(self):
        raise KeyError
class Number(int):
    __str__ = __index__ = __int__ = lambda self: "x"
class Moment(datetime.datetime):
    offset = None
    def utcoffset(self):
        return self.offset
class Zone(datetime.tzinfo):
    def utcoffset(self, when):
        raise KeyError
"""


def outcome(code: str) -> str:
    """What an interpreter of its own says last about `code`: the line that it printed, or its exception, lines joined."""
    command = [sys.executable, "-X", "faulthandler", "-c", PREPARED + code]
    environment = {**os.environ, "PYTHONPATH": ":".join(filter(None, sys.path))}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
    return last_words(done.returncode, done.stdout, done.stderr)


def last_words(status: int | None, out: str, err: str) -> str:
    assert status in (0, 1), f"{name_of(status)}\n{out}{err}"
    lines = (err if status else out).strip().splitlines()
    begin = next((at for at, line in reversed([*enumerate(lines)]) if not line.startswith(" ")), 0)
    return " ".join(lines[begin:])


def name_of(status: int | None) -> str:
    return signal.Signals(-status).name if status and status < 0 else str(status)


@pytest.mark.parametrize(
    "attempt",
    [
        "object.__new__(Account)",
        "object.__new__(UnknownEvent)",
        "Account.__new__(Account)",
        "Account.__new__(Customer)",
        "Account.__new__(object)",
        "Account.__new__(5)",
        "type('A', (Account,), {})",
        "type('A', (Account, Customer), {})",
        "copyreg.__newobj__(Account)",
        "copyreg._reconstructor(Account, object, None)",
        "setattr(account, '__class__', Customer)",
        "setattr(account, '__class__', ConnectedCustomer)",
        "setattr(account, '__class__', object)",
        "setattr(Account, 'id', 5)",
        "setattr(Account, '__hash__', None)",
        "delattr(Account, 'id')",
        "setattr(bankhook.Tracker(), '__class__', _core.JointAccountIds)",
        "setattr(_core.JointAccountIds(), '__class__', bankhook.Tracker)",
        "setattr(bankhook.Sandbox()._core, '__class__', bankhook.Tracker)",
        "setattr(bankhook.Tracker, 'apply', None)",
        "_core.JointAccountIds.__len__(None)",
        "_core._Sandbox.event_count(None)",
        "setattr(account, 'id', 'x')",
        "delattr(account, 'id')",
        "Customer.id.__get__(account)",
        "Customer.id.__get__(None)",
        "Customer.to_json(account)",
        "Customer.to_json()",
        "Customer.__hash__(account)",
        "Customer.__eq__(5, customer)",
        "Customer.__repr__(object())",
        "BankConnectionsUpdateV2.raw.__get__(event)",
        "Account.replace(5, id='x')",
        "Account.__reduce__(customer)",
        "account.__deepcopy__()",
        "account.__setstate__({})",
        "_core._restore()",
        "_core._restore(Account)",
        "_core._restore(Account, 5)",
        "_core._restore(Account, b'')",
        "_core._restore(Account, update.raw)",
        "_core._restore(int, update.raw)",
        "_core._restore(5, update.raw)",
        "_core._restore(None, None)",
        "_core._restore(InitialTransactionUpdate, update.raw)",
        "transaction.replace(amount=Kind())",
        "transaction.replace(amount=10**6000)",
        "transaction.replace(amount=Decimal)",
        "transaction.replace(date=Moment.now(utc))",
        "transaction.replace(date=type('M', (Moment,), {'offset': 5}).now(utc))",
        "transaction.replace(date=type('M', (Moment,), {'offset': datetime.timedelta(days=400)}).now(utc))",
        "transaction.replace(date=type('M', (Moment,), {'offset': datetime.timedelta(microseconds=1)}).now(utc))",
        "transaction.replace(date=datetime.datetime(2026, 1, 1, tzinfo=Zone()))",
        "update.connection.replace(accounts=[account, None])",
        "UnknownEvent(raw=b'')",
        "UnknownEvent(raw=b'{}', event='x')",
        "event.replace(1)",
        "parse(memoryview(b'{}').cast('B', (1, 2)))",
        "parse(Kind())",
        "parse(b'[' * 10_000_000)",
        "parse(b'{\"a\":' * 10_000_000)",
        'parse(b\'{"event":"x","a":\' + b\'[\' * 10_000_000)',
        "account < account",
        "iter(account)",
        "len(account)",
        "memoryview(account)",
        "Absent.__new__(int)",
        "ParseError().finding",
        "check(account)",
        "check(Kind())",
        "diagnose(Kind())",
        "explain(Kind(), b'')",
        "explain([object.__new__(Finding)], b'')",
        "explain([diagnose(b'')[0].replace(path=Kind())], b'')",
        "explain([diagnose(b'')[0].replace(path='\\ud800')], b'')",
        "parse(b'{}', strict=Kind())",
        "parse(b'{}', **{'\\ud800': 1})",
    ],
)
def test_an_attempt_ends_in_an_exception(attempt: str) -> None:
    said = last_words(*forked.run(f"{PREPARED}{attempt}\nprint('nothing was raised')"))
    assert "nothing was raised" not in said
    assert "Error" in said


@pytest.mark.parametrize(
    "attempt",
    [
        "account.__init__(); account.__init__(1, id=2); print(account == connections_update().connection.accounts[0])",
        "print(transaction.replace(amount=Amount(5)).amount == 5)",
        "print(transaction.replace(amount=Number(5)).amount == 5)",
        "print(pickle.loads(pickle.dumps(one_of_each())) == one_of_each())",
        "del sys.modules['bankhook._core']; print(pickle.loads(pickle.dumps(account)) == account)",
        "x = [update]; x.append(x); y = (update, x); del x, y; gc.collect(); print(True)",
        "print(all(i.__sizeof__() > 0 for i in one_of_each()))",
        "print([i for i in one_of_each() if not repr(i)] == [])",
        "print(explain(ParseError(), b'') == '')",
        "print(len(diagnose(b'[' * 10_000_000)) == 3)",
        "print(len(diagnose(b'{\"' * 5_000_000)) > 0)",
        "print('-->' in explain(diagnose(b'[' * 1_000_000), b'x'))",
        "print(b'\\\\u0000' in account.replace(id='\\0').to_json())",
    ],
)
def test_an_attempt_that_is_allowed_does_no_harm(attempt: str) -> None:
    assert last_words(*forked.run(PREPARED + attempt)) == "True"


def test_nothing_is_read_before_the_start_or_after_the_end_of_a_pickle() -> None:
    code = """
for data in (pickle.dumps(item) for item in one_of_each()):
    for size in range(len(data)):
        try:
            pickle.loads(data[:size])
        except Exception:
            pass
print(True)
"""
    assert outcome(code) == "True"


def test_running_out_of_memory_is_reported() -> None:
    code = """
import resource
large = b'{"event":"x","p":"' + b"a" * 150_000_000 + b'"}'
event = parse(large)
resource.setrlimit(resource.RLIMIT_AS, (420_000_000,) * 2)
try:
    event.to_json(), event.to_json() + event.to_json()
except MemoryError:
    pass
print(event.event == "x")
"""
    assert outcome(code) == "True"


def test_objects_may_be_alive_when_the_interpreter_ends() -> None:
    code = """
import builtins, atexit
builtins.kept = one_of_each()
class Last:
    def __del__(self, kept=builtins.kept, parse=parse, text=update.raw):
        repr(kept), parse(text), [item.to_json() for item in kept]
builtins.last = Last()
atexit.register(lambda kept=one_of_each(): repr(kept))
print(True)
"""
    assert outcome(code) == "True"


def test_the_module_may_be_loaded_again() -> None:
    code = """
for name in [name for name in sys.modules if name.startswith("bankhook")]:
    del sys.modules[name]
import bankhook as again
print(again.Account is Account and again.parse(update.raw) == update)
"""
    assert outcome(code) == "True"
