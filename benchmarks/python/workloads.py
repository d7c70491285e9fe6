# SPDX-License-Identifier: MIT
"""What is done with each payload: decode it, then read nothing, five members or all of them; and the paths of these."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import bankhook

__all__ = ["EVENTS", "FEW", "attribute", "item", "loop", "paths", "reads"]

EVENTS: dict[str, type] = {
    "transaction": bankhook.InitialTransactionUpdate,
    "bank everyday": bankhook.BankConnectionsUpdateV2,
    "bank heavy": bankhook.BankConnectionsUpdateV2,
}
"""The event of each kind."""

FEW: dict[type, tuple[str, ...]] = {
    bankhook.InitialTransactionUpdate: (
        "eventType",
        "customer.id",
        "initialTransaction.id",
        "initialTransaction.amount",
        "initialTransaction.transactionDate",
    ),
    bankhook.BankConnectionsUpdateV2: (
        "eventType",
        "customer.id",
        "customer.connectionsOn",
        "connection.id",
        "connection.bank",
    ),
}
"""The five members, by their paths in the payload."""


def attribute(name: str, is_required: bool) -> str:
    """How a member is read from an object."""
    return "." + "".join("_" + letter.lower() if letter.isupper() else letter for letter in name)


def item(name: str, is_required: bool) -> str:
    """How a member is read from a dict."""
    return f"[{name!r}]" if is_required else f".get({name!r})"


def loop(body: list[str], **functions: Any) -> Callable[[list[Any]], None]:
    """Does `body`, which may call these functions, with each `thing` of a list.

    It is a function of its own for each library, so that each keeps the interpreter's specialisation.
    """
    scope: dict[str, Any] = {}
    exec("\n    ".join([f"def run(things, {', '.join(functions)}):", *_loop("thing", "things", body)]), scope)
    return partial(scope["run"], **functions)


def reads(event: type, access: Callable[[str, bool], str]) -> dict[str, list[str]]:
    """What is read of a decoded `event`, by workload."""
    schema = bankhook.json_schema(event)
    return {
        "parse": [],
        "five members": list(_few(FEW[event], access)),
        "all members": list(_all(schema, schema, "event", access)),
    }


def paths(event: type) -> list[str]:
    """The paths to all members but `event`, as `select` takes them."""
    schema = bankhook.json_schema(event)
    return list(_paths(schema, schema, ""))


def _loop(name: str, items: str, body: list[str]) -> Iterator[str]:
    yield f"for {name} in {items}:"
    for line in body:
        yield "    " + line


def _few(paths: tuple[str, ...], access: Callable[[str, bool], str]) -> Iterator[str]:
    """Each resource is read once, as one would write it by hand."""
    known = {"": "event"}
    for path in paths:
        resource, _, name = path.rpartition(".")
        if resource not in known:
            known[resource] = resource.lower()
            yield f"{known[resource]} = event{access(resource, True)}"
        yield known[resource] + access(name, True)


def _all(schema: Any, node: Any, name: str, access: Callable[[str, bool], str]) -> Iterator[str]:
    """Reads of all members below `name`, whose schema is `node`; not of `event`, which msgspec's structs do not keep."""
    for member, part in node["properties"].items():
        if member == "event":
            continue
        read = name + access(member, member in node["required"])
        part = _resolved(schema, part)
        inner = f"{name}_{member.lower()}"
        if part.get("type") == "array":
            yield from _loop(inner, read, list(_all(schema, _resolved(schema, part["items"]), inner, access)))
        elif "properties" in part:
            yield f"{inner} = {read}"
            yield from _all(schema, part, inner, access)
        else:
            yield read


def _paths(schema: Any, node: Any, start: str) -> Iterator[str]:
    for member, part in node["properties"].items():
        part = _resolved(schema, part)
        if part.get("type") == "array":
            yield from _paths(schema, _resolved(schema, part["items"]), f"{start}{member}[].")
        elif "properties" in part:
            yield from _paths(schema, part, f"{start}{member}.")
        elif member != "event":
            yield start + member


def _resolved(schema: Any, node: Any) -> Any:
    return schema["$defs"][node["$ref"].removeprefix("#/$defs/")] if "$ref" in node else node
