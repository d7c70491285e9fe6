# SPDX-License-Identifier: MIT
"""Each case is raised once, and stays until somebody settles it; a transaction that stays open is overdue."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pytest

import bankhook
from bankhook import ABSENT
from bankhook.inbox import Case, CaseKind, Inbox, examine
from inbox.bought import CONNECTED, CREATED, KEY, REJECTED, VALIDATED, changed
from inbox.history import filled

DAY = datetime.timedelta(days=1)


async def handled(inbox: Inbox, *events: bankhook.AnyEvent, received: datetime.datetime) -> Sequence[int]:
    numbers = await inbox.append([examine(event.to_json(), received=received) for event in events])
    await inbox.drain(bankhook.Handlers())
    return numbers


def test_a_case_of_a_stated_finding_is_about_a_rule_and_one_of_another_kind_is_not() -> None:
    about: dict[str, Any] = {"number": 1, "delivery": 1, "member": "m", "key": "k", "field": "amount"}
    now = datetime.datetime.now(datetime.UTC)
    rules = {kind: Case(kind=kind, received=now, **about).rule for kind in CaseKind}
    assert rules == {kind: "amount" if kind is CaseKind.FINDINGS_STATED else None for kind in CaseKind}


NOWHERE = changed(CREATED, store_external_id=None, place_id="place-1", store_name="Corner shop")
NAMED = changed(VALIDATED, store_external_id="store-1", place_id=ABSENT, store_name=ABSENT)


@pytest.mark.parametrize(
    ("events", "became", "expected"),
    [
        ([NOWHERE, NAMED], ["validated"], []),
        ([CREATED, changed(VALIDATED, transaction_id="one"), REJECTED], ["validated", "rejected"], ["left_validated"]),
        ([CREATED, REJECTED, VALIDATED], ["rejected", "validated"], ["left_rejected"]),
        ([VALIDATED, changed(CREATED, amount=Decimal(3))], ["validated"], ["first_event_missing", "differs_from_created"]),
        ([CREATED, changed(CREATED, amount=Decimal(3))], [], ["differs_from_created"]),
        ([CREATED, VALIDATED.replace(event_type="rejected")], [], ["findings_stated", "findings_stated"]),
        ([CREATED, REJECTED.replace(event_type="validated")], [], ["findings_stated"]),
    ],
    ids=["store named", "left validated", "left rejected", "late created", "other created", "rejected?", "validated?"],
)
def test_handlers_run_for_what_became_of_a_transaction_and_cases_say_what_is_doubtful(
    url: str, events: Sequence[bankhook.InitialTransactionUpdate], became: list[str], expected: list[str]
) -> None:
    """2.4, 3.1, 6.3: a handler of `on` speaks of the event, and the outcome says whether it is applied."""

    async def run() -> None:
        handlers, ran, seen = bankhook.Handlers(), list[str](), list[bool]()

        @handlers.on_validated
        def credit(event: bankhook.InitialTransactionUpdate) -> None:
            ran.append("validated")

        @handlers.on_rejected
        def inform(event: bankhook.InitialTransactionUpdate) -> None:
            ran.append("rejected")

        @handlers.on(bankhook.InitialTransactionUpdate)
        def log(event: bankhook.InitialTransactionUpdate, context: bankhook.HandlerContext) -> None:
            seen.append(context.outcome.accepted)

        async with filled(url, [event.to_json() for event in events]) as inbox:
            assert await inbox.drain(handlers) == len(events)
            assert [case.kind for case in await inbox.cases()] == expected
        tracker = bankhook.Tracker()
        assert (ran, seen) == (became, [tracker.apply(event).accepted for event in events])

    asyncio.run(run())


@pytest.mark.parametrize("is_one_batch", [True, False])
def test_what_is_not_applied_is_one_case_while_that_is_open_and_another_one_after_it_was_settled(
    url: str, is_one_batch: bool
) -> None:
    """6.3 and 3.1: whoever sends it again after that claims what is not tracked."""
    wrong = REJECTED.replace(event_type="validated")
    other = changed(wrong, transaction_date=datetime.date(2020, 1, 1))
    late = changed(CREATED, amount=Decimal(3))

    async def run() -> None:
        async def after(*events: bankhook.AnyEvent) -> list[tuple[int, str]]:
            for part in [events] if is_one_batch else [[event] for event in events]:
                await handled(inbox, *part, received=datetime.datetime.now(datetime.UTC))
            return [(case.delivery, case.field or "") for case in await inbox.cases()]

        async with filled(url, [CREATED.to_json()]) as inbox:
            rule = "status_equals_event_type"
            assert await after(wrong, wrong, wrong) == [(2, rule)]
            assert await after(wrong, late, late) == [(2, rule), (6, "amount")]
            of_other = [(8, rule), (8, "transactionDate")]
            assert await after(other, wrong) == [(2, rule), (6, "amount"), *of_other]
            await inbox.settle([case.number for case in await inbox.cases(limit=2)])
            assert await after(wrong, late, wrong, late) == [*of_other, (10, rule), (11, "amount")]

    asyncio.run(run())


@pytest.mark.parametrize("is_one_batch", [True, False])
def test_a_transaction_with_the_id_of_one_of_another_member_is_a_case_once(url: str, is_one_batch: bool) -> None:
    """2: the document does not say that ids are unique beyond a member."""
    others = [CREATED.customer.replace(id=f"another {number}") for number in range(2)]
    connected = CONNECTED.replace(connection=CONNECTED.connection.replace(id="t"))

    async def run() -> None:
        async with filled(url, []) as inbox:
            for event in (
                changed(CREATED, id="t" * 300),
                CREATED,
                connected,
                changed(CREATED.replace(customer=others[0]), id="t"),  # the id of a connection
                CREATED.replace(customer=others[0]),  # a case
                CREATED.replace(customer=others[0]),
                VALIDATED,
                VALIDATED.replace(customer=others[0]),
                changed(CREATED.replace(customer=others[1]), id="t" * 300),  # a case
                CREATED.replace(customer=others[1]),  # a case
            ):
                await inbox.append([examine(event.to_json())])
                if not is_one_batch:
                    await inbox.drain(bankhook.Handlers())
            await inbox.drain(bankhook.Handlers())
            cases = await inbox.cases(kind=CaseKind.ID_OF_ANOTHER_MEMBER)
            assert [(case.delivery, case.member, case.compared_with) for case in cases] == [
                (5, others[0].id, 2),
                (9, others[1].id, 1),
                (10, others[1].id, 8),
            ]
            assert (cases[0].kind, cases[0].field, cases[0].key) == ("id_of_another_member", None, KEY)
            assert cases[1].key.startswith("ttt")

    asyncio.run(run())


def test_the_member_whose_delivery_is_handled_later_has_the_case_though_it_came_first(url: str) -> None:
    async def run() -> None:
        handlers, is_broken = bankhook.Handlers(), True

        @handlers.fallback
        def fail(event: bankhook.AnyEvent, context: bankhook.HandlerContext) -> None:
            assert context.delivery is not None
            if is_broken and context.delivery.number == 1:
                raise RuntimeError

        other = CREATED.replace(customer=CREATED.customer.replace(id="another"))
        async with filled(url, [CREATED.to_json(), other.to_json()], attempts=1) as inbox:
            assert await inbox.drain(handlers) == 2
            assert await inbox.cases() == []
            is_broken = False
            await inbox.retry([1])
            assert await inbox.drain(handlers) == 1
            (case,) = await inbox.cases()
            assert (case.kind, case.delivery, case.member) == ("id_of_another_member", 1, CREATED.customer.id)
            assert case.compared_with == 2

    asyncio.run(run())


def test_cases_are_listed_until_they_are_settled(url: str) -> None:
    async def run() -> None:
        now = datetime.datetime.now(datetime.UTC)
        async with filled(url, []) as inbox:
            numbers = await handled(inbox, VALIDATED, VALIDATED, changed(VALIDATED, amount=Decimal(3)), received=now)
            first, second = await inbox.cases()
            assert (first.kind, first.field, first.delivery) == (CaseKind.FIRST_EVENT_MISSING, None, numbers[0])
            assert (second.kind, second.field, second.delivery) == (CaseKind.DIFFERS_FROM_CREATED, "amount", numbers[2])
            assert (first.compared_with, second.compared_with) == (None, numbers[1])
            assert (first.member, first.key, first.received) == (VALIDATED.customer.id, KEY, now)
            assert await inbox.cases(kind="differs_from_created") == [second]
            assert await inbox.cases(member="nobody") == []
            assert await inbox.cases(member=first.member, kind="first_event_missing") == [first]
            assert await inbox.settle([first.number, 999]) == 1
            assert await inbox.settle([first.number]) == 0
            assert await inbox.cases() == [second]

    asyncio.run(run())


@pytest.mark.parametrize("is_one_batch", [True, False])
def test_a_transaction_that_is_open_again_counts_from_then_on_wherever_batches_end(url: str, is_one_batch: bool) -> None:
    async def run() -> None:
        now = datetime.datetime.now(datetime.UTC)
        handlers = bankhook.Handlers(
            bankhook.Tracker(
                transaction_lifecycle=bankhook.transaction_lifecycle.with_row(
                    "validated", "submitted", "created", expected=False
                )
            )
        )
        async with filled(url, []) as inbox:
            for age, event in ((4, CREATED), (3, VALIDATED), (2, CREATED)):
                await inbox.append([examine(event.to_json(), received=now - age * DAY)])
                if age == 4 or not is_one_batch:
                    assert await inbox.drain(handlers) == 1
            await inbox.drain(handlers)
            (overdue,) = await inbox.open_since(DAY)
        assert (overdue.delivery, overdue.received) == (3, now - 2 * DAY)

    asyncio.run(run())


@pytest.mark.parametrize("is_own", [True, False])
def test_what_a_table_of_ones_own_expects_is_no_case(url: str, is_own: bool) -> None:
    table = bankhook.transaction_lifecycle.without_final("validated")
    for state, trigger, to in ((None, "store_set_up", "validated"), ("validated", "store_not_set_up", "rejected")):
        table = table.with_row(state, trigger, to, evidence="stated", section="mail")

    async def run() -> None:
        tracker = bankhook.Tracker(transaction_lifecycle=table if is_own else bankhook.transaction_lifecycle)
        async with filled(url, [VALIDATED.to_json(), REJECTED.to_json()]) as inbox:
            await inbox.drain(bankhook.Handlers(tracker))
            kinds = [str(case.kind) for case in await inbox.cases()]
            assert kinds == ([] if is_own else ["first_event_missing", "left_validated"])

    asyncio.run(run())


def test_a_transaction_of_which_nothing_more_is_heard_is_overdue(url: str) -> None:
    async def run() -> None:
        now = datetime.datetime.now(datetime.UTC)
        async with filled(url, []) as inbox:
            (number,) = await handled(inbox, CREATED, received=now - 4 * DAY)
            await handled(inbox, CREATED, received=now - 2 * DAY)
            (overdue,) = await inbox.open_since(3 * DAY)
            assert (overdue.key, overdue.member, overdue.delivery) == (KEY, CREATED.customer.id, number)
            assert overdue.received == now - 4 * DAY
            assert await inbox.open_since(5 * DAY) == []
            await handled(inbox, VALIDATED, received=now)
            assert await inbox.open_since(datetime.timedelta(0)) == []

    asyncio.run(run())


def test_cases_and_overdue_transactions_are_read_page_by_page(url: str) -> None:
    async def run() -> None:
        now = datetime.datetime.now(datetime.UTC)
        transactions = [changed(CREATED, id=f"t{number}") for number in range(5)]
        validated = [changed(VALIDATED, id=f"v{number}") for number in range(5)]
        async with filled(url, []) as inbox:
            # Three are received at the same time, and the last one first of all.
            ages = [2 * DAY, 3 * DAY, 3 * DAY, 3 * DAY, 4 * DAY]
            for event, age in zip(transactions, ages, strict=True):
                await inbox.append([examine(event.to_json(), received=now - age)])
            await handled(inbox, *validated, received=now)
            cases = await inbox.cases()
            assert [case.key for case in cases] == ["v0", "v1", "v2", "v3", "v4"]
            assert await inbox.cases(limit=2) == cases[:2]
            assert await inbox.cases(after=cases[1].number, limit=2) == cases[2:4]
            assert await inbox.cases(after=cases[-1].number, limit=2) == []
            assert await inbox.cases(kind="left_validated", limit=2) == []
            overdue = await inbox.open_since(DAY)
            assert [one.key for one in overdue] == ["t4", "t1", "t2", "t3", "t0"]
            pages = [await inbox.open_since(DAY, limit=2)]
            while pages[-1] and len(pages) < 9:
                pages.append(await inbox.open_since(DAY, after=pages[-1][-1], limit=2))
            assert [len(page) for page in pages] == [2, 2, 1, 0]
            assert [one for page in pages for one in page] == overdue

    asyncio.run(run())
