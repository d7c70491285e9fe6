// SPDX-License-Identifier: MIT
// Findings, outcomes and tracked state as Arrow columns: every value is that of `diagnose`, of the tracker and its queries.
#include "consumer.hpp"

#include <bankhook/check.hpp>
#include <bankhook/parse.hpp>
#include <bankhook/sandbox.hpp>
#include <bankhook/tracking.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace columns_test {
namespace {

using bankhook::ColumnErrc;
using bankhook::FindingRow;
using bankhook::OutcomeRow;
using bankhook::to_columns;
using bankhook::TrackedTransaction;

/// An archive with faults, as the sandbox sends it.
std::string varied_archive(int count) {
  bankhook::SandboxOptions options;
  options.faults = {.duplicate = 0.05, .truncate = 0.05, .mutate = 0.1, .future = 0.05};
  bankhook::Sandbox sandbox(11, options);
  std::string archive;
  for (int i = 0; i < count; ++i) {
    std::string payload(sandbox.next().payload);
    for (char& c : payload) c = c == '\n' ? ' ' : c;
    archive += payload + "\n";
  }
  return archive;
}

/// A row of a table that was read in several batches.
struct Rows {
  explicit Rows(const Table& given) : table(&given) {}

  /// The next row.
  [[nodiscard]] View next() {
    if (++row == table->batches.at(batch).array.length) ++batch, row = 0;
    return view_of(*table, batch);
  }
  const Table* table;
  std::size_t batch = 0;
  std::int64_t row = -1;
};

}  // namespace

TEST_CASE("each finding of each line is a row, whatever the size of the batches") {
  const std::string archive = varied_archive(600);
  for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{1} << 16}) {
    Table table;
    read_table<FindingRow>(archive, {.batch_rows = size}, table);
    Rows rows(table);
    bankhook::Arena arena;
    std::int64_t wrong = 0, count = 0;
    for (const bankhook::ArchiveLine& line : bankhook::Lines(archive, arena)) {
      for (const bankhook::Finding& finding : bankhook::diagnose(line.raw)) {
        if (++count > table.rows()) break;
        const View found = rows.next();
        wrong += found["line"].at<std::int64_t>(rows.row) != static_cast<std::int64_t>(line.number);
        wrong += found["rule"].text(rows.row) != name_of(finding.rule);
        wrong += found["evidence"].text(rows.row) != name_of(finding.evidence);
        wrong += found["section"].text(rows.row) != finding.section;
        wrong += found["severity"].text(rows.row) != name_of(finding.severity);
        wrong += found["path"].text(rows.row) != finding.path;
        wrong += found["offset"].at<std::int64_t>(rows.row) != static_cast<std::int64_t>(finding.offset.value());
        wrong += found["expected"].text(rows.row) != finding.expected;
        wrong += found["found"].text(rows.row) != finding.found;
      }
    }
    CHECK(count == table.rows());
    CHECK(count > 100);
    CHECK(wrong == 0);
  }
}

TEST_CASE("each event has the outcome that a tracker with the events before it gives") {
  const std::string archive = varied_archive(600);
  Table table;
  read_table<OutcomeRow>(archive, {.batch_rows = 100}, table);
  Rows rows(table);
  bankhook::Tracker tracker;
  bankhook::Arena arena;
  std::int64_t wrong = 0, count = 0, changed = 0, broken = 0;
  for (const bankhook::ArchiveLine& line : bankhook::Lines(archive, arena)) {
    if (!line.event) continue;
    const bankhook::Outcome outcome = tracker.apply(*line.event);
    if (++count > table.rows()) break;
    const View found = rows.next();
    const std::int64_t row = rows.row;
    wrong += found["line"].at<std::int64_t>(row) != static_cast<std::int64_t>(line.number);
    wrong += found["verdict"].text(row) != name_of(outcome.verdict);
    wrong += found["section"].text(row).value_or("") != outcome.reason.section();
    wrong += found["evidence"].is_null(row) == outcome.reason.evidence().has_value();
    const View changes = found["changes"], change = changes["item"], findings = found["findings"];
    auto place = changes.at<std::int32_t>(row);
    for (const bankhook::Change& one : outcome.changes) {
      wrong += change["kind"].text(place) != name_of(one.kind);
      wrong += change["id"].text(place) != one.id;
      wrong += change["parentId"].text(place).value_or("") != one.parent_id;
      wrong += change["field"].text(place).value_or("") != one.field;
      wrong += change["before"].is_null(place) != (one.before.index() == 0);
      wrong += change["after"].is_null(place) != (one.after.index() == 0);
      ++place, ++changed;
    }
    wrong += changes.at<std::int32_t>(row + 1) != place;
    auto rule = findings.at<std::int32_t>(row);
    for (const auto& one : outcome.findings) wrong += findings["item"].text(rule++) != name_of(one.rule), ++broken;
    wrong += findings.at<std::int32_t>(row + 1) != rule;
  }
  CHECK(count == table.rows());
  CHECK((changed > 100 && broken > 0));
  CHECK(wrong == 0);
}

TEST_CASE("what a tracker tracks is a table, which outlives the tracker") {
  const std::string archive = varied_archive(300);
  ArrowArrayStream stream{};
  std::vector<std::string> ids;
  {
    bankhook::Tracker tracker;
    bankhook::Arena arena;
    for (const bankhook::ArchiveLine& line : bankhook::Lines(archive, arena)) {
      if (line.event) tracker.apply(*line.event);
    }
    std::vector<TrackedTransaction> held;
    tracker.for_each_transaction(
        [&](const TrackedTransaction& one) { held.push_back(one), ids.emplace_back(one.initial_transaction.id); });
    stream = *to_columns(std::span<const TrackedTransaction>(held), {.scale = 18, .batch_rows = 7});
  }
  std::vector<std::string> found;
  Schema schema;
  REQUIRE(stream.get_schema(&stream, &schema.schema) == 0);
  for (;;) {
    Batch batch;
    REQUIRE(stream.get_next(&stream, &batch.array) == 0);
    if (batch.array.release == nullptr) break;
    CHECK(batch.array.length <= 7);
    const View transactions = View{&schema.schema, &batch.array}["initialTransaction"];
    for (std::int64_t row = 0; row < batch.array.length; ++row) found.emplace_back(*transactions["id"].text(row));
  }
  stream.release(&stream);
  CHECK(found == ids);
  CHECK(ids.size() > 10);
}

TEST_CASE("the columns of tracked state are derived from its structs, and a value that does not fit is an error") {
  TrackedTransaction exact;
  constexpr std::chrono::year_month_day day{std::chrono::year(2026), std::chrono::May, std::chrono::day(3)};
  exact.initial_transaction.transaction_date = day;
  exact.initial_transaction.date = *bankhook::Timestamp::make(day, {}, 0, {});
  exact.initial_transaction.amount = bankhook::Decimal(12345, 5);
  const std::span<const TrackedTransaction> rows(&exact, 1);
  CHECK(to_columns(rows).error() == ColumnErrc::value_does_not_fit);
  CHECK(to_columns(rows, {.scale = 38}).error() == ColumnErrc::scale_out_of_range);
  constexpr std::string_view paths[] = {"customer", "initialTransaction.amount"};
  ArrowArrayStream stream = *to_columns(rows, {.scale = 5, .columns = paths});
  Schema schema;
  REQUIRE(stream.get_schema(&stream, &schema.schema) == 0);
  stream.release(&stream);  // with a batch that nobody took
  CHECK(described(schema.schema) == ":+s{initialTransaction:+s{amount:d:38,5} customer:+s{id:u externalId:u}}");
}

}  // namespace columns_test
