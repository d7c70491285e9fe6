# SPDX-License-Identifier: MIT
"""The C++ reference: a page for each public header, made from what the header brings into the namespace `bankhook`."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

from architecture.layers import LAYERS
from public_names import INCLUDE, WHOLE, PublicName, brings, page_of, public_headers, public_names, write_xml

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


def header_table() -> list[tuple[str, str]]:
    """Each public header with the sentence that says what it is."""
    return [(f"[`{name}`]({Path(name).stem}.md)", _sentence(name)) for name in public_headers() if name != WHOLE]


def warn_of_missing_names(app: Sphinx, env: Any) -> None:
    """A public name that is shown on no page is a warning, and so an error of `./dev docs`."""
    shown = {name for name, *_ in env.get_domain("cpp").get_objects()}
    for name in sorted({name.name for name in public_names(Path(app.config.breathe_projects["bankhook"]))} - shown):
        logging.getLogger(__name__).warning("the C++ reference has no %s", name)


def _order(name: PublicName) -> tuple[int, int, str, int]:
    layer, *folders = name.header.split("/")
    return -LAYERS[layer], len(folders), name.header, name.line


def _section(header: str, names: list[PublicName], public: str) -> str:
    title = Path(header).stem.replace("_", " ").capitalize()
    others = [other for other in public_headers() if other not in (public, WHOLE)]
    bringing = [f"`{other}`" for other in others if header in brings(other)]
    also = "every public header" if len(bringing) == len(others) else ", ".join(bringing)
    shown = "\n".join(name.directive for name in names)
    parts = [f"## {title}", _sentence(header), also and f"Also brought by {also}.", f"```{{eval-rst}}\n{shown}\n```"]
    return "\n\n".join(part for part in parts if part)


def _sentence(header: str) -> str:
    """What line 2 of a header says that it is."""
    return (INCLUDE / header).read_text(encoding="utf-8").splitlines()[1].removeprefix("// ")


def setup(app: Sphinx) -> dict[str, Any]:
    """Before breathe looks for its XML, and after all pages are read."""
    app.connect("builder-inited", run_doxygen, priority=100)
    app.connect("env-check-consistency", warn_of_missing_names)
    return {"parallel_read_safe": True}
