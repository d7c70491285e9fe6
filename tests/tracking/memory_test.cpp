// SPDX-License-Identifier: MIT
// No memory: what a member's state is after an event that there was none for.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/base/compiler.hpp>
#include <bankhook/tracking/member_state.hpp>

#include <support/allocations.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracking_memory_test {

using namespace bankhook;

namespace {

/// Lets each allocation of a first event fail in turn.
void check_first(const AnyEvent& event, std::size_t least) {
  MemberState whole;
  REQUIRE(whole.apply(event).accepted);
  std::size_t failed = 0;
  for (bool had_memory = false; !had_memory; failed += !had_memory) {
    MemberState state;
    test::allocations_left = failed;
    had_memory = base::has_memory_for([&] { state.apply(event); });
    test::allocations_left = SIZE_MAX;
    CHECK(state.empty() == !had_memory);
    CHECK(state.member().has_value() == had_memory);
    if (!had_memory) state.apply(event);
    CHECK(state.snapshot() == whole.snapshot());
  }
  CHECK(failed >= least);
}

}  // namespace

TEST_CASE("a member's state that has no memory for its first event stays empty, and takes the event the next time") {
  const std::vector<Account> accounts{{.id = "a1", .account_hash = "h1"}, {.id = "a2", .account_hash = {}}};
  const std::vector<Connection> all{test::connection("k1", accounts), test::connection("k2", accounts)};
  check_first(test::bank(ConnectionEventType::create, all.front(), all), 8);
  check_first(test::transaction("t1", TransactionStatus::created), 4);
}

}  // namespace tracking_memory_test
