# SPDX-License-Identifier: MIT
"""The libraries, each as its users would decode one event with it, and what each leaves to its users."""

from __future__ import annotations

import json
from collections.abc import Callable
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
    unchecked: str
    """What bankhook gives and this does not."""


_tracked = msgspec.json.Decoder(msgspec_union(gc=True))
_untracked = msgspec.json.Decoder(msgspec_union(gc=False))
_NOT_BY_MSGSPEC = "repeated names; fractions of a second beyond six digits; an unknown status is an error"
_NOT_BY_PYDANTIC = "repeated names; an unknown status is an error; amounts and dates in other forms are taken"
_NOTHING = "members, types, dates, amounts: dicts of str and float"

PEERS = (
    Peer("bankhook", bankhook.parse, attribute, ""),
    Peer("msgspec", _tracked.decode, attribute, _NOT_BY_MSGSPEC),
    Peer("msgspec gc=False", _untracked.decode, attribute, _NOT_BY_MSGSPEC),
    Peer("pydantic", pydantic.TypeAdapter(pydantic_union).validate_json, attribute, _NOT_BY_PYDANTIC),
    Peer("orjson", orjson.loads, item, _NOTHING),
    Peer("json", json.loads, item, _NOTHING),
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
