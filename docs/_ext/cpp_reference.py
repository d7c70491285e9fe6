# SPDX-License-Identifier: MIT
"""The C++ reference: runs Doxygen over the headers, and sees to it that every public name stands on a page."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

ROOT = Path(__file__).resolve().parents[2]

# In the namespace, and not for users: what the library needs of a compiler, and how it tells its own types apart.
INTERNAL_HEADERS = {"base/compiler.hpp", "base/fixed_string.hpp", "events/rules/rule_table.hpp", "json/literal.hpp"}
INTERNAL = {
    "ArenaMemory",
    "TableView",
    "is_maybe_absent",
    "is_nullable",
    "is_open_enum",
    "is_transitions",
    "is_type_tag",
    "view_of",
}

_ABOUT_ITSELF = re.compile(
    r'<memberdef kind="variable"[^>]* static="yes"(?:(?!</memberdef>).)*<name>(?:section|meanings?|renamed)</name>'
    r"(?:(?!</memberdef>).)*</memberdef>",
    re.DOTALL,
)


def run_doxygen(app: Sphinx) -> None:
    """Writes the XML that breathe reads; a word of Doxygen is an error."""
    output = Path(app.doctreedir) / "doxygen"
    output.mkdir(parents=True, exist_ok=True)
    options = (ROOT / "docs" / "Doxyfile").read_text(encoding="utf-8") + f'\nOUTPUT_DIRECTORY = "{output}"\n'
    said = subprocess.run(["doxygen", "-"], input=options, cwd=ROOT, capture_output=True, text=True, check=False)
    if said.returncode != 0 or said.stderr:
        raise ExtensionError(f"Doxygen: {said.stderr}")
    for page in (output / "xml").glob("*.xml"):
        page.write_text(readable(page.read_text(encoding="utf-8")), encoding="utf-8")
    app.config.breathe_projects = {"bankhook": str(output / "xml")}


def readable(xml: str) -> str:
    """Without what is no news to a reader: that a function is inline, and what a struct says to reflection about itself."""
    told = _ABOUT_ITSELF.sub("", xml.replace(' inline="yes"', ' inline="no"'))
    return re.sub(r'<sectiondef kind="public-static-attrib">\s*</sectiondef>', "", told)


def public_names(xml: Path) -> Iterator[str]:
    """The names that the headers put into the namespace `bankhook`, without those that are not for users."""
    page = ElementTree.parse(xml / "namespacebankhook.xml").getroot()[0]
    for inner in page.findall("innerclass"):
        header = _header_of(ElementTree.parse(xml / f"{inner.get('refid')}.xml").getroot()[0])
        name = (inner.text or "").removeprefix("bankhook::")
        if header not in INTERNAL_HEADERS and name not in INTERNAL:
            yield name
    for member in page.iter("memberdef"):
        name = member.findtext("name", "").partition("<")[0].strip()
        if _header_of(member) not in INTERNAL_HEADERS and name not in INTERNAL and not name.startswith("operator"):
            yield name


def warn_of_missing_names(app: Sphinx, env: Any) -> None:
    """A public name without a place in the reference is a warning, and so an error of `./dev docs`."""
    told = {name for name, *_ in env.get_domain("cpp").get_objects()}
    xml = Path(app.config.breathe_projects["bankhook"])
    for name in sorted(set(public_names(xml))):
        if f"bankhook::{name}" not in told:
            logging.getLogger(__name__).warning("the C++ reference has no bankhook::%s", name)


def _header_of(definition: ElementTree.Element) -> str:
    location = definition.find("location")
    return "" if location is None else location.get("file", "").removeprefix("bankhook/")


def setup(app: Sphinx) -> dict[str, Any]:
    """Before breathe looks for its XML, and after all pages are read."""
    app.connect("builder-inited", run_doxygen, priority=100)
    app.connect("env-check-consistency", warn_of_missing_names)
    return {"parallel_read_safe": True}
