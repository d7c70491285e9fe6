# SPDX-License-Identifier: MIT
"""Packed bodies: which codings a request names, and what is in them, within the limit of a body."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from bankhook.receiver._requests import TurnedAway

CODINGS_LIMIT = 4
MEMBERS_LIMIT = 1024
"""Of one gzip stream: each costs time, also an empty one of 20 bytes."""

_GZIP, _ZLIB, _RAW = 31, 15, -15
"""What zlib calls `wbits`."""
_CHUNK = 1 << 14
"""What is packed after the end of a member is copied, so that a part is given at a time."""


def codings_of(header: str, *, is_unpacked: bool) -> Sequence[str]:
    """Return the codings that a Content-Encoding names, in the order in which they were applied.

    Raises TurnedAway (415) if the body would not be unpacked: what was acknowledged could not be handled.
    """
    if not header:
        return ()
    named = [one.strip(" \t").lower() for one in header.split(",")]
    codings = [one.removeprefix("x-") if one == "x-gzip" else one for one in named if one not in ("", "identity")]
    if not is_unpacked and codings:
        raise TurnedAway(415, "packed bodies are not unpacked here", {"accept-encoding": "identity"})
    if len(codings) > CODINGS_LIMIT or not set(codings) <= {"gzip", "deflate"}:
        raise TurnedAway(415, "only gzip and deflate are unpacked", {"accept-encoding": "gzip, deflate"})
    return codings


def unpacked(codings: Sequence[str], body: bytes, limit: int) -> bytes:
    """Return what a packed body contains.

    Raises TurnedAway if it is cut, damaged or followed by something else (400), or if it, or a coding of it, has more bytes
    than the limit (413).
    """
    for coding in reversed(codings):
        try:
            body = _inflated(body, coding, limit)
        except (EOFError, zlib.error):
            raise TurnedAway(400, "the body is not packed as Content-Encoding says, or not complete") from None
    return body


def _inflated(packed: bytes, coding: str, limit: int) -> bytes:
    # RFC 9110, 8.4.1.2: deflate is the zlib format, but some send the stream alone. zlib begins with a check of two bytes.
    has_header = packed[:1] != b"" and packed[0] & 15 == 8 and int.from_bytes(packed[:2]) % 31 == 0
    form = _GZIP if coding == "gzip" else _ZLIB if has_header else _RAW
    stream, members, found = zlib.decompressobj(form), 1, bytearray()
    for start in range(0, len(packed), _CHUNK):
        rest = packed[start : start + _CHUNK]
        while rest:
            if stream.eof:
                members += 1
                if form != _GZIP or members > MEMBERS_LIMIT:
                    raise EOFError
                stream = zlib.decompressobj(form)
            found += stream.decompress(rest, limit + 1 - len(found))
            if len(found) > limit:
                raise TurnedAway(413, f"the unpacked body has more than {limit} bytes")
            rest = stream.unused_data
    if not stream.eof:
        raise EOFError
    return bytes(found)
