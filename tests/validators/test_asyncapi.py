# SPDX-License-Identifier: MIT
"""The AsyncAPI parser takes the document without a complaint, and reads out of it the schemas of the events."""

from __future__ import annotations

import re
from typing import Any, get_args

import pytest

import bankhook
from validators.outside import asyncapi_parser

# The parser takes seconds to start: one run of it serves two tests.
pytestmark = pytest.mark.slow

LISTED = tuple(cls for cls in get_args(bankhook.AnyEvent) if cls is not bankhook.UnknownEvent)
EVENTS = {re.sub(r"(?<!^)([A-Z])", r"_\1", cls.__name__).lower(): cls for cls in LISTED}

# 3.0 is what tools read today; the parser knows a later version and says so, for information.
KNOWN = {"asyncapi-latest-version"}


def written_out(schema: Any, definitions: dict[str, Any]) -> Any:
    """The schema with what it refers to in the place of references, and without the names that the parser adds."""
    if isinstance(schema, list):
        return [written_out(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return written_out(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    outside = ("$schema", "$defs", "x-parser-schema-id")
    return {name: written_out(part, definitions) for name, part in schema.items() if name not in outside}


@pytest.fixture(scope="module")
def said() -> dict[str, Any]:
    return asyncapi_parser(bankhook.asyncapi())


def test_the_parser_has_nothing_to_complain_of(said: dict[str, Any]) -> None:
    assert [one for one in said["diagnostics"] if one["code"] not in KNOWN] == []


def test_each_message_that_the_parser_finds_has_the_schema_of_its_event(said: dict[str, Any]) -> None:
    payloads = said["payloads"]
    assert payloads.keys() == EVENTS.keys()
    for name, cls in EVENTS.items():
        schema = bankhook.json_schema(cls)
        assert written_out(payloads[name], {}) == written_out(schema, schema["$defs"])


def test_the_parser_would_complain_of_a_document_that_is_wrong() -> None:
    document = bankhook.asyncapi()
    document["operations"]["receive"]["action"] = "listen"
    severe = [one["severity"] for one in asyncapi_parser(document)["diagnostics"] if one["code"] not in KNOWN]
    assert 0 in severe
