# SPDX-License-Identifier: MIT
"""Lifecycles: what leads to which state, what that rests on, and pictures of it; spec 3.1 and 6.2."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any
from xml.etree import ElementTree

import pytest

import bankhook
from bankhook import (
    ConnectionEventType,
    Evidence,
    TransactionStatus,
    Verdict,
    connection_lifecycle,
    transaction_lifecycle,
)
from bankhook.types import ConnectionState, FinalState, Lifecycle, Step, TransactionTrigger, Transition
from installed import need_programs

LIFECYCLES: list[Lifecycle[Any, Any]] = [transaction_lifecycle, connection_lifecycle]
SVG = "{http://www.w3.org/2000/svg}"


def rows(records: tuple[Transition[Any, Any] | FinalState[Any], ...]) -> list[tuple[Any, ...]]:
    """The fields of rows of a lifecycle."""
    return [tuple(record.to_dict().values()) for record in records]


def expected(lifecycle: Lifecycle[Any, Any]) -> list[tuple[Any, ...]]:
    """The same of the rows that are expected and change the state, or are no list's."""
    return rows(tuple(row for row in lifecycle.transitions if row.is_expected and "listed" not in row.trigger))


lifecycles = pytest.mark.parametrize("lifecycle", LIFECYCLES, ids=repr)


def test_a_transaction_has_the_states_of_its_status() -> None:
    """Spec 3.1."""
    assert transaction_lifecycle.states == tuple(TransactionStatus)
    assert transaction_lifecycle.triggers == tuple(TransactionTrigger)


def test_a_connection_is_led_on_by_its_event_types_and_by_lists() -> None:
    """Spec 6.2 and 2.1; 3.2 shows no states, those are ours."""
    assert connection_lifecycle.states == tuple(ConnectionState)
    assert connection_lifecycle.triggers == (*ConnectionEventType, "listed", "not_listed")


def test_states_and_triggers_are_their_text() -> None:
    assert transaction_lifecycle.states == ("created", "validated", "rejected")
    assert transaction_lifecycle.triggers == ("submitted", "store_set_up", "store_not_set_up")
    assert connection_lifecycle.states == ("listed", "created", "updated", "deleted", "unlisted")


def test_which_state_precedes_validated_and_rejected_is_assumed() -> None:
    """Spec 3.1: that the trigger leads to the state is stated."""
    assert expected(transaction_lifecycle) == [
        (None, "submitted", "created", "stated", "3.1", "stated"),
        ("created", "store_set_up", "validated", "stated", "3.1", "assumed"),
        ("created", "store_not_set_up", "rejected", "stated", "3.1", "assumed"),
    ]
    assert rows(transaction_lifecycle.final_states) == [("validated", "assumed", "3.1"), ("rejected", "assumed", "3.1")]


@lifecycles
def test_every_state_answers_to_every_trigger(lifecycle: Lifecycle[Any, Any]) -> None:
    pairs = [(row.from_, row.trigger) for row in lifecycle.transitions]
    assert len(pairs) == len(set(pairs)) == (len(lifecycle.states) + 1) * len(lifecycle.triggers)


def test_a_transaction_is_submitted_first_only_once() -> None:
    """Spec 3.1."""
    never = tuple(row for row in transaction_lifecycle.transitions if row.to is None)
    assert rows(never) == [(state, "submitted", None, "assumed", "3.1", "stated") for state in TransactionStatus]


def test_a_connection_is_created_then_updated() -> None:
    """Spec 6.2; that `delete` tells of a deletion is assumed."""
    assert expected(connection_lifecycle) == [
        (None, "create", "created", "stated", "6.2", "stated"),
        ("listed", "create", "created", "stated", "6.2", "stated"),
        ("created", "update", "updated", "stated", "6.2", "stated"),
        ("updated", "update", "updated", "stated", "6.2", "stated"),
        ("created", "delete", "deleted", "assumed", "6.2", "stated"),
        ("updated", "delete", "deleted", "assumed", "6.2", "stated"),
        ("unlisted", "delete", "deleted", "assumed", "6.2", "stated"),
    ]
    assert rows(connection_lifecycle.final_states) == [("deleted", "assumed", "6.2")]


def test_a_stated_edge_is_specified() -> None:
    step = connection_lifecycle.step(None, "create")
    assert step.transition is connection_lifecycle.transitions[0]
    assert step == Step(Verdict.SPECIFIED, ConnectionState.CREATED, connection_lifecycle.transitions[0])


def test_an_edge_from_an_assumed_state_leads_on_and_is_assumed() -> None:
    step = transaction_lifecycle.step(TransactionStatus.CREATED, TransactionTrigger.STORE_SET_UP)
    assert step == Step(Verdict.ASSUMED, TransactionStatus.VALIDATED, transaction_lifecycle.transitions[1])


@pytest.mark.parametrize("state", ["created", "updated", "deleted", "unlisted"])
def test_a_create_after_an_event_of_its_own_never_happens(state: str) -> None:
    step = connection_lifecycle.step(state, "create")
    assert (step.verdict, step.to, step.transition.to) == (Verdict.UNSPECIFIED, None, None)


def test_what_comes_after_an_end_leads_on_and_is_unspecified() -> None:
    step = connection_lifecycle.step("deleted", "update")
    assert (step.verdict, step.to, step.transition.before) == (Verdict.UNSPECIFIED, "updated", "unknown")


def test_a_row_can_be_replaced() -> None:
    changed = connection_lifecycle.with_row("deleted", "listed", "updated", expected=False)
    assert changed is not connection_lifecycle
    assert changed.step("deleted", "listed").to is ConnectionState.UPDATED
    assert changed is connection_lifecycle.with_row("deleted", "listed", "updated", expected=False)
    assert connection_lifecycle.step("deleted", "listed").to is None
    assert pickle.loads(pickle.dumps(changed)) is changed
    assert "other rows" in repr(changed)
    with pytest.raises(ValueError, match="trigger: expected one of"):
        connection_lifecycle.with_row("deleted", "lost", "updated")


def test_a_row_has_its_evidence_and_section() -> None:
    agreed = connection_lifecycle.with_row("updated", "create", None, evidence="stated", section="letter of 3 May")
    row = agreed.step("updated", "create").transition
    assert (row.evidence, row.section) == (Evidence.STATED, "letter of 3 May")
    assert agreed.step("updated", "create").verdict is Verdict.CONTRADICTS
    assert agreed.why_not("updated", "create") == "create never happens in updated (stated, letter of 3 May)"
    shown = connection_lifecycle.with_row("created", "delete", "deleted", evidence=Evidence.EXAMPLE)
    assert shown.step("created", "delete").transition.section == "6.2"
    assert pickle.loads(pickle.dumps(agreed)) is agreed
    assert shown is not agreed
    for wrong, message in (
        ("certain", "evidence: expected one of stated, example, assumed"),
        (None, "expected str, found"),
    ):
        with pytest.raises((ValueError, TypeError), match=message):
            connection_lifecycle.with_row("created", "delete", "deleted", evidence=wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="section: expected str or None, found int"):
        connection_lifecycle.with_row("created", "delete", "deleted", section=6)  # type: ignore[arg-type]


def test_a_state_need_not_be_final() -> None:
    left = transaction_lifecycle.without_final("validated")
    assert [final.state for final in left.final_states] == ["rejected"]
    assert left.transitions == transaction_lifecycle.transitions
    later = left.with_row("validated", "store_not_set_up", "rejected")
    assert later.step("validated", "store_not_set_up").verdict is Verdict.ASSUMED
    assert pickle.loads(pickle.dumps(left)) is left is transaction_lifecycle.without_final("validated")
    assert connection_lifecycle.without_final("deleted").final_states == ()
    with pytest.raises(ValueError, match="state: expected a final state, found created"):
        connection_lifecycle.without_final("created")
    with pytest.raises(ValueError, match="state: expected one of"):
        connection_lifecycle.without_final("lost")


def test_rows_that_make_no_lifecycle_are_refused_by_their_states_and_triggers() -> None:
    with pytest.raises(ValueError) as caught:
        connection_lifecycle.with_row("deleted", "listed", "updated")
    assert str(caught.value) == (
        "deleted by listed: this makes no lifecycle: a row leaves a state that is declared final (deleted by listed)"
    )
    with pytest.raises(ValueError, match="start by submitted: this makes no lifecycle: no row begins"):
        transaction_lifecycle.with_row(None, "submitted", None)
    kept = connection_lifecycle.without_final("deleted").with_row("deleted", "listed", "deleted")
    with pytest.raises(ValueError, match=r"deleted by update: .* no rows lead from it to an end \(deleted\)"):
        kept.with_row("deleted", "update", None)


def test_allowed_are_the_triggers_that_lead_on() -> None:
    assert connection_lifecycle.allowed(None) == ("create", "listed")
    assert connection_lifecycle.allowed("created") == ("update", "delete", "listed")
    assert connection_lifecycle.allowed(ConnectionState.DELETED) == ("not_listed",)


def test_why_not_says_what_is_in_the_way() -> None:
    assert connection_lifecycle.why_not("updated", "create") == "create never happens in updated (assumed, 6.2)"
    assert connection_lifecycle.why_not("deleted", "update") == "update is not expected in deleted (assumed, 6.2)"
    assert connection_lifecycle.why_not(None, "delete") == "delete is not expected before the first state (assumed, 6.2)"
    assert connection_lifecycle.why_not("created", "delete") is None


@lifecycles
def test_all_answers_are_enumerators_and_values_of_the_package(lifecycle: Lifecycle[Any, Any]) -> None:
    for state in (None, *lifecycle.states):
        for trigger in lifecycle.triggers:
            step = lifecycle.step(state, trigger)
            assert type(step) is Step
            assert type(step.verdict) is Verdict
            assert step.to is None or step.to in lifecycle.states
            assert step.to is step.transition.to
            assert (lifecycle.why_not(state, trigger) is None) == step.transition.is_expected
            assert (trigger in lifecycle.allowed(state)) == step.transition.is_expected
    assert {type(transition) for transition in lifecycle.transitions} == {Transition}
    assert {type(transition.evidence) for transition in lifecycle.transitions} == {Evidence}
    assert {type(end) for end in lifecycle.final_states} == {FinalState}


@lifecycles
def test_a_text_is_taken_as_its_enumerator(lifecycle: Lifecycle[Any, Any]) -> None:
    for state in lifecycle.states:
        for trigger in lifecycle.triggers:
            assert lifecycle.step(str(state.value), str(trigger.value)) is lifecycle.step(state, trigger)


CALLS: list[tuple[str, tuple[Any, ...], type[Exception], str]] = [
    ("step", ("lost", "create"), ValueError, "state: expected one of listed, created, updated, deleted, unlisted or None"),
    ("step", ("created", "lose"), ValueError, "trigger: expected one of create, update, delete, listed, not_listed"),
    ("step", ("created", None), TypeError, "trigger: expected str, found NoneType"),
    ("step", (5, "create"), TypeError, "state: expected str or None, found int"),
    ("step", ([], "create"), TypeError, "state: expected str or None, found list"),
    ("allowed", ("lost",), ValueError, "state: expected one of listed, created, updated, deleted, unlisted or None"),
    (
        "why_not",
        ("lost", "create"),
        ValueError,
        "state: expected one of listed, created, updated, deleted, unlisted or None",
    ),
]


@pytest.mark.parametrize(("method", "arguments", "error", "message"), CALLS)
def test_a_wrong_argument_says_what_is_known(
    method: str, arguments: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        getattr(connection_lifecycle, method)(*arguments)
    assert str(caught.value) == message


@lifecycles
def test_a_lifecycle_is_itself_wherever_it_goes(lifecycle: Lifecycle[Any, Any]) -> None:
    assert pickle.loads(pickle.dumps(lifecycle)) is lifecycle
    assert copy.copy(lifecycle) is lifecycle
    assert copy.deepcopy(lifecycle) is lifecycle
    assert eval(repr(lifecycle), {"bankhook": bankhook}) is lifecycle
    assert lifecycle.step(None, lifecycle.triggers[0]) == pickle.loads(
        pickle.dumps(lifecycle.step(None, lifecycle.triggers[0]))
    )


@lifecycles
@pytest.mark.parametrize("name", ["states", "transitions", "more"])
def test_a_lifecycle_does_not_change(lifecycle: Lifecycle[Any, Any], name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(lifecycle, name, ())


def test_a_lifecycle_is_drawn_as_a_state_diagram() -> None:
    assert transaction_lifecycle.to_mermaid().splitlines() == [
        "stateDiagram-v2",
        "    direction LR",
        "    [*] --> created : submitted",
        "    created --> validated : store_set_up (assumed)",
        "    created --> rejected : store_not_set_up (assumed)",
        "    validated --> [*] : assumed",
        "    rejected --> [*] : assumed",
    ]


def drawn_rows(lifecycle: Lifecycle[Any, Any]) -> list[bankhook.types.Transition[Any, Any]]:
    """The rows that are expected, and those without which no row would lead to a state."""
    expected = [row for row in lifecycle.transitions if row.is_expected]
    entered = {row.to for row in expected if row.from_ != row.to}
    return [row for row in lifecycle.transitions if row.is_expected or (row.to is not None and row.to not in entered)]


@lifecycles
def test_a_graph_has_dashed_edges_where_they_are_assumed(lifecycle: Lifecycle[Any, Any]) -> None:
    lines = [line for line in lifecycle.to_dot().splitlines() if " -> " in line]
    drawn = drawn_rows(lifecycle)
    assert len(lines) == len(drawn)
    for line, transition in zip(lines, drawn, strict=True):
        assert ("style=dashed" in line) == transition.is_assumed


@lifecycles
def test_graphviz_draws_every_state_and_edge(lifecycle: Lifecycle[Any, Any]) -> None:
    need_programs("dot")
    text = lifecycle._repr_svg_()
    assert text is not None
    picture = ElementTree.fromstring(text)
    assert "http" not in text.replace("http://www.w3.org", "")
    words = {shape.text for shape in picture.iter(f"{SVG}text")}
    drawn = drawn_rows(lifecycle)
    assert {*lifecycle.states, *(row.trigger for row in drawn)} <= words
    lines = [transition.find(f"{SVG}path") for transition in picture.iter(f"{SVG}g") if transition.get("class") == "edge"]
    dashed = [line is not None and "stroke-dasharray" in line.attrib for line in lines]
    assert sorted(dashed) == sorted(row.is_assumed for row in drawn)


def test_a_lifecycle_is_made_by_the_library_alone() -> None:
    with pytest.raises(TypeError, match="_steps"):
        Lifecycle(*transaction_lifecycle.to_dict().values())


def test_drawing_is_imported_only_where_something_is_drawn() -> None:
    code = "import sys, bankhook; print('bankhook._render' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "False"
