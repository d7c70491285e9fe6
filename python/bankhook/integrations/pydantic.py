# SPDX-License-Identifier: MIT
"""Events and resources as fields of pydantic models: `Payload[bankhook.AnyEvent]`; needs `bankhook[pydantic]`.

What is read, what it costs, and what it loses:

- bytes (or another buffer, or str): parsed by `bankhook.parse`; nothing is lost, and `.raw` has these bytes.
- an object of the library: it stays unchanged.
- a dict, as json.loads returns it: written as JSON and parsed, which takes 5 to 8 times as long as bytes. A `Decimal` keeps
  its digits. A float has lost them before: 19.90 arrives as 19.9, and beyond 15 digits the value may differ. `.raw` is the
  JSON that was written for this.
- `model_validate_json` reads the JSON itself and passes such floats. `Model.model_validate(json.loads(text,
  parse_float=Decimal))` loses nothing.

What is written: `model_dump()` keeps the objects. `model_dump_json()` and `model_dump(mode="json")` give the fields of the
payload, amounts as floats, because pydantic writes no other number: 19.90 as 19.9, and an amount that no float holds is an
error, never a rounding. `to_json` of the object itself keeps its digits.

Errors hold the findings of the library, each at its place; `input` is the kind that was found, never a value of the payload.
Errors of other fields are pydantic's, and show what they were given: `errors(include_input=False)` does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, ValidationError, core_schema

from bankhook import ParseError
from bankhook.integrations import _wire
from bankhook.types import Finding

__all__ = ["Payload", "StrictPayload", "Validated"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Validated:
    """Marks an annotation that the library parses: `Annotated[bankhook.Connection, Validated()]`.

    `strict=True` also rejects an event that breaks a rule that the specification states, as `bankhook.parse` does.
    """

    strict: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Return how pydantic reads and writes the value."""
        classes = _wire.classes_of(source)
        if not classes:
            raise TypeError("expected a class of bankhook or a union of its events, and None outside: Payload[...] | None")
        return core_schema.no_info_plain_validator_function(
            partial(_validated, classes=classes, strict=self.strict),
            serialization=core_schema.plain_serializer_function_ser_schema(_written, when_used="json"),
            metadata={"classes": classes},
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the library's own JSON Schema, with one definition per class."""
        references = [_reference(cls, handler) for cls in schema.get("metadata", {})["classes"]]
        return references[0] if len(references) == 1 else {"anyOf": references}


Payload: TypeAlias = Annotated[T, Validated()]
"""`Payload[bankhook.AnyEvent]`, `Payload[bankhook.Connection]`: read by the library; to a type checker it is the class itself."""

StrictPayload: TypeAlias = Annotated[T, Validated(strict=True)]
"""The same, but a payload that breaks a rule that the specification states is rejected, too."""


def _validated(source: object, *, classes: tuple[type, ...], strict: bool) -> object:
    try:
        return _wire.read(source, classes, strict=strict)
    except ParseError as error:
        raise ValidationError.from_exception_data("payload", [_details(finding) for finding in error.findings]) from None


def _details(finding: Finding) -> InitErrorDetails:
    parts = {**finding.to_dict(), "evidence": str(finding.evidence), "severity": str(finding.severity)}
    context = {name: part for name, part in parts.items() if name not in ("rule", "steps") and part is not None}
    # To a type checker, the id of a rule is not a literal; the text is one of ours.
    kind = PydanticCustomError(finding.rule, finding.message, context)  # pyright: ignore
    return InitErrorDetails(type=kind, loc=_wire.loc(finding), input=finding.found)


def _written(value: Any) -> Any:
    return value.to_wire(number=_wire.exact_float)


def _reference(cls: type, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
    """Define the schema of a class once under its name, and return a reference to it."""

    def defined(_: CoreSchema, inner: GetJsonSchemaHandler) -> JsonSchemaValue:
        return _wire.schema(cls, lambda resource: _reference(resource, inner))

    definition = core_schema.any_schema(
        ref=f"{cls.__module__}.{cls.__name__}", metadata={"pydantic_js_functions": [defined]}
    )
    # A handler makes definitions of what lies inside of the schema that it is given, not of the schema itself.
    reference: JsonSchemaValue = handler(core_schema.list_schema(definition))["items"]
    return reference


__dir__ = __all__.copy
