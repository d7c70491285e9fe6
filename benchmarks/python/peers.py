# SPDX-License-Identifier: MIT
"""The libraries, each as its users would decode one event with it, and what each leaves to its users."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

import msgspec
import orjson
import pydantic

import bankhook
from models import msgspec_union, pydantic_union
from workloads import attribute, item

__all__ = ["LINES", "PEERS", "Peer"]


class Peer(NamedTuple):
    """A library and how it is used."""

    name: str
    decode: Callable[[bytes], Any]
    access: Callable[[str, bool], str]
    """How a member of what it decodes is read."""
    written: str
    """How what it decoded, a `thing`, becomes JSON again; it may call `call`."""
    encode: Callable[[Any], bytes | str] | None
    in_dicts: str
    """How what it decoded, `event`, becomes dicts of Python's values; it may call `call`."""
    to_dicts: Callable[[Any], Any] | None
    unchecked: str
    """What bankhook gives and this does not."""


_tracked = msgspec.json.Decoder(msgspec_union(gc=True))
_untracked = msgspec.json.Decoder(msgspec_union(gc=False))
_adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(pydantic_union)
_encode = msgspec.json.Encoder(decimal_format="number").encode
_dump = partial(_adapter.dump_json, by_alias=True, exclude_unset=True)
_NOT_BY_MSGSPEC = "repeated names; fractions of a second beyond six digits; an unknown status is an error"
_NOT_BY_PYDANTIC = "repeated names; an unknown status is an error; amounts and dates in other forms are taken"
_NOTHING = "members, types, dates, amounts: dicts of str and float"
_to_builtins = partial(msgspec.to_builtins, builtin_types=(date, datetime, Decimal))
_MSGSPEC = (attribute, "call(thing)", _encode, "call(event)", _to_builtins, _NOT_BY_MSGSPEC)

PEERS = (
    Peer("bankhook", bankhook.parse, attribute, "thing.to_json()", None, "event.to_dict()", None, ""),
    Peer("msgspec", _tracked.decode, *_MSGSPEC),
    Peer("msgspec gc=False", _untracked.decode, *_MSGSPEC),
    Peer("pydantic", _adapter.validate_json, attribute, "call(thing)", _dump, "event.model_dump()", None, _NOT_BY_PYDANTIC),
    Peer("orjson", orjson.loads, item, "call(thing)", orjson.dumps, "event", None, _NOTHING),
    Peer("json", json.loads, item, "call(thing)", json.dumps, "event", None, _NOTHING),
)


def _iterate(archive: bytes) -> None:
    for _ in bankhook.parse_lines(archive):
        pass


LINES: dict[str, Callable[[bytes], object]] = {
    "bankhook": _iterate,
    "msgspec": _tracked.decode_lines,
    "msgspec gc=False": _untracked.decode_lines,
}
"""Who reads an archive of one event a line at once."""
