// SPDX-License-Identifier: MIT
// How the table is computed and printed.
#include "table.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace bankhook::bench {
namespace {

/// The bar: reading takes at most half of simdjson's time, writing at most memcpy's divided by 0.9.
constexpr double least_ratio_to_simdjson = 2.0;
constexpr double least_ratio_to_memcpy = 0.9;

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// `of / by` in a column of its own, or a dash.
void print_ratio(double of, double by) {
  if (of > 0 && by > 0) std::printf("%13.2f", of / by);
  else std::printf("%13s", "-");
}

constexpr const char* legend =
    "Medians; ratios above 1 mean: quicker than that peer (its quickest way). What is not checked there, and is by the "
    "kit:\n"
    "  simdjson   On-Demand: repeated names, the grammar of what is skipped, what follows the document\n"
    "  RapidJSON  in situ, the payload copied first: UTF-8, repeated names\n"
    "  Peers are told the event's type, the kit finds it. Dates and amounts are read and printed by the kit everywhere.\n";

}  // namespace

double Table::Section::best(const char* method) const {
  double least = 0;
  for (const Row& row : rows) {
    const double ns = median(row.ns);
    if (row.method.starts_with(method) && ns > 0 && (least == 0 || ns < least)) least = ns;
  }
  return least;
}

Table::Row& Table::row_of(const std::string& name, std::int64_t family) {
  const std::size_t slash = name.rfind('/');
  const std::string title = name.substr(0, slash);
  const std::string method = name.substr(slash + 1);
  auto section = std::ranges::find(sections_, title, &Section::title);
  if (section == sections_.end()) section = sections_.insert(section, Section{title, {}});
  auto row = std::ranges::find(section->rows, method, &Row::method);
  if (row == section->rows.end()) row = section->rows.insert(row, Row{method, family, {}, {}});
  return *row;
}

void Table::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration) continue;
    const auto events = run.counters.find("items_per_second");
    const auto bytes = run.counters.find("bytes_per_second");
    if (events == run.counters.end() || bytes == run.counters.end()) {
      std::fprintf(stderr, "%s failed\n", run.benchmark_name().c_str());
      complete_ = false;
      continue;
    }
    Row& row = row_of(run.run_name.function_name, run.family_index);
    row.ns.push_back(1e9 / events->second);
    row.bytes.push_back(bytes->second);
  }
}

void Table::print(const Section& section, const Row& row) {
  const double ns = median(row.ns);
  std::printf("  %-24s%10.1f%8.2f", row.method.c_str(), ns, median(row.bytes) / 1e9);
  const double simdjson = section.best("simdjson");
  const double memcpy = section.best("memcpy");
  print_ratio(simdjson, ns);
  print_ratio(section.best("RapidJSON"), ns);
  print_ratio(memcpy, ns);
  const double reached = section.writes() ? memcpy / ns / least_ratio_to_memcpy : simdjson / ns / least_ratio_to_simdjson;
  if (row.is_kit() && reached > 0) std::printf("   %s", reached >= 1 ? "ahead" : "behind");
  std::printf("\n");
}

void Table::print(const Section& section) {
  std::printf("\n%-26s%10s%8s%13s%13s%13s   ", section.title.c_str(), "ns/event", "GB/s", "x simdjson", "x RapidJSON",
              "x memcpy");
  if (section.writes()) std::printf("bar: memcpy x %.1f\n", least_ratio_to_memcpy);
  else if (section.best("simdjson") > 0) std::printf("bar: simdjson x %.1f\n", least_ratio_to_simdjson);
  else std::printf("\n");
  for (const Row& row : section.rows) print(section, row);
}

void Table::Finalize() {
  // Alternating repetitions come back in any order; the tables keep the one of the registration.
  for (Section& section : sections_) std::ranges::sort(section.rows, {}, &Row::family);
  std::ranges::sort(sections_, {}, [](const Section& section) { return section.rows.front().family; });
  for (const Section& section : sections_) print(section);
  std::printf("\n%s", legend);
}

}  // namespace bankhook::bench
