// SPDX-License-Identifier: MIT
// The docstrings of bankhook.Tracker. Each example makes what it needs: a sandbox, and a tracker of what it has sent.
#pragma once

namespace bankhook::python::docs {

inline constexpr const char* peek = R"(Return what `apply` would return, and change nothing.

Parameters
----------
event : AnyEvent
    The event to look at.

Returns
-------
Outcome
    What the event would mean.

Raises
------
TypeError
    For any other object.

Examples
--------
>>> sandbox, tracker = bankhook.Sandbox(seed=1), bankhook.Tracker()
>>> created = sandbox.send_initial_transaction(sandbox.member(0))
>>> tracker.peek(created).accepted, len(tracker)
(True, 0))";

inline constexpr const char* apply = R"(Apply the event and return what it meant.

Parameters
----------
event : AnyEvent
    The event; one of an unknown name changes nothing.

Returns
-------
Outcome
    What changed, the verdict and its reason.

Raises
------
TypeError
    For any other object.

Examples
--------
>>> sandbox, tracker = bankhook.Sandbox(seed=1), bankhook.Tracker()
>>> created = sandbox.send_initial_transaction(sandbox.member(0))
>>> tracker.apply(created).verdict.value, tracker.apply(created).repeat
('specified', True))";

inline constexpr const char* member = R"(Return the member with this id, or None.

Parameters
----------
id : str
    The id that the service assigned.

Returns
-------
TrackedMember or None
    The member as last reported.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.create_connection(sandbox.member(0))
>>> sandbox.truth().member(created.customer.id).customer == sandbox.member(0)
True)";

inline constexpr const char* connection =
    R"(Return the bank connection of a member with this id, even if it is deleted or unlisted; None if it is unknown.

Parameters
----------
member_id, id : str
    The ids that the service assigned.

Returns
-------
TrackedConnection or None
    The connection as last reported.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.create_connection(sandbox.member(0))
>>> sandbox.truth().connection(created.customer.id, created.connection.id).state.value
'created')";

inline constexpr const char* transaction = R"(Return the initial transaction of a member with this id, or None.

Parameters
----------
member_id, id : str
    The ids that the service assigned.

Returns
-------
TrackedTransaction or None
    The transaction as last reported.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.send_initial_transaction(sandbox.member(0))
>>> sandbox.truth().transaction(created.customer.id, created.initial_transaction.id).state.value
'created')";

inline constexpr const char* members = R"(Return all members.

Returns
-------
tuple[TrackedMember, ...]
    In the order of their ids.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.create_connection(sandbox.member(0))
>>> len(sandbox.truth().members())
1)";

inline constexpr const char* connections = R"(Return bank connections, including deleted and unlisted ones.

Parameters
----------
member_id : str, optional
    The member whose connections to return; else those of all.

Returns
-------
tuple[TrackedConnection, ...]
    In the order of their ids.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.create_connection(sandbox.member(0))
>>> deleted = sandbox.delete_connection(created.connection)
>>> [held.state.value for held in sandbox.truth().connections(created.customer.id)]
['deleted'])";

inline constexpr const char* transactions = R"(Return initial transactions.

Parameters
----------
member_id : str, optional
    The member whose transactions to return; else those of all.
status : str, optional
    The status that they have; else of every status.

Returns
-------
tuple[TrackedTransaction, ...]
    Those of one member by creation time, all in the order of their ids.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.send_initial_transaction(sandbox.member(0))
>>> len(sandbox.truth().transactions(status="created"))
1)";

inline constexpr const char* accounts =
    R"(Return the accounts of a member's connections that are neither deleted nor unlisted.

Parameters
----------
member_id : str
    The id that the service assigned.

Returns
-------
tuple[Account, ...]
    Empty for an unknown member.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.create_connection(sandbox.member(0))
>>> update = sandbox.create_accounts(created.connection)
>>> sandbox.truth().accounts(created.customer.id) == update.connection.accounts
True)";

inline constexpr const char* diff = R"(Return what is different in another tracker.

Something that only the other tracker has counts as added, something that only this one has as missing. Options, and what
a tracker remembers of earlier events, are not compared.

Parameters
----------
other : Tracker
    The tracker to compare with.

Returns
-------
tuple[Change, ...]
    `before` is the value here, `after` the one there. Member by member in the order of their ids: the member, its
    connections, its transactions. Empty exactly if `members`, `connections` and `transactions` of both are equal.

Raises
------
TypeError
    For any other object.

Examples
--------
>>> sandbox, tracker = bankhook.Sandbox(seed=1, members=1), bankhook.Tracker()
>>> created = sandbox.send_initial_transaction(sandbox.member(0))
>>> [change.label for change in tracker.diff(sandbox.truth())]
['member_added', 'transaction_added'])";

inline constexpr const char* timeline = R"(Return a member's connections and transactions over time; a notebook draws it.

Parameters
----------
member_id : str
    The id that the service assigned.

Returns
-------
Timeline
    Empty for an unknown member.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.create_connection(sandbox.member(0))
>>> len(sandbox.truth().timeline(created.customer.id).connections)
1)";

inline constexpr const char* in_error =
    R"(Return the connections with an error code or message, neither deleted nor unlisted (spec 7).

Returns
-------
tuple[TrackedConnection, ...]
    In the order of their ids.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.create_connection(sandbox.member(0))
>>> failed = sandbox.desynchronise(created.connection)
>>> len(sandbox.truth().in_error())
1)";

inline constexpr const char* awaiting_accounts =
    R"(Return the connections, neither deleted nor unlisted, that still have no accounts (spec 6.2).

Returns
-------
tuple[TrackedConnection, ...]
    In the order of their ids.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.create_connection(sandbox.member(0))
>>> {held.id for held in sandbox.truth().awaiting_accounts()} <= {created.connection.id}
True)";

inline constexpr const char* consents_ending_before =
    R"(Return the connections, neither deleted nor unlisted, whose consent ends before a moment.

Parameters
----------
when : datetime.datetime
    A naive moment, as the payloads have it.

Returns
-------
tuple[TrackedConnection, ...]
    The earliest end first.

Raises
------
TypeError
    For any other object.
ValueError
    For a datetime with a zone: the payloads name none.

Examples
--------
>>> import datetime
>>> sandbox = bankhook.Sandbox(seed=1, members=1)
>>> created = sandbox.create_connection(sandbox.member(0))
>>> len(sandbox.truth().consents_ending_before(datetime.datetime(2100, 1, 1)))
1)";

}  // namespace bankhook::python::docs
