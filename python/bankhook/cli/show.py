# SPDX-License-Identifier: MIT
"""`bankhook show`: show events of an archive as trees, in the specification's order, with the rules that they break."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

import bankhook
from bankhook._archive._envelopes import Line, numbered_lines
from bankhook._core import salvage
from bankhook._records.closest import did_you_mean
from bankhook.cli import options
from bankhook.cli.archives import Archive, name_of
from bankhook.cli.findings import say_finding, shown
from bankhook.cli.shapes import BROKEN, SHOWN
from bankhook.cli.terminal import complain, console, dumped, gap, link_of, plain, say, say_json, style_of, width

if TYPE_CHECKING:
    from rich.tree import Tree

    from bankhook.types import Finding

__all__ = ["command"]

_COMPARED = 10_000  # ids among which the closest one is looked for
_DEEPEST = 12  # twice as deep as a listed event; deeper levels do not fit into a line
_PLACE = re.compile(r"(.+?):([1-9][0-9]{0,17})(:[0-9]+)?:?", re.DOTALL)
_IDS = ("id", "externalId", "transactionId")


@options.command()
@click.argument("file", metavar="FILE[:LINE]", type=options.FILE)
@options.option("-l --line", "Show the event on this line.", click.IntRange(min=1))
@options.option("--id id_", "Show the first event about this member, connection, ...", options.ID)
@options.option("--all every", "With --id: show all of them.", bool)
@options.at
@options.as_json
def command(chosen: options.Chosen) -> int:
    """Show an event of an archive as a tree, in the specification's order, with the rules that it breaks. Without
    --line and --id, this is the first event. Values are not redacted. The places that `check` and `track` print are taken,
    too.

    \b
    Example:
      bankhook show archive.ndjson --id it-0001
      bankhook show archive.ndjson:17:4

    With --json, one object per line, whose shape `bankhook schema shown` prints.

    Exit status: 0 fine, 1 an event that is shown has findings, 2 no such event, wrong usage or a file that cannot be
    read.
    """
    file, line, id_ = chosen.file, chosen.line, chosen.id_
    if line is None and id_ is None:
        file, line = _place_of(file)
    if line is not None and id_ is not None:
        raise click.UsageError("--line and --id exclude each other")
    name, ids = name_of(file), dict[str, None]()
    statuses: list[int] = []
    with contextlib.closing(Archive(file, chosen.at)) as archive:
        for found in _search(archive, line, id_, ids):
            statuses.append(_show(name, found, chosen.as_json))
            if not chosen.every or id_ is None:
                break
    if not statuses:
        wanted = f"line {line} with an event" if line is not None else "event"
        if id_ is not None:
            wanted = f"event about {id_}{did_you_mean(id_, ids)}"
        complain(f"{name}: there is no {wanted}")
    return max(statuses, default=2)


def _place_of(file: str) -> tuple[str, int | None]:
    """Return a file and the line of a place such as `archive.ndjson:17:4`, unless that is the name of a file."""
    place = _PLACE.fullmatch(file)
    if place is None or os.path.exists(file) or not os.path.exists(place[1]):
        return file, None
    return place[1], int(place[2])


def _search(archive: Archive, line: int | None, id_: str | None, ids: dict[str, None]) -> Iterator[Line]:
    """Yield the lines that are asked for; some of the ids that occur are added to `ids`."""
    for found in numbered_lines(archive):
        if line is not None and found.line >= line:
            if found.line == line:
                yield found
            return
        of_event: dict[str, None] = {}
        may_have = id_ is not None and (len(ids) < _COMPARED or id_.encode() in found.raw or b"\\" in found.raw)
        if may_have and isinstance(found.event, (bankhook.BankConnectionsUpdateV2, bankhook.InitialTransactionUpdate)):
            of_event = dict.fromkeys(_ids(found.event.to_wire()))
        if line is None and (id_ is None or id_ in of_event):
            yield found
        if len(ids) < _COMPARED:
            ids.update(of_event)


def _ids(value: object) -> Iterator[str]:
    for name, inner in value.items() if isinstance(value, dict) else ():
        if name in _IDS and isinstance(inner, str):
            yield inner
        for one in inner if isinstance(inner, list) else (inner,):
            yield from _ids(one)


def _show(name: str, found: Line, as_json: bool) -> int:
    findings = bankhook.diagnose(found.raw)
    if as_json:
        say_json(_as_json(name, found, findings))
        return 1 if findings else 0
    title = f"{name}:{found.line}"
    if found.event is not None:
        _print_tree(_tree_of(found.event, findings, title))
    else:
        _show_rejected(found.raw, findings, title)
    for one in shown(findings, found.raw, found.line, found.column, show_values=True):
        gap()
        say_finding(one, name, one.finding.severity)
    return 1 if findings else 0


def _as_json(name: str, found: Line, findings: tuple[Finding, ...]) -> str:
    """Return the object; the event is inserted as the library writes it, so that numbers keep their digits."""
    shown = SHOWN.of(file=name, line=found.line, event=None, findings=[BROKEN.of(finding) for finding in findings])
    value = "null" if found.event is None else found.event.to_json().decode()
    return dumped(shown).replace('"event":null', f'"event":{value}', 1)


class _Number(str):
    """A number with the digits that were sent."""


class _Fields(list[tuple[str, Any]]):
    """The fields of an object as sent: in their order, a repeated name with each of its values."""


_KINDS: dict[type, str] = {str: "a text", _Number: "a number", list: "an array"}


def _loaded(raw: bytes) -> Any:
    """Return JSON of any kind, with objects as `_Fields`. Raises ValueError, also for text that is not UTF-8."""
    import json

    text = raw.decode()  # json would guess other encodings, which `parse` rejects
    return json.loads(text, object_pairs_hook=_Fields, parse_float=_Number, parse_int=_Number, parse_constant=_Number)


def _show_rejected(raw: bytes, findings: tuple[Finding, ...], title: str) -> None:
    """Print the tree of an object that is not an event; what cannot be read as an object is only named."""
    try:
        value = _loaded(raw)
        what = "it is " + _KINDS.get(type(value), "null" if value is None else str(value).lower())
    except (ValueError, RecursionError):
        value, what = None, "it cannot be read as JSON"
    if isinstance(value, _Fields):
        _print_tree(_tree(value, findings, f"{title}  not an event"))
        return
    ids = salvage(raw).to_dict()
    listed = ", ".join(f"{name} {id_}" for name, id_ in ids.items() if id_ is not None)
    say((title, "bold"), f"is not an event: {what}{f'; it contains {listed}' if listed else ''}")


def _print_tree(tree: Tree) -> None:
    """Print a tree; values that do not fit the terminal go on in the next line."""
    console().print(tree, soft_wrap=width() is None, crop=False)


def _tree_of(event: bankhook.AnyEvent, findings: tuple[Finding, ...], title: str) -> Tree:
    """Return the fields in the specification's order, those of an unlisted event as sent; after each the rules that it breaks."""
    title = f"{title}  {event.event}"
    if isinstance(event, bankhook.UnknownEvent):
        try:
            return _tree(_loaded(event.raw), findings, title)
        except RecursionError:  # `parse` reads deeper than Python's reader does
            title += "  (only the last value of a repeated field)"
    return _tree(event.to_wire(number=_Number), findings, title)


def _tree(fields: Mapping[str, Any] | _Fields, findings: tuple[Finding, ...], title: str) -> Tree:
    from rich.text import Text
    from rich.tree import Tree

    broken: dict[tuple[str | int, ...], list[Finding]] = {}
    for finding in findings:
        broken.setdefault(finding.steps, []).append(finding)

    def add(parent: Tree, name: str, value: object, steps: tuple[str | int, ...]) -> None:
        label = Text(plain(name), style="bold", overflow="fold", end="")
        inner = list(_items(value))
        if not inner:
            label.append("  ").append(_value_text(value))
        for one in broken.get(steps, ()):
            about = f"← {one.rule} ({one.section}, {one.evidence})"
            label.append("  ").append(about, style=f"{style_of('bold yellow')} {link_of(one.rule)}")
        branch = parent.add(label)
        if inner and len(steps) == _DEEPEST:
            branch.add("… deeper, see --json")
            return
        for step, one in inner:
            add(branch, step if isinstance(step, str) else f"[{step}]", one, (*steps, step))

    tree = Tree(Text(plain(title), style="bold"), guide_style="dim")
    for key, value in _items(fields):
        add(tree, str(key), value, (key,))
    return tree


def _items(value: object) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return value.items()
    return value if isinstance(value, _Fields) else enumerate(value) if isinstance(value, list) else ()


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (dict, list)):
        return "[]" if type(value) is list else "{}"
    if value is None:
        return "null"
    return plain(str(value)) if isinstance(value, (int, Decimal, _Number)) else f'"{plain(str(value))}"'
