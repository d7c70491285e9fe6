# SPDX-License-Identifier: MIT
"""The C++ reference: a page for each public header, made from what the header brings into the namespace `bankhook`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains.cpp import CPPDomain
from sphinx.errors import ExtensionError
from sphinx.util import logging

from architecture.layers import LAYERS
from derived.reference import header_sentence as _sentence
from public_names import WHOLE, PublicName, brings, page_of, public_headers, public_names, write_xml

_FOR_REFLECTION = re.compile(
    r'<memberdef kind="variable"[^>]* static="yes"(?:(?!</memberdef>).)*<name>(?:section|meanings?|renamed)</name>'
    r"(?:(?!</memberdef>).)*</memberdef>",
    re.DOTALL,
)
_REFUSED_TEXT = re.compile(
    r'<memberdef kind="function"(?:(?!</memberdef>).)*<type>detail::TemporaryText</type>(?:(?!</memberdef>).)*</memberdef>',
    re.DOTALL,
)


def run_doxygen(app: Sphinx) -> None:
    """Writes the XML that breathe reads."""
    try:
        xml = write_xml(Path(app.doctreedir) / "doxygen")
    except RuntimeError as error:
        raise ExtensionError(str(error)) from error
    for page in xml.glob("*.xml"):
        page.write_text(readable(page.read_text(encoding="utf-8")), encoding="utf-8")
    app.config.breathe_projects = {"bankhook": str(xml)}


def readable(xml: str) -> str:
    """Without what a reader does not need: `inline`, what a struct tells reflection, overloads that refuse a temporary text."""
    shown = _FOR_REFLECTION.sub("", xml.replace(' inline="yes"', ' inline="no"'))
    if "<compounddef" in shown and 'kind="namespace"' not in shown:  # there breathe looks up each overload
        shown = _REFUSED_TEXT.sub("", shown)
    return re.sub(r'<sectiondef kind="public-static-attrib">\s*</sectiondef>', "", shown)


def header_page(names: list[PublicName], public: str) -> str:
    """What belongs on the page of a public header: a section for each header that it includes, highest layer first."""
    own = sorted((name for name in names if page_of(name.header) == [public]), key=_order)
    sections = [_section(header, list(group), public) for header, group in groupby(own, key=lambda name: name.header)]
    return "\n\n".join([f"```cpp\n#include <bankhook/{public}>\n```", *sections])


def warn_of_missing_names(app: Sphinx, env: Any) -> None:
    """A public name that is shown on no page is a warning, and so an error of `./dev docs`."""
    shown = {name for name, *_ in env.get_domain("cpp").get_objects()}
    for name in sorted({name.name for name in public_names(Path(app.config.breathe_projects["bankhook"]))} - shown):
        logging.getLogger(__name__).warning("the C++ reference has no %s", name)


class QuietCPPDomain(CPPDomain):
    """Without the parameters of templates and functions in the search: nobody looks for `T`."""

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """What the search and `objects.inv` list."""
        yield from (found for found in super().get_objects() if found[2] not in ("templateParam", "functionParam"))


def name_header(app: Sphinx, doctree: nodes.document) -> None:
    """Says with each name which public header brings it."""
    page = app.env.docname
    if page.startswith("reference/cpp/"):
        text = f"#include <bankhook/{page.rpartition('/')[2]}.hpp>"
        for described in doctree.findall(addnodes.desc):
            if described["domain"] == "cpp" and not _inside_another(described):
                line = nodes.paragraph("", "", nodes.literal(text, text), classes=["header"])
                described[-1].insert(0, line)


def _inside_another(described: nodes.Node) -> bool:
    parent = described.parent
    while parent is not None and not isinstance(parent, addnodes.desc):
        parent = parent.parent
    return parent is not None


def _order(name: PublicName) -> tuple[int, int, str, int]:
    layer, *folders = name.header.split("/")
    return -LAYERS[layer], len(folders), name.header, name.line


def _section(header: str, names: list[PublicName], public: str) -> str:
    title = Path(header).stem.replace("_", " ").capitalize()
    others = [other for other in public_headers() if other not in (public, WHOLE)]
    bringing = [f"`{other}`" for other in others if header in brings(other)]
    also = "every public header" if len(bringing) == len(others) else ", ".join(bringing)
    shown = "\n".join(name.directive for name in names)
    about = f"{_sentence(header)} Declared in [`{header}`](../../../include/bankhook/{header})."
    parts = [f"## {title}", about, also and f"Also brought by {also}.", f"```{{eval-rst}}\n{shown}\n```"]
    return "\n\n".join(part for part in parts if part)


def setup(app: Sphinx) -> dict[str, Any]:
    """Before breathe looks for its XML, and after all pages are read."""
    app.add_domain(QuietCPPDomain, override=True)
    app.connect("doctree-read", name_header)
    app.connect("builder-inited", run_doxygen, priority=100)
    app.connect("env-check-consistency", warn_of_missing_names)
    return {"parallel_read_safe": True}
