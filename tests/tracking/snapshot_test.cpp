// SPDX-License-Identifier: MIT
// Snapshots: what is foreign, of another version, cut, damaged or made up is refused, and never breaks anything.
#include <bankhook_catch.hpp>

#include <tracking/random_events.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/text/eight_bytes.hpp>
#include <bankhook/tracking/snapshot.hpp>
#include <bankhook/tracking/tracker.hpp>

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
  text::store8(tracking::checksum_of(checked), bytes.data() + checked.size());
}

/// Whether everything that a tracker gives back could have come in a payload: it must read back as the same value.
bool is_sound(const Tracker& tracker) {
  Arena arena;
  bool sound = true;
  const auto look = [&]<class T>(const T& value) {
    const std::string json = serialize(value);
    const auto read = parse_as<T>(json, arena);
    sound = sound && read && *read == value;
  };
  for (const TrackedMember& held : tracker.members()) {
    look(held.customer);
    if (held.membership) look(*held.membership);
    sound = sound && tracker.transactions_of(held.customer.id).size() <= tracker.transaction_count();
  }
  for (const TrackedTransaction& held : tracker.transactions()) look(held.initial_transaction);
  for (const TrackedConnection& held : tracker.connections(arena)) look(held.connection);
  return sound;
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

TEST_CASE("a snapshot keeps the options, and others may be given") {
  Tracker tracker({.accept_late = true});
  tracker.apply(transaction("it-1", TransactionStatus::created));
  const auto restored = Tracker::restore(tracker.snapshot());
  REQUIRE(restored.has_value());
  CHECK(restored->options().accept_late);
  CHECK(*restored == tracker);
  const auto changed = Tracker::restore(tracker.snapshot(), TrackerOptions());
  REQUIRE(changed.has_value());
  CHECK_FALSE(changed->options().accept_late);
  CHECK_FALSE(*changed == tracker);
  CHECK(changed->snapshot() != tracker.snapshot());
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
  bytes[8] = 3;
  seal(bytes);
  CHECK(Tracker::restore(bytes).error() == SnapshotError::other_version);
}

TEST_CASE("bytes after the last record are refused, with the right checksum, too") {
  std::string bytes = followed(10).snapshot();
  bytes.insert(bytes.size() - 8, 1, '\0');
  seal(bytes);
  CHECK(Tracker::restore(bytes).error() == SnapshotError::content);
}

TEST_CASE("a hostile snapshot with the right checksum is refused, or a sound tracker comes out") {
  const std::string bytes = followed(200).snapshot();
  const std::size_t records = bytes.find("number}]}") + 9;  // the layout ends there
  std::mt19937_64 random(11);
  std::size_t refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string hostile = bytes;
    const std::size_t from = i % 4 == 0 ? 24 : records;
    for (std::uint64_t count = 1 + random() % 3; count > 0; --count) {
      const std::size_t at = from + random() % (hostile.size() - from - 8);
      if (random() % 4 == 0) hostile.erase(at, std::min<std::size_t>(1 + random() % 9, hostile.size() - 8 - at));
      else if (random() % 4 == 0) hostile.insert(at, hostile.substr(at, std::min<std::size_t>(9, hostile.size() - 8 - at)));
      else hostile[at] = static_cast<char>(random() % 3 == 0 ? 0xFF : random());
    }
    seal(hostile);
    auto restored = Tracker::restore(hostile);
    refused += !restored.has_value();
    if (!restored) continue;
    REQUIRE(is_sound(*restored));
    if (from == records) REQUIRE((restored->snapshot() == hostile));
    const auto again = Tracker::restore(restored->snapshot());
    REQUIRE((again && *again == *restored));
    RandomEvents stream(3, members);
    for (int event = 0; event < 3; ++event) restored->apply(stream.next());
  }
  CHECK(refused > 1000);
  CHECK(refused < 19500);
}

TEST_CASE("texts that are not UTF-8 and dates that no calendar has are refused, wherever they stand") {
  const std::string bytes = followed(200).snapshot();
  for (const std::string_view text :
       {"m1", "external", "conn-m1a", "it-m2a", "acc-1", "Banque Exemple", "message", "released"}) {
    CAPTURE(text);
    std::string hostile = bytes;
    const std::size_t at = hostile.find(text);
    REQUIRE(at != std::string::npos);
    hostile[at + text.size() - 1] = '\xFF';
    seal(hostile);
    const auto restored = Tracker::restore(hostile);
    REQUIRE_FALSE(restored.has_value());
    CHECK(restored.error() == SnapshotError::content);
  }
  const std::string date("\xEA\x07\x05\x03", 4);
  std::string hostile = bytes;
  REQUIRE(hostile.find(date) != std::string::npos);
  hostile[hostile.find(date) + 2] = 13;
  seal(hostile);
  CHECK(Tracker::restore(hostile).error() == SnapshotError::content);
}

TEST_CASE("counts that no bytes stand after ask for no memory") {
  std::string bytes = Tracker().snapshot();
  bytes.replace(bytes.size() - 11, 3, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F");
  seal(bytes);
  CHECK(Tracker::restore(bytes).error() == SnapshotError::content);
}
