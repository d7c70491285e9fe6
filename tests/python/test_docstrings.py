# SPDX-License-Identifier: MIT
"""Everything public says what it is: at run time, in the stub and in the schemas, from one source."""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.util
import inspect
import pydoc
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from types import GetSetDescriptorType, MemberDescriptorType, MethodDescriptorType, ModuleType
from typing import Any

import pytest

import bankhook
from bankhook import _core
from bankhook._records.record import Record

ADAPTERS = (
    *(f"integrations.{name}" for name in ("cattrs", "fastapi", "pydantic")),
    *(f"testing.{name}" for name in ("pytest_plugin", "samples", "strategies")),
)
MODULES = (
    "bankhook",
    "bankhook.inbox",
    "bankhook.receiver",
    "bankhook.sandbox",
    "bankhook.testing",
    "bankhook.types",
    *(f"bankhook.{name}" for name in ADAPTERS),
    *(["bankhook.spark"] if importlib.util.find_spec("pyspark") else []),
)
DESCRIBED = {cls: bankhook.fields(cls) for cls in _core._classes}
SOURCES = Path(__file__).parents[2] / "python" / "bankhook"
BINDINGS = Path(__file__).parents[2] / "bindings"
WITH_SCHEMA = [cls for cls in DESCRIBED if cls is not bankhook.UnknownEvent]
STUB = ast.parse((SOURCES / "_core.pyi").read_text(encoding="utf-8"))


def own_members(cls: type) -> dict[str, object]:
    """Its public members, and those of the bases of this package that it is made of."""
    bases = [base for base in reversed(cls.__mro__) if base.__module__.startswith("bankhook") and base is not Record]
    return {name: member for base in bases for name, member in vars(base).items() if not name.startswith("_")}


def public() -> Iterator[tuple[str, object]]:
    """Every public module, class and function, and the public members of the classes."""
    for module in map(importlib.import_module, MODULES):
        yield module.__name__, module
        for name in module.__all__:
            item = getattr(module, name)
            yield f"{module.__name__}.{name}", item
            if inspect.isclass(item):
                for member in own_members(item):
                    yield f"{module.__name__}.{name}.{member}", getattr(item, member)


def is_callable(item: object) -> bool:
    return inspect.isroutine(item) or inspect.isclass(item)


def is_documented(item: object) -> bool:
    """Values have no docstring of their own, and neither have the fields of dataclasses; records have a test of their own."""
    kinds = (ModuleType, property, staticmethod, GetSetDescriptorType, MemberDescriptorType, MethodDescriptorType)
    is_field = isinstance(item, MemberDescriptorType) and (
        is_dataclass(item.__objclass__) or issubclass(item.__objclass__, Record)
    )
    return is_callable(item) or (isinstance(item, kinds) and not is_field)


PUBLIC = dict(public())
DOCUMENTED = {name: item for name, item in PUBLIC.items() if is_documented(item)}
CALLABLE = {name: item for name, item in PUBLIC.items() if is_callable(item)}
RECORDS = {name: item for name, item in PUBLIC.items() if inspect.isclass(item) and issubclass(item, Record)}


def test_the_walk_sees_what_is_public() -> None:
    assert {"bankhook.parse", "bankhook.Account.id", "bankhook.Tracker.apply"} <= set(DOCUMENTED)
    assert {"bankhook.types.Finding", "bankhook.testing.samples.Sample"} <= set(RECORDS)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_first_line_says_in_one_sentence_what_it_is(name: str) -> None:
    first, *rest = (inspect.getdoc(DOCUMENTED[name]) or "").split("\n")
    assert re.fullmatch(r"\S.*[.:]", first), first
    assert not re.search(r"[a-z)]\. [A-Z]", first), "more than one sentence"
    assert rest[:1] in ([], [""]), "the first line is no paragraph of its own"


@pytest.mark.parametrize("name", CALLABLE)
def test_a_signature_can_be_read(name: str) -> None:
    item: Any = CALLABLE[name]
    if item is _core.Selector or (inspect.isclass(item) and issubclass(item, (BaseException, str))):
        return  # not made by calling them, or as their base says
    signature = inspect.signature(item)
    if inspect.isfunction(item):
        taken = [parameter.annotation for name, parameter in signature.parameters.items() if name != "self"]
        assert inspect.Signature.empty not in (signature.return_annotation, *taken)


@pytest.mark.parametrize("name", RECORDS)
def test_help_shows_each_field_of_a_record_with_a_sentence(name: str) -> None:
    cls: Any = RECORDS[name]
    shown = " ".join(pydoc.plain(pydoc.render_doc(cls)).replace("|", "").split())
    for field in cls.__match_args__:
        text = inspect.getdoc(getattr(cls, field)) or ""
        assert re.fullmatch(r"\S.*\.", text, re.DOTALL), field
        assert f"{field} {' '.join(text.split())}" in shown


# The methods whose example is that of their class: it calls them.
BY_CLASS = ("Sandbox.", "Handlers.", "inbox.DeliveryStore.", "inbox.Inbox.", "receiver.Receiver.")
FUNCTIONS = {
    name: item
    for name, item in CALLABLE.items()
    if not inspect.isclass(item) and ".pytest_plugin." not in name  # fixtures are called by pytest
}
EXAMPLES = {text: name for name, item in PUBLIC.items() if ">>> " in (text := inspect.getdoc(item) or "")}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_takes_and_returns_and_shows_it(name: str) -> None:
    item: Any = FUNCTIONS[name]
    text, signature = inspect.getdoc(item) or "", inspect.signature(item)
    for parameter in signature.parameters:
        if parameter != "self":
            assert re.search(rf"^(\*\*?)?([\w, ]+, )?{parameter}(, [\w, ]+)?( :|$)", text, re.MULTILINE), parameter
    is_silent = signature.return_annotation in (None, "None") or not re.match("Return|Iterate|Yield", text)
    assert is_silent or re.search(r"^Returns\n-+$", text, re.MULTILINE)
    if name.removeprefix("bankhook.").startswith(BY_CLASS):
        owner, _, method = name.rpartition(".")
        text = inspect.getdoc(PUBLIC[owner]) or ""
        assert re.search(rf"^(>>>|\.\.\.).*\.{method}\b", text, re.MULTILINE) or ">>>" in (
            inspect.getdoc(PUBLIC[name]) or ""
        )
    else:
        assert ">>> " in text


# The classes that users make, each with all of its arguments and an example.
MADE = ("Handlers", "JointAccounts", "Sandbox", "Tracker", "receiver.Receiver")


@pytest.mark.parametrize("name", MADE)
def test_a_class_says_what_its_constructor_takes_and_shows_it(name: str) -> None:
    item: Any = CALLABLE[f"bankhook.{name}"]
    text = inspect.getdoc(item) or ""
    for parameter in inspect.signature(item).parameters:
        assert parameter.startswith("_") or re.search(rf"^(\*\*)?{parameter} : ", text, re.MULTILINE), parameter
    assert ">>> " in text


@pytest.mark.slow
@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: EXAMPLES[text])
def test_the_example_of_a_docstring_prints_what_it_says(text: str, tmp_path: Path) -> None:
    names = {name: getattr(bankhook, name) for name in bankhook.__all__} | {"bankhook": bankhook, "tmp_path": tmp_path}
    printed: list[str] = []
    example = doctest.DocTestParser().get_doctest(text, names, EXAMPLES[text], None, 0)
    assert example.examples
    doctest.DocTestRunner(verbose=False).run(example, out=printed.append)
    assert printed == []


@pytest.mark.parametrize("path", [*SOURCES.rglob("*.py"), *BINDINGS.glob("*.hpp")], ids=lambda path: path.name)
def test_docstrings_have_sections_and_no_fields_of_sphinx(path: Path) -> None:
    fields = re.findall(r"^\s*:(?:param|returns?|raises|type|rtype)\b.*", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert fields == []


def test_help_shows_what_the_sandbox_takes() -> None:
    shown = pydoc.plain(pydoc.render_doc(bankhook.Sandbox))
    for parameter in inspect.signature(bankhook.Sandbox).parameters:
        assert re.search(rf"^ \|  (\*\*)?{parameter} : ", shown, re.MULTILINE), parameter
    assert "without faults" in shown


@pytest.mark.parametrize("cls", DESCRIBED, ids=lambda cls: cls.__name__)
def test_a_field_documents_its_meaning_its_section_and_its_type(cls: type) -> None:
    for field in DESCRIBED[cls]:
        first, empty, values = (inspect.getdoc(vars(cls)[field.name]) or "").split("\n")
        assert first == f"{field.meaning} (spec {field.section})."
        assert empty == ""
        assert values == field.type or values.startswith(f"{field.type}: ")
        assert field.nullable == ("None is null" in values)
        assert (not field.required) == ("ABSENT where the payload has no such field" in values)


def test_docstrings_read_well() -> None:
    assert inspect.getdoc(bankhook.Account) == "A bank account linked to a connection (spec 2.3)."
    assert inspect.getdoc(bankhook.Account.account_hash) == (
        "Opaque hash of the account IBAN; accounts that share it are the same real bank account (spec 2.3).\n\n"
        "str | None: None is null."
    )
    assert inspect.getdoc(bankhook.Connection.consent_expires_at) == (
        "End of consent for this connection; date and time with fractional seconds, in the form "
        "`YYYY-MM-DD HH:MM:SS.ffff`; no zone is given and none is added (spec 2.2).\n\n"
        "datetime.datetime | Absent: naive; ABSENT where the payload has no such field."
    )
    assert str(inspect.signature(bankhook.Account)) == "(*, id, account_hash)"


@pytest.mark.parametrize("cls", WITH_SCHEMA, ids=lambda cls: cls.__name__)
def test_the_schema_says_the_same_as_the_docstrings(cls: type) -> None:
    schema = bankhook.json_schema(cls)
    assert inspect.getdoc(cls) == f"{schema['description']} ({schema['$comment'].replace('section', 'spec')})."
    said = [property["description"] for property in schema["properties"].values()]
    docs = [inspect.getdoc(vars(cls)[field.name]) or "" for field in DESCRIBED[cls]]
    assert said == [doc.partition(" (spec ")[0] for doc in docs]


def test_the_stub_has_every_docstring_that_is_there_at_run_time() -> None:
    for node in STUB.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in bankhook.__all__:
            item = getattr(_core, node.name)
            assert ast.get_docstring(node) == inspect.getdoc(item), node.name
            for member in node.body if isinstance(node, ast.ClassDef) else []:
                if isinstance(member, ast.FunctionDef) and not member.name.startswith("_"):
                    assert ast.get_docstring(member) == inspect.getdoc(getattr(item, member.name)), member.name
