# SPDX-License-Identifier: MIT
"""Changes of Python modules, one changed copy a run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, cast

from mutants import Mutant

__all__ = ["mutants_of"]

_OTHERS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
# Decorators and annotations run where a module is imported, and names of types where nobody looks. Python 3.11 does not know
# where the parts of a formatted text stand.
_LEFT_OUT = ("annotation", "returns", "decorator_list")


def mutants_of(path: str, text: str) -> Iterator[Mutant]:
    """Yield the changes of a module."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def at(line: int, column: int) -> int:
        whole = text[starts[line - 1] : starts[line]]
        return starts[line - 1] + len(whole.encode()[:column].decode())

    for node, change, becomes in _changes(ast.parse(text)):
        assert node.end_lineno is not None and node.end_col_offset is not None
        start, end = at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)
        yield Mutant(path, start, end, change, becomes)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    match node:
        case ast.Compare(left, [op], [right]):
            yield node, *_with_other(op, lambda other: ast.Compare(left, [other], [right]))
        case ast.BoolOp(op, values):
            yield node, *_with_other(op, lambda other: ast.BoolOp(other, values))
        case ast.BinOp(left, (ast.Add() | ast.Sub()) as op, right):
            yield node, *_with_other(op, lambda other: ast.BinOp(left, other, right))
        case ast.UnaryOp(ast.Not(), operand):
            yield node, "without not", f"({ast.unparse(operand)})"
        case ast.Constant(bool(value)):
            yield node, f"not {value}", str(not value)
        case ast.Constant(int(value)):
            other = 0 if value == 1 else value + 1
            yield node, f"{value} becomes {other}", str(other)
        case ast.If(ast.Name("TYPE_CHECKING")) | ast.JoinedStr():
            return
        case ast.If(ast.Name() | ast.Attribute() | ast.Call() | ast.Await() as test):
            yield test, "negated", f"(not {ast.unparse(test)})"
        case ast.Expr(ast.Call() | ast.Await()) | ast.AugAssign() | ast.Assign([ast.Attribute() | ast.Subscript()]):
            yield node, "dropped", "pass"
        case _:
            pass
    if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Return | ast.Continue | ast.Raise):
        yield node.body[-1], "dropped", "pass"
    for name, value in ast.iter_fields(node):
        if name not in _LEFT_OUT:
            for child in cast("list[object]", value if isinstance(value, list) else [value]):
                if isinstance(child, ast.AST):
                    yield from _changes(child)


def _with_other(op: ast.AST, changed: Callable[[Any], ast.AST]) -> tuple[str, str]:
    """Return the change to the opposite of an operator, for people and as code."""
    other = _OTHERS[type(op)]()
    return f"{type(op).__name__} becomes {type(other).__name__}", f"({ast.unparse(changed(other))})"
