# SPDX-License-Identifier: MIT
"""Events and resources as fields of pydantic models: `Payload[bankhook.AnyEvent]`; needs `bankhook[pydantic]`.

What is read, what it costs, and what it loses:

- bytes (or another buffer, or str): judged by `bankhook.parse` at once; nothing is lost, `.raw` is what came.
- an object of the library: taken as it is.
- a dict, as json.loads makes it: written as JSON and parsed, which takes 5 to 8 times as long as bytes. A `Decimal` keeps
  its digits. A float has lost them before we see it: 19.90 comes as 19.9, and beyond 15 digits the value may be another.
  `.raw` is the JSON that was written on the way.
- `model_validate_json` reads the JSON itself and hands over such floats. `Model.model_validate(json.loads(text,
  parse_float=Decimal))` loses nothing.

What is written: `model_dump()` keeps the objects. `model_dump_json()` and `model_dump(mode="json")` give the fields of the
payload, amounts as floats, because pydantic writes no other number: 19.90 as 19.9, and an amount that no float holds is an
error, never a rounding. `dump_json` here writes exactly what `to_json` gives.

Errors hold the findings of the library, each at its place; `input` is the kind that was found, never a value of the payload.
Errors of other fields are pydantic's, and show what they were given: `errors(include_input=False)` does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler, TypeAdapter
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, ValidationError, core_schema

from bankhook import Finding, ParseError
from bankhook.integrations import _wire

__all__ = ["Judged", "Payload", "StrictPayload", "dump_json"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judged:
    """The mark of an annotation that the library reads and judges: `Annotated[bankhook.Connection, Judged()]`.

    `strict=True` refuses also an event that breaks a rule which the specification states, as `bankhook.parse` does.
    """

    strict: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """How pydantic reads and writes what is annotated."""
        classes = _wire.classes_of(source)
        if not classes:
            raise TypeError("expected a class of bankhook or a union of its events, and None outside: Payload[...] | None")
        return core_schema.no_info_plain_validator_function(
            partial(_validated, classes=classes, strict=self.strict),
            serialization=core_schema.plain_serializer_function_ser_schema(_written, info_arg=True, when_used="json"),
            metadata={"classes": classes},
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The library's own JSON Schema, one definition a class."""
        references = [_reference(cls, handler) for cls in schema.get("metadata", {})["classes"]]
        return references[0] if len(references) == 1 else {"anyOf": references}


Payload: TypeAlias = Annotated[T, Judged()]
"""`Payload[bankhook.AnyEvent]`, `Payload[bankhook.Connection]`: read by the library; to a type checker it is the class itself."""

StrictPayload: TypeAlias = Annotated[T, Judged(strict=True)]
"""The same, and a payload that breaks a rule which the specification states is refused."""


def dump_json(value: Any, adapter: TypeAdapter[Any] | None = None, **options: Any) -> bytes:
    """JSON of a model, or of what `adapter` describes, in which each object of the library stands exactly as its `to_json`.

    `options` are those of pydantic's own `dump_json`, but for `context`, which carries the objects here.
    """
    splice = _wire.Splice()
    if isinstance(adapter, TypeAdapter):
        return splice.fill(adapter.dump_json(value, context=splice, **options))
    if adapter is not None:
        raise TypeError(f"dump_json() expects a TypeAdapter, found {type(adapter).__name__}")
    if isinstance(value, BaseModel):
        return splice.fill(value.model_dump_json(context=splice, **options).encode())
    raise TypeError(f"dump_json() takes a model, or an adapter for what is none, found {type(value).__name__}")


def _validated(source: object, *, classes: tuple[type, ...], strict: bool) -> object:
    try:
        return _wire.read(source, classes, strict=strict)
    except ParseError as error:
        raise ValidationError.from_exception_data("payload", [_details(finding) for finding in error.findings]) from None


def _details(finding: Finding) -> InitErrorDetails:
    parts = {**finding.to_dict(), "evidence": str(finding.evidence), "severity": str(finding.severity)}
    context = {name: part for name, part in parts.items() if name not in ("rule", "steps") and part is not None}
    # A rule's id is no literal to a checker, and its text is one of ours.
    kind = PydanticCustomError(finding.rule, "expected {expected}, found {found}", context)  # pyright: ignore
    return InitErrorDetails(type=kind, loc=_wire.loc(finding), input=finding.found)


def _written(value: Any, info: core_schema.SerializationInfo) -> Any:
    if isinstance(info.context, _wire.Splice):
        return info.context.mark(value.to_json())
    return value.to_wire(number=_wire.exact_float)


def _reference(cls: type, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """Defines the schema of a class once under its name, and refers to it."""

    def defined(_: CoreSchema, inner: GetJsonSchemaHandler) -> JsonSchemaValue:
        return _wire.schema(cls, lambda resource: _reference(resource, inner))

    definition = core_schema.any_schema(
        ref=f"{cls.__module__}.{cls.__name__}", metadata={"pydantic_js_functions": [defined]}
    )
    # A handler makes definitions of what lies inside of the schema that it is given, not of the schema itself.
    reference: JsonSchemaValue = handler(core_schema.list_schema(definition))["items"]
    return reference
