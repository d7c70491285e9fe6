# SPDX-License-Identifier: MIT
"""The schemas of the events, derived from the structs, as dicts."""

from __future__ import annotations

from typing import Any

from bankhook import _core

__all__ = ["asyncapi", "json_schema"]


def json_schema(cls: type) -> dict[str, Any]:
    """The JSON Schema (2020-12) of an event or resource class.

    Unlisted members are allowed (9: how payloads may grow is not shown), listed values are the only ones, and the rules
    of 6.3 that a schema can express are in it. Where the specification leaves more open, the schema is as narrow as
    `parse`: dates and times have the forms that are read (by patterns, so even if formats are not checked), counts are
    whole numbers from 0, and the fields that section 6 lists are required. `diagnose` reports what a schema cannot
    express. Raises TypeError for anything but a class of a resource or of
    a listed event.
    """
    import json  # only who asks for a schema waits for it

    schema: dict[str, Any] = json.loads(_core._json_schema(cls))
    return schema


def asyncapi() -> dict[str, Any]:
    """The events as an AsyncAPI 3.0 document: what the service sends and a consumer receives (6).

    Address, security and content type of the deliveries are not shown (4 to 6), so none is said.
    """
    import json

    document: dict[str, Any] = json.loads(_core._asyncapi())
    return document


asyncapi.__module__ = json_schema.__module__ = "bankhook"
