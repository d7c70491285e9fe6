# SPDX-License-Identifier: MIT
"""Events and resources in msgspec structs, by hooks; needs `bankhook[msgspec]`.

    decoder = msgspec.json.Decoder(Envelope, dec_hook=dec_hook, float_hook=Decimal)
    encoder = msgspec.json.Encoder(enc_hook=enc_hook)

Fields are classes of the library, or `Event` for any event: msgspec takes no union of foreign classes such as
`bankhook.AnyEvent`. msgspec reads the JSON and passes dicts to `dec_hook`, which writes them as JSON again and parses that: it
takes more than a hundred times as long as `bankhook.parse`. Without `float_hook=Decimal` an amount has lost digits by then:
19.90 arrives as 19.9.
Bytes, as in MessagePack, and text are parsed at once. A payload that is rejected is a `msgspec.ValidationError` with the
first finding's sentence and the path of the field; its `__cause__` is the `bankhook.ParseError` with all findings.

`enc_hook` writes exactly the JSON that `to_json` returns. For `msgspec.to_builtins`, MessagePack, YAML and TOML there is
`enc_hook_of_builtins`: the fields under their names on the wire, amounts as floats, because msgspec writes decimals as text
there: 19.90 as 19.9, and an amount that no float holds is a ValueError, never a rounding.
"""

from __future__ import annotations

import functools
from abc import ABC
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

import bankhook
from bankhook.integrations import _wire

__all__ = ["Event", "dec_hook", "enc_hook", "enc_hook_of_builtins", "schema_hook"]

if TYPE_CHECKING:
    Event: TypeAlias = bankhook.AnyEvent
else:

    class Event(ABC):  # noqa: B024 (events register themselves)
        """Any event, as the type of a field."""

    for _cls in _wire.EVENTS:
        Event.register(_cls)


def dec_hook(annotation: Any, source: Any) -> Any:
    """Return the object; for `dec_hook=` of msgspec's decoders and `msgspec.convert`.

    Parameters
    ----------
    annotation : type
        The type of the field: a class of the library, or `Event`.
    source : object
        What msgspec has read.

    Returns
    -------
    object
        An object of that class.

    Raises
    ------
    NotImplementedError
        For a type that is not of the library, as msgspec expects it.

    Examples
    --------
    >>> import bankhook, msgspec
    >>> from bankhook.integrations import msgspec as hooks
    >>> msgspec.json.decode('{"id":"acc-1","accountHash":null}', type=bankhook.Account, dec_hook=hooks.dec_hook).id
    'acc-1'
    """
    return _wire.read(source, _classes_of(annotation))


def enc_hook(value: Any) -> Any:
    """Return the object's own JSON, byte for byte; for `enc_hook=` of `msgspec.json` only.

    Parameters
    ----------
    value : object
        What msgspec cannot write itself.

    Returns
    -------
    msgspec.Raw
        The JSON.

    Raises
    ------
    NotImplementedError
        For an object that is not of the library, as msgspec expects it.

    Examples
    --------
    >>> import bankhook, msgspec
    >>> from bankhook.integrations import msgspec as hooks
    >>> msgspec.json.encode(bankhook.Account(id="acc-1", account_hash=None), enc_hook=hooks.enc_hook)
    b'{"id":"acc-1","accountHash":null}'
    """
    return msgspec.Raw(_known(value).to_json())


def enc_hook_of_builtins(value: Any) -> Any:
    """Return dicts, lists and scalars; for `enc_hook=` of everything but JSON.

    Parameters
    ----------
    value : object
        What msgspec cannot convert itself.

    Returns
    -------
    dict[str, Any]
        Names on the wire.

    Raises
    ------
    NotImplementedError
        For an object that is not of the library, as msgspec expects it.

    Examples
    --------
    >>> import bankhook, msgspec
    >>> from bankhook.integrations import msgspec as hooks
    >>> msgspec.to_builtins(bankhook.Account(id="acc-1", account_hash=None), enc_hook=hooks.enc_hook_of_builtins)
    {'id': 'acc-1', 'accountHash': None}
    """
    return _known(value).to_wire(number=_wire.exact_float)


def schema_hook(annotation: Any) -> dict[str, Any]:
    """Return the JSON Schema with its resources inlined; for `schema_hook=` of `msgspec.json.schema`.

    Parameters
    ----------
    annotation : type
        A class of the library, or `Event`.

    Returns
    -------
    dict[str, Any]
        The schema.

    Raises
    ------
    NotImplementedError
        For a type that is not of the library, as msgspec expects it.

    Examples
    --------
    >>> import bankhook, msgspec
    >>> from bankhook.integrations import msgspec as hooks
    >>> sorted(hooks.schema_hook(bankhook.Account)["properties"])
    ['accountHash', 'id']
    """
    schemas = [_whole_schema(cls) for cls in _classes_of(annotation)]
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _whole_schema(cls: type) -> dict[str, Any]:
    return _wire.schema(cls, _whole_schema)


@functools.cache
def _classes_of(annotation: Any) -> tuple[type, ...]:
    classes = _wire.EVENTS if annotation is Event else _wire.classes_of(annotation)
    if not classes:
        raise NotImplementedError(f"bankhook has no hook for {repr(annotation)[:80]}")
    return classes


def _known(value: Any) -> Any:
    if type(value) not in _wire.CLASSES:
        raise NotImplementedError(f"bankhook has no hook for {type(value).__name__}")
    return value
