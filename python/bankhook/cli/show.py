# SPDX-License-Identifier: MIT
"""`bankhook show`: show events of an archive as trees, in the specification's order, with the rules that they break."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click

import bankhook
from bankhook._archive._numbered import Line, numbered_lines
from bankhook._core import salvage
from bankhook._records.closest import did_you_mean
from bankhook.cli import options
from bankhook.cli.archives import Archive, name_of
from bankhook.cli.findings import say_finding, shown
from bankhook.cli.shapes import BROKEN, SHOWN, shaped
from bankhook.cli.terminal import complain, console, dumped, gap, plain, say, say_json, style_of, width

if TYPE_CHECKING:
    from bankhook.types import Finding

_COMPARED = 10_000  # ids among which the closest one is looked for
_DEEPEST = 12  # twice as deep as a listed event; deeper levels do not fit into a line
_PLACE = re.compile(r"(.+?):([1-9][0-9]{0,17})(?::([0-9]+))?:?", re.DOTALL)


@options.command()
@click.argument("file", metavar="FILE[:LINE]", type=options.FILE)
@options.option("-l --line", "Show the event on this line.", options.Whole(min=1))
@options.option("--id id_", "Show the first event about this member, connection or transaction.", options.ID)
@options.option("--all every", "With --id: show all of them.", bool)
@options.containing
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
    file, line, column, id_ = chosen.file, chosen.line, None, chosen.id_
    if line is None and id_ is None:
        file, line, column = _place_of(file)
    if line is not None and id_ is not None:
        raise click.UsageError("--line and --id exclude each other")
    name, ids = name_of(file), dict[str, None]()
    statuses: list[int] = []
    for found in _search(Archive(file, chosen), line, column, id_, ids):
        statuses.append(_show(name, found, chosen.as_json))
        if not chosen.every or id_ is None:
            break
    if not statuses:
        wanted = f"line {line} with an event" if line is not None else "event"
        if id_ is not None:
            wanted = f"event about {id_}{did_you_mean(id_, ids)}"
        complain(f"{name}: there is no {wanted}")
    return max(statuses, default=2)


def _place_of(file: str) -> tuple[str, int | None, int | None]:
    """Return a file, the line and the column of a place such as `archive.ndjson:17:4`, unless that is the name of a file."""
    place = _PLACE.fullmatch(file)
    if place is None or os.path.exists(file) or not os.path.exists(place[1]):
        return file, None, None
    return place[1], int(place[2]), int(place[3]) if place[3] else None


def _search(
    archive: Archive, line: int | None, column: int | None, id_: str | None, ids: dict[str, None]
) -> Iterator[Line]:
    """Yield what is asked for: the event at a place, the first one of a line, or those about an id.

    Some of the ids that occur are added to `ids`.
    """
    if line is not None:
        yield from _at(archive, line, column)
        return
    for found in numbered_lines(archive):
        of_event = salvage(found.raw) if id_ is not None else None
        about = (of_event.member, of_event.connection, of_event.transaction) if of_event is not None else ()
        if id_ is None or id_ in about:
            yield found
        if len(ids) < _COMPARED:
            ids.update(dict.fromkeys(one for one in about if one is not None))


def _at(archive: Archive, line: int, column: int | None) -> Iterator[Line]:
    """Yield the event that contains this place."""
    wanted: Line | None = None
    for found in numbered_lines(archive):
        if found.line > line:
            break
        if (
            wanted is not None
            and found.line == line
            and (wanted.line == line if column is None else found.column >= column)
        ):
            break
        if line <= found.line + found.raw.count(b"\n"):
            wanted = found
    if wanted is not None:
        yield wanted


class _Number(str):
    """A number with the digits that were sent."""


def _show(name: str, found: Line, as_json: bool) -> int:
    findings, title = bankhook.diagnose(found.raw), f"{name}:{found.line}"
    if as_json:
        object_ = shaped(
            SHOWN, file=name, line=found.line, event=None, findings=[shaped(BROKEN, finding) for finding in findings]
        )
        # As the library writes it, so that numbers keep their digits.
        value = "null" if found.event is None else found.event.to_json().decode()
        say_json(dumped(object_).replace('"event":null', f'"event":{value}', 1))
        return 1 if findings else 0
    if found.event is not None:
        _print_tree(found.event.to_wire(number=_Number), findings, f"{title}  {found.event.event}")
    elif (fields := _fields_of(found.raw)) is not None:
        _print_tree(fields, findings, f"{title}  not an event")
    else:
        ids = ", ".join(f"{name} {id_}" for name, id_ in salvage(found.raw).to_dict().items() if id_ is not None)
        say((title, "bold"), f"is not an event{f'; it contains {ids}' if ids else ''}")
    for one in shown(findings, found.raw, found.line, found.column, show_values=True):
        gap()
        say_finding(one, name, one.finding.severity)
    return 1 if findings else 0


def _fields_of(raw: bytes) -> dict[str, Any] | None:
    """Return an object that is not an event, as the library reads what it does not know; None for anything else."""
    try:
        value = bankhook.parse(b'{"event":"","value":%b}' % raw).to_wire(number=_Number)["value"]
    except bankhook.ParseError:
        return None
    return value if isinstance(value, dict) else None


def _print_tree(fields: dict[str, Any], findings: tuple[Finding, ...], title: str) -> None:
    """Print the fields, those of a listed event in the specification's order, and after each the rules that it breaks.

    Values that do not fit the terminal go on in the next line.
    """
    from rich.text import Text
    from rich.tree import Tree

    def add(parent: Tree, value: dict[str, Any] | list[Any], steps: tuple[str | int, ...]) -> None:
        if len(steps) == _DEEPEST:
            parent.add("… deeper, see --json")
            return
        for step, one in value.items() if isinstance(value, dict) else enumerate(value):
            label = Text(f"[{step}]" if isinstance(step, int) else plain(step), style="bold", overflow="fold", end="")
            is_open = isinstance(one, (dict, list)) and bool(one)
            label.append("" if is_open else f"  {_value_text(one)}")
            for finding in findings:
                if finding.steps == (*steps, step):
                    about = f"← {finding.rule} ({finding.section}, {finding.evidence})"
                    label.append("  ").append(about, style=style_of("bold yellow"))
            branch = parent.add(label)
            if is_open:
                add(branch, one, (*steps, step))

    tree = Tree(Text(plain(title), style="bold"), guide_style="dim")
    add(tree, fields, ())
    console().print(tree, soft_wrap=width() is None, crop=False)


def _value_text(value: object) -> str:
    if isinstance(value, (Decimal, _Number)):
        return plain(str(value))
    return plain(f'"{value}"' if isinstance(value, str) else dumped(value))
