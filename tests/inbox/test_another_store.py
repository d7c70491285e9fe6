# SPDX-License-Identifier: MIT
"""A store that is not part of the library passes the tests of the others, but for those of files, transactions and cases."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest

import bankhook.inbox
from inbox import (
    test_dead_letters,
    test_handling,
    test_lanes,
    test_out_of_order,
    test_removal,
    test_reprocessing,
    test_retries,
    test_storing,
)
from inbox.memory import Memory

COMMON: tuple[Callable[[str], None], ...] = (
    test_storing.test_an_inbox_keeps_what_was_appended_after_it_was_closed,
    test_storing.test_nothing_that_was_handled_was_rejected_for_a_rule,
    test_storing.test_what_is_not_an_event_is_quarantined_with_its_findings,
    test_storing.test_ids_of_any_length_are_stored_and_kept_apart,
    test_storing.test_deliveries_are_found_by_what_is_known_of_them,
    test_storing.test_any_number_of_deliveries_is_found_page_by_page,
    test_storing.test_what_was_sent_at_once_gets_numbers_that_follow_one_another,
    test_handling.test_run_takes_what_comes_from_any_process_until_it_is_stopped,
    test_retries.test_what_fails_each_time_is_parked_with_its_traceback_and_the_member_goes_on,
    test_retries.test_while_a_member_waits_others_go_on_also_after_a_restart,
    test_retries.test_any_number_of_members_waits_and_catches_up,
    test_retries.test_of_several_that_are_retried_the_first_that_fails_again_blocks_nobody_else,
    test_retries.test_members_that_fail_all_the_time_leave_time_for_the_others,
    test_retries.test_unknown_events_belong_to_nobody_so_a_failing_one_blocks_nothing,
    test_lanes.test_sync_handlers_of_40_members_run_32_at_a_time,
    test_lanes.test_async_handlers_of_40_members_run_32_at_a_time,
    test_dead_letters.test_dead_letters_are_grouped_by_rule_the_most_frequent_first,
    test_dead_letters.test_a_quarantined_delivery_is_examined_again,
    test_dead_letters.test_any_number_of_dead_letters_is_retried_at_once,
    test_out_of_order.test_what_an_older_version_could_not_read_is_not_applied_after_newer_news_either,
    test_reprocessing.test_a_query_says_for_which_and_what_came_before_is_known,
    test_removal.test_what_waits_for_handlers_or_for_a_person_is_not_purged,
)


@pytest.mark.parametrize("test", [pytest.param(one, id=one.__name__) for one in COMMON])
def test_it_passes(test: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    stores: dict[str, Memory] = {}

    def open(
        url: str, *, attempts: int = 8, backoff: datetime.timedelta = datetime.timedelta(seconds=1), **_: object
    ) -> Memory:
        store = stores.setdefault(url, Memory())
        store.attempts, store.backoff = attempts, backoff
        return store

    monkeypatch.setattr(bankhook.inbox, "open", open)
    test("in memory")
