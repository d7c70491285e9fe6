# SPDX-License-Identifier: MIT
"""What type checkers say of every public function and class beside events and resources; never run."""

from __future__ import annotations

import datetime
import io
import mmap
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, assert_type

import bankhook
from bankhook import (
    Account,
    AnyEvent,
    BankConnectionsUpdateV2,
    BankhookError,
    Connection,
    Customer,
    Evidence,
    HandlerContext,
    Handlers,
    InitialTransactionUpdate,
    JointAccounts,
    ParseError,
    Sandbox,
    Tracker,
    TransactionStatus,
    UnknownEvent,
    Verdict,
)
from bankhook.inbox import Salvaged, salvage
from bankhook.sandbox import Choice, Delivery, DetectedBy, Fault, FaultKind, Faults, SandboxError
from bankhook.testing import samples
from bankhook.types import (
    AppliedLines,
    Change,
    ChangeKind,
    ChangeSubject,
    ConnectionState,
    ConnectionTrigger,
    Field,
    FinalState,
    Finding,
    Findings,
    Handled,
    Lifecycle,
    LineFindings,
    LineOutcome,
    LinesReport,
    MergeError,
    Outcome,
    ParsedLines,
    Rejected,
    Rule,
    Selector,
    Severity,
    SnapshotError,
    StateBefore,
    Step,
    Table,
    Tables,
    Timeline,
    TrackedConnection,
    TrackedMember,
    TrackedTransaction,
    TransactionTrigger,
    Transition,
    VerdictCount,
)


def reading(mapped: mmap.mmap) -> None:
    assert_type(bankhook.parse(b"{}"), AnyEvent)
    assert_type(bankhook.parse("{}", strict=True), AnyEvent)
    assert_type(bankhook.parse(memoryview(b"{}")), AnyEvent)
    assert_type(bankhook.parse(mapped), AnyEvent)
    assert_type(bankhook.select("initialTransaction.amount", "event"), Selector)
    assert_type(bankhook.select("event").paths, tuple[str, ...])
    assert_type(bankhook.select("event")(b"{}"), tuple[Any, ...])
    assert_type(bankhook.rules, tuple[Rule, ...])
    assert_type(bankhook.rules[0].evidence, Evidence)
    assert_type(bankhook.rules[0].severity, Severity)
    assert_type(Account.from_json(b"{}"), Account)
    assert_type(BankConnectionsUpdateV2.from_json("{}"), BankConnectionsUpdateV2)


def whole_archives(tracker: Tracker) -> None:
    assert_type(bankhook.is_clean("{}"), bool)
    judged = bankhook.diagnose_lines(b"{}", limit=3)
    assert_type(judged, LinesReport)
    assert_type(judged.events, dict[str | None, int])
    assert_type(judged.unclean_lines, int)
    assert_type(judged.unclean, tuple[LineFindings, ...])
    followed = tracker.apply_lines("-", report=bankhook.Verdict.ASSUMED, member=None, limit=3)
    assert_type(followed, AppliedLines)
    assert_type(followed.changes, dict[str, int])
    assert_type(followed.verdict_counts, tuple[VerdictCount, ...])
    assert_type(followed.outcomes, tuple[LineOutcome, ...])
    assert_type(followed.outcomes[0].outcome, Outcome)


def judging(event: AnyEvent, error: ParseError) -> None:
    assert_type(bankhook.check(event), Findings)
    assert_type(bankhook.diagnose(b"{}"), Findings)
    assert_type(salvage("{}"), Salvaged)
    assert_type(salvage(b"{}").transaction, str | None)
    assert_type(bankhook.explain(error, b"{}"), str)
    assert_type(bankhook.explain(error.findings, b"{}", show_values=True), str)
    assert_type(error.finding, Finding)
    assert_type(error.findings, Findings)
    assert_type(error.path, str)
    assert_type(error.offset, int | None)
    assert_type(error.line, int | None)
    assert_type(error.column, int | None)
    assert_type(error.finding.offset, int | None)
    assert_type(error.finding.steps, tuple[str | int, ...])
    assert_type(error.finding.message, str)


def archives(path: Path) -> None:
    assert_type(bankhook.parse_lines(path), ParsedLines[AnyEvent])
    assert_type(bankhook.parse_lines(io.BytesIO(), on_error="collect"), ParsedLines[AnyEvent])
    assert_type(bankhook.parse_lines(path, of=BankConnectionsUpdateV2), ParsedLines[BankConnectionsUpdateV2])
    assert_type(bankhook.parse_lines("-", of=UnknownEvent, on_error="collect"), ParsedLines[UnknownEvent])
    assert_type(iter(bankhook.parse_lines(b"")), Iterator[AnyEvent])
    with bankhook.parse_lines(path, of=InitialTransactionUpdate) as events:
        assert_type(events, ParsedLines[InitialTransactionUpdate])
        for event in events:
            assert_type(event, InitialTransactionUpdate)
        for line, event in events.numbered():
            assert_type(line, int)
            assert_type(event, InitialTransactionUpdate)
    rejected = events.rejected
    assert_type(rejected, list[Rejected])
    assert_type(rejected[0].line, int)
    assert_type(rejected[0].raw, bytes)
    assert_type(rejected[0].findings, Findings)


def archives_as_tables(path: Path) -> None:
    found = bankhook.tables([path, b"", io.BytesIO()], scale=2, unit="ns", batch_rows=1000)
    assert_type(found, Tables)
    assert_type(bankhook.tables(path, at="body", keep=("received_at",)).sources, tuple[str, ...])
    assert_type(found.connections, Table)
    assert_type(found.rejected.select("line", "raw"), Table)
    assert_type(found.accounts.name, str)
    assert_type(found.outcomes, Table)


def state_as_tables(tracker: Tracker) -> None:
    assert_type(bankhook.tables(tracker, scale=2), bankhook.types.TrackedTables)
    assert_type(bankhook.tables(tracker).connections, Table)


def following(tracker: Tracker, event: AnyEvent) -> None:
    outcome = tracker.apply(event)
    assert_type(outcome, Outcome)
    assert_type(tracker.peek(event), Outcome)
    assert_type(outcome.verdict, Verdict)
    assert_type(outcome.reason, Rule | Transition[str, str] | None)
    assert_type(outcome.repeat, bool)
    assert_type(outcome.changes, tuple[Change, ...])
    assert_type(outcome.changes[0].kind, ChangeKind)
    assert_type(outcome.changes[0].subject, ChangeSubject)
    assert_type(outcome.findings, tuple[Finding, ...])
    assert_type(tracker.member("member-1"), TrackedMember | None)
    assert_type(tracker.connection("member-1", "connection-1"), TrackedConnection | None)
    assert_type(tracker.connections(), tuple[TrackedConnection, ...])
    assert_type(tracker.transactions("member-1", status="created"), tuple[TrackedTransaction, ...])
    assert_type(tracker.accounts("member-1"), tuple[Account, ...])
    assert_type(tracker.timeline("member-1"), Timeline)
    assert_type(tracker.snapshot(), bytes)
    assert_type(Tracker.restore(b""), Tracker)
    assert_type(len(tracker), int)
    try:
        tracker.merge(Tracker.restore(b""))
    except (MergeError, SnapshotError) as error:
        assert_type(error, MergeError | SnapshotError)


def failing(error: ParseError | MergeError | SandboxError | SnapshotError) -> BankhookError:
    return error


def joint_accounts(accounts: JointAccounts, rows: list[dict[str, str]]) -> None:
    assert_type(accounts.canonical("acc-1"), str)
    assert_type(accounts.key("acc-1"), str)
    assert_type(accounts.groups(), tuple[tuple[str, ...], ...])
    assert_type(accounts.same("acc-1", "acc-2"), bool)
    assert_type(accounts.deduplicate(rows, bank_account_id="account", key=("amount", "date")), list[dict[str, str]])
    kept = accounts.deduplicate(rows, bank_account_id=lambda row: row["account"], key="date", account_hash="hash")
    assert_type(kept, list[dict[str, str]])


def playing(delivery: Delivery) -> None:
    sandbox = Sandbox(seed=7, members=3, faults=Faults(drop=0.1))
    assert_type(sandbox.member(0), Customer)
    assert_type(sandbox.create_connection("member-1"), BankConnectionsUpdateV2)
    assert_type(sandbox.send_initial_transaction("member-1"), InitialTransactionUpdate)
    assert_type(sandbox.deliveries(3), Iterator[Delivery])
    assert_type(sandbox.truth(), Tracker)
    assert_type(sandbox.truth().diff(Tracker()), tuple[Change, ...])
    assert_type(sandbox.reject("t-1", "purchaseNotFound"), InitialTransactionUpdate)
    assert_type(Sandbox.choices, tuple[Choice, ...])
    try:
        sandbox.validate("it-1")
    except SandboxError as refusal:
        assert_type(refusal.code, str)
    assert_type(delivery.payload, bytes)
    assert_type(delivery.fault, Fault | None)
    if delivery.fault is not None:
        assert_type(delivery.fault.kind, FaultKind)
        assert_type(delivery.fault.detected_by, DetectedBy)
        assert_type(delivery.fault.detectable, str | None)


def lifecycles() -> None:
    assert_type(bankhook.transaction_lifecycle, Lifecycle[TransactionStatus, TransactionTrigger])
    assert_type(bankhook.transaction_lifecycle.final_states, tuple[FinalState[TransactionStatus], ...])
    assert_type(bankhook.connection_lifecycle, Lifecycle[ConnectionState, ConnectionTrigger])
    step = bankhook.transaction_lifecycle.step("created", TransactionTrigger.STORE_SET_UP)
    assert_type(step, Step[TransactionStatus, TransactionTrigger])
    assert_type(step.transition.before, StateBefore)
    left = bankhook.connection_lifecycle.without_final("deleted")
    agreed = left.with_row("deleted", "listed", "updated", evidence="stated", section="mail")
    assert_type(agreed, Lifecycle[ConnectionState, ConnectionTrigger])
    assert_type(bankhook.Tracker(order="trusted").order, str)
    assert_type(step.to, TransactionStatus | None)
    assert_type(bankhook.connection_lifecycle.allowed(None), tuple[ConnectionTrigger, ...])
    assert_type(bankhook.connection_lifecycle.why_not("deleted", "create"), str | None)
    assert_type(bankhook.connection_lifecycle.to_mermaid(), str)
    assert_type(bankhook.connection_lifecycle.to_dot(), str)


def describing() -> None:
    (field,) = bankhook.fields(Account)[:1]
    assert_type(field, Field)
    assert_type((field.wire_name, field.required, field.nullable), tuple[str, bool, bool])
    assert_type(bankhook.json_schema(Account), dict[str, Any])
    assert_type(bankhook.asyncapi(), dict[str, Any])
    assert_type(bankhook.get_include(), str)
    assert_type(bankhook.get_cmake_dir(), str)
    assert_type(bankhook.__version__, str)


def sampling() -> None:
    assert_type(samples.get("transaction_created"), samples.Sample)
    assert_type(samples.valid(), tuple[samples.Sample, ...])
    assert_type(samples.get("transaction_created").payload, bytes)


handlers = Handlers()


@handlers.on_validated
def credit(event: InitialTransactionUpdate, context: HandlerContext) -> None:
    assert_type(context.key, str | None)
    assert_type(context.change, Change | None)
    assert_type(context.connection, Connection | None)


@handlers.on(BankConnectionsUpdateV2, event_type=("update", "delete"))
async def follow(event: BankConnectionsUpdateV2) -> int:
    return event.customer.connections_on


@handlers.fallback(name="rest")
def keep(event: AnyEvent) -> None:
    raise bankhook.Retry(datetime.timedelta(hours=1)) from bankhook.Park("never")


@handlers.around
@contextmanager
def logged(context: HandlerContext) -> Generator[None]:
    yield


handlers.include(Handlers())


async def handling() -> None:
    credit(
        InitialTransactionUpdate.from_json(b"{}"),
        HandlerContext("credit", Tracker().apply(UnknownEvent(raw=b"{}")), None, None, None),
    )
    assert_type(await follow(BankConnectionsUpdateV2.from_json(b"{}")), int)
    assert_type(handlers.handle(b"{}"), Handled)
    assert_type(await handlers.handle_async(UnknownEvent(raw=b"{}")), Handled)
    assert_type(handlers.handle("{}").event, AnyEvent)
    assert_type(handlers.handle("{}").handlers, tuple[str, ...])
    assert_type(handlers.tracker, Tracker)
