# SPDX-License-Identifier: MIT
"""What is done with each payload: decode it, then read nothing, five members or all of them; or write what was decoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import bankhook

__all__ = ["EVENTS", "FEW", "WORKLOADS", "Run", "attribute", "compiled", "item", "writer"]

Run = Callable[[list[bytes], Callable[[bytes], Any]], None]

WORKLOADS = ("parse", "five members", "all members")

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


def compiled(event: type, workload: str, access: Callable[[str, bool], str]) -> Run:
    """The loop over payloads: a function of its own for each library, so that each keeps the interpreter's specialisation."""
    body = ["event = decode(payload)", *_reads(event, workload, access)]
    source = "\n    ".join(["def run(payloads, decode):", *_loop("payload", "payloads", body)])
    scope: dict[str, Run] = {}
    exec(source, scope)
    return scope["run"]


def writer(written: str) -> Callable[[list[Any], Any], None]:
    """The loop over decoded events."""
    scope: dict[str, Callable[[list[Any], Any], None]] = {}
    exec("\n    ".join(["def run(events, encode):", *_loop("event", "events", [written])]), scope)
    return scope["run"]


def _reads(event: type, workload: str, access: Callable[[str, bool], str]) -> Iterator[str]:
    if workload == "five members":
        yield from _few(FEW[event], access)
    elif workload == "all members":
        schema = bankhook.json_schema(event)
        yield from _all(schema, schema, "event", access)


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


def _resolved(schema: Any, node: Any) -> Any:
    return schema["$defs"][node["$ref"].removeprefix("#/$defs/")] if "$ref" in node else node
