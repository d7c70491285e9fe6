# SPDX-License-Identifier: MIT
"""The Python reference: gives autodoc the types of the stub for what is compiled, and misses no public name."""

from __future__ import annotations
import __future__

import ast
import importlib
import importlib.machinery
import importlib.util
import inspect
import re
import sys
import types
from pathlib import Path
from typing import Any

import sphinx.util.inspect
from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config, NumpyDocstring
from sphinx.util import logging

import bankhook
from bankhook import _core

# Where public classes are written that say `bankhook` for their module.
SOURCES = (
    "_records.absent",
    "_records.deliveries",
    "_records.errors",
    "_records.fields",
    "_records.findings",
    "_records.lifecycles",
    "_records.lines",
    "_records.salvaged",
    "_records.timeline",
    "_records.tracking",
    "_records.transitions",
    "_archive",
    "_handlers",
    "_sandbox",
    "_tables",
    "_tracking",
)
# Where users find them.
PUBLIC = ("bankhook", "bankhook.inbox", "bankhook.sandbox", "bankhook.types")


class StubLoader(importlib.machinery.SourceFileLoader):
    """Executes a stub; its annotations stay text, for they may name what comes later."""

    def source_to_code(self, data: Any, path: Any, *, _optimize: int = -1) -> types.CodeType:  # type: ignore[override]
        """With the annotations of PEP 563."""
        code: types.CodeType = compile(data, path, "exec", __future__.annotations.compiler_flag, True, _optimize)
        return code


def stand_ins() -> dict[str, object]:
    """What the stub defines: classes and functions with types, which the compiled ones have none of."""
    name, path = "bankhook._types", str(Path(bankhook.__file__).with_name("_core.pyi"))
    spec = importlib.util.spec_from_file_location(name, path, loader=StubLoader(name, path))
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


def give_types() -> None:
    """Puts the stub's classes and functions in the place of the compiled ones, with the docstrings of these."""
    for name, typed in stand_ins().items():
        compiled = getattr(_core, name, None)
        if compiled is None or not isinstance(typed, (type, types.FunctionType)) or _is_enum(typed):
            continue
        for module in map(importlib.import_module, PUBLIC):
            if vars(module).get(name) is compiled:
                _give_docstrings(typed, compiled)
                setattr(module, name, typed)


def find_sources() -> None:
    """Public names say `bankhook` for their module; autodoc finds what stands below an attribute in the real one."""
    for name in SOURCES:
        module = importlib.import_module(f"bankhook.{name}")
        for defined in ast.parse(inspect.getsource(module)).body:
            value = getattr(module, defined.name) if isinstance(defined, ast.ClassDef) else None
            if value is not None and value.__module__ in PUBLIC:
                value.__module__ = module.__name__


def mark_sections(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Parameters, Returns and Raises become lists. Texts of fields stay: a colon would end a type there."""
    if what in ("class", "exception", "function", "method"):
        lines[:] = NumpyDocstring(lines, Config(napoleon_use_rtype=False), app, what, name, obj, options).lines()


def mark_code(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Docstrings show code by indenting it; reStructuredText needs a directive for that."""
    marked: list[str] = []
    for line in lines:
        after = next((before for before in reversed(marked) if before), "")
        begins = line.startswith("    ") and marked and not marked[-1] and not after.startswith((" ", ":", "-"))
        marked += [".. code-block:: python", "", line] if begins else [line]
    lines[:] = marked


def leave_out(app: Sphinx, what: str, name: str, obj: Any, *_: object) -> tuple[str, None] | None:
    """A constructor that a class inherits from another library is documented there."""
    maker = getattr(getattr(obj, "__init__", None), "__module__", None) or "bankhook"
    return ("", None) if what == "class" and not maker.startswith("bankhook") else None


def lead_back(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: object) -> None:
    """Viewcode takes all names of a source for those of one module; each leads back to where users find it."""
    if page.startswith("_modules/"):
        documented = {name for name, *_ in app.env.get_domain("py").get_objects()}

        def home(match: re.Match[str]) -> str:
            page, name = match[1] or "", match[2]
            nearest = sorted(PUBLIC, key=lambda one: f"{one.rpartition('.')[2]}.html" != page)  # two have a `Delivery`
            modules = (*nearest, *(f"bankhook.{source}" for source in SOURCES))
            return next((f"{page}#{one}{name}" for one in modules if one + name in documented), match[0])

        anchor = r"(\b\w+\.html)?#bankhook(?:\.(?:inbox|sandbox|types))?(\.[A-Za-z_][\w.]*)"
        context["body"] = re.sub(anchor, home, context["body"])


def warn_of_missing_names(app: Sphinx, env: Any) -> None:
    """A public name without a place in the reference is a warning, and so an error of `./dev docs`."""
    documented = {name for name, *_ in env.get_domain("py").get_objects()}
    for name in bankhook.__all__:
        if f"bankhook.{name}" not in documented:
            logging.getLogger(__name__).warning("the Python reference has no bankhook.%s", name)


def _is_enum(cls: type) -> bool:
    return sphinx.util.inspect.isenumclass(cls)


def _give_docstrings(typed: Any, compiled: Any) -> None:
    if compiled.__doc__:
        typed.__doc__ = compiled.__doc__
    if not isinstance(typed, type):
        return
    for name, member in list(vars(typed).items()):
        said = getattr(getattr(compiled, name, None), "__doc__", None)
        if name.startswith("_") or not said:
            continue
        if isinstance(member, property):
            setattr(typed, name, property(member.fget, doc=said))
        elif isinstance(member, types.FunctionType):
            member.__doc__ = said


def setup(app: Sphinx) -> dict[str, Any]:
    """What autodoc looks at is changed here once, in the process of the documentation alone."""
    give_types()
    find_sources()
    app.connect("autodoc-process-docstring", mark_sections)
    app.connect("autodoc-process-docstring", mark_code)
    app.connect("autodoc-process-signature", leave_out)
    app.connect("env-check-consistency", warn_of_missing_names)
    app.connect("html-page-context", lead_back)
    return {"parallel_read_safe": True}
