# SPDX-License-Identifier: MIT
"""What pages show instead of the plain text that they commit: drawings, and the references in full.

A region `<!-- derived: NAME ARGUMENT -->` keeps its text, unless it is listed here. A comment `<!-- sphinx ... -->` has what
Sphinx alone understands, such as a table of contents: a code host shows none of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cpp_reference import header_page
from sphinx.application import Sphinx

import bankhook
from derived import REGION
from derived.catalogue import dot_of_layers
from derived.reference import class_directives
from public_names import public_names
from screenshots import SCHEMES, SHOTS

_ONLY_HERE = re.compile(r"^<!-- sphinx\n(.*?)^-->$", re.MULTILINE | re.DOTALL)
_DRAWN = re.compile(r"^```mermaid\n.*?^```$", re.MULTILINE | re.DOTALL)
# Files at the root of the tree, and the pages that include them.
_AT_THE_ROOT = re.compile(r"\]\((?:\.\./)+(CHANGELOG|CONTRIBUTING)\.md\)")
_PAGES = {"CHANGELOG": "changes", "CONTRIBUTING": "contributing"}
_CLASS = re.compile(r"\[`bankhook\.(\w+)`\]\(python/\w+\.md\)")


def header(app: Sphinx, public: str, _: str) -> str:
    """All that Doxygen reads of a public header."""
    return header_page(public_names(Path(app.config.breathe_projects["bankhook"])), public)


def python(_: Sphinx, directives: str, __: str) -> str:
    """All that docstrings and types say."""
    return f"```{{eval-rst}}\n{directives}\n```"


def python_classes(_: Sphinx, kind: str, __: str) -> str:
    """All that docstrings and types say of these classes."""
    return f"```{{eval-rst}}\n{class_directives(kind)}\n```"


def contents(app: Sphinx, names: str, text: str) -> str:
    """With their place in the navigation, which guides have by their groups: see `grouped`."""
    return text if app.env.docname == "how-to/index" else f"{text}\n```{{toctree}}\n:hidden:\n{names}\n```\n"


def grouped(guides: str) -> str:
    """The groups of guides as the side bar shows them."""
    groups = re.findall(r"^## ([^\n]+)\n\n<!-- derived: contents\n(.*?)\n-->", guides, re.MULTILINE | re.DOTALL)
    return "\n".join(
        f"```{{toctree}}\n:hidden:\n:caption: {title}\n" + "\n".join(f"how-to/{name}" for name in names.split()) + "\n```"
        for title, names in groups
    )


def lifecycle(_: Sphinx, name: str, text: str) -> str:
    """Drawn by Graphviz, which shows what is assumed as dashed."""
    return _DRAWN.sub(lambda _: _graph(getattr(bankhook, name).to_dot(), f"{name}, drawn from its table"), text)


def layers(_: Sphinx, __: str, ___: str) -> str:
    """Drawn."""
    return _graph(dot_of_layers(), "The layers: each includes what is below it")


def fields(_: Sphinx, __: str, text: str) -> str:
    """With links to the classes themselves."""
    return _CLASS.sub(r"{py:class}`bankhook.\1`", text)


def screenshot(_: Sphinx, name: str, __: str) -> str:
    """In the scheme that the page has, which need not be the reader's."""
    return "\n".join(
        f"```{{image}} /pictures/{name}-{scheme}.png\n:alt: {SHOTS[name].alt}\n:class: only-{scheme}\n```"
        for scheme in SCHEMES
    )


SHOWN: dict[str, Callable[[Sphinx, str, str], str]] = {
    "contents": contents,
    "fields": fields,
    "header": header,
    "layers": layers,
    "lifecycle": lifecycle,
    "python": python,
    "python_classes": python_classes,
    "screenshot": screenshot,
}


def shown(app: Sphinx, _: str, source: list[str]) -> None:
    """Changes a page before it is parsed."""

    def region(found: re.Match[str]) -> str:
        show = SHOWN.get(found["name"])
        return show(app, found["argument"].strip(), found["text"]) if show else found["text"]

    if app.env.docname == "index":
        guides = (Path(app.srcdir) / "how-to" / "index.md").read_text(encoding="utf-8")
        source[0] = source[0].replace("GUIDES", grouped(guides))
    linked = _AT_THE_ROOT.sub(lambda found: f"](/{_PAGES[found[1]]}.md)", source[0])
    source[0] = REGION.sub(region, _ONLY_HERE.sub(r"\1", linked))


def _graph(dot: str, caption: str) -> str:
    return f"```{{graphviz}}\n:caption: {caption}\n:align: center\n\n{dot.strip()}\n```"


def setup(app: Sphinx) -> dict[str, Any]:
    """Pages are changed as they are read."""
    app.connect("source-read", shown)
    return {"parallel_read_safe": True}
