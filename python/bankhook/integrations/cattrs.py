# SPDX-License-Identifier: MIT
"""Events and resources for cattrs converters: `configure(converter)`; needs `bankhook[cattrs]`.

Structuring takes an object of the library (unchanged), JSON as bytes or str (parsed by `bankhook.parse`, nothing is lost)
and the wire form that json.loads returns (written as JSON and parsed, which takes 5 to 8 times as long; a float has lost
digits before, `json.loads(text, parse_float=Decimal)` keeps them). A payload that is rejected raises `bankhook.ParseError`;
if cattrs groups errors, it is in the group. Findings in a wire form have no offset, line and column.

Unstructuring returns the wire form: the fields under their names on the wire, absent ones left out, dates as text, and
numbers with a fraction as `number` converts their digits. Fields that are not listed are not in it: `event.raw` has them.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from types import NoneType
from typing import Any, TypeVar, get_args

from cattrs import BaseConverter

from bankhook.integrations import _wire

__all__ = ["configure"]

C = TypeVar("C", bound=BaseConverter)


def configure(converter: C, *, strict: bool = False, number: Callable[[str], object] = Decimal) -> C:
    """Register the library's classes and unions of its events, such as `bankhook.AnyEvent`, with a converter and return it.

    `strict=True` also rejects payloads that break a rule that the specification states. `number=float` is for converters
    that write JSON themselves: 19.90 becomes 19.9, and digits beyond the 15th may be lost.

    Parameters
    ----------
    converter : cattrs.BaseConverter
        The converter to change.
    strict : bool
        Whether to reject what breaks a stated rule, too.
    number : Callable[[str], object]
        Called with the digits of each amount with a fraction.

    Returns
    -------
    cattrs.BaseConverter
        The same converter.

    Raises
    ------
    TypeError
        For another object than a converter.

    Examples
    --------
    >>> import bankhook, cattrs
    >>> from bankhook.integrations.cattrs import configure
    >>> converter = configure(cattrs.Converter())
    >>> converter.structure({"id": "acc-1", "accountHash": None}, bankhook.Account).id
    'acc-1'
    """
    if not isinstance(converter, BaseConverter):
        raise TypeError(f"configure() expects a converter of cattrs, found {type(converter).__name__}")

    def structure_hook(annotation: Any) -> Callable[[object, Any], Any]:
        classes = _wire.classes_of(annotation, or_none=True)
        may_be_none = NoneType in get_args(annotation)

        def structured(source: object, _: Any) -> Any:
            return None if source is None and may_be_none else _wire.read(source, classes, strict=strict)

        return structured

    converter.register_structure_hook_factory(lambda one: bool(_wire.classes_of(one, or_none=True)), structure_hook)
    converter.register_unstructure_hook_func(lambda cls: cls in _wire.CLASSES, lambda value: value.to_wire(number=number))
    return converter


__dir__ = __all__.copy
