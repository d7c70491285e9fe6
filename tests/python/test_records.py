# SPDX-License-Identifier: MIT
"""Records are plain data: fields by name, read-only, equal and hashed by value; never sequences."""

from __future__ import annotations

import collections
import copy
import dataclasses
import importlib
import inspect
import pickle
import weakref
from typing import Any

import pytest

import bankhook
from bankhook import Evidence
from bankhook._records.record import Record
from bankhook.inbox import Salvaged, salvage
from bankhook.sandbox import Delivery, Fault, Faults
from bankhook.testing import samples
from bankhook.types import Change, ChangeKind, ChangeSubject, FinalState, Lifecycle, StateBefore, Transition

SANDBOX = bankhook.Sandbox(1, members=2, faults=0.1)
EVENT = SANDBOX.create_connection(SANDBOX.member(0))
OUTCOME = bankhook.Tracker().apply(EVENT)
APPLIED = bankhook.Tracker().apply_lines(EVENT.raw, report="specified")
DELIVERY = next(delivery for delivery in SANDBOX.deliveries(1_000) if delivery.fault is not None)
MADE: tuple[Any, ...] = (
    bankhook.rules[0],
    bankhook.diagnose(b"{}")[0],
    salvage(EVENT.raw),
    OUTCOME,
    OUTCOME.changes[0],
    DELIVERY,
    DELIVERY.fault,
    SANDBOX.choices[0],
    Faults(drop=0.02),
    APPLIED,
    APPLIED.verdict_counts[0],
    APPLIED.outcomes[0],
    bankhook.diagnose_lines(EVENT.raw),
    bankhook.transaction_lifecycle,
    bankhook.transaction_lifecycle.transitions[0],
    bankhook.transaction_lifecycle.final_states[0],
    bankhook.transaction_lifecycle.step("created", "store_set_up"),
    samples.all()[0],
    bankhook.Handlers().handle(EVENT),
    bankhook.fields(bankhook.Account)[0],
    bankhook.Tracker().timeline("nobody"),
    bankhook.types.Rejected(1, b"{}"),
    bankhook.diagnose_lines(b"{}").unclean[0],
)
every_record = pytest.mark.parametrize("record", MADE, ids=lambda record: type(record).__name__)


def test_there_is_a_record_of_each_class() -> None:
    modules = (bankhook.types, bankhook.sandbox, samples)
    items = [Salvaged, *(getattr(module, name) for module in modules for name in module.__all__)]
    classes = {item for item in items if inspect.isclass(item)}
    records = {item for item in classes if issubclass(item, Record)} - {Record}
    assert collections.Counter(type(record) for record in MADE) == collections.Counter(records)


@every_record
def test_dataclasses_and_what_reads_them_take_a_record(record: Any) -> None:
    names = record.__match_args__
    assert tuple(field.name for field in dataclasses.fields(record)) == names
    assert isinstance(record, Lifecycle) or dataclasses.replace(record) == record
    assert list(dataclasses.asdict(record)) == list(names)
    assert weakref.ref(record)() is record


def test_a_subclass_has_the_fields_of_its_class_and_its_own() -> None:
    class Noted(Fault):
        note: str = "none"

    fault = DELIVERY.fault
    assert fault is not None
    noted = Noted(**{name: getattr(fault, name) for name in fault.__match_args__}, note="seen")
    assert Noted.__match_args__ == (*Fault.__match_args__, "note")
    assert (noted.kind, noted.note) == (fault.kind, "seen")
    assert noted.replace(note="none") != noted


@every_record
def test_a_record_is_made_of_its_fields_by_position_and_by_name(record: Any) -> None:
    fields = {name: getattr(record, name) for name in record.__match_args__}
    if isinstance(record, Lifecycle):
        return  # which the library alone makes
    assert type(record)(*fields.values()) == type(record)(**fields) == record
    assert hash(type(record)(**fields)) == hash(record)
    assert list(inspect.signature(type(record)).parameters) == list(fields)
    if not any("__repr__" in vars(cls) for cls in type(record).__mro__ if cls not in (Record, object)):  # some are in short
        assert (
            repr(record) == f"{type(record).__name__}({', '.join(f'{name}={value!r}' for name, value in fields.items())})"
        )


@every_record
def test_a_copy_and_what_a_pickle_gives_are_equal(record: Any) -> None:
    for other in (copy.copy(record), copy.deepcopy(record), pickle.loads(pickle.dumps(record)), record.replace()):
        assert type(other) is type(record)
        assert other == record


@every_record
def test_a_record_is_no_sequence(record: Any) -> None:
    assert not isinstance(record, tuple)
    assert record != tuple(record.to_dict().values())
    for use in (iter, len, lambda item: item[0], lambda item: item < item):
        with pytest.raises(TypeError):
            use(record)


@every_record
def test_a_field_can_neither_be_set_nor_deleted_nor_added(record: Any) -> None:
    before = record.replace()
    name = record.__match_args__[0]
    for field in (name, "note"):
        with pytest.raises(AttributeError):
            setattr(record, field, 1)
        with pytest.raises(AttributeError):
            delattr(record, field)
    record.__init__(*reversed(before.to_dict().values()))
    assert record == before
    assert not hasattr(record, "__dict__")


def test_records_of_two_classes_differ_even_with_equal_fields() -> None:
    transition = Transition("a", "b", "c", Evidence.STATED, "1", StateBefore.STATED)

    class Other(Record):
        from_: str
        trigger: str
        to: str
        evidence: Evidence
        section: str
        before: StateBefore

    assert Other("a", "b", "c", Evidence.STATED, "1", StateBefore.STATED) != transition


def test_replace_changes_what_is_named_and_nothing_else() -> None:
    faults = Faults(drop=0.5)
    assert faults.replace(mutate=0.25) == Faults(drop=0.5, mutate=0.25)
    assert faults == Faults(drop=0.5)
    with pytest.raises(TypeError, match=r"Faults\(\) got an unexpected keyword argument 'drops'"):
        faults.replace(drops=0.25)


@pytest.mark.parametrize(
    ("values", "named", "said"),
    [
        ((), {}, "FinalState() misses arguments: state, evidence, section"),
        (("deleted",), {"section": "6.2"}, "FinalState() misses arguments: evidence"),
        (("deleted", Evidence.STATED, "6.2", 4), {}, "FinalState() takes at most 3 arguments, found 4"),
        (("deleted",), {"state": "created"}, "FinalState() got two values for argument 'state'"),
        ((), {"states": "created"}, "FinalState() got an unexpected keyword argument 'states'; did you mean 'state'?"),
        ((), {"x": "created"}, "FinalState() got an unexpected keyword argument 'x'"),
    ],
)
def test_wrong_arguments_are_a_type_error_that_names_them(values: Any, named: Any, said: str) -> None:
    with pytest.raises(TypeError) as raised:
        FinalState(*values, **named)
    assert str(raised.value) == said


class Lists(Record):
    items: tuple[Any, ...]


def test_a_record_becomes_a_dict_with_what_lies_in_it() -> None:
    fault = Fault(bankhook.sandbox.FaultKind.DROP, 1, "w", "f", 0, 0, bankhook.sandbox.DetectedBy.RULE, "a")
    shown = Delivery(b"{}", 1, fault, b"{}").to_dict()
    assert shown == {"payload": b"{}", "number": 1, "fault": fault.to_dict(), "original": b"{}"}
    assert shown["fault"]["rule"] == "a"
    assert Lists(("a", fault)).to_dict() == {"items": ["a", fault.to_dict()]}


def test_a_match_takes_fields_by_position_and_by_name() -> None:
    match Change(ChangeKind.ADDED, ChangeSubject.MEMBER, "m", None, None, None, None, False):
        case Change(kind, subject, id_, before_wire=None):
            assert (kind, subject, id_) == (ChangeKind.ADDED, ChangeSubject.MEMBER, "m")
        case _:
            pytest.fail("the fields are not matched")


def test_a_slice_of_findings_is_findings() -> None:
    findings = bankhook.diagnose(b'{"event": 1, "customer": 2}')
    assert type(findings[1:]) is bankhook.types.Findings
    assert findings[1:] == tuple(findings)[1:]
    assert findings[0] is next(iter(findings))


@pytest.mark.parametrize(
    "value", [EVENT, EVENT.customer, OUTCOME, bankhook.rules[0], DELIVERY], ids=lambda value: type(value).__name__
)
def test_rich_prints_the_fields_one_by_one(value: Any) -> None:
    pretty = importlib.import_module("rich.pretty")
    named = dict(value.__rich_repr__())
    assert list(named) == [name for name in value.__match_args__ if name in named]
    assert all(getattr(value, name) is not None or one is None for name, one in named.items())
    lines = pretty.pretty_repr(value, max_width=60).splitlines()
    assert lines[0] == f"{type(value).__name__}("
    assert sum(line.startswith("    ") and line[4] not in " )]" for line in lines) == len(value.__match_args__)


def test_a_context_keeps_its_transaction_when_a_field_is_replaced() -> None:
    transaction: Any = object()
    context = bankhook.HandlerContext("credit", OUTCOME, None, None, None, None, lambda: transaction)
    assert context.replace(handler="debit").begin() is transaction


def test_without_an_inbox_there_is_no_transaction_to_begin() -> None:
    context = bankhook.HandlerContext("credit", OUTCOME, None, None, None)
    with pytest.raises(RuntimeError, match="credit: there is no transaction, since no inbox calls the handler"):
        context.begin()
