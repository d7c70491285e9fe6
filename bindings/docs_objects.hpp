// SPDX-License-Identifier: MIT
// The docstrings of what every event and resource can do, and of the functions that make events.
#pragma once

namespace bankhook::python::docs {

inline constexpr const char* replace = R"(Return a new object with these fields changed; `copy.replace` calls it, too.

Parameters
----------
**changes
    Values of fields, by their names in Python; checked as by the constructor.

Returns
-------
Self
    The new object; this one never changes.

Raises
------
TypeError
    If there is no field of this name, or if a value has another type; the message names the field.
ValueError
    If a value has the right type and the wrong form.

Examples
--------
>>> account = bankhook.Account(id="acc-1", account_hash=None)
>>> account.replace(id="acc-2")
Account(id='acc-2', account_hash=None))";

inline constexpr const char* to_json = R"(Return the object as minified JSON, fields in the specification's order.

Returns
-------
bytes
    UTF-8; absent fields are left out, amounts keep their digits.

Examples
--------
>>> bankhook.Account(id="acc-1", account_hash=None).to_json()
b'{"id":"acc-1","accountHash":null}')";

inline constexpr const char* from_json = R"(Return an object of this class from its JSON.

Parameters
----------
payload : bytes, bytearray, memoryview, mmap or str
    The JSON of one object of this class.

Returns
-------
Self
    The object.

Raises
------
ParseError
    With all findings, if the payload is not the JSON of this class.

Examples
--------
>>> bankhook.Account.from_json('{"id":"acc-1","accountHash":null}').id
'acc-1')";

inline constexpr const char* to_dict = R"(Return the fields by name, resources as dicts, tuples as lists.

Returns
-------
dict[str, Any]
    Values of Python, such as Decimal and date; absent fields are left out.

Examples
--------
>>> bankhook.Account(id="acc-1", account_hash=None).to_dict()
{'id': 'acc-1', 'account_hash': None})";

inline constexpr const char* from_dict = R"(Return an object from the result of `to_dict`.

Parameters
----------
mapping : Mapping[str, Any]
    Names and values as the constructor takes them; nested resources may be objects or mappings.

Returns
-------
Self
    The object.

Raises
------
TypeError
    If a name is unknown or missing, or a value has another type; the message names the field by its path.
ValueError
    If a value has the right type and the wrong form.

Examples
--------
>>> bankhook.Account.from_dict({"id": "acc-1", "account_hash": None})
Account(id='acc-1', account_hash=None))";

inline constexpr const char* to_wire = R"(Return what `json.loads` returns for the JSON of the object.

Parameters
----------
number : Callable[[str], object], optional
    Called with the digits of each amount with a fraction: `Decimal` keeps 19.90 as written.

Returns
-------
dict[str, Any]
    Names on the wire, dates as text, amounts as int or float. An amount that no float holds is a Decimal, which
    `json.dumps` rejects instead of rounding it.

Examples
--------
>>> bankhook.Account(id="acc-1", account_hash=None).to_wire()
{'id': 'acc-1', 'accountHash': None})";

inline constexpr const char* from_wire = R"(Return an object from the result of `to_wire` or `json.loads`.

Parameters
----------
mapping : Mapping[str, Any]
    It is parsed like the JSON that it represents: unlisted fields are skipped. Nested resources may be objects or
    mappings.

Returns
-------
Self
    The object.

Raises
------
ParseError
    If it is not valid; its findings have no offset, line and column.

Examples
--------
>>> bankhook.Account.from_wire({"id": "acc-1", "accountHash": None, "new": 1})
Account(id='acc-1', account_hash=None))";

inline constexpr const char* parse = R"(Return the event that a payload holds (spec 6).

Parameters
----------
payload : bytes, bytearray, memoryview, mmap or str
    The JSON of one event. Exact bytes are kept alive instead of copied, by the event and by each part of it.
strict : bool
    Whether to reject a payload that breaks a rule that the specification states, too.

Returns
-------
AnyEvent
    The event; an UnknownEvent if the specification does not list its name.

Raises
------
ParseError
    With all findings, if the payload is not an event.

Examples
--------
>>> bankhook.parse('{"event":"loyalty_points_update"}').event
'loyalty_points_update'
>>> bankhook.parse("{")
Traceback (most recent call last):
    ...
bankhook.ParseError: $: the payload ends inside this value (is it cut off?) (line 1, column 2))";

inline constexpr const char* select = R"(Return a function from a payload to a tuple of the values at these paths.

Parameters
----------
paths : str
    The payload's own: `initialTransaction.amount`, `customer.connections[].id` (a tuple),
    `connection.accounts[0].id`.

Returns
-------
Selector
    It takes what `parse` takes, makes no objects but the values, and raises ParseError as `parse` does. ABSENT stands
    for a value that the event does not have.

Raises
------
ValueError
    If no event has such a path.

Examples
--------
>>> sandbox = bankhook.Sandbox(seed=1)
>>> created = sandbox.send_initial_transaction(sandbox.member(0))
>>> bankhook.select("initialTransaction.status", "connection.id")(created.raw)
(<TransactionStatus.CREATED: 'created'>, ABSENT))";

inline constexpr const char* fields =
    R"(Return the fields of a class of events, resources or tracked state, as the specification lists them.

Parameters
----------
cls : type
    The class, not an object of it.

Returns
-------
tuple[Field, ...]
    In the order of the specification's table.

Raises
------
TypeError
    For any other object.

Examples
--------
>>> [field.wire_name for field in bankhook.fields(bankhook.Account) if field.nullable]
['accountHash'])";

inline constexpr const char* place_id_name =
    R"(Return the name of the map-provider place field in this process: `placeId` until another one is given.

Returns
-------
str
    What `set_place_id_name` was given.

Examples
--------
>>> bankhook.place_id_name()
'placeId')";

inline constexpr const char* json_schema = R"(Return the JSON Schema (2020-12) of an event or resource class.

Unlisted fields are allowed (9: how payloads may grow is not shown), listed values are the only ones, and the rules
of 6.3 that a schema can express are in it. Where the specification leaves more open, the schema is as narrow as
`parse`: dates and times have the forms that are read (by patterns, so even if formats are not checked), counts are
whole numbers from 0, and the fields that section 6 lists are required. `diagnose` reports what a schema cannot
express.

Parameters
----------
cls : type
    A class of a resource or of a listed event.

Returns
-------
dict[str, Any]
    A new schema, which may be changed.

Raises
------
TypeError
    For any other object.

Examples
--------
>>> bankhook.json_schema(bankhook.Account)["properties"]["accountHash"]["type"]
['string', 'null'])";

inline constexpr const char* asyncapi =
    R"(Return the events as an AsyncAPI 3.0 document: what the service sends and a consumer receives (6).

Address, security and content type of the deliveries are not shown (4 to 6), so none is stated.

Returns
-------
dict[str, Any]
    A new document, which may be changed.

Examples
--------
>>> bankhook.asyncapi()["asyncapi"]
'3.0.0')";

}  // namespace bankhook::python::docs
