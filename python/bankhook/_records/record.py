# SPDX-License-Identifier: MIT
"""What plain data is made of: a slot for each annotated field, read-only, compared by value."""

from __future__ import annotations

import sys
from _thread import allocate_lock
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, cast, dataclass_transform

from bankhook._records.display import named_values

if TYPE_CHECKING:
    from inspect import Signature


class LateSignature:
    """A signature that is made when it is asked for: `inspect` takes longer to load than all of the package."""

    __slots__ = ("_parameters", "_positional")

    def __init__(self, parameters: tuple[tuple[str] | tuple[str, object], ...], *, positional: bool = False) -> None:
        """Keep a name and, unless it is required, a default for each parameter; by default they are keywords."""
        self._parameters, self._positional = parameters, positional

    def __get__(self, instance: object, owner: type) -> Signature:
        from inspect import Parameter, Signature

        kind = Parameter.POSITIONAL_OR_KEYWORD if self._positional else Parameter.KEYWORD_ONLY
        return Signature(
            [
                Parameter(name, kind, default=default[0] if default else Parameter.empty)
                for name, *default in self._parameters
            ]
        )


class LateFields:
    """What `dataclasses` asks for, made when it does: `fields`, `asdict`, `replace` and pandas take records, too.

    It gives way to what it made: orjson takes that to live as long as the class.
    """

    __slots__ = ()

    def __get__(self, instance: object, owner: Any) -> dict[str, Any]:
        from dataclasses import MISSING, field, make_dataclass

        types: dict[str, Any] = {}
        bases: list[Any] = list(reversed(owner.__mro__))
        for base in bases:
            types.update(base.__dict__.get(_ANNOTATIONS, {}).items())
        made: list[Any] = [
            (name, types[name], field(default=owner._defaults.get(name, MISSING))) for name in owner.__match_args__
        ]
        made_class: Any = make_dataclass(owner.__name__, made)
        with _making:
            if isinstance(vars(owner)[_FIELDS], LateFields):
                type.__setattr__(owner, _FIELDS, made_class.__dataclass_fields__)
            fields: dict[str, Any] = owner.__dict__[_FIELDS]
        return fields


class LateTypes(dict[str, Any]):
    """The `__annotations__` of a record, evaluated when they are asked for, where they stand: its `__module__` is another one."""

    def __init__(self, module: str, annotations: dict[str, Any]) -> None:
        """Keep the texts, and the module of the class."""
        super().__init__(annotations)
        self._module = module

    def _types(self) -> dict[str, Any]:
        from typing import get_type_hints

        from bankhook import _core  # the module is made of these records, which name it for type checkers only

        texts: dict[str, Any] = {}
        texts.update(super().items())
        scope = {**vars(_core), **vars(sys.modules[self._module])}
        try:
            return get_type_hints(type("Types", (), {_ANNOTATIONS: texts}), scope)
        except NameError:  # of a class of users
            return texts

    def __getitem__(self, name: str) -> Any:
        return self._types()[name]

    def __iter__(self) -> Iterator[str]:  # without it, a copy would be one of the texts
        return super().__iter__()

    def items(self) -> Any:
        """Return the names of fields with their types."""
        return self._types().items()


class FieldDocs(dict[str, str]):
    """The `__slots__` of a record by name; the source is read when a text is asked for, and empty without a source."""

    def __init__(self, module: str, cls: str, fields: Iterable[str]) -> None:
        """Keep where the fields are: a class of a module."""
        super().__init__(dict.fromkeys(fields, ""))
        self._module, self._cls = module, cls

    def __getitem__(self, field: str) -> str:
        import ast
        import inspect
        from itertools import pairwise

        try:
            body = ast.parse(inspect.getsource(sys.modules[self._module])).body
        except OSError:
            return ""
        (cls,) = (node for node in body if isinstance(node, ast.ClassDef) and node.name == self._cls)
        for node, below in pairwise(cls.body):
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == field and isinstance(below, ast.Expr):
                return inspect.cleandoc(ast.literal_eval(below.value))
        return ""


_FIELDS, _ANNOTATIONS = "__dataclass_fields__", "__annotations__"
_making = allocate_lock()
_PUBLIC = {"bankhook._records.deliveries": "bankhook.sandbox", "bankhook._records.salvaged": "bankhook.inbox"}
"""Where users find the classes of a module; those of the others are in `bankhook.types`."""


@dataclass_transform(frozen_default=True)
class RecordType(type):
    """Makes the classes: `dataclasses`, which would do the same, takes longer to load than all of the package."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> RecordType:
        """Give the class its slots, in the order of its annotations; a value in the body is a default."""
        own = tuple(annotations := namespace.get(_ANNOTATIONS, {}))
        inherited: list[Any] = [base for base in bases if isinstance(base, RecordType)]
        fields = tuple(dict.fromkeys([*(field for base in inherited for field in base._fields), *own]))
        defaults = {field: value for base in inherited for field, value in base._defaults.items()}
        defaults |= {field: namespace.pop(field) for field in own if field in namespace}
        # A field whose name has an underscore is not one of the values: it is not compared, shown, matched or copied.
        shown = tuple(field for field in fields if not field.startswith("_"))
        module = namespace["__module__"]
        namespace |= {
            "__module__": _PUBLIC.get(module, "bankhook.types") if module.startswith("bankhook._records") else module,
            "__slots__": FieldDocs(module, name, own if inherited else (*own, "__weakref__")),
            "__match_args__": shown,
            "_fields": fields,
            "__signature__": LateSignature(
                tuple((field, defaults[field]) if field in defaults else (field,) for field in shown), positional=True
            ),
            "_defaults": defaults,
            _FIELDS: LateFields(),
            _ANNOTATIONS: LateTypes(module, annotations),
        }
        return super().__new__(mcls, name, bases, namespace)


class Record(metaclass=RecordType):
    """An object that holds its fields and nothing else: it cannot be changed, iterated or indexed.

    The C++ side fills the slots of new objects itself. `__new__` fills them here, so that calling `__init__` again changes
    nothing.
    """

    __pydantic_config__ = {"arbitrary_types_allowed": True}  # noqa: RUF012 -- events and resources, which pydantic checks by their class

    if TYPE_CHECKING:
        __match_args__: ClassVar[tuple[str, ...]]
        _fields: ClassVar[tuple[str, ...]]
        _defaults: ClassVar[dict[str, Any]]
    else:

        def __new__(cls, *values: Any, **named: Any) -> Self:
            """Take the fields by position or by name."""
            names = cls._fields
            if named or len(values) != len(names):
                values = cls._arranged(values, named)
            record = super().__new__(cls)
            for name, value in zip(names, values, strict=True):
                object.__setattr__(record, name, value)
            return record

    @classmethod
    def _arranged(cls, values: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """Return what is given by position and by name in the order of the fields, with defaults for the others."""
        names = cls._fields
        given = dict(zip(names, values, strict=False))
        if len(values) > len(names):
            raise TypeError(f"{cls.__name__}() takes at most {len(names)} arguments, found {len(values)}")
        for name in named:
            if name not in names or name in given:
                from bankhook._records.closest import did_you_mean  # not needed by `import bankhook`

                found = "two values for" if name in given else "an unexpected keyword"
                close = "" if name in given else did_you_mean(name, names)
                raise TypeError(f"{cls.__name__}() got {found} argument {name!r}{close}")
        given = {**cls._defaults, **given, **named}
        if missing := [name for name in names if name not in given]:
            raise TypeError(f"{cls.__name__}() misses arguments: {', '.join(missing)}")
        return tuple(given[name] for name in names)

    def replace(self, **changes: Any) -> Self:
        """Return a new object with these fields changed; `copy.replace` calls it, too."""
        return type(self)(**({name: getattr(self, name) for name in self._fields} | changes))

    __replace__ = replace

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name: records, events and resources as dicts, tuples as lists, a name that is None as `null`."""
        return {name: _plain(value) for name, value in named_values(self)}

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} is read-only", name=name, obj=self)

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} is read-only", name=name, obj=self)

    def __eq__(self, other: object) -> bool:
        return (
            self._values() == other._values() if isinstance(other, Record) and type(self) is type(other) else NotImplemented
        )

    def __hash__(self) -> int:
        """Return a hash of all fields but those that hold a dict, which has none."""
        return hash((type(self), *(value for value in self._values() if not isinstance(value, dict))))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in named_values(self))
        return f"{type(self).__name__}({fields})"

    __rich_repr__ = named_values

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), self._values()

    def _values(self) -> tuple[Any, ...]:
        return tuple(value for _, value in named_values(self))


def _plain(value: Any) -> object:
    if isinstance(value, tuple):
        items: tuple[Any, ...] = cast("Any", value)
        return [_plain(item) for item in items]
    if isinstance(value, dict):  # of counts by name, where None is what JSON makes of it
        named: dict[str | None, Any] = cast("Any", value)
        return {"null" if name is None else name: _plain(item) for name, item in named.items()}
    return value.to_dict() if hasattr(value, "to_dict") else value
