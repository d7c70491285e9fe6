// SPDX-License-Identifier: MIT
// Archives as Arrow columns: every value is that of `parse`, every line is in a table, and memory is given back.
#include "consumer.hpp"

#include <bankhook/parse.hpp>
#include <bankhook/sandbox.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace columns_test {
namespace {

using bankhook::Account;
using bankhook::BankConnectionsUpdateV2;
using bankhook::ColumnErrc;
using bankhook::ColumnOptions;
using bankhook::Connection;
using bankhook::InitialTransactionUpdate;
using bankhook::RejectedLine;
using bankhook::to_columns;
using bankhook::UnknownEvent;

std::string transaction(std::string_view amount, std::string_view date) {
  return R"({"event":"initial_transaction_update","eventType":"created","customer":{"id":"m","externalId":"x"},)"
         R"("initialTransaction":{"id":"t","amount":)" +
         std::string(amount) +
         R"(,"storeExternalId":null,"placeId":"p","storeName":"\u00e9","status":"someday","rejectionReason":null,)"
         R"("transactionDate":"1969-12-31","transactionId":null,"date":")" +
         std::string(date) + "\"}}\n";
}
std::string connection(std::string_view id, std::string_view consent, std::string_view accounts) {
  return R"({"id":")" + std::string(id) +
         R"(","errorCode":null,"errorMessage":null,"bank":"B",)"
         R"("transactionsEligibleFromDate":"2026-01-02",)" +
         std::string(consent) + R"("accounts":[)" + std::string(accounts) + "]}";
}
std::string connections(std::string_view consent) {
  const std::string first = connection("c1", consent, R"({"id":"a1","accountHash":"h"},{"id":"a2","accountHash":null})");
  const std::string second = connection("c2", "", "");
  return R"({"event":"bank_connections_update_v2","eventType":"update","customer":{"id":"m","externalId":"x",)"
         R"("connectionsOn":1,"connectionsOff":18446744073709551615,"connections":[)" +
         first + "," + second + R"(]},"connection":)" + first +
         R"(,"shoppingHubId":"s","shoppingHubExternalId":"y"})"
         "\n";
}

/// An archive with faults, as the sandbox sends it.
std::string faulty_archive(int count) {
  bankhook::SandboxOptions options;
  options.faults = {.truncate = 0.02, .mutate = 0.02, .future = 0.02};
  bankhook::Sandbox sandbox(7, options);
  std::string archive;
  for (int i = 0; i < count; ++i) {
    std::string payload(sandbox.next().payload);
    for (char& c : payload) c = c == '\n' ? ' ' : c;
    archive += payload + "\n";
  }
  return archive;
}

/// Releases a struct in another thread, and then again by the callback it had, as no consumer may.
template <class Struct>
void release_twice_elsewhere(Struct& given) {
  auto* const release = given.release;
  std::thread([&] { release(&given); }).join();
  CHECK(given.release == nullptr);
  release(&given);
  CHECK(given.release == nullptr);
}

}  // namespace

TEST_CASE("the columns of a table are derived from the fields of its structs") {
  Table table;
  read_table<Connection>("", {}, table);
  CHECK(described(table.schema.schema) ==
        ":+s{source:l line:l eventIndex:l memberId:u listIndex:l? id:u errorCode:u? errorMessage:u? bank:u "
        "transactionsEligibleFromDate:tdD consentExpiresAt:tsu:?}");
  CHECK(table.batches.empty());
  Table updates;
  read_table<InitialTransactionUpdate>("", {.scale = 2, .unit = bankhook::TimeUnit::nanoseconds}, updates);
  CHECK(described(updates.schema.schema) ==
        ":+s{source:l line:l eventIndex:l memberId:u event:u eventType:u customer:+s{id:u externalId:u} "
        "initialTransaction:+s{id:u amount:d:38,2 storeExternalId:u? placeId:u? storeName:u? status:u "
        "rejectionReason:u? transactionDate:tdD transactionId:u? date:tsn:UTC? dateLocal:tsn:?}}");
}

TEST_CASE("the amount, the date and both kinds of creation time are exact") {
  const std::string archive =
      transaction("-19.90", "2026-03-01T10:00:00.5+02:00") + "\n" + transaction("1e3", "0001-01-01T00:00:00");
  Table table;
  read_table<InitialTransactionUpdate>(archive, {}, table);
  REQUIRE(table.rows() == 2);
  const View rows = view_of(table), values = rows["initialTransaction"];
  CHECK(rows["line"].at<std::int64_t>(1) == 3);
  CHECK(rows["eventIndex"].at<std::int64_t>(1) == 1);
  CHECK(values["amount"].at<std::int64_t>(0) == -199000);
  CHECK(values["amount"].at<std::int64_t>(1) == -1);  // the upper half of the first
  CHECK(values["amount"].at<std::int64_t>(2) == 10000000);
  CHECK(values["transactionDate"].at<std::int32_t>(0) == -1);
  CHECK(values["date"].at<std::int64_t>(0) == 1772352000500000);
  CHECK(values["date"].is_null(1));
  CHECK(values["dateLocal"].is_null(0));
  CHECK(values["dateLocal"].at<std::int64_t>(1) == -62135596800000000);
  CHECK(values["storeName"].text(0) == "é");
  CHECK(values["status"].text(0) == "someday");
  CHECK(values["storeExternalId"].text(0) == std::nullopt);
}

TEST_CASE("a connection without accounts keeps its row, and accounts name their connection") {
  const std::string archive = connections(R"("consentExpiresAt":"2026-05-01 10:00:00.1234",)");
  Table table, accounts;
  read_table<Connection>(archive, {}, table);
  REQUIRE(table.rows() == 3);
  CHECK(view_of(table)["listIndex"].is_null(0));
  CHECK(view_of(table)["id"].text(2) == "c2");
  CHECK(view_of(table)["listIndex"].at<std::int64_t>(2) == 1);
  CHECK(view_of(table)["consentExpiresAt"].at<std::int64_t>(0) == 1777629600123400);
  CHECK(view_of(table)["consentExpiresAt"].is_null(2));
  read_table<Account>(archive, {.batch_rows = 3}, accounts);
  REQUIRE(accounts.batches.size() == 2);
  CHECK(accounts.rows() == 4);
  const View last = view_of(accounts, 1);
  CHECK(last["memberId"].text(0) == view_of(table)["memberId"].text(2));
  CHECK((last["connectionId"].text(0) == "c1" && last["id"].text(0) == "a2"));
  CHECK((last["listIndex"].at<std::int64_t>(0) == 0 && last["accountIndex"].at<std::int64_t>(0) == 1));
  CHECK(last["accountHash"].text(0) == std::nullopt);
  Table small;
  read_table<Account>(archive, {.batch_bytes = 1}, small);  // fewer than a line has
  CHECK(small.batches.size() == 4);
}

TEST_CASE("a value that no column holds exactly rejects its event from all tables, with its path") {
  const std::string archive = transaction("0.00001", "2026-03-01T10:00:00Z") +
                              transaction("1.50000", "2026-03-01T10:00:00Z") +
                              connections(R"("consentExpiresAt":"2026-05-01 10:00:00.1234567",)") + "{\"event\":1}\n";
  Table updates, banks, rejected;
  read_table<InitialTransactionUpdate>(archive, {}, updates);
  CHECK(updates.rows() == 1);
  read_table<Connection>(archive, {}, banks);
  CHECK(banks.rows() == 0);
  read_table<RejectedLine>(archive, {}, rejected);
  REQUIRE(rejected.rows() == 3);
  const View rows = view_of(rejected);
  CHECK(rows["rule"].text(0) == "decimal_fits_column");
  CHECK(rows["path"].text(0) == "$.initialTransaction.amount");
  CHECK(rows["offset"].is_null(0));
  CHECK(rows["rule"].text(1) == "timestamp_fits_column");
  CHECK(rows["path"].text(1) == "$.customer.connections[0].consentExpiresAt");
  CHECK(rows["rule"].text(2) == "fields_have_their_type");
  CHECK(rows["path"].text(2) == "$.event");
  CHECK(rows["offset"].at<std::int64_t>(2) == 9);
  CHECK(rows["raw"].text<std::int64_t>(2) == "{\"event\":1}");
  Table exact;
  read_table<Connection>(archive, {.unit = bankhook::TimeUnit::nanoseconds}, exact);
  CHECK(exact.rows() == 3);
}

TEST_CASE("an instant beyond the years 1 to 9999 of UTC, and only that, rejects its event") {
  std::string archive;
  for (const std::string_view date :
       {"9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59.999999+00:00",
        "0001-01-01T00:00:00Z", "9999-12-31T18:59:59-05:00", "9999-12-31T23:59:59", "9999-12-31T23:59:60-00:01"})
    archive += transaction("1", date);
  Table updates, rejected, exact;
  read_table<InitialTransactionUpdate>(archive, {}, updates);
  CHECK(updates.rows() == 4);
  read_table<RejectedLine>(archive, {}, rejected);
  REQUIRE(rejected.rows() == 3);
  for (const View rows = view_of(rejected); const int row : {0, 1}) {
    CHECK(rows["rule"].text(row) == "timestamp_fits_column");
    CHECK(rows["path"].text(row) == "$.initialTransaction.date");
    CHECK(rows["expected"].text(row) == "a time in the years 1 to 9999 of UTC");
    CHECK(rows["found"].text(row) == "another year");
  }
  CHECK(view_of(rejected)["rule"].text(2) == "days_and_times_exist");
  read_table<InitialTransactionUpdate>(archive, {.unit = bankhook::TimeUnit::nanoseconds}, exact);
  CHECK(exact.rows() == 0);
}

TEST_CASE("amounts fill all 38 digits of their columns and no more") {
  using bankhook::Decimal;
  using bankhook::detail::columns::scaled;
  CHECK(scaled(Decimal(1, -37), 0).has_value());
  CHECK_FALSE(scaled(Decimal(1, -38), 0).has_value());
  CHECK_FALSE(scaled(Decimal(1, -37), 1).has_value());
  CHECK(scaled(Decimal(0, -2147483647), 37) == bankhook::detail::columns::Decimal128{0, 0});
  CHECK(scaled(Decimal(INT64_MIN), 0) == bankhook::detail::columns::Decimal128{std::uint64_t{1} << 63, ~std::uint64_t{0}});
  CHECK(scaled(Decimal(INT64_MAX), 18).has_value());
  // 9223372036854775807 * 10^18
  CHECK(scaled(Decimal(INT64_MAX), 18) == bankhook::detail::columns::Decimal128{0xF21F494C589C0000, 0x06F05B59D3B1FFFF});
}

TEST_CASE("each line of an archive with faults is in one table, whatever the size of the batches") {
  const std::string archive = faulty_archive(3000);
  std::array<std::int64_t, 4> expected{};
  bankhook::Arena arena;
  for (const bankhook::ArchiveLine& line : bankhook::Lines(archive, arena))
    ++expected[line.event ? line.event->index() : 3];
  for (const std::size_t size : {std::size_t{0}, std::size_t{1} << 8, std::size_t{1} << 24}) {
    const ColumnOptions options{
        .scale = 18, .unit = bankhook::TimeUnit::microseconds, .batch_rows = 500, .batch_bytes = size};
    Table banks, updates, unknown, rejected;
    read_table<BankConnectionsUpdateV2>(archive, options, banks);
    read_table<InitialTransactionUpdate>(archive, options, updates);
    read_table<UnknownEvent>(archive, options, unknown);
    read_table<RejectedLine>(archive, options, rejected);
    CHECK(std::array{banks.rows(), updates.rows(), unknown.rows(), rejected.rows()} == expected);
    CHECK(expected[3] > 0);
  }
}

TEST_CASE("the nested values of an archive with faults are those that parse reads") {
  const std::string archive = faulty_archive(1000);
  Table table;
  read_table<BankConnectionsUpdateV2>(archive, {.batch_rows = 64}, table);
  bankhook::Arena arena;
  std::size_t batch = 0;
  std::int64_t row = 0, wrong = 0, seen = 0;
  for (const bankhook::ArchiveLine& line : bankhook::Lines(archive, arena)) {
    const auto* const event = line.event ? std::get_if<BankConnectionsUpdateV2>(&*line.event) : nullptr;
    if (event == nullptr) continue;
    if (row == table.batches.at(batch).array.length) ++batch, row = 0;
    const View rows = view_of(table, batch), list = rows["customer"]["connections"], inner = list["item"];
    const View accounts = inner["accounts"], account = accounts["item"];
    const auto first = list.at<std::int32_t>(row);
    wrong += rows["line"].at<std::int64_t>(row) != static_cast<std::int64_t>(line.number);
    wrong += rows["eventType"].text(row) != event->event_type.text();
    wrong += rows["customer"]["connectionsOn"].at<std::uint64_t>(row) != event->customer.connections_on;
    wrong += list.at<std::int32_t>(row + 1) - first != static_cast<std::int32_t>(event->customer.connections.size());
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(event->customer.connections.size()); ++i) {
      const Connection& one = event->customer.connections[static_cast<std::size_t>(i)];
      wrong += inner["id"].text(first + i) != one.id;
      wrong += inner["errorCode"].text(first + i) != std::optional<std::string_view>(one.error_code);
      wrong += inner["consentExpiresAt"].is_null(first + i) == one.consent_expires_at.has_value();
      const auto begin = accounts.at<std::int32_t>(first + i);
      for (std::int32_t a = 0; a < static_cast<std::int32_t>(one.accounts.size()); ++a) {
        const Account& expected = one.accounts[static_cast<std::size_t>(a)];
        wrong += account["id"].text(begin + a) != expected.id;
        wrong += account["accountHash"].text(begin + a) != std::optional<std::string_view>(expected.account_hash);
        ++seen;
      }
    }
    ++row;
  }
  CHECK(wrong == 0);
  CHECK(seen > 100);
}

TEST_CASE("only the columns that are asked for are built, by path") {
  constexpr std::string_view paths[] = {"initialTransaction.amount", "initialTransaction.dateLocal", "line"};
  Table table, nested;
  read_table<InitialTransactionUpdate>(transaction("1", "2026-03-01T10:00:00"), {.columns = paths}, table);
  CHECK(described(table.schema.schema) == ":+s{line:l initialTransaction:+s{amount:d:38,4 dateLocal:tsu:?}}");
  CHECK(view_of(table)["initialTransaction"]["dateLocal"].at<std::int64_t>(0) == 1772359200000000);
  constexpr std::string_view deep[] = {"customer.connections.accounts.id"};
  read_table<BankConnectionsUpdateV2>(connections(""), {.columns = deep}, nested);
  CHECK(described(nested.schema.schema) == ":+s{customer:+s{connections:+l{item:+s{accounts:+l{item:+s{id:u}}}}}}");
  constexpr std::string_view unknown[] = {"customer.nothing"};
  CHECK(to_columns<Connection>("", {.columns = unknown}).error() == ColumnErrc::unknown_column);
  CHECK(to_columns<Connection>("", {.scale = 38}).error() == ColumnErrc::scale_out_of_range);
}

TEST_CASE("a stream is dropped early, a child moved out, and a batch released by another thread, twice") {
  const std::string archive = faulty_archive(500);
  ArrowArrayStream stream = *to_columns<BankConnectionsUpdateV2>(archive, {.batch_rows = 10});
  ArrowArray batch{}, child{};
  ArrowSchema schema{};
  REQUIRE(stream.get_schema(&stream, &schema) == 0);
  REQUIRE(stream.get_next(&stream, &batch) == 0);
  release_twice_elsewhere(stream);
  child = *batch.children[5];
  batch.children[5]->release = nullptr;
  release_twice_elsewhere(batch);
  CHECK(child.length == 10);
  release_twice_elsewhere(child);
  release_twice_elsewhere(schema);
}

TEST_CASE("bad input leaves the good rows, and one row for each bad line") {
  const std::string good = transaction("1", "2026-03-01T10:00:00Z");
  std::string archive = good.substr(0, good.size() - 1) + "\r\n\r\n" + std::string(64, '\0') + "\n\xff\xfe\n" + good;
  archive += std::string(1 << 20, '[') + "\n" + good.substr(0, 100);
  Table updates, rejected;
  read_table<InitialTransactionUpdate>(archive, {}, updates);
  read_table<RejectedLine>(archive, {.batch_bytes = 1 << 24}, rejected);
  CHECK(updates.rows() == 2);
  REQUIRE(rejected.rows() == 4);
  CHECK(view_of(rejected)["line"].at<std::int64_t>(3) == 7);
  CHECK(view_of(rejected)["raw"].text<std::int64_t>(3) == good.substr(0, 100));
}

}  // namespace columns_test
