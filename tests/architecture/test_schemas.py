# SPDX-License-Identifier: MIT
"""Whatever type is read and written has a JSON Schema, and nothing else has one."""

from __future__ import annotations

import re
from pathlib import Path

JSON = Path(__file__).parents[2] / "include" / "bankhook" / "json"


def types(template: str) -> set[str]:
    """The types that a specialisation of this template is for, each with the constraints of its head."""
    specialisation = re.compile(
        rf"^(template <[^\n]*>\n(?:  requires [^\n]*\n)?)struct {template}<(.+?)>(?=$| :| \{{)", re.MULTILINE
    )
    sources = (path.read_text() for path in sorted(JSON.glob("**/*.hpp")))
    return {"".join(head) for source in sources for head in specialisation.findall(source)}


def test_every_type_with_a_codec_has_a_schema_and_vice_versa() -> None:
    assert len(types("Codec")) > 10
    assert types("Schema") == types("Codec")
