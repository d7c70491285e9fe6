// SPDX-License-Identifier: MIT
// Forgetting: what is kept goes on as before, what is forgotten was never there.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/tracking/forget.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace tracking_forget_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

/// Wants these and nothing else.
struct Wanted {
  std::vector<std::string_view> ids;

  [[nodiscard]] bool has(std::string_view id) const { return std::ranges::find(ids, id) != ids.end(); }
  [[nodiscard]] bool member(std::string_view id) const { return has(id); }
  [[nodiscard]] bool connection(std::string_view id, std::string_view, bool is_gone) const { return has(id) && !is_gone; }
  [[nodiscard]] bool transaction(std::string_view id) const { return has(id); }
};

const std::vector both{connection("conn-1"), connection("conn-2")};
const std::vector first{both[0]};

Tracker full() {
  Tracker tracker;
  tracker.apply(bank(ConnectionEventType::create, both[0], first));
  tracker.apply(bank(ConnectionEventType::create, both[1], both));
  tracker.apply(transaction("it-1", TransactionStatus::created));
  tracker.apply(transaction("it-2", TransactionStatus::created));
  return tracker;
}

}  // namespace

TEST_CASE("a tracker that forgets nothing stays equal") {
  Tracker tracker = full();
  tracking::forget_unwanted(tracker, Wanted{{"member-1", "conn-1", "conn-2", "it-1", "it-2"}});
  CHECK(tracker == full());
  CHECK(tracker.snapshot() == full().snapshot());
}

TEST_CASE("what is kept is evaluated as before, and what is forgotten as if it had never come") {
  Tracker tracker = full();
  tracking::forget_unwanted(tracker, Wanted{{"conn-2", "it-1"}});
  CHECK(tracker.connection_count() == 1);
  CHECK(tracker.transaction_count() == 1);
  CHECK(tracker.member_count() == 1);  // it has something that is kept
  const auto repeated = transaction("it-1", TransactionStatus::created);
  CHECK(tracker.peek(repeated) == full().peek(repeated));
  CHECK(tracker.peek(repeated).repeat);
  const auto forgotten = transaction("it-2", TransactionStatus::validated);
  CHECK_FALSE(rests_on(full().peek(forgotten), RuleId::created_comes_first));
  CHECK(rests_on(tracker.peek(forgotten), RuleId::created_comes_first));
  CHECK_FALSE(tracker.peek(bank(ConnectionEventType::create, both[0], both)).repeat);
  CHECK(tracker.peek(bank(ConnectionEventType::create, both[1], both)).repeat);
}

TEST_CASE("a member of whom nothing is wanted is forgotten, and one that is wanted stays without anything") {
  Tracker tracker = full();
  Tracker other = full();
  tracking::forget_unwanted(tracker, Wanted{});
  CHECK(tracker == Tracker());
  tracking::forget_unwanted(other, Wanted{{"member-1"}});
  CHECK(other.member("member-1")->membership == full().member("member-1")->membership);
  CHECK(other.connection_count() == 0);
}

TEST_CASE("a connection that is gone stays gone if it is kept") {
  Tracker tracker = full();
  tracker.apply(bank(ConnectionEventType::delete_, both[0], std::vector{both[1]}));
  const Tracker before = tracker;
  tracking::forget_unwanted(tracker, tracking::detail::WantAll());
  CHECK(tracker == before);
  tracking::forget_unwanted(tracker, Wanted{{"conn-1", "conn-2"}});
  CHECK_FALSE(tracker.connection("conn-1").has_value());
  CHECK(tracker.connection("conn-2").has_value());
}

}  // namespace tracking_forget_test
