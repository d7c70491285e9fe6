// SPDX-License-Identifier: MIT
// Snapshots in consumers' stores: those of every version, and of future versions, are read.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/base/arena.hpp>
#include <bankhook/events/serialize.hpp>
#include <bankhook/text/eight_bytes.hpp>
#include <bankhook/tracking/snapshot.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace bankhook;
using namespace bankhook::test;

namespace {

std::string contents(const std::string& name) {
  std::ifstream file(std::string(BANKHOOK_TEST_DATA) + "/snapshots/" + name, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

/// Everything that a tracker stores, one item a line, in order: as printed by the program that wrote the kept snapshots.
/// What that program called deleted only because it was no longer listed is `unlisted` in these lines.
std::string lines_of(const Tracker& tracker) {
  std::vector<std::string> lines;
  Arena arena;
  for (const auto& [customer, membership] : tracker.members()) {
    lines.push_back("member " + serialize(customer));
    if (!membership) continue;
    lines.back() += " " + std::to_string(membership->connections_on) + " " + std::to_string(membership->connections_off) +
                    " " + std::string(membership->shopping_hub_id) + " " +
                    std::string(membership->shopping_hub_external_id);
  }
  for (const auto& one : tracker.connections(arena)) {
    lines.push_back("connection " + std::string(one.member_id) + " " +
                    std::string(one.event_type ? one.event_type->text() : "-") + " " +
                    std::string(one.state ? one.state->text() : "-") + " " + serialize(one.connection));
  }
  for (const auto& one : tracker.transactions()) {
    lines.push_back("transaction " + std::string(one.customer.id) + " " + std::string(one.event_type.text()) + " " +
                    serialize(one.initial_transaction));
  }
  std::ranges::sort(lines);
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

namespace later {

/// What a future version may write.
struct Options {
  std::uint64_t bound = 7;
};
struct Member {
  std::span<const std::uint64_t> hashes{};
  Customer customer{};
  nullable<Membership> membership{};
  OpenEnum<TransactionStatus> mood{};
};
struct Transaction {
  maybe_absent<Timestamp> received{};
  InitialTransaction initial_transaction{};
  std::uint64_t member{};
  OpenEnum<TransactionStatus> event_type{};
};
struct Note {
  std::string_view text{};
};
struct Snapshot {
  std::span<const Note> notes{};
  std::span<const Member> members{};
  Options options{};
  std::span<const Transaction> transactions{};
};
/// One that lacks a field that the current records require.
struct Poor {
  Customer customer{};
};
struct PoorTransaction {
  std::uint64_t member{};
};
struct PoorSnapshot {
  std::span<const Poor> members{};
  std::span<const PoorTransaction> transactions{};
};

}  // namespace later

/// The bytes of a snapshot that holds `value`.
template <class T>
std::string sealed(const T& value) {
  std::string bytes = Tracker().snapshot().substr(0, tracking::detail::head_size);
  const std::string layout = tracking::layout_of<T>();
  tracking::detail::append_packed(std::string_view(layout), bytes);
  tracking::detail::append_packed(value, bytes);
  text::store8(bytes.size() + tracking::detail::checksum_size, bytes.data() + 16);
  tracking::detail::append_word(tracking::checksum_of(bytes), bytes);
  return bytes;
}

}  // namespace

TEST_CASE("snapshots that were kept are read as what they were") {
  for (const std::string version : {"version_1", "version_2"}) {
    CAPTURE(version);
    const std::string bytes = contents(version + ".bin");
    REQUIRE(bytes.size() > 5000);
    const auto restored = Tracker::restore(bytes);
    REQUIRE(restored.has_value());
    CHECK(lines_of(*restored) == contents(version + ".txt"));
    const auto again = Tracker::restore(restored->snapshot());
    REQUIRE(again.has_value());
    CHECK(*again == *restored);
  }
}

TEST_CASE("a kept snapshot is refused if any byte is damaged") {
  for (const std::string name : {"version_1.bin", "version_2.bin"}) {
    const std::string bytes = contents(name);
    for (std::size_t i = 0; i < bytes.size(); i += 7) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 1);
      REQUIRE_FALSE(Tracker::restore(damaged).has_value());
    }
  }
}

TEST_CASE("a snapshot of a future version, with more fields and tables in another order, is read") {
  const auto event = transaction("it-1", TransactionStatus::validated);
  const std::array<std::uint64_t, 2> hashes{1, 0xFFFFFFFFFFFFFFFF};
  const std::array members{later::Member{hashes, event.customer, std::nullopt, OpenEnum<TransactionStatus>::of("new")}};
  const std::array transactions{later::Transaction{Timestamp(), event.initial_transaction, 0, event.event_type}};
  const std::array notes{later::Note{"note"}, later::Note{""}};
  const auto restored =
      Tracker::restore(sealed(later::Snapshot{.notes = notes, .members = members, .transactions = transactions}));
  REQUIRE(restored.has_value());
  Tracker expected;
  expected.apply(event);
  CHECK(*restored == expected);
  CHECK(restored->snapshot() == expected.snapshot());
}

TEST_CASE("what a record cannot do without is named as missing") {
  const std::array members{later::Poor{{"m", "e"}}};
  const std::array<later::PoorTransaction, 1> transactions{};
  CHECK(Tracker::restore(sealed(later::PoorSnapshot{members, transactions})).error() == SnapshotError::missing_field);
  CHECK(Tracker::restore(sealed(later::PoorSnapshot{members, {}})).has_value());
}

TEST_CASE("a table that comes twice, or records without their members, are refused") {
  struct Twice {
    std::span<const later::Poor> members{};
    std::span<const later::Poor> connections{};
  };
  const std::array members{later::Poor{{"m", "e"}}};
  std::string bytes = sealed(Twice{members, members});
  const std::size_t name = bytes.find("connections");
  bytes.replace(name, 11, "members");
  bytes[24] = static_cast<char>(bytes[24] - 4);
  text::store8(bytes.size(), bytes.data() + 16);
  text::store8(tracking::checksum_of(std::string_view(bytes).substr(0, bytes.size() - 8)), bytes.data() + bytes.size() - 8);
  CHECK(Tracker::restore(bytes).error() == SnapshotError::content);
  struct WithoutMembers {
    std::span<const later::Transaction> transactions{};
  };
  const auto event = transaction("it-1", TransactionStatus::validated);
  const std::array transactions{later::Transaction{Timestamp(), event.initial_transaction, 0, event.event_type}};
  CHECK(Tracker::restore(sealed(WithoutMembers{transactions})).error() == SnapshotError::content);
}
