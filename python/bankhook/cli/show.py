# SPDX-License-Identifier: MIT
"""`bankhook show`: show events of an archive as trees, in the specification's order, with the rules that they break."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, assert_never

import click

import bankhook
from bankhook._core import salvage
from bankhook._records.closest import did_you_mean
from bankhook.cli import options
from bankhook.cli.archives import Archive, Line, Unreadable, each_line
from bankhook.cli.findings import shown
from bankhook.cli.links import address, linked
from bankhook.cli.terminal import COLOURS, complain, console, json_text, plain, say, say_wrapped, width

if TYPE_CHECKING:
    from rich.tree import Tree

    from bankhook import AnyEvent
    from bankhook.types import Finding

__all__ = ["command", "print_tree", "tree_of"]

_COMPARED = 10_000  # ids among which the closest one is looked for
_DEEPEST = 12  # twice as deep as a listed event; deeper levels do not fit into a line
_PLACE = re.compile(r"(.+?):([1-9][0-9]{0,17})(:[0-9]+)?:?", re.DOTALL)
_TOO_DEEP = "… deeper, see --json"


@click.command(short_help="Show an event of an archive as a tree.")
@click.argument("file", metavar="FILE[:LINE]", type=options.FILE)
@click.option("-l", "--line", type=click.IntRange(min=1), metavar="N", help="Show the event on this line.")
@click.option("--id", "id_", type=options.ID, metavar="ID", help="Show the first event about this member, connection, ...")
@click.option("--all", "every", is_flag=True, help="With --id: show all of them.")
@options.at
@options.as_json
def command(file: str, line: int | None, id_: str | None, every: bool, at: str | None, as_json: bool) -> int:
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
    if line is None and id_ is None:
        file, line = _place_of(file)
    if line is not None and id_ is not None:
        raise click.UsageError("--line and --id exclude each other")
    name = "<stdin>" if file == "-" else file
    ids: dict[str, None] = {}
    status = 2
    try:
        with contextlib.closing(Archive(file, at)) as archive:
            for found in _search(archive, line, id_, ids):
                status = max(0 if status == 2 else status, _show(name, found, as_json))
                if not every or id_ is None:
                    break
    except Unreadable as fault:
        complain(f"{name}: {fault}")
        return 2
    if status == 2:
        wanted = f"line {line} with an event" if line is not None else "event"
        if id_ is not None:
            wanted = f"event about {id_}{did_you_mean(id_, ids)}"
        complain(f"{name}: there is no {wanted}")
    return status


def _place_of(file: str) -> tuple[str, int | None]:
    """Return a file and the line of a place such as `archive.ndjson:17:4`, unless that is the name of a file."""
    place = _PLACE.fullmatch(file)
    if place is None or os.path.exists(file) or not os.path.exists(place[1]):
        return file, None
    return place[1], int(place[2])


def _search(archive: Archive, line: int | None, id_: str | None, ids: dict[str, None]) -> Iterator[Line]:
    """Yield the lines that are asked for; some of the ids that occur are added to `ids`."""
    for found in each_line(archive):
        if line is not None and found.line >= line:
            if found.line == line:
                yield found
            return
        if line is None and (id_ is None or (found.event is not None and _is_about(found.event, found.raw, id_))):
            yield found
        if id_ is not None and found.event is not None and len(ids) < _COMPARED:
            ids.update(dict.fromkeys(_ids(found.event)))


def _is_about(event: AnyEvent, raw: bytes, id_: str) -> bool:
    return (id_.encode() in raw or b"\\" in raw) and id_ in _ids(event)


def _ids(event: AnyEvent) -> Iterator[str]:
    match event:
        case bankhook.BankConnectionsUpdateV2():
            yield from (event.customer.id, event.customer.external_id)
            for connection in (event.connection, *event.customer.connections):
                yield connection.id
                yield from (account.id for account in connection.accounts)
        case bankhook.InitialTransactionUpdate():
            yield from (event.customer.id, event.customer.external_id, event.initial_transaction.id)
            if event.initial_transaction.transaction_id is not None:
                yield event.initial_transaction.transaction_id
        case bankhook.UnknownEvent():
            return
        case _:
            assert_never(event)


def _show(name: str, found: Line, as_json: bool) -> int:
    findings = bankhook.diagnose(found.raw)
    if as_json:
        say(json_text(_as_json(name, found, findings)))
    else:
        title = f"{name}:{found.line}"
        if found.event is not None:
            print_tree(tree_of(found.event, findings, title))
        else:
            _show_rejected(found.raw, findings, title)
        for one in shown(findings, found.raw, found.line, found.column, show_values=True):
            say()
            for text in (*one.headline(name, severity=one.finding.severity), *(one.lines() if one.excerpt else ())):
                say(text)
    return 1 if findings else 0


def _as_json(name: str, found: Line, findings: tuple[Finding, ...]) -> str:
    """Return the object; the event is inserted as the library writes it, so that numbers keep their digits."""
    kept = ("rule", "section", "evidence", "path", "expected", "found")
    listed = [{key: str(getattr(finding, key)) for key in kept} for finding in findings]
    head = {"type": "event", "file": name, "line": found.line}
    value = "null" if found.event is None else found.event.to_json().decode()
    return f'{_dumped(head)[:-1]},"event":{value},"findings":{_dumped(listed)}}}'


def _dumped(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


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
        print_tree(_tree(value, findings, f"{title}  not an event"))
        return
    say_wrapped((plain(title), {"bold": True}), (f"is not an event: {what}{_salvaged(raw)}", {}))


def _salvaged(raw: bytes) -> str:
    """Return the ids that can be read in a line that is not an event."""
    salvaged = salvage(raw)
    ids = {name: getattr(salvaged, name) for name in salvaged.__match_args__}
    listed = ", ".join(f"{name} {plain(id_)}" for name, id_ in ids.items() if id_ is not None)
    return f"; it contains {listed}" if listed else ""


def print_tree(tree: Tree) -> None:
    """Print a tree; values that do not fit the terminal go on in the next line."""
    console().print(tree, soft_wrap=width() is None, crop=False)


def tree_of(event: AnyEvent, findings: tuple[Finding, ...], title: str) -> Tree:
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

    warning = "bold color({}) on color({})".format(*COLOURS["yellow"])
    broken: dict[tuple[str | int, ...], list[Finding]] = {}
    for finding in findings:
        broken.setdefault(finding.steps, []).append(finding)
    tree = Tree(Text(plain(title), style="bold"), guide_style="dim")

    def add(parent: Tree, name: str, value: object, steps: tuple[str | int, ...], depth: int = 1) -> None:
        label = Text(plain(name), style="bold", overflow="fold", end="")
        if isinstance(value, list) and not value:
            label.append("  {}" if isinstance(value, _Fields) else "  []")
        elif not isinstance(value, (dict, list)):
            label.append("  ").append(_value_text(value))
        for one in broken.get(steps, ()):
            about = f"← {one.rule} ({one.section}, {one.evidence})"
            label.append("  ").append(about, style=f"{warning} {_link(one.rule)}")
        branch = parent.add(label)
        if depth == _DEEPEST and isinstance(value, (dict, list)) and value:
            branch.add(_TOO_DEEP)
        elif isinstance(value, (dict, _Fields)):
            for key, inner in _items(value):
                add(branch, key, inner, (*steps, key), depth + 1)
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                add(branch, f"[{index}]", inner, (*steps, index), depth + 1)

    for key, value in _items(fields):
        add(tree, key, value, (key,))
    return tree


def _items(fields: Mapping[str, Any] | _Fields) -> Iterable[tuple[str, Any]]:
    return fields if isinstance(fields, _Fields) else fields.items()


def _link(rule: str) -> str:
    """Return the style of a rule's id, in the words of rich."""
    return f"link {address(rule)}" if linked(rule) != rule else ""


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "null"
    return plain(str(value)) if isinstance(value, (int, Decimal, _Number)) else f'"{plain(str(value))}"'
