// SPDX-License-Identifier: MIT
// Every bar of the codec, in one list.
#include "bars.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace bankhook::bench {
namespace {

struct Kind {
  const char* corpus;
  double native, baseline;  ///< times simdjson On-Demand, when reading
};
constexpr std::array kinds{Kind{"bank, everyday", 2.8, 3.0}, Kind{"bank, heavy", 2.9, 3.8}, Kind{"transaction", 4.7, 5.2}};
constexpr std::array variations{", shuffled", ", indented", ", unlisted fields"};
constexpr double reading_beside_glaze = 2.3;
constexpr double general_path_beside_simdjson = 1.3;
constexpr double writing_beside_memcpy = 0.9;
constexpr double writing_beside_glaze = 2.5;
constexpr double two_threads = 1.8;
constexpr double flat = 0.85;
constexpr std::array sizes{"1 MB", "16 MB", "256 MB", "4096 MB"};

class List {
 public:
  explicit List(const Results& results) : results_(results) {}

  /// How many times as fast as `library` the library is.
  void beside(const char* library, const char* task, const std::string& corpus, double wanted) {
    const double ours = results_.best(task, corpus, "bankhook");
    const double other = results_.best(task, corpus, library);
    add(std::string(task) + ", " + corpus + ": times " + library, wanted, other, ours);
  }

  /// `more / less`, where both were measured.
  void add(std::string what, double wanted, double more, double less) {
    if (more > 0 && less > 0) bars_.push_back({std::move(what), wanted, more / less});
  }

  std::vector<Bar> take() { return std::move(bars_); }

 private:
  const Results& results_;
  std::vector<Bar> bars_;
};

/// ns a byte: the parts of an archive end at other lines.
double ns_a_byte(const Results& results, const std::string& size, const char* method) {
  for (const Section& section : results.sections()) {
    if (section.task != "scaling" || section.corpus != size) continue;
    const auto row = std::ranges::find(section.rows, method, &Row::method);
    if (row != section.rows.end()) return row->median() / row->bytes;
  }
  return 0;
}

void add_scaling(const Results& results, List& list) {
  list.add("scaling, 256 MB: two threads, times one", two_threads, ns_a_byte(results, "256 MB", "bankhook, Lines"),
           ns_a_byte(results, "256 MB", "bankhook, Lines, two threads"));
  std::array<double, sizes.size()> costs{};
  std::ranges::transform(sizes, costs.begin(),
                         [&](const char* size) { return ns_a_byte(results, size, "bankhook, Lines"); });
  list.add("scaling, 1 MB to 4 GB: the slowest, times the fastest", flat, std::ranges::min(costs), std::ranges::max(costs));
}

}  // namespace

std::vector<Bar> bars(const Results& results, bool native) {
  List list(results);
  for (const Kind& kind : kinds) list.beside("simdjson", "parse", kind.corpus, native ? kind.native : kind.baseline);
  for (const Kind& kind : kinds) list.beside("glaze", "parse", kind.corpus, reading_beside_glaze);
  for (const Kind& kind : kinds) {
    for (const char* variation : variations) {
      list.beside("simdjson", "parse", std::string(kind.corpus) + variation, general_path_beside_simdjson);
    }
  }
  for (const Kind& kind : kinds) list.beside("memcpy", "serialize", kind.corpus, writing_beside_memcpy);
  for (const Kind& kind : kinds) list.beside("glaze", "serialize", kind.corpus, writing_beside_glaze);
  add_scaling(results, list);
  return list.take();
}

}  // namespace bankhook::bench
