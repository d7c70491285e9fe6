// SPDX-License-Identifier: MIT
// Hashes of ids, which nobody outside can foresee, and digests of events, which are in snapshots and the same everywhere.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/events/initial_transaction_update.hpp>
#include <bankhook/tracking/digest.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <variant>

namespace tracking_digest_test {

using namespace bankhook;
using namespace bankhook::test;

TEST_CASE("ids are hashed by SipHash-1-3") {
  // As another implementation has it, for the keys 7 and ~7.
  STATIC_REQUIRE(detail::tracking::sip_hash(7, "") == 0xBA63D83647E6C281);
  STATIC_REQUIRE(detail::tracking::sip_hash(7, "acc-1") == 0xB8B6DC352317C84A);
  STATIC_REQUIRE(detail::tracking::sip_hash(7, "connection-12345") == 0x04CBE4E6B5DA0438);
}

TEST_CASE("a digest is the same on every machine, and for every version that reads a snapshot") {
  InitialTransactionUpdate event;
  event.customer = {"m1", "user-1"};
  event.initial_transaction.amount = *Decimal::parse("19.90");
  event.initial_transaction.transaction_date = std::chrono::year(2026) / 5 / 4;
  event.initial_transaction.date = *Timestamp::parse("2026-05-04T10:15:30.25+02:00");
  CHECK(detail::tracking::text_of(detail::tracking::digest_of(event)) == "kkfeglhdahlfbmne");
}

TEST_CASE("each way to write a moment, and each moment, has a digest of its own") {
  std::set<std::string> digests;
  std::size_t count = 0;
  for (const std::string_view time : {"2026-05-04T10:15:30", "2026-05-04T10:15:30.0", "2026-05-04T10:15:31"}) {
    for (const std::string_view offset :
         {"", "Z", "+00:00", "-00:00", "+0000", "-0000", "+00", "-00", "+01:00", "-01:00"}) {
      InitialTransactionUpdate event;
      event.initial_transaction.date = *Timestamp::parse(std::string(time).append(offset));
      digests.insert(std::string(detail::tracking::text_of(detail::tracking::digest_of(event))));
      ++count;
    }
  }
  CHECK(digests.size() == count);
}

TEST_CASE("of a connection sixteen events are recognised, for each change of another one makes a new digest") {
  Tracker tracker;
  Story story;
  const auto update = [&](int number) {
    auto event = std::get<BankConnectionsUpdateV2>(story.event(number % 2 == 0 ? "update k1a: k1a" : "update k1h: k1h"));
    event.customer.connections_off = static_cast<std::uint64_t>(number);
    return event;
  };
  for (int number = 1; number <= 17; ++number) tracker.apply(update(number));
  CHECK_FALSE(tracker.peek(update(1)).seen_before);
  for (int number = 2; number <= 17; ++number) CHECK(tracker.peek(update(number)).seen_before);
  const auto restored = Tracker::restore(tracker.snapshot());
  CHECK(restored->peek(update(2)).seen_before);
  CHECK(rests_on(restored->peek(update(2)), RuleId::event_is_not_repeated));
}

}  // namespace tracking_digest_test
