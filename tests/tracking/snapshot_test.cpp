// SPDX-License-Identifier: MIT
// Snapshots: what is foreign, of another version, cut, damaged or made up is rejected, and never breaks anything.
#include <bankhook_catch.hpp>

#include <tracking/random_events.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/parse.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/tracking/snapshot.hpp>
#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <variant>

namespace tracking_snapshot_test {

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

/// The lines of a snapshot without its last one, which has the checksum.
std::string lines_of(const Tracker& tracker) {
  std::string bytes = tracker.snapshot();
  bytes.resize(bytes.rfind('\n', bytes.size() - 2) + 1);
  return bytes;
}
/// These lines and the checksum that they ought to have.
std::string sealed(const std::string& lines) {
  return lines + R"({"checksum":)" + std::to_string(tracking::checksum_of(lines)) + "}\n";
}
/// Why these lines are rejected although their checksum is right.
std::optional<SnapshotError> rejection(const std::string& lines) {
  const auto restored = Tracker::restore(sealed(lines));
  return restored ? std::nullopt : std::optional(restored.error());
}
/// `text` with the first `from` as `to`.
std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
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
  for (const TrackedConnection& held : tracker.connections()) look(held.connection);
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

TEST_CASE("every cut of a snapshot is rejected") {
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

TEST_CASE("foreign bytes and other versions are different errors") {
  CHECK(Tracker::restore("PK\x03\x04 something else entirely, and long enough").error() == SnapshotError::foreign);
  CHECK(Tracker::restore("\n").error() == SnapshotError::foreign);
  const std::string lines = lines_of(followed(10));
  CHECK_FALSE(rejection(lines).has_value());
  CHECK(rejection(with(lines, "Snapshot\":1", "Snapshot\":2")) == SnapshotError::other_version);
  CHECK(rejection(with(lines, "Snapshot\":1", "Snapshot\":\"1\"")) == SnapshotError::other_type);
}

TEST_CASE(
    "an empty line, a line that is not a member, and a member that comes twice are rejected, with the right checksum, "
    "too") {
  const std::string lines = lines_of(followed(10));
  CHECK(rejection(lines + "\n") == SnapshotError::content);
  CHECK(rejection(lines + "[]\n") == SnapshotError::other_type);
  CHECK(rejection(lines + "{}\n") == SnapshotError::missing_field);
  const std::size_t second = lines.find('\n') + 1;
  CHECK(rejection(lines + lines.substr(second, lines.find('\n', second) + 1 - second)) == SnapshotError::content);
}

TEST_CASE("a connection or a transaction of two members is rejected") {
  Tracker tracker;
  tracker.apply(transaction("it-1", TransactionStatus::created));
  const Connection own = connection("conn-1");
  tracker.apply(bank(ConnectionEventType::create, own, {&own, 1}));
  const std::string lines = lines_of(tracker);
  const std::string member = lines.substr(lines.find('\n') + 1);
  const std::string other = with(member, R"("id":"member-1")", R"("id":"member-2")");
  CHECK(rejection(lines + with(other, R"("id":"it-1")", R"("id":"it-2")")) == SnapshotError::content);
  CHECK(rejection(lines + with(other, R"("id":"conn-1")", R"("id":"conn-2")")) == SnapshotError::content);
  CHECK_FALSE(
      rejection(lines + with(with(other, R"("id":"it-1")", R"("id":"it-2")"), R"("id":"conn-1")", R"("id":"conn-2")"))
          .has_value());
}

TEST_CASE("a hostile snapshot with the right checksum is rejected, or a sound tracker comes out") {
  const std::string lines = lines_of(followed(200));
  const std::size_t members_start = lines.find('\n') + 1;
  constexpr std::string_view common = "\"0123456789,:[]{}nulltrue";
  std::mt19937_64 random(11);
  std::size_t rejected = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string hostile = lines;
    const std::size_t from = i % 16 == 0 ? 0 : members_start;
    for (std::uint64_t count = 1 + random() % 2; count > 0; --count) {
      const std::size_t at = from + random() % (hostile.size() - from);
      if (random() % 8 == 0) hostile.erase(at, 1 + random() % 9);
      else if (random() % 8 == 0) hostile.insert(at, hostile.substr(at, 9));
      else if (random() % 2 == 0) hostile[at] = common[random() % common.size()];
      else hostile[at] = static_cast<char>(random());
    }
    auto restored = Tracker::restore(sealed(hostile));
    rejected += !restored.has_value();
    if (!restored) continue;
    REQUIRE(is_sound(*restored));
    const auto again = Tracker::restore(restored->snapshot());
    REQUIRE((again && *again == *restored && again->snapshot() == restored->snapshot()));
    RandomEvents stream(3, members);
    for (int event = 0; event < 3; ++event) restored->apply(stream.next());
  }
  CHECK(rejected > 250);
  CHECK(rejected < 4875);
}

TEST_CASE("texts that are not UTF-8 and dates that no calendar has are rejected, wherever they stand") {
  const std::string lines = lines_of(followed(200));
  for (const std::string_view text :
       {"m1", "external", "conn-m1a", "it-m2a", "acc-1", "Banque Exemple", "message", "released"}) {
    CAPTURE(text);
    std::string spoiled(text);
    spoiled.back() = '\xFF';
    CHECK(rejection(with(lines, text, spoiled)) == SnapshotError::content);
  }
  CHECK(rejection(with(lines, "2026-05-03", "2026-13-03")) == SnapshotError::content);
}

TEST_CASE("an event made by hand with a date that does not exist is not accepted: what is tracked can be restored") {
  Connection dated{.id = "conn-1"};
  dated.transactions_eligible_from_date = std::chrono::year(2026) / 5 / 3;
  Tracker tracker;
  CHECK(tracker.apply(bank(ConnectionEventType::create, dated, {&dated, 1})).accepted);
  const std::string before = tracker.snapshot();

  Connection other = dated;
  other.id = "conn-2";
  for (const auto date :
       {std::chrono::year_month_day(), std::chrono::year(2026) / 2 / 30, std::chrono::year(10'000) / 5 / 3}) {
    CAPTURE(static_cast<int>(date.year()));
    other.transactions_eligible_from_date = date;
    auto undated_transaction = transaction("it-1", TransactionStatus::created);
    undated_transaction.initial_transaction.transaction_date = date;
    for (const AnyEvent& event :
         {AnyEvent(bank(ConnectionEventType::create, other, {&dated, 1})),
          AnyEvent(bank(ConnectionEventType::update, dated, {&other, 1})), AnyEvent(undated_transaction)}) {
      const Outcome outcome = tracker.apply(event);
      CHECK(outcome == tracker.peek(event));
      CHECK(!outcome.accepted);
      CHECK(outcome.verdict == Verdict::contradicts);
      CHECK(outcome.changes.empty());
      REQUIRE(std::holds_alternative<const Rule*>(outcome.reason));
      CHECK(std::get<const Rule*>(outcome.reason)->rule == RuleId::fields_have_their_form);
    }
  }
  CHECK(tracker.snapshot() == before);
  CHECK(Tracker::restore(before).value() == tracker);
}

TEST_CASE("a place id is restored under whatever name") {
  auto event = transaction("it-1", TransactionStatus::created);
  event.initial_transaction.place_id = "place-7";
  Tracker tracker;
  tracker.apply(event);
  const std::string lines = lines_of(tracker);
  CHECK(lines.find(R"("place":"place-7")") != std::string::npos);
  CHECK(lines.find("placeId") == std::string::npos);
  const auto restored = Tracker::restore(tracker.snapshot());
  REQUIRE(restored.has_value());
  CHECK(restored->transaction("it-1")->initial_transaction.place_id == "place-7");
}

}  // namespace tracking_snapshot_test
