// SPDX-License-Identifier: MIT
// How what is measured is collected.
#include "results.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bankhook::bench {

double Row::at(double share) const {
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

void Results::add(const Method& method, const std::vector<Sample>& repetitions) {
  if (repetitions.empty()) return;
  const Sample& first = repetitions.front();
  Row row{method.name, static_cast<double>(first.bytes) / static_cast<double>(first.events), {}};
  for (const Sample& one : repetitions) row.ns.push_back(one.seconds * 1e9 / static_cast<double>(one.events));
  std::ranges::sort(row.ns);
  const auto is_it = [&](const Section& one) { return one.task == method.task && one.corpus == method.corpus; };
  auto section = std::ranges::find_if(sections_, is_it);
  if (section == sections_.end()) section = sections_.insert(section, Section{method.task, method.corpus, {}});
  section->rows.push_back(std::move(row));
}

const Section* Results::find(std::string_view task, std::string_view corpus) const {
  const auto is_it = [&](const Section& one) { return one.task == task && one.corpus == corpus; };
  const auto found = std::ranges::find_if(sections_, is_it);
  return found == sections_.end() ? nullptr : &*found;
}

double Results::best(std::string_view task, std::string_view corpus, std::string_view library) const {
  const Section* const section = find(task, corpus);
  const Row* const row = section == nullptr ? nullptr : section->best(library);
  return row == nullptr ? 0 : row->median();
}

double Results::of(std::string_view task, std::string_view corpus, std::string_view method) const {
  const Section* const section = find(task, corpus);
  if (section == nullptr) return 0;
  const auto row = std::ranges::find(section->rows, method, &Row::method);
  return row == section->rows.end() ? 0 : row->median();
}

}  // namespace bankhook::bench
