// SPDX-License-Identifier: MIT
// What was measured: every repetition of every method, its median and its spread.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bankhook::bench {

/// One method on one corpus: `bankhook, Lines`, `simdjson`.
struct Row {
  std::string method;
  std::int64_t place = 0;  ///< in the order of registration
  double bytes = 0;        ///< an event
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

/// Collects what Google Benchmark reports.
class Results : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  /// In the order of registration.
  [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
  /// Median ns an event of the library's quickest method there; 0 where it was not measured.
  [[nodiscard]] double best(std::string_view task, std::string_view corpus, std::string_view library) const;
  /// The same of one method.
  [[nodiscard]] double of(std::string_view task, std::string_view corpus, std::string_view method) const;
  /// Whether every method went through all its events.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  Row& row_of(const std::string& name, std::int64_t family);

  std::vector<Section> sections_;
  bool complete_ = true;
};

}  // namespace bankhook::bench
