# SPDX-License-Identifier: MIT
"""What commands print with `--json`, as Markdown: each kind of line with its fields."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bankhook.cli.shapes import schemas
from derived.reference import Headers, table

__all__ = ["shapes"]


def shapes(_: Headers, page: Path, __: str) -> str:
    """Each name that `bankhook schema` takes, with its lines."""
    return "\n\n".join("\n\n".join(_shape(name, shape)) for name, shape in schemas().items())


def _shape(name: str, shape: dict[str, Any]) -> Iterator[str]:
    yield f"## {name}"
    printed = " and ".join(f"`{command}`" for command in shape["title"].split(", "))
    yield f"{printed}; the schema: `bankhook schema {name}`."
    for line in shape["oneOf"]:
        fields = dict(line["properties"])
        if type_ := fields.pop("type", None):
            yield f'A line of type `"{type_["const"]}"`:'
        yield table("field|value", list(_rows(line | {"properties": fields})))


def _rows(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield a row for each field, and for those of objects within."""
    for name, field in schema["properties"].items():
        about = [field.get("description", "")] + ["optional"] * (name not in schema["required"])
        if name not in schema["required"] and about[0]:
            about.pop()
        yield f"`{path}{name}`", "; ".join(filter(None, (_json(field), *about)))
        inner = next((one for one in _within(field) if "properties" in one), None)
        if inner is not None:
            yield from _rows(inner, f"{path}{name}{'[]' if field.get('type') == 'array' else ''}.")


def _within(field: dict[str, Any]) -> list[dict[str, Any]]:
    return [*field.get("anyOf", [field]), *([field["items"]] if "items" in field else [])]


def _json(field: dict[str, Any]) -> str:
    if either := field.get("anyOf"):
        return " or ".join(map(_json, either))
    if values := field.get("enum"):
        return ", ".join(f"`{value}`" for value in values)
    if field["type"] == "array":
        return f"array of {_json(field['items'])}"
    if field.get("additionalProperties"):
        return f"object with {_json(field['additionalProperties'])}s"
    types = field["type"]
    return types if isinstance(types, str) else " or ".join(types)
