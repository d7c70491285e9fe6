// SPDX-License-Identifier: MIT
// The shared payloads with what is expected of them, and how two events are compared.
#pragma once

#include <bankhook/events/any_event.hpp>
#include <bankhook/reflect/equality.hpp>

#include <support/files.hpp>

#include <cstddef>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace bankhook::test {

/// The rows of a file of separated values without quotes, its head left out.
[[nodiscard]] inline std::vector<std::vector<std::string>> read_rows(const std::filesystem::path& path,
                                                                     char separator = ',') {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);) {
    auto& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, separator);) row.push_back(cell);
  }
  if (rows.size() < 2) throw std::runtime_error("no rows in " + path.string());
  rows.erase(rows.begin());
  return rows;
}

/// A payload of tests/data/valid.
struct Sample {
  std::string name;
  std::string text;        ///< without the end of its line
  std::string event;       ///< the event's name
  std::string event_type;  ///< empty for an event that is not listed
  bool canonical = false;  ///< minified, in the specification's order: written as it was read
};

[[nodiscard]] inline std::vector<Sample> read_samples() {
  std::vector<Sample> samples;
  for (const auto& row : read_rows(data() / "valid" / "expected.csv")) {
    Sample& sample = samples.emplace_back();
    sample = {row.at(0), read_file(data() / "valid" / row[0]), row.at(1), row.at(2), row.at(3) == "yes"};
    if (sample.text.ends_with('\n')) sample.text.pop_back();
  }
  return samples;
}

/// Every payload of tests/data/valid, read once.
[[nodiscard]] inline const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = read_samples();
  return all;
}

/// One payload of tests/data/valid.
[[nodiscard]] inline const std::string& sample(std::string_view name) {
  for (const Sample& one : samples()) {
    if (one.name == std::string(name) + ".json") return one.text;
  }
  throw std::runtime_error("no such sample: " + std::string(name));
}

/// A payload of tests/data/invalid with the error that it must give.
struct Fault {
  std::string name;
  std::string text;
  std::string code;
  std::size_t offset = 0;
  std::string field;
  bool or_null = false;
};

[[nodiscard]] inline std::vector<Fault> faults() {
  std::vector<Fault> all;
  for (const auto& row : read_rows(data() / "invalid" / "expected.csv")) {
    all.push_back({row.at(0), read_file(data() / "invalid" / row[0]), row.at(1), std::stoul(row.at(2)), row.at(3),
                   row.at(4) == "yes"});
  }
  return all;
}

/// Whether two events are equal; one that is not listed by its name alone, because its raw text may be spaced otherwise.
[[nodiscard]] inline bool same_event(const AnyEvent& left, const AnyEvent& right) {
  if (left.index() != right.index()) return false;
  return std::visit(
      [&]<class T>(const T& event) {
        const T& other = std::get<T>(right);
        if constexpr (std::is_same_v<T, UnknownEvent>) return event.event == other.event;
        else return detail::reflect::equal(event, other);
      },
      left);
}

}  // namespace bankhook::test
