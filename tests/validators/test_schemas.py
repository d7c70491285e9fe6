# SPDX-License-Identifier: MIT
"""ajv in strict mode and Python's jsonschema reject what the library rejects, wherever a schema can say why."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, TypeAlias, get_args

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import bankhook
from bankhook.testing import samples, strategies
from validators.mutations import mutated
from validators.outside import ajv, jsonschema_of_python

pytestmark = pytest.mark.slow

Validator: TypeAlias = Callable[[list[dict[str, Any]], list[bytes]], list[bool]]

EVENTS = tuple(cls for cls in get_args(bankhook.AnyEvent) if cls is not bankhook.UnknownEvent)
RESOURCES = (
    *(bankhook.Account, bankhook.Connection, bankhook.ConnectedCustomer, bankhook.Customer),
    bankhook.InitialTransaction,
)
SCHEMAS = [bankhook.json_schema(cls) for cls in EVENTS]

# The rules that a schema does not say, and why: every other finding makes a payload one that a schema rejects.
BEYOND_ANY_SCHEMA = {
    "text_is_utf8": "a schema is asked when the text was read; many readers take half a surrogate pair",
    "field_names_are_unique": "readers keep one of the two members, and a schema sees no other",
    "nesting_is_bounded": "no keyword counts how deep a value is nested, and the bound is ours",
    "numbers_can_be_held": "of a count, the bound is ours; of an amount, no keyword counts digits",
    "findings_are_bounded": "it is about the report and not about the payload",
}
# A schema is a promise to other systems: of what is only reported, it says what the specification states, no more.
BEYOND_A_SCHEMA = BEYOND_ANY_SCHEMA | {
    rule.id: f"{rule.evidence}, not stated"
    for rule in bankhook.rules
    if rule.severity == "warning" and rule.evidence != "stated" and rule.id not in BEYOND_ANY_SCHEMA
}


# Its list of findings ends before the ones that a schema would agree with.
TOO_MANY = "more_findings_than_are_listed"


def breaks_what_a_schema_says(payload: bytes) -> bool:
    return any(finding.rule not in BEYOND_A_SCHEMA for finding in bankhook.diagnose(payload))


@cache
def drawn_payloads() -> list[bytes]:
    """Events that Hypothesis makes, those that keep all rules and those that keep none; the same ones in every run."""
    drawn: list[bytes] = []

    @settings(
        max_examples=600, database=None, derandomize=True, deadline=None, phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )  # fmt: skip
    @given(strategies.payloads(), strategies.payloads(keep_rules=False))
    def draw(kept: bytes, any_: bytes) -> None:
        drawn.extend((kept, any_))

    draw()
    return drawn


def assert_all_agree(payloads: list[bytes]) -> None:
    """That both validators accept exactly the payloads in which the library finds nothing that a schema says."""
    expected = [not breaks_what_a_schema_says(payload) for payload in payloads]
    assert True in expected and False in expected
    for validator in (ajv, jsonschema_of_python):
        said = zip(payloads, validator(SCHEMAS, payloads), expected, strict=True)
        differ = [payload for payload, is_accepted, is_right in said if is_accepted != is_right]
        assert not differ, f"{validator.__name__}, {len(differ)} of {len(payloads)}: {min(differ, key=len)!r}"


def test_what_is_beyond_a_schema_are_rules_of_the_catalogue_and_not_all() -> None:
    assert BEYOND_A_SCHEMA.keys() < {rule.id for rule in bankhook.rules}


def test_strict_mode_takes_the_schema_of_every_class() -> None:
    assert ajv([bankhook.json_schema(cls) for cls in (*EVENTS, *RESOURCES)], []) == []


@pytest.mark.parametrize("validator", [ajv, jsonschema_of_python])
def test_every_valid_sample_is_accepted(validator: Validator) -> None:
    assert all(validator(SCHEMAS, [sample.payload for sample in samples.valid()]))


@pytest.mark.parametrize("validator", [ajv, jsonschema_of_python])
def test_every_other_sample_is_rejected_if_a_schema_can_say_why(validator: Validator) -> None:
    wrong = [sample for sample in samples.all() if breaks_what_a_schema_says(sample.payload)]
    said = validator(SCHEMAS, [sample.payload for sample in wrong])
    assert [sample.name for sample, is_accepted in zip(wrong, said, strict=True) if is_accepted] == []
    assert len(wrong) > len(samples.invalid()) / 2


def test_all_samples_in_which_a_schema_finds_nothing_are_accepted() -> None:
    others = [one for one in samples.all() if one.event is not None and not breaks_what_a_schema_says(one.payload)]
    accepted = [one.payload for one in others]
    assert ajv(SCHEMAS, accepted) == jsonschema_of_python(SCHEMAS, accepted) == [True] * len(accepted)


def test_validators_and_library_agree_on_drawn_events() -> None:
    assert_all_agree(drawn_payloads())


def test_validators_and_library_agree_on_mutated_events() -> None:
    random = Random(20)
    assert_all_agree([mutated(payload, random) for payload in drawn_payloads() * 2])


def test_validators_and_library_agree_on_mutated_samples() -> None:
    random = Random(3)
    texts = [sample.payload for sample in samples.all() if sample.event is not None and sample.name != TOO_MANY]
    assert_all_agree([mutated(text, random) for text in texts for _ in range(50)])


def test_a_day_is_accepted_exactly_if_it_exists() -> None:
    event = json.loads(samples.get("connection_created").payload)
    member = "transactionsEligibleFromDate"
    assert member in event["connection"]
    days = [
        f"{year:04}-{month:02}-{day:02}"
        for year in (1, 4, 100, 400, 1900, 1999, 2000, 2016, 2023, 2024, 2030, 2100, 9999)
        for month in (1, 2, 3, 4, 9, 11, 12)
        for day in (0, 1, 28, 29, 30, 31, 32)
    ]
    assert_all_agree([json.dumps(event | {"connection": event["connection"] | {member: day}}).encode() for day in days])
