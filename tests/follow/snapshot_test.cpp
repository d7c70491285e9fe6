// SPDX-License-Identifier: MIT
// Snapshots: what is foreign, of another version, cut, damaged or made up is refused, and never breaks anything.
#include <bankhook_catch.hpp>

#include <follow/random_events.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/follow/snapshot.hpp>
#include <bankhook/follow/tracker.hpp>
#include <bankhook/text/eight_bytes.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

using namespace bankhook;
using namespace bankhook::test;

namespace {

constexpr std::array<std::string_view, 3> members{"m1", "m2", "m3"};

Tracker followed(int events) {
  RandomEvents stream(7, members);
  Tracker tracker;
  for (int i = 0; i < events; ++i) tracker.apply(stream.next());
  return tracker;
}

/// `bytes` with the size and the checksum that they ought to have.
void seal(std::string& bytes) {
  text::store8(bytes.size(), bytes.data() + 16);
  const std::string_view checked = std::string_view(bytes).substr(0, bytes.size() - 8);
  text::store8(follow::checksum_of(checked), bytes.data() + checked.size());
}

/// Looks at everything that a tracker gives back.
std::size_t look_at_all(const Tracker& tracker) {
  Arena arena;
  std::size_t size = tracker.snapshot().size();
  for (const HeldMember& held : tracker.members()) size += tracker.transactions_of(held.customer.id).size();
  for (const HeldTransaction& held : tracker.transactions()) size += serialize(held.initial_transaction).size();
  for (const HeldConnection& held : tracker.connections(arena)) size += serialize(held.connection).size();
  return size;
}

}  // namespace

TEST_CASE("an empty tracker has a snapshot, too") {
  const auto restored = Tracker::restore(Tracker().snapshot());
  REQUIRE(restored.has_value());
  CHECK(*restored == Tracker());
}

TEST_CASE("a tracker that was restored or merged answers as the one it holds the state of") {
  RandomEvents stream(11, members);
  Tracker original;
  for (int i = 0; i < 400; ++i) original.apply(stream.next());
  auto restored = Tracker::restore(original.snapshot());
  Tracker merged;
  REQUIRE((restored && merged.merge(original)));
  for (int i = 0; i < 400; ++i) {
    const AnyEvent event = stream.next();
    const Outcome answer = original.apply(event);
    REQUIRE(restored->apply(event) == answer);
    REQUIRE(merged.apply(event) == answer);
  }
  CHECK(*restored == original);
  CHECK(merged == original);
}

TEST_CASE("every cut of a snapshot is refused") {
  const std::string bytes = followed(60).snapshot();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto restored = Tracker::restore(std::string_view(bytes).substr(0, size));
    REQUIRE_FALSE(restored.has_value());
    REQUIRE(restored.error() == (size == 0 ? SnapshotError::foreign : SnapshotError::cut));
  }
  CHECK(Tracker::restore(bytes + "x").error() == SnapshotError::cut);
}

TEST_CASE("every byte that is changed is noticed") {
  const std::string bytes = followed(60).snapshot();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int difference : {1, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ difference);
      REQUIRE_FALSE(Tracker::restore(damaged).has_value());
    }
  }
}

TEST_CASE("foreign bytes and other versions are told apart") {
  CHECK(Tracker::restore("PK\x03\x04 something else entirely, and long enough").error() == SnapshotError::foreign);
  std::string bytes = followed(10).snapshot();
  bytes[8] = 2;
  seal(bytes);
  CHECK(Tracker::restore(bytes).error() == SnapshotError::other_version);
}

TEST_CASE("bytes behind the last record are refused, with the right checksum, too") {
  std::string bytes = followed(10).snapshot();
  bytes.insert(bytes.size() - 8, 1, '\0');
  seal(bytes);
  CHECK(Tracker::restore(bytes).error() == SnapshotError::content);
}

TEST_CASE("a hostile snapshot with the right checksum is refused, or it is one that a tracker writes") {
  const std::string bytes = followed(200).snapshot();
  std::mt19937_64 random(11);
  std::size_t refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string hostile = bytes;
    for (std::uint64_t count = 1 + random() % 3; count > 0; --count) {
      const std::size_t at = 24 + random() % (hostile.size() - 32);
      if (random() % 4 == 0) hostile.erase(at, std::min<std::size_t>(1 + random() % 9, hostile.size() - 8 - at));
      else if (random() % 4 == 0) hostile.insert(at, hostile.substr(at, std::min<std::size_t>(9, hostile.size() - 8 - at)));
      else hostile[at] = static_cast<char>(random() % 3 == 0 ? 0xFF : random());
    }
    seal(hostile);
    const auto restored = Tracker::restore(hostile);
    refused += !restored.has_value();
    if (!restored) REQUIRE(restored.error() == SnapshotError::content);
    else REQUIRE((look_at_all(*restored) > 0 && restored->snapshot() == hostile));
  }
  CHECK(refused > 1000);
}

TEST_CASE("counts that no bytes stand behind ask for no memory") {
  std::string bytes = Tracker().snapshot();
  bytes.insert(24, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F");
  seal(bytes);
  CHECK(Tracker::restore(bytes).error() == SnapshotError::content);
}

TEST_CASE("a snapshot of version 1 reads the same for ever") {
  // Golden: such bytes lie in consumers' stores. They change with a new version only, and these are still read then.
  constexpr std::string_view golden =
      "8962686b0d0a1a0a01000000000000005b0000000000000001086d656d6265722d3106637573742d310000010469742d318c1f040873746f72"
      "652d3100000100ea07050300ea070504e2d802030001f00101003a2071809cfe2161";
  const auto nibble = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  std::string bytes;
  for (std::size_t i = 0; i < golden.size(); i += 2) {
    bytes += static_cast<char>(nibble(golden[i]) << 4 | nibble(golden[i + 1]));
  }
  Tracker tracker;
  tracker.apply(transaction("it-1", TransactionStatus::created));
  CHECK(tracker.snapshot() == bytes);
  const auto restored = Tracker::restore(bytes);
  REQUIRE(restored.has_value());
  CHECK(*restored == tracker);
}
