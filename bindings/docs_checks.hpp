// SPDX-License-Identifier: MIT
// The docstrings of the functions that find broken rules.
#pragma once

namespace bankhook::python::docs {

inline constexpr const char* check =
    R"(Return the rules between its fields that an event breaks (spec 6.2, 6.3, 3.1, 2.4, 7).

Parameters
----------
event : AnyEvent
    An event, parsed or made in Python.

Returns
-------
Findings
    With places in `event.raw` if the event was parsed, and without places if it was made in Python.

Raises
------
TypeError
    For any other object.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1)
>>> created = sandbox.send_initial_transaction(sandbox.member(0))
>>> [finding.rule for finding in bankhook.check(created.replace(event_type="validated"))]
['status_equals_event_type'])";

inline constexpr const char* diagnose = R"(Return everything that is wrong with a payload, in its order.

Parameters
----------
payload : bytes, bytearray, memoryview, mmap or str
    What `parse` takes.

Returns
-------
Findings
    At most 100, and one that says so; empty if nothing is wrong. What is in the payload raises nothing.

Raises
------
TypeError
    For any other object.

Examples
--------
>>> [finding.path for finding in bankhook.diagnose('{"event":17}')]
['$.event'])";

inline constexpr const char* is_clean =
    R"(Return whether `diagnose` finds nothing in the payload, at the speed of `parse`.

Parameters
----------
payload : bytes, bytearray, memoryview, mmap or str
    What `parse` takes.

Returns
-------
bool
    True if nothing is wrong with it.

Raises
------
TypeError
    For any other object.

Examples
--------
>>> bankhook.is_clean("{}")
False)";

inline constexpr const char* salvage = R"(Return the ids that can be read in a payload, even if `parse` rejects it.

Nothing is invented: an id counts if it is a whole JSON string in its listed field, and if that field does not have
two. An id whose letters were changed on the way cannot be detected.

Parameters
----------
payload : bytes, bytearray, memoryview, mmap or str
    What `parse` takes; what is in it raises nothing.

Returns
-------
Salvaged
    The ids; None for each that cannot be read.

Raises
------
TypeError
    For any other object.

Examples
--------
>>> bankhook.salvage(b'{"event":"initial_transaction_update","customer":{"id":"mem-1","ext').member
'mem-1')";

inline constexpr const char* explain = R"(Return the findings with the lines of the payload, and a caret under each place.

Parameters
----------
what : ParseError, Finding or Iterable[Finding]
    What is wrong.
payload : bytes, bytearray, memoryview, mmap or str
    The payload that it was found in.
show_values : bool
    Whether to show texts and numbers of the payload, which may be personal; else they are redacted.
width : int
    No line takes more cells of a terminal, of which East Asian characters take two: words are wrapped, and the payload's
    line is cut around the place.

Returns
-------
str
    Several lines for each finding.

Raises
------
ValueError
    For a width below 1.

Examples
--------
>>> print(bankhook.explain(bankhook.diagnose('{"event":17}'), '{"event":17}'))
$.event: expected string, found number
  rule: fields_have_their_type (stated, section 6.1)
 --> line 1, column 10
  1 | {"event":··}
    |          ^
<BLANKLINE>)";

}  // namespace bankhook::python::docs
