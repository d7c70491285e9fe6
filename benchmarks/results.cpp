// SPDX-License-Identifier: MIT
// How what is measured is collected.
#include "results.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::bench {

double Row::at(double share) const {
  if (ns.empty()) return 0;
  const double wanted = share * static_cast<double>(ns.size() - 1);
  const auto below = static_cast<std::size_t>(wanted);
  const auto above = std::min(below + 1, ns.size() - 1);
  return std::lerp(ns[below], ns[above], wanted - static_cast<double>(below));
}

const Row* Section::best(std::string_view library) const {
  const Row* least = nullptr;
  for (const Row& row : rows) {
    if (row.is_of(library) && (least == nullptr || row.median() < least->median())) least = &row;
  }
  return least;
}

Row& Results::row_of(const std::string& name, std::int64_t family) {
  const std::size_t first = name.find('/');
  const std::size_t second = name.find('/', first + 1);
  const std::string task = name.substr(0, first);
  const std::string corpus = name.substr(first + 1, second - first - 1);
  const std::string method = name.substr(second + 1);
  const auto is_it = [&](const Section& section) { return section.task == task && section.corpus == corpus; };
  auto section = std::ranges::find_if(sections_, is_it);
  if (section == sections_.end()) section = sections_.insert(section, Section{task, corpus, {}});
  auto row = std::ranges::find(section->rows, method, &Row::method);
  if (row == section->rows.end()) row = section->rows.insert(row, Row{method, family, 0, {}});
  return *row;
}

void Results::ReportRuns(const std::vector<Run>& runs) {
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
    row.bytes = bytes->second / events->second;
  }
}

void Results::Finalize() {
  // Alternating repetitions come back in any order.
  for (Section& section : sections_) {
    for (Row& row : section.rows) std::ranges::sort(row.ns);
    std::ranges::sort(section.rows, {}, &Row::place);
  }
  std::ranges::sort(sections_, {}, [](const Section& section) { return section.rows.front().place; });
}

double Results::best(std::string_view task, std::string_view corpus, std::string_view library) const {
  for (const Section& section : sections_) {
    if (section.task != task || section.corpus != corpus) continue;
    const Row* const row = section.best(library);
    return row == nullptr ? 0 : row->median();
  }
  return 0;
}

double Results::of(std::string_view task, std::string_view corpus, std::string_view method) const {
  for (const Section& section : sections_) {
    if (section.task != task || section.corpus != corpus) continue;
    const auto row = std::ranges::find(section.rows, method, &Row::method);
    return row == section.rows.end() ? 0 : row->median();
  }
  return 0;
}

}  // namespace bankhook::bench
