// SPDX-License-Identifier: MIT
// A tracker takes a complete machine only: a table that has no row for a state and a trigger is refused.
// expect: every_state_answers_to_every_trigger
#include <bankhook/tracking.hpp>

constexpr auto own_table = [] {
  using enum bankhook::TransactionStatus;
  using enum bankhook::TransactionTrigger;
  using enum bankhook::Evidence;
  using namespace bankhook::table_words;
  return bankhook::transitions<bankhook::TransactionStatus, bankhook::TransactionTrigger>(
      {
          {begin, submitted, created, stated, "3.1"},
          {created, store_set_up, validated, stated, "3.1"},
          {created, store_not_set_up, rejected, stated, "3.1"},
          {created, submitted, never, assumed, "3.1"},
          {validated, submitted, never, assumed, "3.1"},
          {rejected, submitted, never, assumed, "3.1"},
          {begin, store_set_up, never, assumed, "3.1"},
          {begin, store_not_set_up, never, assumed, "3.1"},
          {validated, store_set_up, never, assumed, "3.1"},
          {validated, store_not_set_up, never, assumed, "3.1"},
          {rejected, store_set_up, never, assumed, "3.1"},
#ifdef CONTROL
          {rejected, store_not_set_up, never, assumed, "3.1"},
#endif
      },
      {{validated, assumed, "3.1"}, {rejected, assumed, "3.1"}});
}();

int main() {
  const bankhook::Tracker tracker(bankhook::TrackerOptions{.transactions = bankhook::machine<own_table>});
  return tracker.member_count() == 0 ? 0 : 1;
}
