# SPDX-License-Identifier: MIT
"""What `help` shows of a record's fields: the text below each of them in the source."""

from __future__ import annotations

import sys
from collections.abc import Iterable

__all__ = ["FieldDocs"]


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
