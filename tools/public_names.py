# SPDX-License-Identifier: MIT
"""The public names of the C++ library: what its public headers bring into `bankhook`, with kind, header and signature.

A name is public if it stands in the namespace `bankhook`, or in a nested one that has a `///` comment. Everything else is
internal: `detail` and the namespaces of the layers. The page of a name is that of the public header that includes the
header where it is declared.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

__all__ = [
    "INCLUDE",
    "ROOT",
    "WHOLE",
    "PublicName",
    "brings",
    "page_of",
    "problems",
    "public_headers",
    "public_names",
    "write_xml",
]

ROOT = Path(__file__).resolve().parents[1]
INCLUDE = ROOT / "include" / "bankhook"
# It includes all others, so what it brings is on their pages.
WHOLE = "bankhook.hpp"

_OWN_INCLUDE = re.compile(r"^#include <bankhook/([^>]+)>", re.MULTILINE)


@dataclass(frozen=True)
class PublicName:
    """A name that users may write, as `bankhook::parse`; each overload is one of its own."""

    kind: str
    name: str
    arguments: str
    header: str
    line: int
    sentence: str
    """The first sentence of its comment; empty if it has none."""
    members: tuple[tuple[str, str], ...] = ()
    """Of a class: its public functions that have a comment, and the first sentence of it."""

    @property
    def has_comment(self) -> bool:
        """Whether it has a comment."""
        return bool(self.sentence)

    @property
    def directive(self) -> str:
        """What breathe shows it by. It does not find a pack of arguments again, but the only function of a name without them."""
        return f".. doxygen{self.kind}:: {self.name}{'' if '...' in self.arguments else self.arguments}"


def write_xml(output: Path, root: Path = ROOT) -> Path:
    """Runs Doxygen over the headers below `root`; returns the folder of its XML. A warning of Doxygen is an error."""
    output.mkdir(parents=True, exist_ok=True)
    options = (ROOT / "docs" / "Doxyfile").read_text(encoding="utf-8") + f'\nOUTPUT_DIRECTORY = "{output}"\n'
    run = subprocess.run(["doxygen", "-"], input=options, cwd=root, capture_output=True, text=True, check=False)
    if run.returncode != 0 or run.stderr:
        raise RuntimeError(f"Doxygen: {run.stderr}")
    return output / "xml"


def public_names(xml: Path) -> list[PublicName]:
    """Every public name of the headers, in the order of headers and lines."""
    found: list[PublicName] = []
    public: set[str] = set()
    for file in sorted(xml.glob("namespacebankhook*.xml")):
        namespace = ElementTree.parse(file).getroot()[0]
        if namespace.findtext("compoundname") == "bankhook" or _has_comment(namespace):
            public.add(namespace.findtext("compoundname", ""))
            found += _names_in(namespace, xml)
    for file in sorted(xml.glob("conceptbankhook*.xml")):  # not listed in its namespace
        concept = ElementTree.parse(file).getroot()[0]
        name = concept.findtext("compoundname", "")
        if name.rpartition("::")[0] in public:
            found.append(_name(concept, name))
    return sorted(set(found), key=lambda name: (name.header, name.line))


def public_headers(include: Path = INCLUDE) -> list[str]:
    """The headers that a user includes."""
    return sorted(path.name for path in include.glob("*.hpp"))


def page_of(header: str, include: Path = INCLUDE) -> list[str]:
    """The public headers that include this internal one themselves: one, or its names have no page or two."""
    return [name for name in public_headers(include) if header in _includes(include / name)]


def problems(names: list[PublicName], include: Path = INCLUDE) -> list[str]:
    """What keeps a name off its page, as `header: name: sentence`."""
    found: list[str] = []
    for name in names:
        pages = page_of(name.header, include)
        if not pages:
            found.append(f"{name.header}: {name.name}: no public header includes this one, so it has no page")
        if len(pages) > 1:
            found.append(f"{name.header}: {name.name}: more than one page: {', '.join(pages)}")
        if not name.has_comment:
            found.append(f"{name.header}: {name.name}: a public name has a comment; what is internal is in `detail`")
    return found


def brings(public: str, include: Path = INCLUDE) -> set[str]:
    """All headers that a program gets with a public one, itself among them."""
    reached: set[str] = set()
    waiting = [public]
    while waiting:
        header = waiting.pop()
        if header not in reached:
            reached.add(header)
            waiting += _includes(include / header)
    return reached


def _includes(path: Path) -> list[str]:
    return _OWN_INCLUDE.findall(path.read_text(encoding="utf-8"))


def _names_in(namespace: ElementTree.Element, xml: Path) -> Iterator[PublicName]:
    for inner in namespace.findall("innerclass"):
        described = ElementTree.parse(xml / f"{inner.get('refid')}.xml").getroot()[0]
        yield replace(_name(described, described.findtext("compoundname", "")), members=tuple(_members_of(described)))
    for member in namespace.iter("memberdef"):
        # Left out: deleted overloads, deduction guides and specialisations. None of them is a name of its own.
        arguments = member.findtext("argsstring", "")
        if not arguments.endswith("=delete") and "->" not in arguments and "<" not in member.findtext("name", ""):
            yield _name(member, member.findtext("qualifiedname", ""))


def _name(definition: ElementTree.Element, name: str) -> PublicName:
    location = definition.find("location")
    assert location is not None, name
    kind = definition.get("kind", "")
    return PublicName(
        kind=kind,
        name=name,
        arguments=definition.findtext("argsstring", "") if kind == "function" else "",
        header=location.get("file", "").removeprefix("bankhook/"),
        line=int(location.get("line", "0")),
        sentence=_sentence(definition),
    )


def _members_of(described: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """What is called by name: no constructors, operators and overloads that refuse something."""
    owner = described.findtext("compoundname", "").removeprefix("bankhook::")
    for section in ("public-static-func", "public-func"):
        for member in described.iterfind(f"sectiondef[@kind='{section}']/memberdef"):
            name, arguments, sentence = member.findtext("name", ""), member.findtext("argsstring", ""), _sentence(member)
            is_named = name.isidentifier() and name != owner.rpartition("::")[2]
            if is_named and sentence and not arguments.endswith("=delete"):
                yield f"{owner}::{name}{arguments[: arguments.rindex(')') + 1]}", sentence


def _has_comment(definition: ElementTree.Element) -> bool:
    return bool(_sentence(definition))


def _sentence(definition: ElementTree.Element) -> str:
    """The first sentence of the brief description, without one that of the detailed one."""
    for tag in ("briefdescription", "detaileddescription"):
        part = definition.find(tag)
        for paragraph in part if part is not None else ():
            if words := " ".join(_marked(paragraph).split()):
                return re.split(r"(?<=[.:])\s(?=[A-Z])", words, maxsplit=1)[0]
    return ""


def _marked(node: ElementTree.Element) -> str:
    """The words of a comment, code between backticks; without arguments, results and blocks of code."""
    if node.tag in ("parameterlist", "simplesect", "verbatim", "programlisting"):
        return ""
    inside = (node.text or "") + "".join(_marked(part) + (part.tail or "") for part in node)
    return f"`{inside}`" if node.tag == "computeroutput" else inside
