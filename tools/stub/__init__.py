# SPDX-License-Identifier: MIT
"""The stub of the compiled module, written from its own member tables.

`PYTHONPATH=tools python -m stub > python/bankhook/_core.pyi` writes it. The stub is kept beside the sources and a test
compares it. Writing it where the module is built would mean to run the module there, which a cross build cannot; and an
editor, a checker or an editable install sees the sources only.
"""

from __future__ import annotations

import enum
import inspect
import textwrap
from collections.abc import Iterator
from typing import NamedTuple, TypeGuard

from bankhook import _core
from bankhook._records.lifecycles import Lifecycle
from stub.tracking import FOLLOW

__all__ = ["stub"]

_WIDTH = 120

_HEAD = """\
# SPDX-License-Identifier: MIT
# Written by `python -m stub`; a test compares it. Do not edit.
import datetime
import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, ClassVar, Literal, Self, TypeAlias, TypeVar, final

from typing_extensions import Buffer

from bankhook._records.absent import Absent
from bankhook._records.deliveries import Choice, Delivery
from bankhook._records.display import Printer
from bankhook._records.errors import ParseError
from bankhook._records.findings import Finding, Findings, Rule
from bankhook._records.lifecycles import Lifecycle
from bankhook._records.lines import AppliedLines, Source
from bankhook._records.timeline import Timeline
from bankhook._records.tracking import Outcome

_T = TypeVar("_T")

__version__: str
"""

_SANDBOX = """\
@final
class _Sandbox:
{operations}
    def send_made_up(self, member: str, /) -> InitialTransactionUpdate: ...
    def send(
        self,
        member: str,
        amount: Decimal | int,
        store_external_id: str | None,
        place_id: str | None,
        store_name: str | None,
        transaction_date: datetime.date,
        /,
    ) -> InitialTransactionUpdate: ...
    def validate(self, transaction: str, matched: bool, /) -> InitialTransactionUpdate: ...
    def reject(self, transaction: str, reason: str, /) -> InitialTransactionUpdate: ...
    def next(self) -> Delivery: ...
    def event_count(self) -> int: ...
    def copy(self) -> _Sandbox: ...
    def member(self, index: int, /) -> Customer: ...

def _make_sandbox(
    seed: int, sizes: tuple[int, ...], shares: tuple[float, ...], choices: list[tuple[str, str]], /
) -> _Sandbox: ...

_choices: tuple[Choice, ...]
"""

_BANK_OPERATIONS = (
    "create_connection",
    "create_accounts",
    "update_accounts",
    "desynchronise",
    "resynchronise",
    "delete_connection",
    "disable",
)
_SELECTOR = '''\
@final
class Selector:
    """{doc}"""

{paths}    def __call__(self, payload: Buffer | str, /) -> tuple[Any, ...]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
'''


_ARCHIVES = """\
@final
class _ArchiveReader:
    def __iter__(self) -> Self: ...
    def __next__(self) -> Any: ...
    def close(self) -> None: ...

def _read_archive(
    source: object,
    refuse: Callable[[int, bytes], object] | None = None,
    of: type | None = None,
    numbered: bool = False,
    /,
) -> _ArchiveReader: ...
def _diagnose_part(
    reader: _ArchiveReader, /
) -> tuple[int, dict[str | None, int], int, tuple[tuple[int, int, int, bytes], ...]] | None: ...
def _apply_part(
    tracker: Tracker, reader: _ArchiveReader, report: str, member: str | None, /
) -> tuple[Any, ...] | None: ...
"""


_EXCERPTS = """\
_decimals_are_laid_out: bool
_hidden_characters: str

def _excerpts(
    findings: Iterable[Finding], payload: Buffer | str, show_values: bool, /
) -> tuple[tuple[int, str, int, int] | None, ...]: ...
def _path(steps: Iterable[str | int], /) -> tuple[tuple[str | int, ...], str]: ...
def _written(object: object, name: str, /) -> str | None: ...
def _wire_names(cls: type, /) -> tuple[str, ...]: ...
def _escaped(text: str, /) -> str: ...
def _read(source: object, classes: tuple[type, ...], /, *, strict: bool = False) -> Any: ...
"""


class _Member(NamedTuple):
    name: str
    read: str
    taken: str
    required: bool

    def argument(self, *, required: bool) -> str:
        return f"{self.name}: {self.taken}" + ("" if required else " = ...")


def stub() -> str:
    """The text of `_core.pyi`."""
    classes = _core._describe()
    events = [cls.__name__ for cls, _, is_event in classes if is_event]
    parts = [
        _HEAD,
        *(_enum_stub(value) for value in vars(_core).values() if _is_enum(value)),
        "".join(_lifecycle_stub(name, value) for name, value in vars(_core).items() if _is_lifecycle(value)),
        *(_class_stub(cls, [_Member(*member) for member in members], is_event) for cls, members, is_event in classes),
        _SELECTOR.format(doc=_doc_of(_core.Selector), paths=_property(_core.Selector, "paths", "tuple[str, ...]")),
        f"AnyEvent: TypeAlias = {' | '.join(events)}\n",
        "rules: tuple[Rule, ...]\n",
        FOLLOW,
        _documented("def parse(payload: Buffer | str, /, *, strict: bool = False) -> AnyEvent:", _doc_of(_core.parse)),
        _documented("def check(event: AnyEvent, /) -> Findings:", _doc_of(_core.check)),
        _documented("def diagnose(payload: Buffer | str, /) -> Findings:", _doc_of(_core.diagnose)),
        _documented(
            "def explain(\n    what: ParseError | Finding | Iterable[Finding], payload: Buffer | str, /, *, "
            "show_values: bool = False\n) -> str:",
            _doc_of(_core.explain),
        ),
        _documented("def is_clean(payload: Buffer | str, /) -> bool:", _doc_of(_core.is_clean)),
        _ARCHIVES,
        _documented('def restore(cls: type[_T], json: bytes, name: str = "placeId", /) -> _T:', _doc_of(_core.restore)),
        _sandbox_stub(),
        _documented("def select(*paths: str) -> Selector:", _doc_of(_core.select)),
        (
            "def _json_schema(cls: type) -> str: ...\ndef _asyncapi() -> str: ...\n"
            "def _set_place_id_name(name: str, /) -> None: ...\ndef _place_id_name() -> str: ...\n"
            "def _rules_in_force() -> tuple[Rule, ...]: ...\n"
        ),
        _EXCERPTS,
        "def _describe() -> list[tuple[type, list[tuple[str, str, str, bool]], bool]]: ...\n",
    ]
    return "\n".join(parts)


def _enum_stub(cls: type[enum.Enum]) -> str:
    members = [f'    {member.name} = "{member.value}"\n' for member in cls]
    return f'@final\nclass {cls.__name__}(enum.StrEnum):\n    """{cls.__doc__}"""\n\n' + "".join(members)


def _is_enum(value: object) -> TypeGuard[type[enum.Enum]]:
    return isinstance(value, enum.EnumType)


def _is_lifecycle(value: object) -> TypeGuard[Lifecycle[str, str]]:
    return isinstance(value, Lifecycle)


def _lifecycle_stub(name: str, lifecycle: Lifecycle[str, str]) -> str:
    return f"{name}: Lifecycle[{type(lifecycle.states[0]).__name__}, {type(lifecycle.triggers[0]).__name__}]\n"


def _sandbox_stub() -> str:
    line = "    def {}(self, id: str, /) -> BankConnectionsUpdateV2: ..."
    return _SANDBOX.format(operations="\n".join(line.format(name) for name in _BANK_OPERATIONS))


def _class_stub(cls: type, members: list[_Member], is_event: bool) -> str:
    text = f'@final\nclass {cls.__name__}:\n    """{_doc_of(cls)}"""\n\n'
    text += _match_args([f'"{name}"' for name in vars(cls)["__match_args__"]])
    text += _method("__init__", "self", [member.argument(required=member.required) for member in members], "None")
    for member in members:
        text += _property(cls, member.name, member.read)
    if is_event and all(member.name != "raw" for member in members):
        text += _property(cls, "raw", "bytes")
    changes = [member.argument(required=False) for member in members]
    text += _method("replace", "self", changes, "Self", doc=_doc_of(vars(cls)["replace"]))
    text += _method("__replace__", "self", changes, "Self")
    return text + "".join(_common_methods(cls))


def _match_args(names: list[str]) -> str:
    line = f"    __match_args__ = ({', '.join(names)}{',' if len(names) == 1 else ''})\n"
    if len(line) <= _WIDTH:
        return line
    return "    __match_args__ = (\n" + "".join(f"        {name},\n" for name in names) + "    )\n"


def _property(cls: type, name: str, read: str) -> str:
    return f"    @property\n{_documented(f'    def {name}(self) -> {read}:', _doc_of(vars(cls)[name]))}"


def _common_methods(cls: type) -> Iterator[str]:
    yield _method_with_doc(cls, "def to_json(self) -> bytes:")
    yield "    @classmethod\n" + _method_with_doc(cls, "def from_json(cls, payload: Buffer | str, /) -> Self:")
    yield _method_with_doc(cls, "def to_dict(self) -> dict[str, Any]:")
    yield "    @classmethod\n" + _method_with_doc(cls, "def from_dict(cls, mapping: Mapping[str, Any], /) -> Self:")
    yield _method_with_doc(cls, "def to_wire(self, *, number: Callable[[str], object] | None = None) -> dict[str, Any]:")
    yield "    @classmethod\n" + _method_with_doc(cls, "def from_wire(cls, mapping: Mapping[str, Any], /) -> Self:")
    yield "    def _repr_html_(self) -> str: ...\n"
    yield "    def _repr_pretty_(self, printer: Printer, cycle: bool, /) -> None: ...\n"
    yield "    def __copy__(self) -> Self: ...\n"
    yield "    def __deepcopy__(self, memo: dict[int, Any], /) -> Self: ...\n"
    yield "    def __reduce__(self) -> tuple[Any, ...]: ...\n"
    yield "    def __eq__(self, other: object, /) -> bool: ...\n"
    yield "    def __hash__(self) -> int: ...\n"


def _method_with_doc(cls: type, line: str) -> str:
    name = line.removeprefix("def ").partition("(")[0]
    return _documented("    " + line, _doc_of(getattr(cls, name)))


def _method(name: str, first: str, keywords: list[str], result: str, *, doc: str = "") -> str:
    line = f"    def {name}({first}, *, {', '.join(keywords)}) -> {result}:"
    if len(line) > _WIDTH - len(" ..."):
        arguments = "".join(f"        {argument},\n" for argument in (first, "*", *keywords))
        line = f"    def {name}(\n{arguments}    ) -> {result}:"
    return _documented(line, doc) if doc else f"{line} ...\n"


def _documented(line: str, doc: str) -> str:
    """The head of a function, indented or not, and its docstring below it."""
    indent = line[: len(line) - len(line.lstrip())] + "    "
    end = f"\n{indent}" if "\n" in doc else ""
    return f'{line}\n{indent}"""{textwrap.indent(doc, indent).lstrip()}{end}"""\n'


def _doc_of(documented: object) -> str:
    return inspect.cleandoc(documented.__doc__ or "")
