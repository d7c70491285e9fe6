// SPDX-License-Identifier: MIT
// No memory: what a member's state is after an event that there was none for.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/base/compiler.hpp>
#include <bankhook/tracking/member_state.hpp>

#include <support/allocations.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
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
    had_memory = detail::base::has_memory_for([&] { state.apply(event); });
    test::allocations_left = SIZE_MAX;
    CHECK(state.empty() == !had_memory);
    CHECK(state.member().has_value() == had_memory);
    if (!had_memory) state.apply(event);
    CHECK(state.snapshot() == whole.snapshot());
  }
  CHECK(failed >= least);
}

/// The same with an event that follows others: what it is about is stored last, so that it is news until then.
void check_next(const MemberState& before, const AnyEvent& event, std::size_t least) {
  MemberState whole = before;
  REQUIRE(whole.apply(event).accepted);
  REQUIRE(whole.snapshot() != before.snapshot());
  std::size_t failed = 0;
  for (bool had_memory = false; !had_memory; failed += !had_memory) {
    MemberState state = before;
    test::allocations_left = failed;
    had_memory = detail::base::has_memory_for([&] { state.apply(event); });
    test::allocations_left = SIZE_MAX;
    CAPTURE(failed);
    if (!had_memory) CHECK(state.apply(event).accepted);
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

TEST_CASE("a member's state that has no memory for an event has all of it once it is applied again") {
  test::Story story;
  MemberState state;
  for (const std::string_view words : {"create k1: k1", "update k1a: k1a", "create k2: k1a k2", "update k2a: k1a k2a",
                                       "create k3: k1a k2a k3", "update k2b: k1a k2b", "created t1"})
    state.apply(story.event(words));
  REQUIRE(state.connection("k3")->is_unlisted());
  for (const std::string_view words :
       {"update k1b: k1b k3 k4 k5 k6 k7 k8 k9", "delete k1a: k2b", "update k2be: k1ae k2be k3", "update k3a: k1a k2b k3a",
        "update k2b: k1a k2b k4", "created t2", "validated t1"}) {
    CAPTURE(words);
    AnyEvent event = story.event(words);
    check_next(state, event, 2);
    const auto rename = [](auto& known) {
      if constexpr (requires { known.customer; }) known.customer.external_id = "another";
    };
    std::visit(rename, event);
    check_next(state, event, 3);
  }
}

}  // namespace tracking_memory_test
