# SPDX-License-Identifier: MIT
"""What the stub says of functions, methods, properties and classes, as rows of a table in C++.

The stub is where their signatures and docstrings are written. Each row has a name, how a method is bound, and the docstring,
with what CPython reads `__text_signature__` from in front. What the classes of fields say is derived from their structs.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

_FLAGS = {"classmethod": "METH_CLASS", "staticmethod": "METH_STATIC"}
# Each class of fields has keywords of its own for them; one function takes them all.
_CHANGING = ("replace", "__replace__")


def _said(node: ast.ClassDef | ast.FunctionDef, arguments: ast.arguments | None, name: str) -> str:
    doc = ast.get_docstring(node) or ""
    if arguments is None:
        return doc
    objects = {"self": "$self", "cls": "$type"} if "." in name else {}
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
            argument.arg = objects.get(argument.arg, argument.arg)
    if arguments.args and arguments.args[0].arg.startswith("$"):  # an object is always given by position
        arguments.posonlyargs.append(arguments.args.pop(0))
    return f"{name.rpartition('.')[2]}({ast.unparse(arguments)})\n--\n\n{doc}"


def _rows_of(cls: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    members = {member.name: member for member in cls.body if isinstance(member, ast.FunctionDef)}
    init = members.pop("__init__", None)
    if init:
        init.args.args, init.args.posonlyargs = init.args.args[1:], init.args.posonlyargs[1:]
    yield cls.name, "0", _said(cls, init and init.args, cls.name)
    for name, member in members.items():
        how = [ast.unparse(decorator) for decorator in member.decorator_list]
        flags = next((_FLAGS[each] for each in how if each in _FLAGS), "0")
        yield f"{cls.name}.{name}", flags, _said(member, None if "property" in how else member.args, f"{cls.name}.{name}")


def rows(stub: ast.Module) -> Iterator[tuple[str, str, str]]:
    """The name, the flags and the docstring of everything that is written in the stub."""
    of_fields = [node for node in stub.body if isinstance(node, ast.ClassDef) and "_Value" in map(ast.unparse, node.bases)]
    for name in _CHANGING:
        member = next(each for each in of_fields[0].body if isinstance(each, ast.FunctionDef) and each.name == name)
        yield f"_Value.{name}", "0", _said(member, ast.parse("def f(self, **changes): ...").body[0].args, f"_Value.{name}")
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, "0", _said(node, node.args, node.name)
        elif isinstance(node, ast.ClassDef) and node not in of_fields:
            yield from _rows_of(node)


def homes(package: Path) -> Iterator[tuple[str, str, str]]:
    """Of each class and function that a public module imports by name, that module; all others are in `bankhook.types`."""
    public = {"__init__": "bankhook", "sandbox": "bankhook.sandbox", "inbox/__init__": "bankhook.inbox"}
    for file, module in public.items():
        for node in ast.parse((package / f"{file}.py").read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ImportFrom) and node.module == "bankhook._core":
                yield from ((f"module of {each.name}", "0", module) for each in node.names)


if __name__ == "__main__":
    _source, _table = map(Path, sys.argv[1:])
    _rows = [*rows(ast.parse(_source.read_text(encoding="utf-8"))), *homes(_source.parent)]
    _table.parent.mkdir(exist_ok=True)
    _table.write_text("".join(f'{{"{name}", {how}, R"doc({text})doc"}},\n' for name, how, text in _rows), encoding="utf-8")
