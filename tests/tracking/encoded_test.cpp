// SPDX-License-Identifier: MIT
// What is stored of a transaction: few bytes, and all that came.
#include <bankhook_catch.hpp>

#include <bankhook/tracking/tracker.hpp>

#include <tracking/stories.hpp>

#include <cstddef>
#include <string>
#include <variant>

namespace tracking_encoded_test {

using namespace bankhook;
using namespace bankhook::test;

TEST_CASE("a transaction with its share of a member of ten takes at most 250 bytes") {
  Story story;
  Tracker tracker;
  auto event = std::get<InitialTransactionUpdate>(story.event("created t1"));
  constexpr std::size_t count = 20'000;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string member = "member-" + std::to_string(i / 10), id = "transaction-" + std::to_string(i);
    event.customer.id = member;
    event.initial_transaction.id = id;
    tracker.apply(event);
  }
  CHECK(tracker.memory() / count <= 250);
}

TEST_CASE("what is tracked is what came, however long its texts are, also what is not listed") {
  Story story;
  auto event = std::get<InitialTransactionUpdate>(story.event("created t1"));
  for (const std::size_t size : {0UZ, 1UZ, 254UZ, 255UZ, 256UZ, 70'000UZ}) {
    const std::string text(size, 'x');
    event.initial_transaction.id = event.customer.id = text;
    event.initial_transaction.store_name = text;
    event.initial_transaction.transaction_id = text;
    event.initial_transaction.rejection_reason = OpenEnum<RejectionReason>::of(text);
    Tracker tracker;
    tracker.apply(event);
    const auto found = tracker.transaction(text, text);
    REQUIRE(found);
    CHECK(found->initial_transaction == event.initial_transaction);
    CHECK(found->customer == event.customer);
  }
}

}  // namespace tracking_encoded_test
