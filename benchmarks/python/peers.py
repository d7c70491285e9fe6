# SPDX-License-Identifier: MIT
"""The libraries, each as its users would decode one event with it, and what each leaves to its users."""

from __future__ import annotations

import json
from collections.abc import Callable
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
    """How what it decoded, `event`, becomes JSON again; it may call `encode`."""
    encode: Callable[[Any], bytes | str] | None
    unchecked: str
    """What bankhook gives and this does not."""


_tracked = msgspec.json.Decoder(msgspec_union(gc=True))
_untracked = msgspec.json.Decoder(msgspec_union(gc=False))
_adapter: pydantic.TypeAdapter[Any] = pydantic.TypeAdapter(pydantic_union)
_encode = msgspec.json.Encoder(decimal_format="number").encode
_dump = partial(_adapter.dump_json, by_alias=True, exclude_unset=True)
_NOT_BY_MSGSPEC = "repeated names; fractions of a second beyond six digits; an unknown status is an error"
_NOT_BY_PYDANTIC = "repeated names; an unknown status is an error; amounts and dates in other forms are taken"
_CALL = "encode(event)"
_NOTHING = "members, types, dates, amounts: dicts of str and float"

PEERS = (
    Peer("bankhook", bankhook.parse, attribute, "event.to_json()", None, ""),
    Peer("msgspec", _tracked.decode, attribute, _CALL, _encode, _NOT_BY_MSGSPEC),
    Peer("msgspec gc=False", _untracked.decode, attribute, _CALL, _encode, _NOT_BY_MSGSPEC),
    Peer("pydantic", _adapter.validate_json, attribute, _CALL, _dump, _NOT_BY_PYDANTIC),
    Peer("orjson", orjson.loads, item, _CALL, orjson.dumps, _NOTHING),
    Peer("json", json.loads, item, _CALL, json.dumps, _NOTHING),
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
