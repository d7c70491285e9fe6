// SPDX-License-Identifier: MIT
// Snapshots in consumers' stores: those of every version, and of future versions, are read.
#include <bankhook_catch.hpp>

#include <tracking/stories.hpp>

#include <bankhook/events/serialize.hpp>
#include <bankhook/tracking/store/hash.hpp>
#include <bankhook/tracking/tracker.hpp>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace tracking_kept_snapshots_test {

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
std::string lines_of(const Tracker& tracker) {
  std::vector<std::string> lines;
  for (const auto& [customer, membership] : tracker.members()) {
    lines.push_back("member " + serialize(customer));
    if (!membership) continue;
    lines.back() += " " + std::to_string(membership->connections_on) + " " + std::to_string(membership->connections_off) +
                    " " + std::string(membership->shopping_hub_id) + " " +
                    std::string(membership->shopping_hub_external_id);
  }
  for (const auto& one : tracker.connections()) {
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

/// A snapshot with this head and these lines, and the checksum that it ought to have.
std::string sealed(std::string_view lines, std::string_view head = R"({"trackerSnapshot":1})") {
  const std::string bytes = std::string(head) + "\n" + std::string(lines);
  return bytes + R"({"checksum":)" + std::to_string(tracking::checksum_of(bytes)) + "}\n";
}

constexpr std::string_view transaction_line =
    R"({"customer":{"id":"member-1","externalId":"client-1"},"membership":null,"lastConnection":null,"connections":[],)"
    R"("transactions":[{"initialTransaction":{"id":"it-1","amount":19.90,"storeExternalId":"store-1","status":"validated",)"
    R"("rejectionReason":null,"transactionDate":"2026-05-03","transactionId":null,"date":"2026-05-04T12:15:30Z"},)"
    R"("eventType":"validated","seen":""}]})"
    "\n";

std::string with(std::string_view from, std::string_view to) {
  std::string line(transaction_line);
  REQUIRE(line.find(from) != std::string::npos);
  return line.replace(line.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("snapshots that were kept are read as what they were") {
  for (const std::string version : {"version_1"}) {
    CAPTURE(version);
    const std::string bytes = contents(version + ".ndjson");
    REQUIRE(bytes.size() > 5000);
    const auto restored = Tracker::restore(bytes);
    REQUIRE(restored.has_value());
    CHECK(lines_of(*restored) == contents(version + ".txt"));
    const auto again = Tracker::restore(restored->snapshot());
    REQUIRE(again.has_value());
    CHECK(*again == *restored);
  }
}

TEST_CASE("a kept snapshot is rejected if any byte is damaged") {
  for (const std::string name : {"version_1.ndjson"}) {
    const std::string bytes = contents(name);
    for (std::size_t i = 0; i < bytes.size(); i += 7) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 1);
      REQUIRE_FALSE(Tracker::restore(damaged).has_value());
    }
  }
}

TEST_CASE("a snapshot of a future version, with more fields in another order, is read") {
  const auto plain = Tracker::restore(sealed(transaction_line));
  REQUIRE(plain.has_value());
  CHECK(plain->transaction("it-1")->initial_transaction.amount == Decimal(1990, 2));
  for (const std::string& line :
       {with(R"("membership":null,)", R"("mood":{"good":[true]},"membership":null,)"),
        with(R"("seen":"")", R"("seen":"","received":"2026-05-04T12:15:31Z")"),
        with(R"("membership":null,"lastConnection":null,)", R"("lastConnection":null,"membership":null,)")}) {
    const auto restored = Tracker::restore(sealed(line, R"({"trackerSnapshot":1,"bound":7})"));
    REQUIRE(restored.has_value());
    CHECK(*restored == *plain);
    CHECK(restored->snapshot() == plain->snapshot());
  }
}

TEST_CASE("an option that the snapshot does not have gets its default") {
  CHECK(Tracker::restore(sealed({}))->options().unlist);
  CHECK_FALSE(Tracker::restore(sealed({}, R"({"trackerSnapshot":1,"unlist":false})"))->options().unlist);
}

TEST_CASE("what a record cannot do without is named as missing, and so is another type") {
  CHECK(Tracker::restore(sealed(with(R"("amount":19.90,)", ""))).error() == SnapshotError::missing_field);
  CHECK(Tracker::restore(sealed(with(R"("customer":{"id":"member-1","externalId":"client-1"},)", ""))).error() ==
        SnapshotError::missing_field);
  CHECK(Tracker::restore(sealed(with("19.90", R"("19.90")"))).error() == SnapshotError::other_type);
  CHECK(Tracker::restore(sealed(with(R"("id":"it-1")", R"("id":null)"))).error() == SnapshotError::other_type);
}

}  // namespace tracking_kept_snapshots_test
