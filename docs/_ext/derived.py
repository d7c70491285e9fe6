# SPDX-License-Identifier: MIT
"""What a page does not type but derives from the code: a line `<!-- derived: NAME ARGUMENT -->` becomes text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args
from xml.etree import ElementTree

import click
from cpp_reference import header_page, header_table
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

import bankhook
from architecture.layers import LAYERS
from bankhook import _core
from bankhook.cli.commands import commands
from public_names import public_names

INCLUDE = Path(__file__).resolve().parents[2] / "include" / "bankhook"
_OPEN_ENUMERATION = re.compile(r"([A-Z]\w+) \| str\b")
_LINE = re.compile(r"^<!-- derived: (\w+) ?(.*?) -->$", re.MULTILINE)


def table(head: str, rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table; the cells of its head are separated by a bar."""
    lines = [head, "|".join("---" for _ in head.split("|"))]
    lines += [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "\n".join(f"| {line} |" for line in lines)


def header(app: Sphinx, name: str) -> str:
    """What a public header brings into the namespace `bankhook`."""
    return header_page(public_names(Path(app.config.breathe_projects["bankhook"])), name)


def headers(app: Sphinx, _: str) -> str:
    """The public headers, each with what it is for."""
    return table("header|what it brings", header_table())


def python_classes(app: Sphinx, kind: str) -> str:
    """The directives for the classes of all events, of all that their payloads hold, or for their enumerations."""
    events = [cls.__name__ for cls in get_args(bankhook.AnyEvent)]
    resources = [name for name in _core.asyncapi()["components"]["schemas"] if name not in events]
    if kind == "enumerations":
        types = [
            field.type for cls in _core._classes if cls.__name__ in (*events, *resources) for field in _core.fields(cls)
        ]
        names = dict.fromkeys(found[1] for found in map(_OPEN_ENUMERATION.match, types) if found)
        return "```{eval-rst}\n" + "\n".join(f".. autoclass:: bankhook.{name}" for name in names) + "\n```"
    canonical = " | ".join(f"bankhook.{name}" for name in events)
    parts = [f".. py:type:: bankhook.AnyEvent\n   :canonical: {canonical}\n\n   Any event.\n"] if kind == "events" else []
    for name in events if kind == "events" else resources:
        # What all of them have is at the top of the page.
        shared = "replace, to_json, to_dict, from_dict, to_wire, from_wire"
        parts.append(f".. autoclass:: bankhook.{name}\n   :exclude-members: {shared}\n")
    return "```{eval-rst}\n" + "\n".join(parts) + "```"


def fields(app: Sphinx, _: str) -> str:
    """Each reflected class with each of its fields: names, types, presence and meaning."""
    events = get_args(bankhook.AnyEvent)
    classes = sorted(_core._classes, key=lambda cls: cls not in events)  # events first, what is tracked last
    return "\n\n".join(_class_fields(cls, app) for cls in classes if _has_schema(cls))


def _class_fields(cls: Any, app: Sphinx) -> str:
    schema = _core.json_schema(cls)
    native = _header_members(app, cls.__name__)
    rows = []
    for field in _core.fields(cls):
        shape = schema["properties"][field.wire_name]
        rows.append(
            (
                f"`{field.name}`<br>`{field.wire_name}`",
                f"{_json(shape)}<br>`{field.type}`<br>`{native[field.name]}`",
                ("required" if field.required else "may be absent") + (", or null" if field.nullable else ""),
                field.meaning,
            )
        )
    about = f"Section {schema['$comment'].removeprefix('section ')}. {{py:class}}`bankhook.{cls.__name__}`."
    return f"## {cls.__name__}\n\n{about}\n\n" + table("field, on the wire|JSON, Python, C++|presence|meaning", rows)


def _has_schema(cls: type) -> bool:
    return cls is not _core.UnknownEvent


def _json(shape: dict[str, Any]) -> str:
    """The JSON of a field in words."""
    if reference := shape.get("$ref"):
        return _section_of(reference)
    if either := shape.get("anyOf"):
        return " or ".join(_json(one) for one in either)
    if "const" in shape:
        return f"`{shape['const']}`"
    if values := shape.get("enum"):
        return "one of " + ", ".join("null" if value is None else f"`{value}`" for value in values)
    if items := shape.get("items"):
        return f"array of {_json(items)}"
    types = shape["type"] if isinstance(shape["type"], list) else [shape["type"]]
    return " or ".join(types)


def _section_of(reference: str) -> str:
    name = reference.rpartition("/")[2]
    return f"[{name}](#{name.lower()})"


def _header_members(app: Sphinx, name: str) -> dict[str, str]:
    """The type of each field of a struct, as its header has it."""
    xml = Path(app.config.breathe_projects["bankhook"]) / f"structbankhook_1_1{name}.xml"
    members = ElementTree.parse(xml).getroot().iter("memberdef")
    return {member.findtext("name", ""): _text(member.find("type")) for member in members}


def _text(node: ElementTree.Element | None) -> str:
    return "" if node is None else "".join(node.itertext()).strip().replace("< ", "<").replace(" >", ">")


def rules(app: Sphinx, _: str) -> str:
    """The catalogue of rules, by who judges them."""
    parts = []
    for severity, title, about in (
        (
            "error",
            "Rejected by parse",
            "A payload that breaks one of these is not an event: `parse` raises, `diagnose` lists them all.",
        ),
        (
            "warning",
            "Read, and reported",
            "A payload that breaks one of these is read all the same; `check`, `diagnose` or the tracker reports it.",
        ),
    ):
        rows = [
            (f"`{rule.id}`", rule.section, str(rule.evidence), rule.sentence)
            for rule in bankhook.rules
            if rule.severity == severity
        ]
        parts.append(f"## {title}\n\n{about}\n\n" + table("rule|section|evidence|what holds", rows))
    return "\n\n".join(parts)


def lifecycle(app: Sphinx, name: str) -> str:
    """A lifecycle as a picture, and its rows as a table."""
    shown = getattr(bankhook, name)
    rows = [
        (
            f"`{transition.from_}`" if transition.from_ else "start",
            f"`{transition.trigger}`",
            f"`{transition.to}`" if transition.to else "never",
            str(transition.evidence),
            transition.section,
        )
        for transition in (*shown.transitions, *shown.forbidden)
    ]
    rows += [
        (f"`{final.state}`", "nothing", "is final", str(final.evidence), final.section) for final in shown.final_states
    ]
    return (
        _graph(shown.to_dot(), f"{name}, drawn from its table") + "\n\n" + table("from|trigger|to|evidence|section", rows)
    )


def choices(app: Sphinx, _: str) -> str:
    """The choices of the sandbox: what the specification leaves open."""
    rows = [
        (
            f"`{choice.name}`",
            choice.section,
            choice.question,
            ", ".join(f"**`{value}`**" if value == choice.default else f"`{value}`" for value in choice.values),
        )
        for choice in bankhook.Sandbox.choices
    ]
    return table("keyword|section|not shown|answers, the default in bold", rows)


def layers(app: Sphinx, _: str) -> str:
    """The layers as a picture, from the table of the test that holds them."""
    stacked: dict[int, list[str]] = {}
    for folder, layer in LAYERS.items():
        if (INCLUDE / folder).is_dir():
            stacked.setdefault(layer, []).append(folder)
    lines = [
        "digraph {",
        "rankdir=BT; ranksep=0.3; node [shape=box, style=rounded, height=0.4];",
        '"bankhook.hpp" [style=bold];',
    ]
    for _layer, folders in sorted(stacked.items()):
        lines.append(f"{{ rank=same; {' '.join(folders)} }}")
    above = [*(folders for _layer, folders in sorted(stacked.items())), ["bankhook.hpp"], ["bindings"], ["python"]]
    for lower, upper in pairwise(above):
        lines += [f'"{one}" -> "{other}" [dir=none]' for one in lower for other in upper]
    lines.append('"bankhook.hpp" -> "your C++" [dir=none]; "python" -> "your Python" [dir=none];')
    lines.append('"your C++" [shape=plain]; "your Python" [shape=plain]; { rank=same; "your C++" bindings } }')
    return _graph("\n".join(lines), "The layers: each includes what is below it")


def command(app: Sphinx, _: str) -> str:
    """The command's own help, as a terminal shows it."""
    options: dict[str, Any] = {"terminal_width": 90, "help_option_names": commands.context_settings["help_option_names"]}
    context = click.Context(commands, info_name="bankhook", **options)
    parts = [_help(commands, context)]
    for name in commands.list_commands(context):
        each = commands.get_command(context, name)
        assert each is not None
        inner = click.Context(each, parent=context, info_name=name, **options)
        parts.append(f"## bankhook {name}\n\n{_help(each, inner)}")
        for part in each.list_commands(inner) if isinstance(each, click.Group) else ():
            nested = each.get_command(inner, part)
            assert nested is not None
            parts.append(_help(nested, click.Context(nested, parent=inner, info_name=part, **options)))
    return "\n\n".join(parts)


def _help(command: click.Command, context: click.Context) -> str:
    return f"```text\n{command.get_help(context)}\n```"


def _graph(dot: str, caption: str) -> str:
    return f"```{{graphviz}}\n:caption: {caption}\n:align: center\n\n{dot.strip()}\n```"


DERIVED: dict[str, Callable[[Sphinx, str], str]] = {
    "choices": choices,
    "command": command,
    "fields": fields,
    "header": header,
    "headers": headers,
    "layers": layers,
    "lifecycle": lifecycle,
    "python_classes": python_classes,
    "rules": rules,
}


def write_derived(app: Sphinx, page: str, source: list[str]) -> None:
    """Puts what is derived in its place, before the page is parsed."""

    def written(line: re.Match[str]) -> str:
        if line[1] not in DERIVED:
            raise ExtensionError(f"{page}: nothing derives {line[1]!r}; known are {', '.join(DERIVED)}")
        return DERIVED[line[1]](app, line[2])

    source[0] = _LINE.sub(written, source[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Pages are derived as they are read."""
    app.connect("source-read", write_derived)
    return {"parallel_read_safe": True}
