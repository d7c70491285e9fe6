# SPDX-License-Identifier: MIT
"""The stub of the compiled module, with what follows from the structs written: enumerations, constants, classes of fields.

`PYTHONPATH=tools python -m stub` writes it into `python/bankhook/_core.pyi`. All else, which is functions, the other classes
and what all classes of fields have in common, is written in the stub by hand, and nowhere else: the build takes the
docstrings and signatures of the module from there. A test compares what this gives with what is there.
"""

from __future__ import annotations

import ast
import enum
import inspect
import re
import textwrap
from collections.abc import Collection, Iterator
from pathlib import Path
from types import GetSetDescriptorType, UnionType
from typing import Any, cast

from bankhook import _core, fields
from bankhook._handlers._conditions import EVENTS, enumerated
from bankhook._records.lifecycles import Lifecycle

__all__ = ["PATH", "stub"]

PATH = Path(__file__).parents[2] / "python" / "bankhook" / "_core.pyi"
_WIDTH = 120


def stub() -> str:
    """The text of `_core.pyi`."""
    text = PATH.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    parts = {"": ""}  # by the name that each defines; what defines none belongs to the part before it
    for node in ast.parse(text).body:
        first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", []))])
        name = _name_of(node)
        after = "".join(lines[first - 1 : node.end_lineno])
        parts[name] = parts.get(name, "") + after
    head = text[: text.index('\n_T = TypeVar("_T")')]
    written = {name: part for name, part in parts.items() if name not in ("", "_T")} | dict(_derived())
    plain = "".join(part for part in written.values() if re.match(r"\w+: (?!TypeAlias)", part))
    rest = [part for part in written.values() if part not in plain]
    return f'{head}\n_T = TypeVar("_T")\n\n' + "\n".join([plain, *rest])


def _name_of(node: ast.stmt) -> str:
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        return node.name
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


def _derived() -> Iterator[tuple[str, str]]:
    """The names of what follows from the structs, and their text."""
    for name, value in vars(_core).items():
        if name.startswith("__") and name != "__version__":
            continue
        if isinstance(value, (str, bool, tuple, dict, Lifecycle)):
            yield name, f"{name}: {_type_of(value)}\n"
        elif isinstance(value, enum.EnumType):
            yield name, _enum(cast("type[enum.Enum]", value))
        elif value in _core._classes:
            yield name, _class(value)
        elif isinstance(value, UnionType) or str(value).startswith("typing.Union"):
            yield name, f"{name}: TypeAlias = {' | '.join(cls.__name__ for cls in value.__args__)}\n"
    # What checkers find misspelt: paths of `select`, choices of `Sandbox`, conditions of `Handlers.on`.
    paths = [path for event in EVENTS for path in _paths(event)]
    quoted = [f'"{path}"' for path in dict.fromkeys(paths)]
    yield "_Path", f"_Path: TypeAlias = Literal[\n{_lines(quoted, 4)}]\n"
    yield _typed_dict("_Choices", {choice.name: _one_of(choice.values) for choice in _core._choices})
    for event in EVENTS:
        conditions = {name: _one_or_more(values) for name, (_, values) in enumerated(event).items()}
        yield _typed_dict(f"_Of{event.__name__}", conditions)


def _paths(cls: type, start: str = "") -> Iterator[str]:
    """The paths from a class to values that `select` takes; of an array, to all elements and to the first."""
    for field in fields(cls):
        inner = re.search(r"\w+", field.type.removeprefix("tuple["))
        of = getattr(_core, inner[0], None) if inner is not None else None
        if of in _core._classes:
            ends = ("[]", "[0]") if field.type.startswith("tuple[") else ("",)
            for end in ends:
                yield from _paths(cast("type", of), f"{start}{field.wire_name}{end}.")
        elif cls is not _core.UnknownEvent:
            yield f"{start}{field.wire_name}"


def _one_or_more(values: Collection[str] | None) -> str:
    """What a condition takes: a listed value, also as an enumerator, or several."""
    if values is None:
        return "str | Collection[str]"
    one = _one_of(sorted(values))
    return f"{one} | Collection[{one}]"


def _one_of(values: Collection[str]) -> str:
    """One of these values, or an enumerator of the enumeration that has them."""
    enums = [cls for cls in vars(_core).values() if isinstance(cls, enum.EnumType) and {*map(str, cls)} == {*values}]
    quoted = [f'"{value}"' for value in values]
    return " | ".join([f"Literal[{', '.join(quoted)}]", *(cast("Any", cls).__name__ for cls in enums)])


def _typed_dict(name: str, fields: dict[str, str]) -> tuple[str, str]:
    lines = "".join(f"    {field}: {type_}\n" for field, type_ in fields.items())
    return name, f"class {name}(TypedDict, total=False):\n{lines}"


def _type_of(value: Any) -> str:
    """The type of a value of the module; the items of a tuple or dict are of one type."""
    if isinstance(value, Lifecycle):
        lifecycle = cast("Lifecycle[str, str]", value)
        return f"Lifecycle[{_type_of(lifecycle.states[0])}, {_type_of(lifecycle.triggers[0])}]"
    if isinstance(value, tuple):
        return f"tuple[{_type_of(cast('tuple[object, ...]', value)[0])}, ...]"
    return type(value).__name__


def _enum(cls: type[enum.Enum]) -> str:
    members = [f'    {member.name} = "{member.value}"\n{_said(member)}' for member in cls]
    return f'@final\nclass {cls.__name__}(enum.StrEnum):\n    """{cls.__doc__}"""\n\n' + "".join(members)


def _said(member: enum.Enum) -> str:
    """The docstring of an enumerator that has one of its own."""
    return f'    """{member.__doc__}"""\n' if "__doc__" in vars(member) else ""


def _class(cls: type) -> str:
    required = {each.name for each in inspect.signature(cls).parameters.values() if each.default is each.empty}
    given = {field.name: _given(field.type) for field in fields(cls)}
    made = [f"{name}: {taken}{'' if name in required else ' = ...'}" for name, taken in given.items()]
    changed = [f"{name}: {taken} = ..." for name, taken in given.items()]
    properties = [
        _property(name, inspect.cleandoc(member.__doc__ or ""))
        for name, member in vars(cls).items()
        if isinstance(member, GetSetDescriptorType)
    ]
    return (
        f'@final\nclass {cls.__name__}(_Value):\n    """{inspect.cleandoc(cls.__doc__ or "")}"""\n\n'
        + _match_args(cast("Any", cls).__match_args__)
        + _method("__init__", made, "None")
        + "".join(properties)
        + _method("replace", changed, "Self", inspect.cleandoc(cast("Any", cls).replace.__doc__ or ""))
        + _method("__replace__", changed, "Self")
    )


def _given(read: str) -> str:
    """What a constructor takes for a field that is read as this type."""
    text = read.replace("Decimal", "Decimal | int") if "Decimal" in read else read
    text = re.sub(r"tuple\[(\w+), \.\.\.\]", r"tuple[\1, ...] | list[\1]", text)
    return re.sub(r"\w+ \| str\b", "str", text)


def _match_args(names: tuple[str, ...]) -> str:
    quoted = [f'"{name}"' for name in names]
    line = f"    __match_args__ = ({', '.join(quoted)}{',' if len(quoted) == 1 else ''})\n"
    return line if len(line) <= _WIDTH else f"    __match_args__ = (\n{_lines(quoted, 8)}    )\n"


def _property(name: str, doc: str) -> str:
    """The docstring ends with a paragraph that starts with the type."""
    read = doc.rpartition("\n\n")[2].partition(": ")[0]
    return f"    @property\n    def {name}(self) -> {read}:\n{_docstring(doc)}"


def _method(name: str, keywords: list[str], result: str, doc: str = "") -> str:
    line = f"    def {name}(self, *, {', '.join(keywords)}) -> {result}:"
    if len(line) > _WIDTH - len(" ..."):
        line = f"    def {name}(\n{_lines(['self', '*', *keywords], 8)}    ) -> {result}:"
    return f"{line}\n{_docstring(doc)}" if doc else f"{line} ...\n"


def _docstring(doc: str) -> str:
    end = "\n        " if "\n" in doc else ""
    return f'        """{textwrap.indent(doc, " " * 8).lstrip()}{end}"""\n'


def _lines(parts: list[str], indent: int) -> str:
    return "".join(f"{' ' * indent}{part},\n" for part in parts)
