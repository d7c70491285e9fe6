# SPDX-License-Identifier: MIT
"""What the code lists, as Markdown: the command's help, fields, rules, choices, lifecycles, layers, and parts of other files."""

from __future__ import annotations

import inspect
import os
import re
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any, get_args

import click

import bankhook
from architecture.layers import LAYERS
from bankhook import _core
from bankhook._tables._columns import columns_of
from bankhook.cli.commands import commands
from derived.reference import Headers, table
from public_names import INCLUDE, ROOT
from screenshots import FOLDER, markup

__all__ = [
    "choices",
    "columns",
    "command",
    "contents",
    "dot_of_layers",
    "excerpt",
    "fields",
    "layers",
    "lifecycle",
    "rules",
    "screenshot",
    "speed",
]


def fields(headers: Headers, page: Path, __: str) -> str:
    """Each reflected class with each of its fields: names, types, presence and meaning."""
    events = get_args(bankhook.AnyEvent)
    classes = sorted(_core._classes, key=lambda cls: cls not in events)  # events first, what is tracked last
    return "\n\n".join(_class_fields(cls, headers, events) for cls in classes if _has_schema(cls))


def _class_fields(cls: Any, headers: Headers, events: tuple[Any, ...]) -> str:
    schema = _core.json_schema(cls)
    native = headers.types(cls.__name__)
    rows: list[tuple[str, ...]] = []
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
    on = "tracking" if cls.__name__.startswith("Tracked") or cls.__name__ == "Membership" else "events"
    about = f"Section {schema['$comment'].removeprefix('section ')}. [`bankhook.{cls.__name__}`](python/{on}.md)."
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
    types: str | list[str] = shape["type"]
    return types if isinstance(types, str) else " or ".join(types)


def _section_of(reference: str) -> str:
    name = reference.rpartition("/")[2]
    return f"[{name}](#{name.lower()})"


def rules(_: Headers, page: Path, __: str) -> str:
    """The catalogue of rules, by what `parse` does."""
    parts: list[str] = []
    for severity, title, about in (
        (
            "error",
            "Rejected by parse",
            "A payload that breaks one of these is not an event: `parse` raises, and `diagnose` lists everything that is wrong.",
        ),
        (
            "warning",
            "Accepted, but reported",
            "A payload that breaks one of these is read all the same; `check`, `diagnose` or the tracker says so.",
        ),
    ):
        rows = [
            (f"`{rule.id}`", rule.section, str(rule.evidence), rule.sentence)
            for rule in bankhook.rules
            if rule.severity == severity
        ]
        parts.append(f"## {title}\n\n{about}\n\n" + table("rule|section|evidence|what holds", rows))
    return "\n\n".join(parts)


def lifecycle(_: Headers, page: Path, name: str) -> str:
    """A lifecycle as a picture, and its rows as a table."""
    shown = getattr(bankhook, name)
    rows = [
        (
            f"`{transition.from_}`" if transition.from_ else "start",
            f"`{transition.trigger}`",
            f"`{transition.to}`" if transition.to else "never",
            str(transition.evidence),
            "any" if transition.evidence != "stated" and transition.before == "stated" else str(transition.before),
            transition.section,
        )
        for transition in shown.transitions
    ]
    rows += [
        (f"`{final.state}`", "nothing", "is final", str(final.evidence), "any", final.section)
        for final in shown.final_states
    ]
    drawn = f"```mermaid\n{shown.to_mermaid().strip()}\n```"
    return drawn + "\n\n" + table("from|trigger|to|evidence|state before|section", rows)


def columns(_: Headers, page: Path, __: str) -> str:
    """The columns of each table of archives and of trackers, with the fields within them."""
    parts: list[str] = []
    for tables in (bankhook.tables(b""), bankhook.tables(bankhook.Tracker())):
        members = [member for cls in reversed(type(tables).__mro__) for member in vars(cls).items()]
        for name, each in members:
            if not isinstance(each, property):
                continue
            shown = getattr(tables, name)
            if isinstance(shown, bankhook.types.Table):
                rows = (
                    (
                        f"`{column.path}`",
                        f"`{column.type}`" + (", or null" if column.is_nullable else ""),
                        column.meaning,
                    )
                    for column in columns_of(shown._request())
                )
                title = f"`{type(tables).__name__}.{name}`"
                parts.append(
                    f"## {title}\n\n{inspect.cleandoc(each.__doc__ or '')}\n\n" + table("column|type|meaning", rows)
                )
    return "\n\n".join(parts)


def choices(_: Headers, page: Path, __: str) -> str:
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


def layers(_: Headers, page: Path, __: str) -> str:
    """The layers as a table, highest first, from the table of the test that holds them."""
    rows = [(str(layer), ", ".join(f"`{folder}/`" for folder in folders)) for layer, folders in sorted(_stacked().items())]
    return table("layer|folders; each includes only what is below it", reversed(rows))


def dot_of_layers() -> str:
    """The layers as a picture."""
    stacked = [folders for _layer, folders in sorted(_stacked().items())]
    lines = [
        "digraph {",
        "rankdir=BT; ranksep=0.3; node [shape=box, style=rounded, height=0.4];",
        '"public headers" [style=bold];',
        *(f"{{ rank=same; {' '.join(folders)} }}" for folders in stacked),
    ]
    for lower, upper in pairwise([*stacked, ["public headers"], ["bindings"], ["python"]]):
        lines += [f'"{one}" -> "{other}" [dir=none]' for one in lower for other in upper]
    lines.append('"public headers" -> "your C++" [dir=none]; "python" -> "your Python" [dir=none];')
    lines.append('"your C++" [shape=plain]; "your Python" [shape=plain]; { rank=same; "your C++" bindings } }')
    return "\n".join(lines)


def _stacked() -> dict[int, list[str]]:
    stacked: dict[int, list[str]] = {}
    for folder, layer in LAYERS.items():
        if (INCLUDE / folder).is_dir():
            stacked.setdefault(layer, []).append(folder)
    return stacked


def excerpt(_: Headers, page: Path, argument: str) -> str:
    """A part of a file: from the line that holds one text to the line before that which holds another, or to its end."""
    found = re.fullmatch(r'(\S+) "(.+?)"(?: until "(.+?)")?', argument)
    assert found, argument
    text = (ROOT / found[1]).read_text(encoding="utf-8")
    start = text.rindex("\n", 0, text.index(found[2])) + 1
    end = text.rindex("\n", 0, text.index(found[3], start)) if found[3] else len(text)
    return f"```c++\n{dedent(text[start:end]).strip()}\n```"


def contents(_: Headers, page: Path, names: str) -> str:
    """The pages below this one, each with its first sentence."""
    lines: list[str] = []
    for name in names.split():
        text = (page.parent / f"{name}.md").read_text(encoding="utf-8")
        title, about = (" ".join(part.split()) for part in text.split("\n\n")[:2])
        sentence = re.split(r"(?<=[.:])\s", about, maxsplit=1)[0].rstrip(".:")
        said = "" if sentence.startswith(("#", "<")) else f": {sentence}{'' if sentence.endswith('?') else '.'}"
        lines.append(f"- [{title.removeprefix('# ')}]({name}.md){said}")
    return "\n".join(lines)


def screenshot(_: Headers, page: Path, name: str) -> str:
    """A picture of what a notebook displays, for light and for dark pages."""
    return markup(name, os.path.relpath(FOLDER, page.parent))


def speed(_: Headers, page: Path, argument: str) -> str:
    """What the last measurement says of itself."""
    text = (ROOT / argument).read_text(encoding="utf-8")
    return text.partition("<!-- speed:begin -->")[2].partition("<!-- speed:end -->")[0].strip()


def command(_: Headers, page: Path, __: str) -> str:
    """The command's own help, as a terminal shows it."""
    options: dict[str, Any] = {"terminal_width": 88, "help_option_names": commands.context_settings["help_option_names"]}
    context = click.Context(commands, info_name="bankhook", **options)
    parts = [_help(commands, context)]
    for name in commands.list_commands(context):
        each = commands.get_command(context, name)
        assert each is not None
        inner = click.Context(each, parent=context, info_name=name, **options)
        parts.append(f"## bankhook {name}\n\n{_help(each, inner)}")
        group = each if isinstance(each, click.Group) else click.Group()
        for part in group.list_commands(inner):
            nested = group.get_command(inner, part)
            assert nested is not None
            parts.append(_help(nested, click.Context(nested, parent=inner, info_name=part, **options)))
    return "\n\n".join(parts)


def _help(command: click.Command, context: click.Context) -> str:
    return f"```text\n{command.get_help(context)}\n```"
