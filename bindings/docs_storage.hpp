// SPDX-License-Identifier: MIT
// The docstrings of bankhook.Tracker itself, of what keeps one, and of what it does with whole archives.
#pragma once

namespace bankhook::python::docs {

inline constexpr const char* tracker = R"(Tracks every member, bank connection and initial transaction through their events.

Parameters
----------
connection_lifecycle : Lifecycle, optional
    What moves its connections: `bankhook.connection_lifecycle`, or that with other rows (`Lifecycle.with_row`).
transaction_lifecycle : Lifecycle, optional
    The same for its transactions.
status_from : str
    What holds if a status differs from its event's eventType: `status`, `eventType`, or `neither`: then nothing of the
    event is applied.
take_create : bool
    Take what a create says where a list showed the connection otherwise before; else what was listed stays.

Raises
------
TypeError
    If a lifecycle is not one of these states.
ValueError
    For another text.

Examples
--------
>>> sandbox, tracker = bankhook.Sandbox(seed=1), bankhook.Tracker()
>>> created = sandbox.send_initial_transaction(sandbox.member(0))
>>> tracker.apply(created).verdict.value, len(tracker.transactions(created.customer.id))
('specified', 1))";

inline constexpr const char* apply_lines = R"(Apply every event of an archive and return what it meant.

Lines that are not events are counted and left out.

Parameters
----------
source : Source
    One of those that `parse_lines` takes.
report : str
    The outcomes to return: those whose verdict is this one or worse. All are applied and counted.
member : str, optional
    Return all outcomes that concern this member instead.
limit : int, optional
    The number of outcomes to return at most.

Returns
-------
AppliedLines
    The counts, and the outcomes asked for.

Raises
------
OSError
    If the source cannot be read to its end. The tracker has the events before that.

Examples
--------
>>> from bankhook.testing import samples
>>> bankhook.Tracker().apply_lines(samples.archive()).lines == bankhook.diagnose_lines(samples.archive()).lines
True)";

inline constexpr const char* snapshot =
    R"(Return the state and the options but for the lifecycles as bytes; equal trackers give equal bytes.

Returns
-------
bytes
    Lines of JSON, for `restore` of this and other versions; they contain personal data, as payloads do.

Examples
--------
>>> bankhook.Tracker().snapshot().splitlines()[0]
b'{"trackerSnapshot":3,"statusFrom":"neither","takeCreate":false}')";

inline constexpr const char* restore = R"(Return a tracker with the state and the options of a snapshot.

Parameters
----------
snapshot : bytes, bytearray, memoryview or mmap
    What `snapshot` returned.
connection_lifecycle, transaction_lifecycle : Lifecycle, optional
    What moves its states: a snapshot has no tables.

Returns
-------
Tracker
    A new tracker.

Raises
------
SnapshotError
    If the bytes are damaged, cut, or of another version; nothing is half restored.
TypeError
    For another object than bytes.

Examples
--------
>>> tracker = bankhook.Sandbox(seed=1, members=1).truth()
>>> bankhook.Tracker.restore(tracker.snapshot()) == tracker
True)";

inline constexpr const char* merge = R"(Add everything from a tracker of other members.

Parameters
----------
other : Tracker
    It stays unchanged.

Raises
------
MergeError
    If both have a member of the same id; nothing is changed then.
TypeError
    For any other object.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=2)
>>> one, other = bankhook.Tracker(), bankhook.Tracker()
>>> outcome = one.apply(sandbox.create_connection(sandbox.member(0)))
>>> outcome = other.apply(sandbox.create_connection(sandbox.member(1)))
>>> one.merge(other)
>>> len(one)
2)";

}  // namespace bankhook::python::docs
