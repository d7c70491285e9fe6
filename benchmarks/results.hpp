// SPDX-License-Identifier: MIT
// What was measured: the repetitions of every method that count, their median and their spread.
#pragma once

#include "measure.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace bankhook::bench {

/// One method on one corpus: `bankhook, Lines`, `simdjson`.
struct Row {
  std::string method;
  double bytes;            ///< an event
  std::vector<double> ns;  ///< an event, one value a repetition, ascending

  [[nodiscard]] double median() const { return at(0.5); }
  /// From the lower to the upper quarter, as a share of the median.
  [[nodiscard]] double spread() const { return (at(0.75) - at(0.25)) / median(); }
  [[nodiscard]] bool is_of(std::string_view library) const {
    return method.starts_with(library) && (method.size() == library.size() || method[library.size()] == ',');
  }

 private:
  [[nodiscard]] double at(double share) const;
};

/// One task on one corpus.
struct Section {
  std::string task;
  std::string corpus;
  std::vector<Row> rows;

  /// The library's quickest method; null where it was not measured.
  [[nodiscard]] const Row* best(std::string_view library) const;
};

/// All sections, and what speaks against a page of them.
class Results {
 public:
  /// Adds the repetitions of a method; none where it has none.
  void add(const Method& method, const std::vector<Sample>& repetitions);

  /// In the order of registration.
  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  /// Median ns an event of the library's quickest method there; 0 where it was not measured.
  [[nodiscard]] double best(std::string_view task, std::string_view corpus, std::string_view library) const;
  /// The same of one method.
  [[nodiscard]] double of(std::string_view task, std::string_view corpus, std::string_view method) const;

  std::vector<std::string> problems{};

 private:
  [[nodiscard]] const Section* find(std::string_view task, std::string_view corpus) const;

  std::vector<Section> sections_;
};

}  // namespace bankhook::bench
