# SPDX-License-Identifier: MIT
"""How commands are declared: each has --color, gets what was chosen as one object, and shares options with others."""

from __future__ import annotations

import datetime
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
            within = [repr(one) for one in self.choices if len(value) > 2 and value.lower().rstrip("s") in one.lower()]
            if close := (within and f"; did you mean {' or '.join(within)}?") or did_you_mean(str(value), self.choices):
                self.fail(f"there is no {value!r}{close}", param, ctx)
            raise error


class Whole(click.IntRange):
    """A whole number; the error says in words which ones there are."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            most = "or more" if self.max is None else f"to {self.max}"
            self.fail(f"expected a whole number, {self.min} {most}, found {value!r}", param, ctx)


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
    if isinstance(type, Whole):
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


def _day(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"expected a day such as 2026-05-31, found {text!r}") from None


def _time(text: str) -> datetime.datetime:
    """A time as ISO 8601 writes it, in UTC if it has no offset."""
    try:
        time = datetime.datetime.fromisoformat(text)
        return (time if time.tzinfo is not None else time.replace(tzinfo=datetime.UTC)).astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        raise ValueError(f"expected a day or a time such as 2026-05-31T09:30:00, found {text!r}") from None


_RULES = [rule.id for rule in bankhook.rules]
ID = Parsed("id", utf8)
EVENT = Parsed("name", utf8, _core._event_names)  # one that the specification does not list is taken, too
STORED_RULE = Parsed("rule", _stored_rule, _RULES)
COUNT = Whole(min=0)
MANY = Whole(1, 10**9)
DAYS = Whole(0, 100_000)
DAY = Parsed("day", _day)
TIME = Parsed("time", _time)
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


def _some(context: click.Context, parameter: click.Parameter, files: tuple[str, ...]) -> tuple[str, ...]:
    if not files and not context.resilient_parsing:
        raise click.UsageError(f"{parameter.metavar} is missing: name archives, or `-` for standard input")
    return files


def archives(name: str = "files", metavar: str = "FILE...") -> Callable[[F], F]:
    """Declare the argument for one archive or more."""
    return click.argument(name, nargs=-1, metavar=metavar, type=FILE, callback=_some)


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
    return archives()(containing(allow_empty(show_values(as_json(function)))))


class _Command(click.Command):
    """A command whose help has its options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that are its own, then those that it shares with others."""
        groups: dict[str, list[tuple[str, str]]] = {name: [] for name in ("Options", *_GROUPS)}
        group_of = {name: group for group, names in _GROUPS.items() for name in names.split()}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (record := parameter.get_help_record(ctx)) is not None:
                groups[group_of.get(str(parameter.name), "Options")].append(record)
        for name, records in groups.items():
            if records:
                with formatter.section(name):
                    formatter.write_dl(records)


_GROUPS = {
    "Archives": "at encoding format allow_empty keep keep_times",
    "Sandbox": "seed members faults start pace",
    "Senders": "verify sign secret_files headers trusted_proxies allow_remote timeout",
    "Output": "output labels as_json show_values quiet limit color _click_default_help",
}


def command(group: click.Group | None = None, **settings: Any) -> Callable[[Callable[[Chosen], int]], click.Command]:
    """Make a command, or one of a group, of a function that takes one object; --color comes after its own options."""

    def made(function: Callable[[Chosen], int]) -> click.Command:
        @functools.wraps(function)
        def called(**chosen: Any) -> int:
            return function(Chosen(**chosen))

        return color((group.command if group else click.command)(cls=_Command, **settings)(called))

    return made
