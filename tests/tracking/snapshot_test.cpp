// SPDX-License-Identifier: MIT
// Snapshots: there and back; what is foreign, of another version, cut, damaged or made up is refused whole.
#include <bankhook_catch.hpp>

#include <support/files.hpp>
#include <tracking/random_story.hpp>
#include <tracking/stories.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/tracking/digest.hpp>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tracking_snapshot_test {

using namespace bankhook;
using namespace bankhook::test;

namespace {

Tracker followed(int events, const TrackerOptions& options = {}) {
  RandomStory stream(7);
  Story story;
  Tracker tracker(options);
  for (int i = 0; i < events; ++i) tracker.apply(story.event(stream.next()));
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
  return lines + R"({"checksum":)" + std::to_string(detail::tracking::checksum_of(lines)) + "}\n";
}
/// Why these lines are refused although their checksum is right.
std::optional<SnapshotError> refusal(const std::string& lines) {
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
  for (const TrackedMember& one : tracker.members()) look(one.customer);
  tracker.for_each_transaction([&](const TrackedTransaction& one) { look(one.initial_transaction); });
  tracker.for_each_connection([&](const TrackedConnection& one) { look(one.connection); });
  return sound;
}

}  // namespace

TEST_CASE("a tracker that was restored is equal, has the same bytes and answers as the one before") {
  RandomStory stream(11);
  Story story;
  Tracker original;
  for (int i = 0; i < 300; ++i) {
    const AnyEvent event = story.event(stream.next());
    auto restored = Tracker::restore(original.snapshot());
    REQUIRE(restored.has_value());
    REQUIRE(*restored == original);
    REQUIRE(restored->snapshot() == original.snapshot());
    REQUIRE(restored->apply(event) == original.apply(event));
    REQUIRE(*restored == original);
  }
  CHECK(*Tracker::restore(Tracker().snapshot()) == Tracker());
}

TEST_CASE("a snapshot has a line for each member, connection and transaction, between a head and a checksum") {
  const std::string bytes = tracker_after({"create k1: k1 k2", "created t1", "m2 created t1"}).snapshot();
  CHECK(std::count(bytes.begin(), bytes.end(), '\n') == 2 + 2 + 2 + 2);
}

TEST_CASE("a snapshot keeps the choices, and the tables come from the caller") {
  const Tracker tracker({.status_from = StatusFrom::event_type, .take_create = true});
  const auto restored = Tracker::restore(tracker.snapshot());
  REQUIRE(restored.has_value());
  CHECK(restored->options().status_from == StatusFrom::event_type);
  CHECK(restored->options().take_create);
  CHECK(*restored == tracker);
  CHECK_FALSE(*restored == Tracker());
}

TEST_CASE("the snapshot of a member's state is that of a tracker of this member alone") {
  MemberState state;
  Story story;
  state.apply(story.event("create k1a: k1a"));
  CHECK(state.snapshot() == tracker_after({"create k1a: k1a"}).snapshot());
  const auto restored = MemberState::restore(state.snapshot());
  REQUIRE(restored.has_value());
  CHECK(restored->snapshot() == state.snapshot());
  CHECK(MemberState::restore(MemberState().snapshot())->empty());
  CHECK(MemberState::restore(tracker_after({"created t1", "m2 created t1"}).snapshot()).error() == SnapshotError::content);
}

TEST_CASE("lines that are written where an event names them are always those of the snapshot") {
  static constexpr std::string_view only[] = {"m1"};
  RandomStory stream(3, only);
  Story story;
  MemberState state;
  std::map<std::pair<SnapshotLineKind, std::string>, std::string> lines;
  for (int i = 0; i < 2'000; ++i) {
    std::set<std::pair<SnapshotLineKind, std::string>> named;
    const AnyEvent event = story.event(stream.next());
    const Outcome outcome =
        state.apply(event, [&](SnapshotLineKind kind, std::string_view id) { named.emplace(kind, id); });
    CHECK((outcome.accepted || named.empty()));
    for (const auto& name : named) {
      const std::string line = state.line(name.first, name.second);
      REQUIRE_FALSE(line.empty());
      REQUIRE(std::exchange(lines[name], line) != line);
    }
    const std::string bytes = state.snapshot();
    std::string kept = bytes.substr(0, bytes.find('\n') + 1);
    for (const auto& [name, line] : lines) kept += line + '\n';
    REQUIRE(sealed(kept) == bytes);
  }
  CHECK(state.line(SnapshotLineKind::connection, "t1").empty());
  CHECK(state.line(SnapshotLineKind::member, "m2").empty());
  CHECK(MemberState().line(SnapshotLineKind::member, "").empty());

  MemberState again;
  again.apply(story.event("create k1: k1"));
  std::set<std::string> named;
  const auto name = [&](SnapshotLineKind, std::string_view id) { named.emplace(id); };
  CHECK(again.apply(story.event("create k1: k1 k2"), name).repeat);  // of the connection; its digest is another one
  CHECK(named.contains("k1"));
}

TEST_CASE("every cut of a snapshot is refused") {
  const std::string bytes = followed(40).snapshot();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto restored = Tracker::restore(std::string_view(bytes).substr(0, size));
    REQUIRE_FALSE(restored.has_value());
    REQUIRE(restored.error() == (size == 0 ? SnapshotError::foreign : SnapshotError::cut));
  }
  CHECK(Tracker::restore(bytes + "x").error() == SnapshotError::cut);
}

TEST_CASE("every byte that is forged is noticed") {
  const std::string bytes = followed(40).snapshot();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int difference : {1, 0x80, 0xFF}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ difference);
      REQUIRE_FALSE(Tracker::restore(damaged).has_value());
    }
  }
}

TEST_CASE("a snapshot of version 1 is refused with a sentence, and so are foreign bytes") {
  const auto old = Tracker::restore(read_file(data() / "snapshots" / "version_1.ndjson"));
  REQUIRE_FALSE(old.has_value());
  CHECK(old.error() == SnapshotError::other_version);
  CHECK(to_string(old.error()) == "expected a snapshot of a version that this library reads");
  CHECK(Tracker::restore("PK\x03\x04 something else entirely, and long enough").error() == SnapshotError::foreign);
  CHECK(Tracker::restore("\n").error() == SnapshotError::foreign);
  const std::string lines = lines_of(followed(10));
  for (const std::string_view version : {"1", "2", "30", "\"3\"", "null"})
    CHECK(refusal(with(lines, "Snapshot\":3", "Snapshot\":" + std::string(version))) == SnapshotError::other_version);
}

TEST_CASE("lines that no tracker writes are refused, with the right checksum, too") {
  const std::string lines = lines_of(tracker_after({"create k1: k1", "created t1"}));
  const std::size_t member = lines.find('\n') + 1, first = lines.find('\n', member) + 1,
                    second = lines.find('\n', first) + 1;
  CHECK_FALSE(refusal(lines).has_value());
  CHECK(refusal(lines + "{}\n") == SnapshotError::content);
  CHECK(refusal(lines + "\n") == SnapshotError::content);
  CHECK(refusal(lines + "[]\n") == SnapshotError::content);
  CHECK(refusal(lines + lines.substr(member, first - member)) == SnapshotError::content);   // the member again
  CHECK(refusal(lines + lines.substr(first, second - first)) == SnapshotError::content);    // a connection again
  CHECK(refusal(lines + lines.substr(second)) == SnapshotError::content);                   // a transaction again
  CHECK(refusal(lines.substr(0, member) + lines.substr(first)) == SnapshotError::content);  // of nobody
  CHECK(refusal(with(lines, "neither", "both")) == SnapshotError::content);
  CHECK(refusal(with(lines, "takeCreate", "other")) == SnapshotError::content);
  CHECK(refusal(with(lines, R"("amount":19.90,)", "")) == SnapshotError::content);
  CHECK(refusal(with(lines, "19.90", R"("19.90")")) == SnapshotError::content);
  CHECK(refusal(with(lines, "2026-05-03", "2026-13-03")) == SnapshotError::content);
  for (const std::string_view text : {"m1", "c1", "k1", "t1", "Banque Exemple", "store-1"}) {
    CAPTURE(text);
    CHECK(refusal(with(lines, text, std::string(text.substr(1)) + "\xFF")) == SnapshotError::content);
  }
}

TEST_CASE("a line with more fields in another order is read: a later version may have them") {
  const Tracker tracker = tracker_after({"created t1"});
  const std::string lines = lines_of(tracker);
  const auto restored =
      Tracker::restore(sealed(with(with(lines, R"({"member":{)", R"({"mood":[true],"member":{"mood":null,)"),
                                   R"("takeCreate")", R"("x":7,"takeCreate")")));
  REQUIRE(restored.has_value());
  CHECK(*restored == tracker);
}

TEST_CASE("a hostile snapshot with the right checksum is refused, or a sound tracker comes out") {
  const std::string lines = lines_of(followed(100));
  const std::size_t members_start = lines.find('\n') + 1;
  constexpr std::string_view common = "\"0123456789,:[]{}nulltrue";
  std::mt19937_64 random(11);
  RandomStory stream(3);
  Story story;
  std::size_t refused = 0;
  for (int i = 0; i < 2000; ++i) {
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
    refused += !restored.has_value();
    if (!restored) continue;
    REQUIRE(is_sound(*restored));
    const auto again = Tracker::restore(restored->snapshot());
    REQUIRE((again && *again == *restored));
    for (int event = 0; event < 3; ++event) restored->apply(story.event(stream.next()));
  }
  CHECK(refused > 100);
  CHECK(refused < 1950);
}

TEST_CASE("an event made by hand with a date that does not exist is not accepted: what is tracked can be restored") {
  Story story;
  Connection undated = story.of("k2");
  const Connection dated = story.of("k1");
  Tracker tracker = tracker_after({"create k1: k1"});
  const std::string before = tracker.snapshot();
  for (const auto date :
       {std::chrono::year_month_day(), std::chrono::year(2026) / 2 / 30, std::chrono::year(10'000) / 5 / 3}) {
    undated.transactions_eligible_from_date = date;
    auto undated_transaction = transaction("t1", TransactionStatus::created);
    undated_transaction.initial_transaction.transaction_date = date;
    for (const AnyEvent& event :
         {AnyEvent(bank(ConnectionEventType::create, undated, {&dated, 1})),
          AnyEvent(bank(ConnectionEventType::update, dated, {&undated, 1})), AnyEvent(undated_transaction)}) {
      const Outcome outcome = tracker.apply(event);
      CHECK(words(outcome) == "unspecified refused");
      CHECK(rests_on(outcome, RuleId::days_and_times_exist));
    }
  }
  CHECK(tracker.snapshot() == before);
}

TEST_CASE("a place id is restored under whatever name") {
  auto event = transaction("t1", TransactionStatus::created);
  event.initial_transaction.place_id = "place-7";
  Tracker tracker;
  tracker.apply(event);
  CHECK(tracker.snapshot().contains(R"("place":"place-7")"));
  CHECK_FALSE(tracker.snapshot().contains("placeId"));
  CHECK(Tracker::restore(tracker.snapshot())->transaction("m1", "t1")->initial_transaction.place_id == "place-7");
}

}  // namespace tracking_snapshot_test
