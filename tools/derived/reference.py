# SPDX-License-Identifier: MIT
"""The indexes of the two references: each public name with the first sentence of its comment or docstring.

Of what Doxygen writes only names, types and words are taken, none of which depends on its version.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, get_args
from xml.etree import ElementTree

import bankhook
from bankhook import _core
from bankhook._records.record import Record
from public_names import INCLUDE, WHOLE, PublicName, page_of, public_headers, public_names

__all__ = ["Headers", "class_directives", "header", "header_sentence", "headers", "python", "python_classes", "table"]

_DIRECTIVE = re.compile(r"^\.\. (?P<kind>[\w:]+):: (?P<name>[\w.]+).*\n(?P<body>(?:\n|[ ]+.*\n?)*)", re.MULTILINE)
_OPEN_ENUMERATION = re.compile(r"([A-Z]\w+) \| str\b")
_EXCLUDED = re.compile(r":exclude-members: (.+)")


@dataclass
class Headers:
    """What Doxygen reads from the headers; it runs when the first page asks."""

    run: Callable[[], Path]

    @cached_property
    def xml(self) -> Path:
        """The folder of the XML."""
        return self.run()

    @cached_property
    def names(self) -> list[PublicName]:
        """The public names."""
        return public_names(self.xml)

    def types(self, struct: str) -> dict[str, str]:
        """The type of each field of a struct, as its header has it."""
        members = ElementTree.parse(self.xml / f"structbankhook_1_1{struct}.xml").getroot().iter("memberdef")
        return {member.findtext("name", ""): _text(member.find("type")) for member in members}


def table(head: str, rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; the cells of its head are separated by a bar."""
    lines = [head.replace("|", " | "), "|".join("---" for _ in head.split("|"))]
    lines += [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "\n".join(f"|{line}|" if set(line) <= {"-", "|"} else f"| {line} |" for line in lines)


def headers(_: Headers, page: Path, __: str) -> str:
    """Each public header with the sentence that says what it is."""
    rows = ((f"[`{name}`]({Path(name).stem}.md)", header_sentence(name)) for name in public_headers() if name != WHOLE)
    return table("header|what it brings", rows)


def header(read: Headers, page: Path, public: str) -> str:
    """What a public header brings into the namespace `bankhook`: overloads of functions, those of classes, too, and where."""
    rows: dict[str, tuple[str, str, str]] = {}
    for name in read.names:
        if page_of(name.header) == [public]:
            where = os.path.relpath(INCLUDE / name.header, page.parent)
            called = name.name.removeprefix("bankhook::") + (_tight(name.arguments) if name.kind == "function" else "")
            for one, sentence in [(called, name.sentence), *((_tight(one), said) for one, said in name.members)]:
                rows.setdefault(one, (f"`{one}`", sentence, f"[{name.header}]({where})"))
    return f"`#include <bankhook/{public}>`\n\n" + table("name|what it is|declared in", rows.values())


def header_sentence(name: str) -> str:
    """What line 2 of a header says that it is."""
    return (INCLUDE / name).read_text(encoding="utf-8").splitlines()[1].removeprefix("// ")


def python(_: Headers, page: Path, directives: str) -> str:
    """What the directives of Sphinx bring: each name with the first sentence of its docstring."""
    return table("name|what it is", _python_names(directives + "\n"))


def python_classes(_: Headers, page: Path, kind: str) -> str:
    """The classes of all events, of all that their payloads hold, or their enumerations."""
    return table("name|what it is", _python_names(class_directives(kind)))


def class_directives(kind: str) -> str:
    """The directives of Sphinx for these classes."""
    events = [cls.__name__ for cls in get_args(bankhook.AnyEvent)]
    resources = [name for name in _core.asyncapi()["components"]["schemas"] if name not in events]
    if kind == "enumerations":
        classes = (cls for cls in _core._classes if cls.__name__ in (*events, *resources))
        types = [field.type for cls in classes for field in _core.fields(cls)]
        named = dict.fromkeys(found[1] for found in map(_OPEN_ENUMERATION.match, types) if found)
        return "".join(f".. autoclass:: bankhook.{name}\n" for name in named)
    canonical = " | ".join(f"bankhook.{name}" for name in events)
    alias = f".. py:type:: bankhook.AnyEvent\n   :canonical: {canonical}\n\n   Any event.\n\n"
    # What all of them have is at the top of the page.
    shared = "   :exclude-members: replace, to_json, to_dict, from_dict, to_wire, from_wire\n\n"
    names = events if kind == "events" else resources
    return (alias if kind == "events" else "") + "".join(f".. autoclass:: bankhook.{name}\n{shared}" for name in names)


def _python_names(directives: str) -> Iterator[tuple[str, str]]:
    """The names that directives of autodoc and of the Python domain bring, and what they are."""
    for found in _DIRECTIVE.finditer(directives):
        kind, name, body = found["kind"], found["name"], found["body"]
        if kind.startswith("py:"):
            called = f"{name}()" if kind in ("py:method", "py:function") else name
            yield f"`{called}`", _first(inspect.cleandoc(re.sub(r"^ +:.*\n", "", body, flags=re.MULTILINE)))
            continue
        excluded = {word.strip() for line in _EXCLUDED.findall(body) for word in line.split(",")}
        item = _find(name)
        if isinstance(item, ModuleType):
            for each in item.__all__:
                if each not in excluded:
                    yield from _name(f"{name}.{each}", getattr(item, each), excluded)
        else:
            yield from _name(name, item, excluded)
            if ":members:" in body and inspect.isclass(item) and issubclass(item, Record):
                yield from _attributes(item)


def _attributes(cls: type[Record]) -> Iterator[tuple[str, str]]:
    """The fields and properties of a record, of which the index has only those that are asked for."""
    fields: dict[str, str] = vars(cls)["__slots__"]
    texts = {name: fields[name] for name in fields if not name.startswith("_")}
    texts |= {name: inspect.getdoc(one) or "" for name, one in vars(cls).items() if isinstance(one, property)}
    for name, text in texts.items():
        yield f"`{cls.__name__}.{name}`", _first(text)


def _name(name: str, item: Any, excluded: set[str]) -> Iterator[tuple[str, str]]:
    yield _call(name, item), _sentence(item) or _first(_said_below(name))
    if not inspect.isclass(item) or not item.__module__.startswith("bankhook"):
        return
    for member, value in _members(item).items():
        if member in excluded:
            continue
        if inspect.isroutine(value) or isinstance(value, (classmethod, staticmethod)):
            owner = name.rpartition(".")[2]
            yield _call(f"{owner}.{member}", getattr(item, member)), _sentence(getattr(item, member))


def _members(cls: type) -> dict[str, object]:
    """Its public members, and those of the bases of this package that it is made of."""
    bases = [base for base in reversed(cls.__mro__) if base.__module__.startswith("bankhook") and base is not Record]
    return {name: member for base in bases for name, member in vars(base).items() if not name.startswith("_")}


def _call(name: str, item: Any) -> str:
    """The name, and of what is called its parameters with their defaults, which the docstring explains."""
    if not inspect.isroutine(item):
        return f"`{name}`"
    signature = inspect.signature(item)
    given = [one.replace(annotation=one.empty) for one in signature.parameters.values() if one.name not in ("self", "cls")]
    return f"`{name}{signature.replace(parameters=given, return_annotation=signature.empty)}`"


def _sentence(item: object) -> str:
    if isinstance(item, (type, ModuleType)) or inspect.isroutine(item):
        return _first(inspect.getdoc(item) or "")
    return ""


def _said_below(name: str) -> str:
    """The text below the assignment of a name in its module, or in the one that it comes from: values have no docstring."""
    module, _, last = name.rpartition(".")
    body = ast.parse(inspect.getsource(importlib.import_module(module))).body
    for one, text in pairwise(body):
        if isinstance(one, ast.ImportFrom) and last in (alias.name for alias in one.names):
            return _said_below(f"{one.module}.{last}")
        target = one.target if isinstance(one, ast.AnnAssign) else None
        if isinstance(target, ast.Name) and target.id == last and isinstance(text, ast.Expr):
            return inspect.cleandoc(str(ast.literal_eval(text.value)))
    return ""


def _first(text: str) -> str:
    return " ".join(text.strip().split("\n\n")[0].split())


def _find(name: str) -> Any:
    """The module, or what stands in one."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, last = name.rpartition(".")
        return getattr(_find(module), last)


def _text(node: ElementTree.Element | None) -> str:
    return "" if node is None else _tight("".join(node.itertext()).strip())


def _tight(text: str) -> str:
    """C++ without the blanks that Doxygen puts between brackets."""
    return text.replace("< ", "<").replace(" >", ">")
