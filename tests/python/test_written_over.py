# SPDX-License-Identifier: MIT
"""`to_json(over=True)`: a changed event written over its payload, compared with a slow model that keeps every blank."""

from __future__ import annotations

import copy
import gc
import json
import pickle
import random
import sys
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import Account, BankConnectionsUpdateV2, InitialTransactionUpdate, UnknownEvent
from python.parsed import DATA, payload, rows, transaction_update

Event = BankConnectionsUpdateV2 | InitialTransactionUpdate


@dataclass
class Part:
    """A field of an object or an element of an array, with the blanks around it; an element has no name."""

    name: str
    value: Node
    before: str = ""
    key: str = ""
    after: str = ""


@dataclass
class Box:
    """An object or an array with its parts in their order, and the blanks before the bracket that closes it."""

    brackets: str
    parts: list[Part] = field(default_factory=list)
    end: str = ""


Node = str | Box  # of anything else its JSON, verbatim


def text_of(node: Node) -> str:
    """The payload that a node is."""
    if isinstance(node, str):
        return node
    parts = ",".join(part.before + part.key + text_of(part.value) + part.after for part in node.parts)
    return node.brackets[0] + parts + node.end + node.brackets[1]


def plain(value: Any) -> str:
    """The JSON of a value that is written new."""
    return str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def value_of(node: Node) -> Any:
    """What the library reads from a node: neither unlisted fields nor null for one that may be absent."""
    if isinstance(node, str):
        return json.loads(node, parse_float=Decimal, parse_int=Decimal)
    if node.brackets == "[]":
        return [value_of(part.value) for part in node.parts]
    read = {part.name: value_of(part.value) for part in node.parts if not part.name.startswith("x")}
    return {name: value for name, value in read.items() if value is not None or name not in OPTIONAL}


OPTIONAL = ("consentExpiresAt", "placeId", "storeName")


def over(node: Node, new: Any) -> Node:
    """What `new`, a wire form, makes of a node."""
    if value_of(node) == new:
        return node
    if isinstance(node, Box) and isinstance(new, dict):
        return object_over(node, new)
    if isinstance(node, Box) and isinstance(new, list):
        return array_over(node, new)
    return plain(new)


def object_over(box: Box, new: dict[str, Any]) -> Box:
    box = copy.deepcopy(box)
    for part in list(box.parts):
        if part.name in new:
            part.value = over(part.value, new[part.name])
        elif part.name in OPTIONAL and part.value != "null":
            at = box.parts.index(part)
            if at > 0:
                box.parts[at - 1].after += part.after
            elif len(box.parts) > 1:
                box.parts[1].before = part.before
            else:
                box.end = part.before + part.after + box.end
            del box.parts[at]
    names = list(new)
    if any(part.name == "placeId" for part in box.parts) and "placeId" not in new:  # null, which stays
        names.insert(names.index("storeExternalId") + 1, "placeId")
    last = None
    for name in names:
        found = next((part for part in box.parts if part.name == name), None)
        if found is None:
            found = Part(name, plain(new[name]), key=f'"{name}":')
            if last is not None:
                found.after, last.after = last.after, ""
            box.parts.insert(0 if last is None else box.parts.index(last) + 1, found)
        last = found
    return box


def array_over(box: Box, new: list[Any]) -> Box:
    ids = [value_of(part.value)["id"] for part in box.parts]
    new_ids = [value["id"] for value in new]
    parts = []
    for value in new:
        if ids.count(value["id"]) == new_ids.count(value["id"]) == 1:
            part = box.parts[ids.index(value["id"])]
            parts.append(Part("", over(part.value, value), part.before, "", part.after))
        else:
            parts.append(Part("", plain(value)))
    return Box("[]", parts, box.end if parts and box.parts else "")


class Writer:
    """Writes wire forms as a sender might, and changes them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.spaces = self.random.choice(["", " ", " \n\t\r"])

    def blank(self) -> str:
        return "".join(self.random.choices(self.spaces, k=self.random.randrange(3))) if self.spaces else ""

    def text(self, text: str) -> str:
        """A string in which some characters are escapes, though they need not be."""
        written = [plain(c)[1:-1] if c > "\uffff" or self.random.random() < 0.9 else f"\\u{ord(c):04X}" for c in text]
        return f'"{"".join(written)}"'

    def node(self, value: Any) -> Node:
        if isinstance(value, str):
            return self.text(value) if self.random.random() < 0.2 else plain(value)
        if isinstance(value, Decimal) and self.random.random() < 0.3:
            return self.random.choice([f"{value:E}", f"{value}0" if "." in str(value) else f"{value}.0"])
        if not isinstance(value, dict | list):
            return plain(value)
        named = list(value.items()) if isinstance(value, dict) else [("", item) for item in value]
        parts = [Part(name, self.node(item)) for name, item in named]
        box = Box("[]", parts) if isinstance(value, list) else Box("{}", self.unordered(parts))
        for part in box.parts:
            name = part.key or (self.text(part.name) if self.random.random() < 0.1 else plain(part.name))
            part.key = f"{name}{self.blank()}:{self.blank()}" if part.name else ""
            part.before, part.after = self.blank(), self.blank()
        box.end = self.blank()
        if box.brackets == "[]" and box.parts:
            box.parts[-1].after = ""
        return box

    def unordered(self, parts: list[Part]) -> list[Part]:
        """The fields in any order, with unlisted ones among them, and null for what may be absent."""
        names = [part.name for part in parts]
        if "storeExternalId" in names and "placeId" not in names and self.random.random() < 0.3:
            parts.append(Part("placeId", "null"))
        if self.random.random() < 0.5:
            unlisted = self.random.choice(["1", "null", '"\\u00e9"', '{"id":[{}, 1]}', "[ ]"])
            parts += [Part("x", unlisted) for _ in range(self.random.randrange(3))]
        if self.random.random() < 0.5:
            self.random.shuffle(parts)
        return parts

    def changed(self, value: Any, name: str = "") -> Any:
        """Another wire form of the same class."""
        if isinstance(value, dict):
            new = {key: self.changed(item, key) if self.random.random() < 0.3 else item for key, item in value.items()}
            for key in ("placeId", "storeName", "consentExpiresAt"):
                if key in new and self.random.random() < 0.3:
                    del new[key]
                elif (("storeExternalId" if key != "consentExpiresAt" else "bank") in new) and self.random.random() < 0.2:
                    new[key] = "2031-02-03 04:05:06.7000" if key == "consentExpiresAt" else "é\n"
            return new
        if isinstance(value, list):
            items = [self.changed(item) if self.random.random() < 0.4 else item for item in value]
            items = [item for item in items for _ in range(self.random.choices([0, 1, 2], [2, 8, 1])[0])]
            if self.random.random() < 0.3:
                self.random.shuffle(items)
            return items
        if isinstance(value, Decimal):
            return value + Decimal(self.random.choice(["0", "1", "0.5"]))
        if isinstance(value, int) and not isinstance(value, bool):
            return value + self.random.choice([0, 1])
        if name in ("id", "externalId", "bank"):
            return self.random.choice(["a", "b", 'quote " é'])
        if name in ("accountHash", "errorCode", "errorMessage", "storeExternalId", "transactionId"):
            return self.random.choice(["a", "é", None])
        return value


def events() -> list[Event]:
    """Events of either kind."""
    samples = [bankhook.parse((DATA / "valid" / row["file"]).read_bytes()) for row in rows("valid")]
    sandbox = bankhook.Sandbox(5, members=6)
    sent = [bankhook.parse(delivery.payload) for delivery in sandbox.deliveries(60)]
    return [event for event in samples + sent if not isinstance(event, UnknownEvent)]


def replaced(event: Event, new: dict[str, Any]) -> Event:
    """The event with all fields of a wire form."""
    other = type(event).from_wire(new)
    names = [field.name for field in bankhook.fields(type(event)) if field.name != "event"]
    return event.replace(**{name: getattr(other, name) for name in names})


@pytest.mark.parametrize("seed", range(8))
def test_what_is_written_over_a_payload_is_what_a_slow_model_makes_of_it(seed: int) -> None:
    for number, event in enumerate(events()):
        writer = Writer(1000 * seed + number)
        wire = event.to_wire(number=Decimal)
        tree = writer.node(wire)
        text = writer.blank() + text_of(tree) + writer.blank()
        read = type(event).from_json(text)
        assert read == event
        assert read.to_json(over=True) == text.encode()
        assert read.replace().to_json(over=True) == text.encode()
        new = writer.changed(wire)
        changed = replaced(read, new)
        written = changed.to_json(over=True).decode()
        assert written == text.replace(text_of(tree), text_of(over(tree, changed.to_wire(number=Decimal))))
        assert type(event).from_json(written) == changed
        assert changed.replace().to_json(over=True).decode() == written


def test_a_replaced_event_remembers_the_payload_of_the_first_one_and_nothing_else_changes() -> None:
    text = payload("transaction_created").replace(b"{", b'{"trace":"t-1",', 1)
    first = InitialTransactionUpdate.from_json(text)
    references = sys.getrefcount(text)
    second = first.replace(event_type="validated")
    third = second.replace(event_type="created")
    assert sys.getrefcount(text) == references + 2
    assert first.to_json(over=True) is not None
    assert second.to_json(over=True) == text.replace(b'"eventType":"created"', b'"eventType":"validated"')
    assert third.to_json(over=True) == text
    assert third.raw == third.to_json() != text
    assert b"trace" not in pickle.loads(pickle.dumps(second)).to_json(over=True)
    del first, second, third
    gc.collect()
    assert sys.getrefcount(text) == references - 1


def test_an_event_of_an_archive_is_written_over_its_line() -> None:
    line = payload("transaction_created").strip().replace(b"{", b'{"trace":"t-1",', 1)
    event = next(iter(bankhook.parse_lines(b"\xef\xbb\xbf" + line + b"\n", of=InitialTransactionUpdate)))
    assert event.to_json(over=True) == line
    changed = event.replace(event_type="validated")
    assert changed.to_json(over=True) == line.replace(b'"eventType":"created"', b'"eventType":"validated"')


def test_an_unknown_event_is_its_payload() -> None:
    text = b'\xef\xbb\xbf {"event": "later", "x": [ ]} '
    assert UnknownEvent.from_json(text).to_json(over=True) == text[3:]


@pytest.mark.parametrize(
    "value",
    [
        Account(id="a", account_hash=None),
        Account.from_json(b'{"id":"a","accountHash":null}'),
        transaction_update().customer,
        InitialTransactionUpdate.from_dict(transaction_update().to_dict()),
        InitialTransactionUpdate.from_dict(transaction_update().to_dict()).replace(event_type="validated"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_has_no_payload_cannot_be_written_over_one(value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{type(value).__name__}.to_json: expected an event that was parsed, or made"):
        value.to_json(over=True)
    assert value.to_json(over=False) == value.to_json()


@pytest.mark.parametrize(
    ("arguments", "keywords", "sentence"),
    [
        ((True,), {}, "to_json() takes keyword arguments only"),
        ((), {"ovr": True}, "to_json() got an unexpected keyword argument 'ovr'; did you mean 'over'?"),
        ((), {"over": True, "x": 1}, "to_json() got an unexpected keyword argument 'x'"),
        ((), {"x": 1, "over": True}, "to_json() got an unexpected keyword argument 'x'"),
    ],
)
def test_other_arguments_are_errors(arguments: tuple[Any, ...], keywords: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TypeError) as raised:
        transaction_update().to_json(*arguments, **keywords)
    assert str(raised.value) == sentence
