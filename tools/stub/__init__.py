# SPDX-License-Identifier: MIT
"""The stub of the compiled module, written from the module itself: its signatures, its docstrings and its values.

`PYTHONPATH=tools python -m stub > python/bankhook/_core.pyi` writes it. The stub is kept beside the sources and a test
compares it. Writing it where the module is built would mean to run the module there, which a cross build cannot; and an
editor, a checker or an editable install sees the sources only.
"""

from __future__ import annotations

import enum
import inspect
import re
import textwrap
from collections.abc import Iterator
from types import ClassMethodDescriptorType, GetSetDescriptorType, MemberDescriptorType, UnionType
from typing import Any, cast

from bankhook import _core, _records
from bankhook._records.lifecycles import Lifecycle

__all__ = ["stub"]

_WIDTH = 120

_HEAD = """\
# SPDX-License-Identifier: MIT
# Written by `python -m stub`; a test compares it. Do not edit.
import datetime
import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, ClassVar, Literal, Self, TypeAlias, TypeVar, final

from typing_extensions import Buffer

"""

# What all classes of fields have in common stands once, in a class that only the stub has.
_BASE = "_Value"

# What a slot of a class is to Python, whatever the class.
_SLOTS = {
    "__eq__": "(self, other: object, /) -> bool",
    "__hash__": "(self) -> int",
    "__len__": "(self) -> int",
    "__contains__": "(self, key: object, /) -> bool",
}


def stub() -> str:
    """The text of `_core.pyi`."""
    body = "\n".join(_parts())
    code = re.sub(r'""".*?"""', "", body, flags=re.DOTALL)
    used = ", ".join(name for name in _records.__all__ if re.search(rf"\b{name}\b", code))
    return f'{_HEAD}from bankhook._records import (\n{_lines(used.split(", "), 4)})\n\n_T = TypeVar("_T")\n\n{body}'


def _parts() -> Iterator[str]:
    by_class = {cls: _members(cls) for cls in _core._classes}
    first, *others = by_class.values()
    common = {name: text for name, text in first.items() if all(members.get(name) == text for members in others)}
    values = {name: value for name, value in vars(_core).items() if not name.startswith("__") or name == "__version__"}
    yield "".join(f"{name}: {_type_of(value)}\n" for name, value in values.items() if _is_plain(value))
    yield from (_enum(cast("type[enum.Enum]", value)) for value in values.values() if isinstance(value, enum.EnumType))
    yield f'class {_BASE}:\n    """What all classes of fields can do."""\n\n' + "".join(common.values())
    for value in values.values():
        if isinstance(value, type) and not isinstance(value, enum.EnumType):
            yield _class(value, common if value in by_class else {})
    for name, value in values.items():
        if isinstance(value, UnionType) or str(value).startswith("typing.Union"):
            yield f"{name}: TypeAlias = {' | '.join(cls.__name__ for cls in value.__args__)}\n"
    for name, value in values.items():
        if inspect.isbuiltin(value):
            yield _function(name, _core._signatures[name], value.__doc__, "")


def _is_plain(value: object) -> bool:
    return isinstance(value, (str, bool, tuple, dict, Lifecycle))


def _type_of(value: Any) -> str:
    """The type of a value of the module; the items of a tuple or dict are of one type."""
    if isinstance(value, Lifecycle):
        lifecycle = cast("Lifecycle[str, str]", value)
        return f"Lifecycle[{_type_of(lifecycle.states[0])}, {_type_of(lifecycle.triggers[0])}]"
    if isinstance(value, tuple):
        return f"tuple[{_type_of(cast('tuple[object, ...]', value)[0])}, ...]"
    if isinstance(value, dict):
        return f"dict[{', '.join(map(_type_of, next(iter(cast('dict[object, object]', value).items()))))}]"
    return type(value).__name__


def _enum(cls: type[enum.Enum]) -> str:
    members = [f'    {member.name} = "{member.value}"\n{_said(member)}' for member in cls]
    return f'@final\nclass {cls.__name__}(enum.StrEnum):\n    """{cls.__doc__}"""\n\n' + "".join(members)


def _said(member: enum.Enum) -> str:
    """The docstring of an enumerator that has one of its own."""
    return f'    """{member.__doc__}"""\n' if "__doc__" in vars(member) else ""


def _class(cls: type, common: dict[str, str]) -> str:
    base = f"({_BASE})" if common else ""
    doc = f'    """{inspect.cleandoc(cls.__doc__ or "")}"""\n\n'
    members = {name: text for name, text in _members(cls).items() if name not in common}
    return f"@final\nclass {cls.__name__}{base}:\n{doc}" + "".join(members.values())


def _members(cls: type) -> dict[str, str]:
    """The text of each member: first what all objects have, then methods, last what is private."""
    members: dict[str, str] = {}
    if "__match_args__" in vars(cls):
        members["__match_args__"] = _match_args(vars(cls)["__match_args__"])
    if (name := f"{cls.__name__}.__init__") in _core._signatures:
        members["__init__"] = _function("__init__", _core._signatures[name], "", "    ")
    descriptors = {name: member for name, member in vars(cls).items() if name not in ("__init__", "__doc__")}
    for name, member in descriptors.items():
        if isinstance(member, (GetSetDescriptorType, MemberDescriptorType)) and not name.startswith("_"):
            members[name] = _property(name, inspect.cleandoc(member.__doc__ or ""))
    for name, member in sorted(descriptors.items(), key=lambda item: item[0].startswith("_")):
        signature = _core._signatures.get(f"{cls.__name__}.{name}", _SLOTS.get(name))
        if name == "__hash__" and member is None:
            members[name] = "    __hash__: ClassVar[None]  # type: ignore[assignment]\n"
        elif signature is not None:
            members[name] = _decorator(member) + _function(name, signature, getattr(cls, name).__doc__, "    ")
    return members


def _decorator(member: object) -> str:
    if isinstance(member, ClassMethodDescriptorType):
        return "    @classmethod\n"
    return "    @staticmethod\n" if isinstance(member, staticmethod) else ""


def _match_args(names: tuple[str, ...]) -> str:
    quoted = [f'"{name}"' for name in names]
    line = f"    __match_args__ = ({', '.join(quoted)}{',' if len(quoted) == 1 else ''})\n"
    return line if len(line) <= _WIDTH else f"    __match_args__ = (\n{_lines(quoted, 8)}    )\n"


def _property(name: str, doc: str) -> str:
    """The docstring ends with a paragraph that starts with the type."""
    read = doc.rpartition("\n\n")[2].partition(": ")[0]
    return "    @property\n" + _documented(f"    def {name}(self) -> {read}:", doc, "    ")


def _function(name: str, signature: str, doc: str | None, indent: str) -> str:
    """A function with its docstring, unless it is private."""
    line = f"{indent}def {name}{signature}:"
    if len(line) > _WIDTH - len(" ..."):
        inside, _, result = signature[1:].rpartition(") -> ")
        line = f"{indent}def {name}(\n{_lines(_parameters(inside), len(indent) + 4)}{indent}) -> {result}:"
    text = inspect.cleandoc(doc or "")
    return f"{line} ...\n" if not text or name.startswith("_") else _documented(line, text, indent)


def _parameters(inside: str) -> list[str]:
    """The parameters, split at the commas that lie outside of brackets."""
    parts = [""]
    for part in inside.split(", "):
        is_open = parts[-1].count("[") > parts[-1].count("]")
        parts = [*parts[:-1], f"{parts[-1]}, {part}"] if is_open else [*parts, part]
    return parts[1:]


def _documented(line: str, doc: str, indent: str) -> str:
    """The head of a function and its docstring below it."""
    inner = indent + "    "
    end = f"\n{inner}" if "\n" in doc else ""
    return f'{line}\n{inner}"""{textwrap.indent(doc, inner).lstrip()}{end}"""\n'


def _lines(parts: list[str], indent: int) -> str:
    return "".join(f"{' ' * indent}{part},\n" for part in parts)
