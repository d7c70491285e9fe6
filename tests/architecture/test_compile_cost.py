# SPDX-License-Identifier: MIT
"""What including a public header costs the compiler stays within a tenth of what is recorded."""

from __future__ import annotations

import pytest

from architecture.compile_cost import ROOT, Cost, compiler, cost_of, recorded, units

pytestmark = pytest.mark.compiler

RENEW = "If that is meant, renew the record: ./dev record"


def test_each_unit_is_recorded() -> None:
    _, costs = recorded()
    assert costs.keys() == units().keys(), RENEW


@pytest.mark.slow
@pytest.mark.parametrize("unit", units())
def test_a_unit_takes_the_compiler_at_most_a_tenth_more_than_recorded(unit: str) -> None:
    by, costs = recorded()
    if by != compiler():
        pytest.skip(f"recorded with {by}, this is {compiler()}")
    assert cost_of(units()[unit]).more_than(costs[unit]) == [], RENEW


def test_a_tenth_more_is_allowed_and_anything_above_is_named() -> None:
    record = Cost(lines=1000, megabytes=100)
    assert Cost(lines=1100, megabytes=110).more_than(record) == []
    assert Cost(lines=1101, megabytes=111).more_than(record) == [
        "1101 lines, recorded are 1000",
        "111 MB, recorded are 100",
    ]


def test_what_is_instantiated_counts() -> None:
    vectors = "".join(f"template class std::vector<std::array<char, {size}>>;" for size in range(1, 100))
    plain = cost_of("#include <array>\n#include <vector>\n")
    assert cost_of(f"#include <array>\n#include <vector>\n{vectors}\n").more_than(plain) != []


def test_what_is_included_counts() -> None:
    assert any("lines" in one for one in cost_of("#include <ranges>\n").more_than(cost_of("#include <vector>\n")))


def test_the_record_is_renewed_by_the_one_command_for_records() -> None:
    assert "architecture.compile_cost" in (ROOT / "dev").read_text()
