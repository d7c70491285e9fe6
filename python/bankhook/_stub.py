# SPDX-License-Identifier: MIT
"""The stub of the compiled module, written from its own member tables: `python -m bankhook._stub > _core.pyi`."""

from __future__ import annotations

import enum
import sys
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from bankhook import _core
from bankhook._lifecycles import Lifecycle
from bankhook._stub_follow import FOLLOW

__all__ = ["stub"]

_WIDTH = 120

_HEAD = '''\
# SPDX-License-Identifier: MIT
# Written by `python -m bankhook._stub`; a test compares it. Do not edit.
import datetime
import enum
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, ClassVar, Literal, Self, TypeAlias, final

from typing_extensions import Buffer

from bankhook._batches import FollowedLines, JudgedLines
from bankhook._deliveries import Choice, Delivery
from bankhook._follow import Outcome
from bankhook._lifecycles import Lifecycle
from bankhook._timeline import Timeline
from bankhook._values import Absent, Finding, ParseError, Rule

__version__: str
'''

_SANDBOX = """\
@final
class _Sandbox:
{operations}
    def send_made_up(self, member: str, /) -> tuple[InitialTransactionUpdate]: ...
    def send(
        self,
        member: str,
        amount: Decimal | int,
        store_external_id: str | None,
        place_id: str | None,
        store_name: str | None,
        transaction_date: datetime.date,
        /,
    ) -> tuple[InitialTransactionUpdate]: ...
    def validate(self, transaction: str, matched: bool, /) -> tuple[InitialTransactionUpdate]: ...
    def reject(self, transaction: str, reason: str, /) -> tuple[InitialTransactionUpdate]: ...
    def next(self) -> Delivery: ...
    def events(self) -> int: ...
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

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths, as they were given."""
    def __call__(self, payload: Buffer | str, /) -> tuple[Any, ...]: ...
'''


_BATCHES = '''\
def is_clean(payload: Buffer | str, /) -> bool:
    """{is_clean}"""

def judge_lines(lines: Buffer | str, /, *, start: int = 0, before: int = 0, most: int | None = None) -> JudgedLines:
    """{judge_lines}"""
'''


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
        *(_enum_stub(value) for value in vars(_core).values() if isinstance(value, enum.EnumType)),
        "".join(_lifecycle_stub(name, value) for name, value in vars(_core).items() if isinstance(value, Lifecycle)),
        *(_class_stub(cls, [_Member(*member) for member in members], is_event) for cls, members, is_event in classes),
        _SELECTOR.format(doc=_doc_of(_core.Selector)),
        f"AnyEvent: TypeAlias = {' | '.join(events)}\n",
        "rules: tuple[Rule, ...]\n",
        FOLLOW,
        _function("def parse(payload: Buffer | str, /, *, strict: bool = False) -> AnyEvent:", _doc_of(_core.parse)),
        _function("def check(event: AnyEvent, /) -> tuple[Finding, ...]:", _doc_of(_core.check)),
        _function("def diagnose(payload: Buffer | str, /) -> tuple[Finding, ...]:", _doc_of(_core.diagnose)),
        _function(
            "def explain(\n    what: ParseError | Finding | Iterable[Finding], payload: Buffer | str, /, *, "
            "show_values: bool = False\n) -> str:",
            _doc_of(_core.explain),
        ),
        _BATCHES.format(is_clean=_indented(_doc_of(_core.is_clean)), judge_lines=_indented(_doc_of(_core.judge_lines))),
        _function("def restore(cls: type, json: bytes, /) -> Any:", _doc_of(_core.restore)),
        _sandbox_stub(),
        _function("def select(*paths: str) -> Selector:", _doc_of(_core.select)),
        "def _events(more: Callable[[], bytes], refuse: Callable[[int, bytes], object], /) -> Iterator[AnyEvent]: ...\n"
        "def _json_schema(cls: type) -> str: ...\ndef _asyncapi() -> str: ...\n",
        "def _describe() -> list[tuple[type, list[tuple[str, str, str, bool]], bool]]: ...\n",
    ]
    return "\n".join(parts)


def _enum_stub(cls: enum.EnumType) -> str:
    members = [f'    {member.name} = "{member.value}"\n' for member in list[enum.Enum](cls)]
    return f'@final\nclass {cls.__name__}(enum.StrEnum):\n    """{cls.__doc__}"""\n\n' + "".join(members)


def _lifecycle_stub(name: str, lifecycle: Lifecycle[str, str]) -> str:
    return f"{name}: Lifecycle[{type(lifecycle.states[0]).__name__}, {type(lifecycle.triggers[0]).__name__}]\n"


def _sandbox_stub() -> str:
    line = "    def {}(self, id: str, /) -> tuple[BankConnectionsUpdateV2]: ..."
    return _SANDBOX.format(operations="\n".join(line.format(name) for name in _BANK_OPERATIONS))


def _class_stub(cls: type, members: list[_Member], is_event: bool) -> str:
    positions = ", ".join(f'"{name}"' for name in vars(cls)["__match_args__"])
    comma = "," if positions.count('"') == 2 else ""
    text = f'@final\nclass {cls.__name__}:\n    """{cls.__doc__}"""\n\n    __match_args__ = ({positions}{comma})\n'
    text += _method("__init__", "self", [member.argument(required=member.required) for member in members], "None")
    for member in members:
        text += f"    @property\n    def {member.name}(self) -> {member.read}: ...\n"
    if is_event and all(member.name != "raw" for member in members):
        text += '    @property\n    def raw(self) -> bytes:\n        """The payload as it was received."""\n'
    changes = [member.argument(required=False) for member in members]
    text += _method("replace", "self", changes, "Self", doc=_doc_of(vars(cls)["replace"]))
    text += _method("__replace__", "self", changes, "Self")
    return text + "".join(_common_methods(cls))


def _common_methods(cls: type) -> Iterator[str]:
    for name, result in (("to_json", "bytes"), ("to_dict", "dict[str, Any]")):
        yield f'    def {name}(self) -> {result}:\n        """{_doc_of(vars(cls)[name])}"""\n'
    yield "    def __copy__(self) -> Self: ...\n"
    yield "    def __deepcopy__(self, memo: dict[int, Any], /) -> Self: ...\n"
    yield "    def __reduce__(self) -> tuple[Any, ...]: ...\n"
    yield "    def __eq__(self, other: object, /) -> bool: ...\n"
    yield "    def __hash__(self) -> int: ...\n"


def _method(name: str, first: str, keywords: list[str], result: str, *, doc: str = "") -> str:
    line = f"    def {name}({first}, *, {', '.join(keywords)}) -> {result}:"
    if len(line) > _WIDTH - len(" ..."):
        arguments = "".join(f"        {argument},\n" for argument in (first, "*", *keywords))
        line = f"    def {name}(\n{arguments}    ) -> {result}:"
    return f'{line}\n        """{doc}"""\n' if doc else f"{line} ...\n"


def _function(line: str, doc: str) -> str:
    text = textwrap.indent(f'"""{doc}"""', "    ")
    return f"{line}\n{text}\n"


def _indented(doc: str) -> str:
    return textwrap.indent(doc, "    ").lstrip()


def _doc_of(function: object) -> str:
    return (function.__doc__ or "").strip()


if __name__ == "__main__":
    sys.stdout.write(stub())
