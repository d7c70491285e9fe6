// SPDX-License-Identifier: MIT
// The table at the end: medians of the alternating repetitions, ratios to the peers, and whether the bar is reached.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace bankhook::bench {

/// Collects what is measured and prints one table for each task and corpus.
class Table : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  /// Whether every method went through all its events.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  struct Row {
    std::string method;
    std::int64_t family = 0;    ///< its place in the order of registration
    std::vector<double> ns;     ///< an event, one value a repetition
    std::vector<double> bytes;  ///< a second

    [[nodiscard]] bool is_kit() const { return method.starts_with("bankhook"); }
  };
  struct Section {
    std::string title;  ///< task and corpus
    std::vector<Row> rows;

    [[nodiscard]] bool writes() const { return title.starts_with("serialize"); }
    /// The median time of the quickest method whose name begins so, or 0 if there is none.
    [[nodiscard]] double best(const char* method) const;
  };

  Row& row_of(const std::string& name, std::int64_t family);
  static void print(const Section& section);
  static void print(const Section& section, const Row& row);

  std::vector<Section> sections_;
  bool complete_ = true;
};

}  // namespace bankhook::bench
