# SPDX-License-Identifier: MIT
"""Ctrl-C stops long work at once: each work is repeated without end by C code that looks for no signal itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

PREPARED = """
import signal
from collections import deque
from functools import partial
from itertools import chain, islice, repeat
import bankhook
from bankhook import _core
from python.parsed import connections_update, payload

signal.signal(signal.SIGINT, signal.default_int_handler)
large = b'{"event":"x","p":[' + b"1," * 4_000_000 + b"1]}"
few = [bankhook.Account(id=f"acc-{number}", account_hash=None) for number in range(2000)]
connection = connections_update().connection.replace(accounts=few)
members = {name: getattr(connection, name) for name in type(connection).__match_args__}
update = connections_update().replace(connection=connection)
as_dict = connection.to_dict()

def announced(work):
    print("working", flush=True)
    yield from ()

def forever(work):
    deque(chain.from_iterable([announced(work), iter(work, 0)]), maxlen=0)

def tracker():
    sandbox, tracker = bankhook.Sandbox(members=40_000), bankhook.Tracker()
    for delivery in sandbox.deliveries(90_000):
        tracker.apply(bankhook.parse(delivery.payload))
    return tracker

try:
    forever({work})
except KeyboardInterrupt:
    print("stopped", flush=True)
"""

WORKS = {
    "parse": "partial(bankhook.parse, large)",
    "diagnose": "partial(bankhook.diagnose, large)",
    "is_clean": "partial(deque, map(bankhook.is_clean, repeat(large)), 0)",
    "explain": "partial(bankhook.explain, bankhook.diagnose(large[:-1]), large)",
    "select": "partial(bankhook.select('event'), large)",
    "an array of values": "partial(bankhook.select('connection.accounts[].id'), update.to_json())",
    "an array of objects": "partial(getattr, connection, 'accounts')",
    "construct": "partial(bankhook.Connection, **members)",
    "from_dict": "partial(bankhook.Connection.from_dict, as_dict)",
    "to_dict": "connection.to_dict",
    "repr": "partial(repr, connection)",
    "restore a tracker": "partial(bankhook.Tracker.restore, tracker().snapshot())",
    "what a tracker holds": "tracker().connections",
    "make a sandbox": "partial(_core._make_sandbox, 0, (100_000, 3, 4, 4, 200, 8), (0.0,) * 6, [])",
    "a sandbox's deliveries": "partial(next, bankhook.Sandbox().deliveries())",
    "a long line": "partial(deque, bankhook.parse_lines(large), 0)",
    "many lines": "partial(deque, bankhook.parse_lines((update.raw.replace(b'\\n', b' ') + b'\\n') * 10_000), 0)",
}


@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_an_interrupt_stops(work: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-X", "faulthandler", "-c", PREPARED.replace("{work}", work)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stdout is not None
        said = child.stdout.readline()
        time.sleep(0.2)  # from its words to its work; were this too short, an interrupt before the work would pass
        child.send_signal(signal.SIGINT)
        try:
            rest, errors = child.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            child.kill()
            raise
    assert (said, rest, errors) == ("working\n", "stopped\n", "")


@pytest.mark.parametrize(
    "work",
    ["bankhook.diagnose_lines(long)", "bankhook.Tracker().apply_lines(many)"],
    ids=["diagnose_lines", "apply_lines"],
)
def test_an_archive_is_left_long_before_its_end(work: str) -> None:
    code = f"""
from time import perf_counter
signal.signal(signal.SIGALRM, signal.default_int_handler)
long, many = (large + b"\\n") * 8, b'{{"event":"x"}}\\n' * 3_000_000
def seconds():
    start = perf_counter()
    try:
        {work}
    except KeyboardInterrupt:
        pass
    return perf_counter() - start
whole = seconds()
signal.setitimer(signal.ITIMER_REAL, 0.05)
print(seconds() < whole / 2)
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", PREPARED.partition("try:\n")[0] + code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_what_was_interrupted_may_be_done_again() -> None:
    code = """
def stop(number, frame):
    raise KeyboardInterrupt
signal.signal(signal.SIGALRM, stop)
part = b'{"event":"a"}\\n' + large + b'\\n{"event":"b"}\\n'
parts = [(part, 0, len(part)), None]
lines = _core._events(iter(parts).__next__, print)
stopped, events = 0, []
while len(events) < 3:
    if stopped < 3:
        signal.setitimer(signal.ITIMER_REAL, 0.002)
    try:
        events.extend(islice(lines, 1))  # no Python between an event and its place
    except KeyboardInterrupt:
        stopped += 1
signal.setitimer(signal.ITIMER_REAL, 0)
print([event.event for event in events] == ["a", "x", "b"])
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", PREPARED.partition("try:\n")[0] + code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert (done.stdout, done.stderr) == ("True\n", "")
