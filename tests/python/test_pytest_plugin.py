# SPDX-License-Identifier: MIT
"""The pytest plugin: what its fixtures give, what its mark changes, and that it disturbs nothing."""

from __future__ import annotations

import pytest

import bankhook
from bankhook import BankConnectionsUpdateV2, InitialTransactionUpdate, Sandbox
from bankhook.sandbox import Delivery, FaultKind

pytestmark = pytest.mark.slow

pytest_plugins = ["pytester"]


def test_there_is_an_event_of_each_kind_and_its_payload(
    bank_connections_update_v2: BankConnectionsUpdateV2,
    bank_connections_payload: bytes,
    initial_transaction_update: InitialTransactionUpdate,
    initial_transaction_payload: bytes,
) -> None:
    assert bank_connections_update_v2.raw == bank_connections_payload
    assert bank_connections_update_v2.connection.accounts
    assert bankhook.diagnose(bank_connections_payload) == ()
    assert initial_transaction_update.raw == initial_transaction_payload
    assert initial_transaction_update.initial_transaction.transaction_id is not None
    assert bankhook.diagnose(initial_transaction_payload) == ()


def test_the_sandbox_is_the_same_in_every_run(bankhook_sandbox: Sandbox) -> None:
    assert [one.payload for one in bankhook_sandbox.deliveries(50)] == [one.payload for one in Sandbox().deliveries(50)]


def test_a_test_gets_a_sandbox_that_no_other_test_has_used(bankhook_sandbox: Sandbox) -> None:
    assert bankhook_sandbox.event_count == 0


@pytest.mark.bankhook(seed=7, members=3, faults={"truncate": 1})
def test_the_mark_says_how_the_sandbox_is_made(bankhook_sandbox: Sandbox) -> None:
    assert len(bankhook_sandbox.members) == 3
    assert bankhook_sandbox.members == Sandbox(7, members=3).members
    assert all(one.fault for one in bankhook_sandbox.deliveries(5))


def test_the_faulty_deliveries_hold_every_kind_of_fault(faulty_deliveries: tuple[Delivery, ...]) -> None:
    assert len(faulty_deliveries) == 500
    assert {one.fault.kind for one in faulty_deliveries if one.fault} == set(FaultKind)
    assert any(one.fault is None for one in faulty_deliveries)


@pytest.mark.bankhook(seed=3, faults={"duplicate": 0.5}, deliveries=40)
class TestMarksOfClassAndTest:
    def test_the_mark_of_a_class_holds_for_its_tests(self, faulty_deliveries: tuple[Delivery, ...]) -> None:
        assert len(faulty_deliveries) == 40
        assert {one.fault.kind for one in faulty_deliveries if one.fault} == {FaultKind.DUPLICATE}

    @pytest.mark.bankhook(deliveries=10)
    def test_that_of_a_test_goes_before_it(
        self, faulty_deliveries: tuple[Delivery, ...], bankhook_sandbox: Sandbox
    ) -> None:
        assert len(faulty_deliveries) == 10
        assert {one.fault.kind for one in faulty_deliveries if one.fault} <= {FaultKind.DUPLICATE}
        assert bankhook_sandbox.members == Sandbox(3).members


def run(pytester: pytest.Pytester, text: str, *options: str) -> pytest.RunResult:
    """A run over one file of tests in an interpreter of its own."""
    pytester.makepyfile(text)
    return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)


def test_what_a_test_does_not_use_is_not_loaded(pytester: pytest.Pytester) -> None:
    said = run(
        pytester,
        """
        import sys

        def test_without():
            assert "bankhook.testing.pytest_plugin" in sys.modules
            assert "bankhook.testing.samples" not in sys.modules

        def test_with(bankhook_sandbox, bank_connections_payload):
            assert "bankhook.testing.samples" in sys.modules
            assert "bankhook.testing.strategies" not in sys.modules
        """,
        "--strict-markers",
        "--strict-config",
        "-W",
        "error",
    )
    said.assert_outcomes(passed=2)


def test_the_fixtures_and_the_mark_tell_what_they_are(pytester: pytest.Pytester) -> None:
    said = run(pytester, "", "--fixtures", "-q")
    said.stdout.fnmatch_lines(
        ["*fixtures defined from bankhook.testing.pytest_plugin*", "*A simulated service, new in each test*"]
    )
    said = run(pytester, "", "--markers")
    said.stdout.fnmatch_lines(["@pytest.mark.bankhook(*seed, members, faults, deliveries*"])


def test_an_own_fixture_of_the_same_name_wins(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("import pytest\n\n@pytest.fixture\ndef bankhook_sandbox():\n    return 'own'\n")
    run(pytester, "def test_it(bankhook_sandbox):\n    assert bankhook_sandbox == 'own'\n").assert_outcomes(passed=1)


def test_it_can_be_left_out(pytester: pytest.Pytester) -> None:
    said = run(
        pytester,
        "import sys\n\ndef test_it():\n    assert 'bankhook.testing.pytest_plugin' not in sys.modules\n",
        "-p",
        "no:bankhook",
    )
    said.assert_outcomes(passed=1)


def test_a_wrong_mark_is_an_error_that_says_what_is_expected(pytester: pytest.Pytester) -> None:
    marks = {
        "7": "*pytest.mark.bankhook takes its arguments by keyword*",
        "sed=7": "*unexpected keyword argument 'sed'*",
        "seed='x'": "*seed: expected int, found str*",
        "faults=2": "*faults.duplicate: expected a share, 0 to 1*",
    }
    tests = (
        f"@pytest.mark.bankhook({mark})\ndef test_{number}(bankhook_sandbox):\n    pass\n"
        for number, mark in enumerate(marks)
    )
    said = run(pytester, "\n".join(["import pytest", *tests]))
    said.assert_outcomes(errors=len(marks))
    said.stdout.fnmatch_lines([*marks.values()])
