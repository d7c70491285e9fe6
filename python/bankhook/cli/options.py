# SPDX-License-Identifier: MIT
"""How commands are declared: each has --color, gets what was chosen as one object, and shares options with others."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

import click
from click.shell_completion import CompletionItem

import bankhook
from bankhook import _core
from bankhook._records.closest import did_you_mean
from bankhook._render.progress import set_colours
from bankhook.cli.terminal import complain

Chosen = SimpleNamespace
"""What was chosen: an attribute for each argument and option."""
T = TypeVar("T")
F = TypeVar("F", bound="Callable[..., Any] | click.Command")


class Choice(click.Choice[str]):
    """One of some names; the error for another name suggests the closest one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            if close := did_you_mean(str(value), map(str, self.choices)):
                self.fail(f"there is no {value!r}{close}", param, ctx)
            raise error


class Parsed(click.ParamType[T], Generic[T]):
    """What a function makes of a text: its ValueError says what is wrong. The shell completes what is offered."""

    def __init__(self, name: str, parse: Callable[[str], T], offered: Iterable[str] = ()) -> None:
        self.name, self.parse, self.offered = name, parse, tuple(offered)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> T:
        """Return the value; a default is one already."""
        try:
            return self.parse(value) if isinstance(value, str) else value
        except (ValueError, OverflowError) as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Offer the names."""
        return [CompletionItem(name) for name in self.offered if name.startswith(incomplete)]


def option(names: str, help: str, type: Any = None, default: Any = None, **more: Any) -> Callable[[F], F]:
    """Declare an option by its names, with blanks between them: of texts, of one of some names, a number, or a flag."""
    if type is bool:
        return click.option(*names.split(), help=help, is_flag=True, **more)
    if isinstance(type, tuple):
        type = Choice(type)
    if isinstance(type, click.IntRange):
        more.setdefault("metavar", "N")
    if default is not None:
        more = {"show_default": True, "default": default, **more}
    return click.option(*names.split(), help=help, type=type, **more)


def utf8(text: str) -> str:
    """Return a text as it occurs in events, UTF-8 whatever the locale. Raises ValueError."""
    try:
        return os.fsencode(text).decode()
    except UnicodeError:
        raise ValueError("expected UTF-8") from None


def _stored_rule(text: str) -> str:
    """The id of a rule for which an inbox stored a delivery: another version may have other rules than this one."""
    if re.fullmatch(r"[a-z][a-z0-9_]{0,99}", text) is None:
        raise ValueError("expected the id of a rule, such as text_is_utf8")
    if text not in _RULES and not click.get_current_context().resilient_parsing:
        complain(f"{text} is not a rule of this version{did_you_mean(text, _RULES)}")
    return text


_RULES = [rule.id for rule in bankhook.rules]
ID = Parsed("id", utf8)
EVENT = Parsed("name", utf8, _core._event_names)  # one that the specification does not list is taken, too
STORED_RULE = Parsed("rule", _stored_rule, _RULES)
COUNT = click.IntRange(min=0)
MANY = click.IntRange(1, 10**9)
DAYS = click.IntRange(0, 100_000)
FILE = click.Path(allow_dash=True, readable=False)
"""A file, or `-`. One that cannot be read is reported where it is read, and does not stop the others."""
FILE.name = "file"

color = option(
    "--color",
    "Whether output has colours; auto, the default: on a terminal, or as NO_COLOR or FORCE_COLOR says.",
    ("always", "never", "auto"),
    expose_value=False,
    is_eager=True,
    callback=lambda context, parameter, value: set_colours(value) if value is not None else None,
)
archives = click.argument("files", nargs=-1, required=True, metavar="FILE...", type=FILE)
_CONTAINER = (
    option(
        "--at",
        'Where the events are: `body` for lines like {"headers": ..., "body": EVENT}, `Records[].body` for each element of an '
        "array, a column of CSV.",
        ID,
        metavar="PATH",
    ),
    option("--encoding", "Texts are encoded so.", ("base64",)),
    option("--format", "By default, files that end in .csv, .csv.gz or .csv.zst are CSV, others JSON.", ("csv", "json")),
)


def containing(function: F) -> F:
    """Add the options that say what contains the events of an archive."""
    return functools.reduce(lambda made, option: option(made), reversed(_CONTAINER), function)


allow_empty = option("--allow-empty", "An archive without events is not an error.", bool)
as_json = option("--json as_json", "Print one JSON object per line, for programs.", bool)
show_values = option("--show-values", "Do not redact texts and numbers, which may be personal.", bool)


def reporting(function: F) -> F:
    """Add the archives and the options of commands that report on them."""
    return archives(containing(allow_empty(show_values(as_json(function)))))


def command(group: click.Group | None = None, **settings: Any) -> Callable[[Callable[[Chosen], int]], click.Command]:
    """Make a command, or one of a group, of a function that takes one object; --color comes after its own options."""

    def made(function: Callable[[Chosen], int]) -> click.Command:
        @functools.wraps(function)
        def called(**chosen: Any) -> int:
            return function(Chosen(**chosen))

        return color((group.command if group else click.command)(**settings)(called))

    return made
